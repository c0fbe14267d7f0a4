/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/neighbours_cells.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/size.h"
#include "operations.h"
#include "reduce/scan.h"

#include "cl_sources.h"

#include <stdio.h>
#include <stdlib.h>

#define SEARCH_BYTES ((size_t)280) /* local memory that a work-item of the search needs at most */
#define SEARCH_EACH  ((size_t)32)  /* entries that make a work-item worthwhile in the CPU form */

#define REALS (MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64))
#define INDEX (MOTE_TYPE_BIT(MOTE_INT32) | MOTE_TYPE_BIT(MOTE_UINT32) | MOTE_TYPE_BIT(MOTE_INT64))

typedef struct plan {
    mote_neighbours_args args;
    mote_neighbour_cells cells; /* of all frames */
    size_t n;                   /* number of entries of the first list in all frames */
    size_t limit;               /* the least capacity of an output */
    mote_scan_plan scan;
    mote_view counts, sums, images;
} plan;

/* ---- arguments ------------------------------------------------------------------------------- */

static mote_status check_views(const mote_call *call, const plan *p)
{
    const mote_neighbours_args *a = &p->args;
    uint32_t types = mote_type_in(INDEX, a->offsets.type);
    const mote_view_rule views[] = {
        {"positions", &a->positions, REALS, VIEW_ANY_COUNT, 0},
        {"other", &a->other, REALS, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"offsets", &a->offsets, INDEX, p->n + 1, VIEW_EXACT | VIEW_WRITES},
        {"partner", &a->partner, types ? types : INDEX, VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
        {"shift", &a->shift, MOTE_TYPE_BIT(MOTE_INT32), VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
        {"distance", &a->distance, REALS, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"displacement", &a->displacement, REALS, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
    };
    mote_status st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    return st ? st
              : mote_neighbour_cells_check_types(call, &p->cells, views,
                                                 sizeof(views) / sizeof(views[0]));
}

static mote_status check_options(const mote_call *call, const plan *p)
{
    const mote_neighbours_args *a = &p->args;
    const char *alone = a->shift.type          ? "shift"
                        : a->distance.type     ? "distance"
                        : a->displacement.type ? "displacement"
                                               : NULL;
    if (a->half && a->other.type)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: half is %u, but must be 0 with a second list in other", call->name,
                         (unsigned)a->half);
    if (alone && !a->partner.type)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s is given without partner", call->name,
                         alone);
    return MOTE_SUCCESS;
}

static size_t least_capacity(const mote_neighbours_args *a)
{
    size_t least = a->partner.count;
    if (a->shift.type)
        least = min_size(least, a->shift.count / 3);
    if (a->distance.type)
        least = min_size(least, a->distance.count);
    if (a->displacement.type)
        least = min_size(least, a->displacement.count / 3);
    return least;
}

/* Sets the parameters that follow from the box of a frame. */
static mote_status set_box(const mote_call *call, const plan *p, size_t frame,
                           mote_neighbours_params *params)
{
    const mote_neighbours_args *a = &p->args;
    const mote_neighbours_range range = {"cutoff", a->cutoff, a->box ? a->box + 9 * frame : NULL,
                                         a->pbc};
    char text[400];
    *params = (mote_neighbours_params){.flags = 0};
    mote_status st = mote_neighbours_box(call, &range, p->cells.as_double, params);
    if (st != MOTE_ERROR_BOX || a->frames < 2)
        return st;
    snprintf(text, sizeof(text), "%s", mote_last_error());
    return mote_fail(st, "%s (frame %zu)", text, frame);
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_neighbours_args *a = &p->args;
    mote_neighbour_cells *cells = &p->cells;
    mote_neighbours_params box;
    p->n = a->positions.count / 3;
    mote_neighbour_cells_set(call->ctx, cells, &a->positions, &a->other, max_size(a->frames, 1));
    mote_status st = check_views(call, p);
    if (!st)
        st = mote_neighbour_cells_check(call, cells);
    if (!st)
        st = check_options(call, p);
    for (size_t f = 0; !st && (f == 0 || (f < a->frames && a->pbc)); f++)
        st = set_box(call, p, f, f ? &box : &cells->params);
    if (st)
        return st;
    mote_neighbour_cells_plan(call->ctx, cells, SEARCH_BYTES, 0);
    cells->params.flags |= a->half ? MOTE_NEIGHBOURS_HALF : 0;
    p->limit = least_capacity(a);
    p->scan = mote_scan_plan_make(call->ctx, "coordination.form", p->n);
    p->scan.local = cells->local;
    mote_log(MOTE_LOG_DEBUG, "%s: %s form, %zu frames of %zu entries, at most %u cells", call->name,
             cells->cpu ? "CPU" : "GPU", cells->frames, cells->count, (unsigned)cells->params.most);
    return MOTE_SUCCESS;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    mote_neighbour_cells_carve(call, &p->cells, carve);
    p->counts = mote_carve_take(carve, p->n, MOTE_UINT32);
    p->sums = mote_carve_take(carve, p->scan.groups, MOTE_UINT64);
    p->images = p->args.shift.type ? p->args.shift : mote_carve_take(carve, p->limit, MOTE_UINT32);
}

/* ---- launches -------------------------------------------------------------------------------- */

static void begin_search(mote_launch *launch, mote_call *call, const mote_neighbour_cells *cells,
                         const char *kernel)
{
    mote_neighbour_cells_begin(launch, call, cells,
                               cells->cpu ? &mote_cl_coordination_neighbours_search_cpu
                                          : &mote_cl_coordination_neighbours_search,
                               kernel);
}

/* Runs the search: in the GPU form, a team of work-items searches for the neighbours of an entry.
 */
static mote_status search(mote_launch *launch, const mote_neighbour_cells *cells)
{
    if (cells->cpu)
        return mote_neighbour_cells_sweep(launch, cells, cells->n, SEARCH_EACH);
    return mote_launch_run(launch, div_ceil(cells->n, cells->searching / cells->team),
                           cells->searching);
}

static mote_status launch_count(mote_call *call, const plan *p, size_t frame,
                                const mote_neighbours_params *box)
{
    const mote_neighbour_cells cells = mote_neighbour_cells_frame(&p->cells, frame, box);
    mote_view counts = p->counts;
    mote_launch launch;
    counts.offset += frame * cells.n;
    mote_status st = mote_neighbour_cells_sort(call, &cells);
    if (st)
        return st;
    begin_search(&launch, call, &cells, "neighbours_count");
    mote_launch_view(&launch, "counts", &counts);
    mote_launch_bytes(&launch, 36 * (uint64_t)cells.n);
    return search(&launch, &cells);
}

static void begin_offsets(mote_launch *launch, mote_call *call, const plan *p, const char *kernel)
{
    char defines[48];
    snprintf(defines, sizeof(defines), "-DSCAN_LONG=1 -DWG=%zu", p->cells.local);
    mote_launch_begin(launch, call, &mote_cl_coordination_neighbours_offsets, defines, kernel);
    mote_launch_view(launch, "counts", &p->counts);
    mote_launch_u32(launch, "n", (uint32_t)p->n);
    mote_launch_u32(launch, "each", (uint32_t)p->scan.each);
    mote_launch_view(launch, "sums", &p->sums);
}

static mote_status launch_offsets(mote_call *call, const plan *p)
{
    mote_type type = p->args.offsets.type;
    mote_launch launch;
    begin_offsets(&launch, call, p, "neighbours_sums");
    mote_launch_bytes(&launch, 4 * (uint64_t)p->n);
    mote_status st = mote_launch_run(&launch, p->scan.groups, p->cells.local);
    if (st)
        return st;
    begin_offsets(&launch, call, p, "neighbours_offsets");
    mote_launch_view(&launch, "offsets", &p->args.offsets);
    mote_launch_u32(&launch, "wide", type == MOTE_INT64);
    mote_launch_u64(&launch, "highest",
                    type == MOTE_INT32    ? (uint64_t)INT32_MAX
                    : type == MOTE_UINT32 ? UINT32_MAX
                                          : (uint64_t)INT64_MAX);
    mote_launch_u64(&launch, "limit", p->limit);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, (4 + mote_type_size(type)) * (uint64_t)p->n);
    if (!p->limit)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, p->scan.groups, p->cells.local);
}

static mote_status launch_fill(mote_call *call, const plan *p, size_t frame,
                               const mote_neighbours_params *box)
{
    const mote_neighbours_args *a = &p->args;
    const mote_neighbour_cells cells = mote_neighbour_cells_frame(&p->cells, frame, box);
    mote_view offsets = a->offsets;
    mote_launch launch;
    offsets.offset += frame * cells.n;
    begin_search(&launch, call, &cells, "neighbours_fill");
    mote_launch_view(&launch, "offsets", &offsets);
    mote_launch_u32(&launch, "wide", a->offsets.type == MOTE_INT64);
    mote_launch_u64(&launch, "limit", p->limit);
    mote_launch_view(&launch, "partner", &a->partner);
    mote_launch_view(&launch, "images", &p->images);
    mote_launch_u32(&launch, "shifts", a->shift.type != MOTE_TYPE_NONE);
    mote_launch_view(&launch, "distance", &a->distance);
    mote_launch_u32(&launch, "is_double_distance", a->distance.type == MOTE_FLOAT64);
    mote_launch_view(&launch, "displacement", &a->displacement);
    mote_launch_u32(&launch, "is_double_displacement", a->displacement.type == MOTE_FLOAT64);
    mote_launch_bytes(&launch,
                      36 * (uint64_t)cells.n + 4 * (uint64_t)p->limit / (uint64_t)cells.frames);
    if (frame + 1 == cells.frames)
        mote_launch_last(&launch);
    return search(&launch, &cells);
}

static mote_status launch_frames(mote_call *call, const plan *p, size_t frames,
                                 const mote_neighbours_params *boxes)
{
    mote_status st = mote_error_clear(call);
    for (size_t f = 0; !st && f < frames; f++)
        st = launch_count(call, p, f, &boxes[f]);
    if (!st)
        st = launch_offsets(call, p);
    for (size_t f = 0; !st && f < frames && p->limit; f++)
        st = launch_fill(call, p, f, &boxes[f]);
    return st;
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    /* The frames of a call that is prepared need the same kernels. */
    const size_t frames = !p->n ? 0 : call->preparing ? 1 : p->cells.frames;
    if (frames < 2)
        return launch_frames(call, p, frames, &p->cells.params);
    mote_neighbours_params *boxes = malloc(frames * sizeof(*boxes));
    mote_status st = boxes ? MOTE_SUCCESS
                           : mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY,
                                       "%s: out of memory for %zu frames", call->name, frames);
    /* Boxes are checked again, because another thread may change the caller's array. Both searches
     * must use the same boxes. */
    for (size_t f = 0; !st && f < frames; f++)
        st = set_box(call, p, f, &boxes[f]);
    if (!st)
        st = launch_frames(call, p, frames, boxes);
    free(boxes);
    return st;
}

const mote_descriptor mote_neighbours_operation = {
    MOTE_DESCRIBE(mote_neighbours, mote_neighbours_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_neighbours_args),
    MOTE_DESCRIBE_ERROR(mote_neighbours_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_neighbours, mote_neighbours_args, mote_neighbours_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_neighbours_workspace_size, mote_neighbours_args,
                           mote_neighbours_operation)
