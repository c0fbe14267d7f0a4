/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms in plain C: exact comparisons in long double, which represents all 64-bit values. */
#ifndef MOTE_TESTKIT_REFERENCE_REDUCE_HISTOGRAM_H
#define MOTE_TESTKIT_REFERENCE_REDUCE_HISTOGRAM_H

#include <stdbool.h>

#include "mote/histogram.h"

/* The arguments of a call, with arrays of the host instead of views. */
typedef struct mote_histogram_task {
    const void *values, *edges, *weights; /* edges and weights may be NULL */
    mote_type type, edges_type, weights_type;
    size_t n, bins;
    double low, high;
} mote_histogram_task;

/* Element i of an array of any type of numbers. */
long double mote_number_at(const void *data, mote_type type, size_t i);

/* The status and the index of mote_error_read(), and, if that is MOTE_SUCCESS, the result: int64,
 * or of the type of the weights. Returns false if memory runs out. */
bool mote_oracle_histogram(const mote_histogram_task *task, void *result, mote_status *told,
                           uint32_t *index);

#endif
