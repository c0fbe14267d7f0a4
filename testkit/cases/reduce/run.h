/* SPDX-License-Identifier: Apache-2.0 */
/* Runs mote_reduce() and mote_reduce_rows() and compares with the oracles. */
#ifndef MOTE_TESTKIT_CASES_REDUCE_RUN_H
#define MOTE_TESTKIT_CASES_REDUCE_RUN_H

#include "testkit/cases/reduce/data.h"
#include "testkit/reference/reduce/oracle.h"

typedef struct mote_reduce_case {
    mote_reduce_task task;
    size_t rows, n;
    mote_reduce_kind kind;
    uint64_t seed;
    mote_type result; /* 0 = the widest */
    size_t shift;     /* elements between a well aligned place and the values */
    bool low;         /* with result_low; a float32 result only */
    bool gated;       /* behind a user event that is completed after the call has returned */
    bool workspace;   /* with the caller's own */
} mote_reduce_case;

/* What result means when it is 0. */
mote_type mote_reduce_widest_result(const mote_reduce_task *task);

/* Same bits as the layout's oracle; float sums also near the exact one. Inputs and memory around
 * them and the outputs may not change. False with a sentence. */
bool mote_reduce_run(mote_context *ctx, cl_command_queue queue, const mote_reduce_case *c,
                     char *message, size_t size);

/* Compares results of `rows` rows with the oracles; low may be NULL. False with a sentence. */
bool mote_reduce_compare(const mote_reduce_case *c, const void *values, const void *result,
                         const float *low, char *message, size_t size);

#endif
