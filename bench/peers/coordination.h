/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers in plain C on all cores: 6/12, an orthorhombic box, in float or double. */
#ifndef MOTE_BENCH_PEERS_COORDINATION_H
#define MOTE_BENCH_PEERS_COORDINATION_H

#include "bench/bench.h"

/* Every pair once. Sums of a row of pairs are in the type of the pairs. */
bool mote_peer_pairs_f32(const mote_coordination_native *in, mote_coordination_native_out *out);
bool mote_peer_pairs_f64(const mote_coordination_native *in, mote_coordination_native_out *out);

/* Evaluate only the pairs of atoms in neighbouring cells, whose sides are at least d_max long. */
bool mote_peer_cells_f32(const mote_coordination_native *in, mote_coordination_native_out *out);
bool mote_peer_cells_f64(const mote_coordination_native *in, mote_coordination_native_out *out);

#endif
