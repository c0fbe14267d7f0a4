/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and segmented sums in plain C and OpenMP, for comparison with the kernels. */
#ifndef MOTE_BENCH_PEERS_JAGGED_H
#define MOTE_BENCH_PEERS_JAGGED_H

#include "bench/bench.h"

/* One loop over the lists, one core. */
void mote_peer_parents_sequential(const int32_t *offsets, size_t m, int32_t *parents);

/* The lists are divided among the cores. */
void mote_peer_parents_by_list(const int32_t *offsets, size_t m, int32_t *parents);

/* The elements are divided among the cores; each core finds its first list by a search. */
void mote_peer_parents_even(const int32_t *offsets, size_t m, int32_t *parents);

/* Compute the position of each element in its list, with the same three divisions of work. */
void mote_peer_local_sequential(const int32_t *offsets, size_t m, int32_t *out);
void mote_peer_local_by_list(const int32_t *offsets, size_t m, int32_t *out);
void mote_peer_local_even(const int32_t *offsets, size_t m, int32_t *out);

/* Compute the sum of each list, with the same divisions of work. */
void mote_peer_reduce_lists_sequential(const int32_t *offsets, size_t m, const float *values,
                                       float *sums);
void mote_peer_reduce_lists_by_list(const int32_t *offsets, size_t m, const float *values,
                                    float *sums);
void mote_peer_reduce_lists_even(const int32_t *offsets, size_t m, const float *values,
                                 float *sums);

#endif
