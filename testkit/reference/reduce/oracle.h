/* SPDX-License-Identifier: Apache-2.0 */
/* Plain C sums: in the virtual layout of mote/reduce.h, for the same bits, and exact, for the
 * error. */
#ifndef MOTE_TESTKIT_REFERENCE_REDUCE_ORACLE_H
#define MOTE_TESTKIT_REFERENCE_REDUCE_ORACLE_H

#include <stdbool.h>

#include "mote/reduce.h"

/* The values to sum, and the options. */
typedef struct mote_reduce_task {
    mote_type type; /* float32, float64 or int64 */
    mote_reduction reduction;
    mote_accumulation accumulation;
    mote_nan_policy nan;
    bool has_fp64; /* of the device */
} mote_reduce_task;

/* The result in every possible type; members of other types are 0. */
typedef struct mote_reduce_result {
    int64_t integer;
    double f64;
    float f32, low; /* low: for result_low */
} mote_reduce_result;

/* Reduces one row of n values, with the library's bits. */
void mote_reduce_oracle(const mote_reduce_task *task, const void *values, size_t n,
                        mote_reduce_result *result);

/* Checks a float sum `got`, of two parts or with low = 0, against the exact sum and the bounds of
 * mote/reduce.h. result: its type. False with a sentence. */
bool mote_reduce_is_near(const mote_reduce_task *task, const void *values, size_t n,
                         mote_type result, double got, double low, char *message, size_t size);

#endif
