/* SPDX-License-Identifier: Apache-2.0 */
/* The method that sorts entries into cells and looks at neighbouring cells only. */
#ifndef MOTE_COORDINATION_CELLS_H
#define MOTE_COORDINATION_CELLS_H

#include "coordination/sums.h"

typedef struct mote_cells {
    bool cpu;
    mote_coordination_form form;
    mote_frames frames;
    mote_coordination_sums sums;
    uint32_t lists, most;  /* cells of a grid, one grid for each list */
    uint32_t fine, across; /* cells in d_max along x, and along y and z */
    size_t local;
    mote_view loaded, extents, grids;
    mote_view key, sorted_key, order, starts, sort; /* see reduce/bin_by_key.h */
    mote_view sorted;                               /* coordinates by cell */
} mote_cells;

/* Decides, and takes scratch; run first to count it, then to have it. */
void mote_cells_carve(const mote_coordination_job *job, mote_cells *cells, mote_carve *carve);

/* Makes the launches of the call ready. */
mote_status mote_cells_run(const mote_coordination_job *job, mote_cells *cells);

#endif
