/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms sorted into cells, on one core. */
#ifndef MOTE_BENCH_PEERS_GRID_H
#define MOTE_BENCH_PEERS_GRID_H

#include "bench/bench.h"

typedef struct mote_peer_grid {
    size_t side, count; /* cells along each axis, and all cells */
    uint32_t *start;    /* count + 1: first atom of each cell */
    uint32_t *order;    /* n: the atoms, cell by cell; z runs first */
} mote_peer_grid;

/* Sorted atoms, from begin to end. */
typedef struct mote_peer_run {
    uint32_t begin, end;
} mote_peer_run;

/* The neighbours form four columns of two pieces each, and the next cell of the same column. */
#define MOTE_PEER_MOST_RUNS 9

/* Vectors of native code have at most this number of floats. */
#define MOTE_PEER_LANES 16

/* Makes cells of at least d_max; a box with fewer than four of them per side is one cell. Returns
 * false if memory runs out. */
bool mote_peer_grid_make(mote_peer_grid *grid, const mote_coordination_native *in);
void mote_peer_grid_free(mote_peer_grid *grid);

/* Lists the half of a cell's neighbours that belongs to this cell; returns the number of runs. */
size_t mote_peer_grid_later(const mote_peer_grid *grid, size_t cell,
                            mote_peer_run runs[MOTE_PEER_MOST_RUNS]);

#endif
