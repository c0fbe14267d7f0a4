/* SPDX-License-Identifier: Apache-2.0 */
/* Medians of the benchmark. */
#ifndef MOTE_BENCH_SPREAD_H
#define MOTE_BENCH_SPREAD_H

#include <stddef.h>

/* Median and spread of a set of times, all in microseconds. */
typedef struct mote_spread {
    double median, low, high; /* low and high: 10 % and 90 % */
} mote_spread;

/* Sorts `values` and computes their spread; n is at least 1. */
mote_spread mote_spread_of(double *values, size_t n);

#endif
