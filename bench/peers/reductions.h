/* SPDX-License-Identifier: Apache-2.0 */
/* Minima, positions of maxima, counts and means of lists in plain C and OpenMP, for comparison with
 * the kernels. None of them tests for NaN. */
#ifndef MOTE_BENCH_PEERS_REDUCTIONS_H
#define MOTE_BENCH_PEERS_REDUCTIONS_H

#include "bench/bench.h"

/* The lists are divided among the cores; or the elements, so that long lists are divided. */
extern const mote_jagged_reduction_peer mote_peer_reductions_by_list[];
extern const mote_jagged_reduction_peer mote_peer_reductions_even[];

#endif
