/* SPDX-License-Identifier: Apache-2.0 */
/* Sums in plain C with vector instructions, on one core and on all. */
#ifndef MOTE_BENCH_PEERS_REDUCE_H
#define MOTE_BENCH_PEERS_REDUCE_H

#include <stddef.h>

/* The sum is accumulated in the type of the values. */
double mote_peer_sum_f32(const float *values, size_t n);
double mote_peer_sum_f64(const double *values, size_t n);
double mote_peer_sum_f32_omp(const float *values, size_t n);
double mote_peer_sum_f64_omp(const double *values, size_t n);

#endif
