/* SPDX-License-Identifier: Apache-2.0 */
/* One line of the benchmark of coordination numbers. */
#ifndef MOTE_BENCH_COORDINATION_ROW_H
#define MOTE_BENCH_COORDINATION_ROW_H

#include "bench/coordination/job.h"

/* Fused multiply-adds a nanosecond, in float and in double. */
typedef struct mote_atoms_limit {
    double rate[2];
} mote_atoms_limit;

typedef struct mote_atoms_row {
    const mote_atoms_set *set;
    mote_atoms_way way;
    mote_call_times times;
    mote_spread whole; /* by the host layer */
    double peer_us;    /* best of native code for the same pairs in the same type; 0 = not timed */
} mote_atoms_row;

void mote_atoms_row_head(const mote_bench_state *bench, const mote_atoms_limit *limit);
void mote_atoms_row_print(const mote_bench_state *bench, const mote_atoms_limit *limit,
                          const mote_atoms_row *row);

/* A line without times: why there are none. way NULL: for no way. */
void mote_atoms_row_skip(const mote_bench_state *bench, const mote_atoms_set *set,
                         const mote_atoms_way *way, const char *why);

/* The time of native code; way.precision only distinguishes float from double. */
void mote_atoms_row_peer(const mote_bench_state *bench, const mote_atoms_set *set,
                         const mote_atoms_way *way, const char *name, double us);

/* Pairs that a method must look at. */
double mote_atoms_pairs(const mote_atoms_set *set, const mote_atoms_way *way);

#endif
