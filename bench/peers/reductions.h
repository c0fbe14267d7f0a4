/* SPDX-License-Identifier: Apache-2.0 */
/* Minima, positions of maxima, numbers and means of lists in plain C and OpenMP: what the kernels
 * are compared with. None of them looks for NaN. */
#ifndef MOTE_BENCH_PEERS_REDUCTIONS_H
#define MOTE_BENCH_PEERS_REDUCTIONS_H

#include "bench/bench.h"

/* The lists shared out between the cores; or the elements, so that long lists are spread. */
extern const mote_jagged_reduction_peer mote_peer_reductions_by_list[];
extern const mote_jagged_reduction_peer mote_peer_reductions_even[];

#endif
