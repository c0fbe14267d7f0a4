/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of float32 in plain C, on all cores. */
#ifndef MOTE_BENCH_PEERS_HISTOGRAM_H
#define MOTE_BENCH_PEERS_HISTOGRAM_H

#include <stdbool.h>
#include <stddef.h>

/* Counts, or sums of weights in double, of finite values in bins of nearly equal width, with the
 * comparisons of numpy.histogram(). weights may be NULL. False if memory runs out. */
bool mote_peer_histogram(const float *values, const float *weights, size_t n, const float *edges,
                         size_t bins, double *result);

#endif
