/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and segmented sums in plain C and OpenMP: what the kernels are compared with. */
#ifndef MOTE_BENCH_PEERS_JAGGED_H
#define MOTE_BENCH_PEERS_JAGGED_H

#include "bench/bench.h"

/* One loop over the lists, one core. */
void mote_peer_parents_sequential(const int32_t *offsets, size_t m, int32_t *parents);

/* The lists shared out between the cores. */
void mote_peer_parents_by_list(const int32_t *offsets, size_t m, int32_t *parents);

/* The elements shared out between the cores, each finds its first list by a search. */
void mote_peer_parents_even(const int32_t *offsets, size_t m, int32_t *parents);

/* The same for the places of elements in their lists. */
void mote_peer_local_sequential(const int32_t *offsets, size_t m, int32_t *out);
void mote_peer_local_by_list(const int32_t *offsets, size_t m, int32_t *out);
void mote_peer_local_even(const int32_t *offsets, size_t m, int32_t *out);

/* The same for sums of lists. */
void mote_peer_reduce_lists_sequential(const int32_t *offsets, size_t m, const float *values,
                                       float *sums);
void mote_peer_reduce_lists_by_list(const int32_t *offsets, size_t m, const float *values,
                                    float *sums);
void mote_peer_reduce_lists_even(const int32_t *offsets, size_t m, const float *values,
                                 float *sums);

#endif
