/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts entries into cells, and begins launches that search the cells around each entry. */
#ifndef MOTE_COORDINATION_NEIGHBOURS_CELLS_H
#define MOTE_COORDINATION_NEIGHBOURS_CELLS_H

#include "coordination/neighbours_box.h"
#include "core/check.h"

#define MOTE_NEIGHBOURS_PER_UNIT ((size_t)8) /* work-items of a compute unit in the CPU form */

typedef struct mote_neighbour_cells {
    mote_neighbours_params params;
    mote_view positions, other; /* of the caller */
    bool cpu, as_double;
    size_t frames;          /* number of frames, which have the same numbers of entries */
    size_t n, count;        /* number of entries of the first list, and of both lists, in a frame */
    size_t bins;            /* number of cells of both lists in a frame */
    size_t local;           /* work-group size of launches with barriers */
    size_t sorting;         /* work-group size of the launch that prepares everything, or 0 */
    size_t searching, team; /* work-group size of the search, and work-items of an entry */
    size_t registers;       /* of a work-item of the search; 0: no limit */
    size_t bound_each, bounded; /* entries of a group, and number of groups, for the extent */
    mote_view bounds, extent, grid, key, sorted_key, order, boxes, sorted, starts, scratch;
} mote_neighbour_cells;

/* Sets the lists of `frames` frames, their lengths and the precision. */
void mote_neighbour_cells_set(const mote_context *ctx, mote_neighbour_cells *cells,
                              const mote_view *positions, const mote_view *other, size_t frames);

/* Rejects float64 views on devices without double precision. */
mote_status mote_neighbour_cells_check_types(const mote_call *call,
                                             const mote_neighbour_cells *cells,
                                             const mote_view_rule *views, size_t count);

/* Checks the lengths of both lists. Without entries there are no frames, either. */
mote_status mote_neighbour_cells_check(const mote_call *call, mote_neighbour_cells *cells);

/* Chooses the form and the shapes of launches. The search uses `each_bytes` bytes of local memory
 * for each work-item, and `group_bytes` for a group. */
void mote_neighbour_cells_plan(const mote_context *ctx, mote_neighbour_cells *cells,
                               size_t each_bytes, size_t group_bytes);

void mote_neighbour_cells_carve(const mote_call *call, mote_neighbour_cells *cells,
                                mote_carve *carve);

/* Returns the cells of a frame, whose parameters follow from its box. */
mote_neighbour_cells mote_neighbour_cells_frame(const mote_neighbour_cells *cells, size_t frame,
                                                const mote_neighbours_params *box);

/* Sorts the entries of a frame. The first list must not be empty. */
mote_status mote_neighbour_cells_sort(mote_call *call, const mote_neighbour_cells *cells);

/* Sets the parameters that all searches have. */
void mote_neighbour_cells_set_search(mote_launch *launch, const mote_neighbour_cells *cells);

/* Begins a launch of a search, and sets the parameters that all searches have. */
void mote_neighbour_cells_begin(mote_launch *launch, mote_call *call,
                                const mote_neighbour_cells *cells, const mote_source *source,
                                const char *kernel);

/* Runs a launch in which each work-item processes elements alone. In the CPU form, there is one
 * work-item for `least` of the `count` elements or for more. */
mote_status mote_neighbour_cells_sweep(mote_launch *launch, const mote_neighbour_cells *cells,
                                       size_t count, size_t least);

#endif
