/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the files of mote reduce. */
#ifndef MOTE_TOOL_REDUCE_REDUCE_H
#define MOTE_TOOL_REDUCE_REDUCE_H

#include "../jagged/job.h"

/* What the options --op and --out have chosen. */
typedef struct reduce_choice {
    const char *op;
    int reduction; /* mote_reduction */
    int out;       /* of lists: 0 = not given, 1 = float32, 2 = float64 */
} reduce_choice;

typedef struct reduce_options {
    tool_common common;
    reduce_choice choice;
    int nan;       /* mote_nan_policy */
    int precision; /* mote_accumulation, of arrays */
    int base;      /* of lists: 0 = not given, 1 = absolute, 2 = first */
    uint64_t ddof;
    const char *values;
    jagged_lists lists; /* without offsets: VALUES is an array, or rows */
    mote_npy array;
} reduce_options;

/* Read the inputs and reduce them: TOOL_GO_ON, or an exit code after a message. */
int reduce_lists(jagged_job *job, reduce_options *options);
int reduce_array(jagged_job *job, reduce_options *options);

/* The call on lists: offsets as options->lists has them, of `count` lists. */
int reduce_call_lists(jagged_job *job, const reduce_options *options, const jagged_lists *lists,
                      const char *name);

/* The type of the results of lists: --out, or the usual one, with uint8 for truth. TOOL_GO_ON, or
 * TOOL_USAGE after a message when they cannot have it. */
int reduce_choose_result(const reduce_choice *choice, const char *values_name, mote_type values,
                         mote_type index, mote_type *type);

/* Takes the value of --out. */
int reduce_take_out(const char *value, reduce_choice *choice);

/* The types of VALUES. */
extern const mote_type reduce_types[];

#endif
