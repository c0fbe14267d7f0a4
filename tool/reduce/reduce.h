/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the files of mote reduce. */
#ifndef MOTE_TOOL_REDUCE_REDUCE_H
#define MOTE_TOOL_REDUCE_REDUCE_H

#include "../jagged/job.h"

/* The choice that the options --op and --out make. */
typedef struct reduce_choice {
    const char *op;
    int reduction; /* mote_reduction */
    int out;       /* for lists: 0 = not given, 1 = float32, 2 = float64 */
} reduce_choice;

typedef struct reduce_options {
    tool_common common;
    reduce_choice choice;
    int nan;       /* mote_nan_policy */
    int precision; /* a mote_accumulation, for arrays */
    int base;      /* for lists: 0 = not given, 1 = absolute, 2 = first */
    uint64_t ddof;
    const char *values;
    jagged_lists lists; /* without offsets: VALUES is an array, or rows */
    mote_npy array;
} reduce_options;

/* Reads the inputs and reduces them: returns TOOL_GO_ON, or prints a message and returns an exit
 * code. */
int reduce_lists(jagged_job *job, reduce_options *options);
int reduce_array(jagged_job *job, reduce_options *options);

/* Calls the library for `count` lists, whose offsets options->lists contains. */
int reduce_call_lists(jagged_job *job, const reduce_options *options, const jagged_lists *lists,
                      const char *name);

/* Chooses the type of the results of lists: --out, or the default type, with uint8 for truth
 * values. Returns TOOL_GO_ON, or TOOL_USAGE after a message if the results cannot have that
 * type. */
int reduce_choose_result(const reduce_choice *choice, const char *values_name, mote_type values,
                         mote_type index, mote_type *type);

/* Parses the value of --out. */
int reduce_take_out(const char *value, reduce_choice *choice);

/* The permitted types of VALUES. */
extern const mote_type reduce_types[];

#endif
