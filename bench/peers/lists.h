/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, offsets and expansions of lists in plain C and OpenMP, for comparison with the kernels.
 * The elements are divided evenly among the cores. */
#ifndef MOTE_BENCH_PEERS_LISTS_H
#define MOTE_BENCH_PEERS_LISTS_H

#include "bench/bench.h"

void mote_peer_counts(const mote_lists_native *arrays);
void mote_peer_from_counts(const mote_lists_native *arrays);
void mote_peer_from_parents(const mote_lists_native *arrays);
void mote_peer_nonzero(const mote_lists_native *arrays);
void mote_peer_gather(const mote_lists_native *arrays);
void mote_peer_product(const mote_lists_native *arrays);
void mote_peer_pairs(const mote_lists_native *arrays);
void mote_peer_scan(const mote_lists_native *arrays);
void mote_peer_filter(const mote_lists_native *arrays);
void mote_peer_sort(const mote_lists_native *arrays);

#endif
