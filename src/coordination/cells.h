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
    mote_view key;          /* cell of each entry */
    mote_view slot, counts; /* GPU form: its place in the cell, in any order; entries of each */
    mote_view any;          /* entries by cell; CPU form: their keys */
    mote_view order;        /* entries by cell and number */
    mote_view starts;       /* where each cell's begin in it */
    mote_view sorted;       /* their coordinates */
    mote_view scratch;
} mote_cells;

/* Decides, and takes scratch; run first to count it, then to have it. */
void mote_cells_carve(const mote_coordination_job *job, mote_cells *cells, mote_carve *carve);

/* Makes the launches of the call ready. */
mote_status mote_cells_run(const mote_coordination_job *job, mote_cells *cells);

/* Memory for sorting; and the launches that turn keys into order, starts and sorted coordinates. */
void mote_cells_sort_carve(const mote_coordination_job *job, mote_cells *cells, mote_carve *carve);
mote_status mote_cells_sort(const mote_coordination_job *job, const mote_cells *cells);

#endif
