/* SPDX-License-Identifier: Apache-2.0 */
/* The method that sorts entries into cells and evaluates neighbouring cells only. */
#ifndef MOTE_COORDINATION_CELLS_H
#define MOTE_COORDINATION_CELLS_H

#include "coordination/sums.h"

typedef struct mote_cells {
    bool cpu;
    mote_frames frames;
    mote_coordination_sums sums;
    uint32_t lists, most;  /* cells of a grid, one grid for each list */
    uint32_t fine, across; /* cells in d_max along x, and along y and z */
    size_t local;
    /* CPU form: arrays of sums of all entries: none, one, or one for each work-item */
    size_t planes;
    mote_view loaded, extents, grids;
    size_t shares;         /* GPU form: groups that sort a frame in one launch; 0: by lists */
    mote_view key;         /* cell of each entry */
    mote_view any;         /* CPU form: keys by cell; GPU form: entries by cell, in any order */
    mote_view link, tally; /* for lists of a cell's entries, see cl/coordination/cells/key.cl */
    mote_view order;       /* entry numbers in the order of cells */
    mote_view starts;      /* index in `order` where each cell begins */
    mote_view sorted;      /* their coordinates */
    mote_view weights;     /* and weights */
    mote_view sum;         /* CPU form: sums of all entries, `planes` times */
    mote_view scratch;
} mote_cells;

/* Chooses the launch shape. */
void mote_cells_choose_shape(const mote_coordination_job *job, mote_cells *cells);

/* Lays out scratch. */
void mote_cells_carve(const mote_coordination_job *job, mote_cells *cells, mote_carve *carve);

/* Prepares the launches of the call. */
mote_status mote_cells_run(const mote_coordination_job *job, const mote_cells *cells);

/* Chooses between shares and lists for sorting in the GPU form: shares. */
void mote_cells_sort_choose_shape(const mote_coordination_job *job, mote_cells *cells);

/* Carves memory for sorting; prepares the launches that convert positions to grids, keys, starts,
 * order and sorted coordinates. */
void mote_cells_sort_carve(const mote_coordination_job *job, mote_cells *cells, mote_carve *carve);
mote_status mote_cells_sort(const mote_coordination_job *job, const mote_cells *cells);

#endif
