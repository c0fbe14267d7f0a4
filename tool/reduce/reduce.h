/* SPDX-License-Identifier: Apache-2.0 */
/* The interface between the files of mote reduce. */
#ifndef MOTE_TOOL_REDUCE_REDUCE_H
#define MOTE_TOOL_REDUCE_REDUCE_H

#include "../jagged/job.h"

typedef struct reduce_options {
    tool_common common;
    const char *op;
    int reduction, nan; /* mote_reduction, mote_nan_policy */
    int precision;      /* mote_accumulation, of arrays */
    int base;           /* of lists: 0 = not given, 1 = absolute, 2 = first */
    int out;            /* of lists: 0 = not given, 1 = float32, 2 = float64 */
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

/* Writes one number a line. */
void reduce_write_lines(out_file *out, const mote_npy *numbers);

/* The types of VALUES. */
extern const mote_type reduce_types[];

#endif
