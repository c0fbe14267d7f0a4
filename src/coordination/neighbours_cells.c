/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/neighbours_cells.h"
#include "core/fail.h"
#include "core/quirks.h"
#include "core/size.h"
#include "core/sub_groups.h"
#include "core/tune.h"
#include "reduce/bin_by_key.h"
#include "reduce/sum_plan.h"

#include "cl_sources.h"

#include <stdio.h>

#define FORM          "coordination.form"
#define MOST_CELLS    (((size_t)1 << 24) - 1) /* float32 represents all smaller numbers */
#define GROUP         ((size_t)128)           /* work-group size of launches with barriers */
#define TEAM          ((size_t)8)             /* work-items that search around an entry */
#define TEAM_OF_FEW   ((size_t)32)            /* the same in calls with few entries */
#define FEW_EACH      ((size_t)64) /* entries for each compute unit up to which a call has few */
#define REGISTERS     ((size_t)64) /* of each work-item of the search, on NVIDIA's devices */
#define SWEEP_GROUP   ((size_t)64)
#define BOUNDS_GROUPS ((size_t)256) /* largest number of groups */
#define BOUNDS_EACH   ((size_t)2048)
#define PLACE_EACH    ((size_t)1024)

/* One group prepares calls with few entries, if the cells fit into local memory. */
#define SORT_BELOW ((size_t)30000)
#define SORT_GROUP ((size_t)1024)

/* ---- the plan -------------------------------------------------------------------------------- */

mote_status mote_neighbour_cells_check_types(const mote_call *call,
                                             const mote_neighbour_cells *cells,
                                             const mote_view_rule *views, size_t count)
{
    for (size_t k = 0; k < count; k++)
        if (views[k].view->type == MOTE_FLOAT64 && !cells->as_double)
            return mote_fail(MOTE_ERROR_UNSUPPORTED,
                             "%s: %s is float64, but %s has no double precision: use float32",
                             call->name, views[k].name, call->ctx->device.name);
    return MOTE_SUCCESS;
}

void mote_neighbour_cells_set(const mote_context *ctx, mote_neighbour_cells *cells,
                              const mote_view *positions, const mote_view *other, size_t frames)
{
    cells->positions = *positions;
    cells->other = *other;
    cells->as_double = mote_reduce_has_fp64(ctx);
    cells->frames = frames;
    cells->n = positions->count / 3 / frames;
    cells->count = cells->n + other->count / 3 / frames;
}

mote_status mote_neighbour_cells_check(const mote_call *call, mote_neighbour_cells *cells)
{
    const size_t positions = cells->positions.count, other = cells->other.count;
    const size_t frames = cells->frames, entries = positions / 3 + other / 3;
    if (positions % 3 || other % 3)
        return mote_fail(
            MOTE_ERROR_INVALID_ARGUMENT,
            "%s: positions has %zu elements and other %zu: both must be multiples of 3", call->name,
            positions, other);
    if (positions / 3 % frames || other / 3 % frames)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: positions has %zu entries and other %zu: both must be multiples of "
                         "frames, which is %zu",
                         call->name, positions / 3, other / 3, frames);
    if (entries >> 31)
        return mote_fail(MOTE_ERROR_UNSUPPORTED, "%s: %zu entries, more than 2^31 - 1", call->name,
                         entries);
    if (cells->n == 0)
        cells->frames = 1;
    return MOTE_SUCCESS;
}

/* Returns how many cells the launch that prepares everything counts in local memory, of which
 * devices have 32, 48 or more KiB. */
static size_t cells_of_group(const mote_context *ctx)
{
    return ctx->device.local_bytes < ((size_t)48 << 10) ? 4096 : 8704;
}

/* Returns the work-group size of the launch that prepares everything, or 0 if there are too many
 * entries. */
static size_t choose_sorting(const mote_context *ctx, const mote_neighbour_cells *c)
{
    size_t most = ctx->device.max_work_group;
    size_t usual = ctx->device.device_class == MOTE_DEVICE_GPU ? SORT_GROUP : 64;
    size_t local = mote_tune_size(ctx, "coordination.sort_group", min_size(usual, most), 1, most);
    size_t cells = cells_of_group(ctx), words = cells + local + local / 16 + 1; /* and the scan's */
    size_t bytes = words * sizeof(cl_uint) + local * sizeof(double);
    size_t below = mote_tune_size(ctx, "coordination.sort_below", SORT_BELOW, 0, SIZE_MAX);
    bool fits = c->bins <= cells && bytes <= ctx->device.local_bytes;
    return fits && !c->cpu && c->count < below ? local : 0;
}

void mote_neighbour_cells_plan(const mote_context *ctx, mote_neighbour_cells *cells,
                               size_t each_bytes, size_t group_bytes)
{
    mote_neighbour_cells *c = cells;
    mote_neighbours_params *params = &c->params;
    size_t most = min_size(2 * c->count + 27, MOST_CELLS), room = (size_t)ctx->device.local_bytes;
    c->cpu = mote_tune_form(ctx, FORM) == MOTE_DEVICE_CPU;
    c->local = c->cpu ? 1 : min_size(GROUP, ctx->device.max_work_group);
    room -= min_size(room, group_bytes);
    c->searching = c->cpu ? 1 : clamp(room / each_bytes, 1, c->local);
    c->searching -= c->searching > TEAM_OF_FEW ? c->searching % TEAM_OF_FEW : 0;
    c->team = mote_tune_size(ctx, "coordination.team",
                             c->n <= FEW_EACH * ctx->device.compute_units ? TEAM_OF_FEW : TEAM, 1,
                             TEAM_OF_FEW);
    c->team = min_size(c->team, c->searching);
    c->registers = !c->cpu && mote_has_quirk(ctx, MOTE_QUIRK_PTX) ? REGISTERS : 0;
    c->bounded =
        clamp(div_ceil(c->count, BOUNDS_EACH), 1,
              c->cpu ? MOTE_NEIGHBOURS_PER_UNIT * ctx->device.compute_units : BOUNDS_GROUPS);
    c->bound_each = div_ceil(c->count, c->bounded);
    c->bins = most * (c->other.type ? 2 : 1);
    c->sorting = choose_sorting(ctx, c);
    params->n = (uint32_t)c->n;
    params->n_two = (uint32_t)(c->count - c->n);
    params->most = (uint32_t)most;
    params->flags |= (c->other.type ? MOTE_NEIGHBOURS_TWO : 0) |
                     (c->positions.type == MOTE_FLOAT64 ? MOTE_NEIGHBOURS_DOUBLE : 0) |
                     (c->other.type == MOTE_FLOAT64 ? MOTE_NEIGHBOURS_DOUBLE_TWO : 0);
}

void mote_neighbour_cells_carve(const mote_call *call, mote_neighbour_cells *cells,
                                mote_carve *carve)
{
    mote_neighbour_cells *c = cells;
    mote_type real = c->as_double ? MOTE_FLOAT64 : MOTE_FLOAT32;
    const size_t frames = c->frames;
    c->bounds = mote_carve_take(carve, c->bounded * MOTE_NEIGHBOURS_BOUNDS, real);
    c->extent = mote_carve_take(carve, MOTE_NEIGHBOURS_BOUNDS, real);
    c->grid = mote_carve_take(carve, frames * MOTE_NEIGHBOURS_GRID_WORDS, MOTE_UINT64);
    c->key = mote_carve_take(carve, c->count, MOTE_UINT32);
    c->sorted_key = mote_carve_take(carve, c->count, MOTE_UINT32);
    c->order = mote_carve_take(carve, c->count, MOTE_UINT32);
    c->boxes = mote_carve_take(carve, frames * 3 * c->count, MOTE_INT32);
    c->sorted = mote_carve_take(carve, frames * 4 * c->count, real);
    c->starts = mote_carve_take(carve, frames * (c->bins + 1), MOTE_UINT32);
    c->scratch = mote_carve_take(
        carve, mote_bin_by_key_scratch(call->ctx, c->count, (uint32_t)c->bins), MOTE_UINT32);
}

mote_neighbour_cells mote_neighbour_cells_frame(const mote_neighbour_cells *cells, size_t frame,
                                                const mote_neighbours_params *box)
{
    const size_t n = cells->n, n_two = cells->count - n;
    mote_neighbour_cells c = *cells;
    c.params = *box;
    c.params.n = cells->params.n;
    c.params.n_two = cells->params.n_two;
    c.params.most = cells->params.most;
    c.params.flags |= cells->params.flags & ~MOTE_NEIGHBOURS_RIGHT;
    c.params.first[0] = (uint32_t)(frame * n);
    c.params.first[1] = (uint32_t)((cells->frames - 1) * n + frame * n_two);
    c.positions.offset += frame * 3 * n;
    c.other.offset += frame * 3 * n_two;
    c.grid.offset += frame * MOTE_NEIGHBOURS_GRID_WORDS;
    c.boxes.offset += frame * 3 * c.count;
    c.sorted.offset += frame * 4 * c.count;
    c.starts.offset += frame * (c.bins + 1);
    return c;
}

/* ---- sorting --------------------------------------------------------------------------------- */

static void begin(mote_launch *launch, mote_call *call, const mote_neighbour_cells *c,
                  const char *kernel)
{
    char defines[64];
    snprintf(defines, sizeof(defines), "-DDOUBLE=%d -DWG=%zu%s", c->as_double, c->local,
             c->cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(launch, call, &mote_cl_coordination_neighbours_prepare, defines, kernel);
    mote_launch_struct(launch, "p", &c->params, sizeof(c->params));
}

static void set_positions(mote_launch *launch, const mote_neighbour_cells *c)
{
    mote_launch_view(launch, "positions", &c->positions);
    mote_launch_view(launch, "other", &c->other);
}

mote_status mote_neighbour_cells_sweep(mote_launch *launch, const mote_neighbour_cells *cells,
                                       size_t count, size_t least)
{
    const mote_context *ctx = launch->call->ctx;
    size_t most = MOTE_NEIGHBOURS_PER_UNIT * ctx->device.compute_units;
    size_t local = min_size(SWEEP_GROUP, ctx->device.max_work_group);
    if (cells->cpu)
        return mote_launch_run(launch, clamp(div_ceil(count, least), 1, most), 1);
    return mote_launch_run(launch, div_ceil(count, local), local);
}

static mote_status launch_grid(mote_call *call, const mote_neighbour_cells *c)
{
    mote_launch launch;
    begin(&launch, call, c, "neighbours_bounds");
    set_positions(&launch, c);
    mote_launch_u32(&launch, "each", (uint32_t)c->bound_each);
    mote_launch_view(&launch, "out", &c->bounds);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, 12 * (uint64_t)c->count);
    mote_status st = mote_launch_run(&launch, c->bounded, c->local);
    if (st)
        return st;
    begin(&launch, call, c, "neighbours_grid");
    mote_launch_view(&launch, "in", &c->bounds);
    mote_launch_u32(&launch, "groups", (uint32_t)c->bounded);
    mote_launch_view(&launch, "out", &c->extent);
    mote_launch_view(&launch, "grids", &c->grid);
    return mote_launch_run(&launch, 1, c->local);
}

static mote_status launch_sort(mote_call *call, const mote_neighbour_cells *c)
{
    const mote_bin_by_key args = {.n = c->count,
                                  .n_bins = (uint32_t)c->bins,
                                  .key = c->key,
                                  .sorted_key = c->sorted_key,
                                  .index = c->order,
                                  .scratch = c->scratch};
    mote_launch launch;
    begin(&launch, call, c, "neighbours_key");
    set_positions(&launch, c);
    mote_launch_view(&launch, "grids", &c->grid);
    mote_launch_view(&launch, "key", &c->key);
    mote_launch_view(&launch, "boxes", &c->boxes);
    mote_launch_bytes(&launch, 28 * (uint64_t)c->count);
    mote_status st = mote_neighbour_cells_sweep(&launch, c, c->count, PLACE_EACH);
    return st ? st : mote_bin_by_key_run(call, &args);
}

static mote_status launch_place(mote_call *call, const mote_neighbour_cells *c)
{
    mote_launch launch;
    begin(&launch, call, c, "neighbours_place");
    set_positions(&launch, c);
    mote_launch_view(&launch, "order", &c->order);
    mote_launch_view(&launch, "sorted", &c->sorted);
    mote_launch_bytes(&launch, 32 * (uint64_t)c->count);
    mote_status st = mote_neighbour_cells_sweep(&launch, c, c->count, PLACE_EACH);
    if (st)
        return st;
    begin(&launch, call, c, "neighbours_starts");
    mote_launch_view(&launch, "keys", &c->sorted_key);
    mote_launch_u32(&launch, "cells", (uint32_t)c->bins);
    mote_launch_view(&launch, "starts", &c->starts);
    mote_launch_bytes(&launch, 4 * ((uint64_t)c->count + c->bins));
    return mote_neighbour_cells_sweep(&launch, c, c->bins + 1, PLACE_EACH);
}

static mote_status launch_few(mote_call *call, const mote_neighbour_cells *c)
{
    char defines[64];
    mote_launch launch;
    snprintf(defines, sizeof(defines), "-DDOUBLE=%d -DWG=%zu -DCELLS=%zu", c->as_double, c->sorting,
             cells_of_group(call->ctx));
    mote_launch_begin(&launch, call, &mote_cl_coordination_neighbours_prepare_few, defines,
                      "neighbours_few");
    mote_launch_struct(&launch, "p", &c->params, sizeof(c->params));
    set_positions(&launch, c);
    mote_launch_view(&launch, "extent", &c->extent);
    mote_launch_view(&launch, "grids", &c->grid);
    mote_launch_view(&launch, "key", &c->key);
    mote_launch_view(&launch, "boxes", &c->boxes);
    mote_launch_view(&launch, "any", &c->order);
    mote_launch_view(&launch, "sorted", &c->sorted);
    mote_launch_u32(&launch, "cells", (uint32_t)c->bins);
    mote_launch_view(&launch, "starts", &c->starts);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, 80 * (uint64_t)c->count);
    return mote_launch_run(&launch, 1, c->sorting);
}

mote_status mote_neighbour_cells_sort(mote_call *call, const mote_neighbour_cells *cells)
{
    if (cells->sorting)
        return launch_few(call, cells);
    mote_status st = launch_grid(call, cells);
    if (!st)
        st = launch_sort(call, cells);
    return st ? st : launch_place(call, cells);
}

/* ---- searching ------------------------------------------------------------------------------- */

void mote_neighbour_cells_set_search(mote_launch *launch, const mote_neighbour_cells *cells)
{
    mote_launch_struct(launch, "p", &cells->params, sizeof(cells->params));
    set_positions(launch, cells);
    mote_launch_view(launch, "grids", &cells->grid);
    mote_launch_view(launch, "starts", &cells->starts);
    mote_launch_view(launch, "sorted", &cells->sorted);
    mote_launch_view(launch, "boxes", &cells->boxes);
}

void mote_neighbour_cells_begin(mote_launch *launch, mote_call *call,
                                const mote_neighbour_cells *cells, const mote_source *source,
                                const char *kernel)
{
    const mote_neighbour_cells *c = cells;
    char defines[128];
    snprintf(defines, sizeof(defines), "-DDOUBLE=%d -DWG=%zu -DTEAM=%zu", c->as_double,
             c->searching, c->team);
    if (c->cpu)
        snprintf(defines, sizeof(defines), "-DDOUBLE=%d -DCPU_FORM", c->as_double);
    mote_limit_registers(defines, sizeof(defines), c->registers);
    mote_launch_begin(launch, call, source, defines, kernel);
    launch->exact = c->registers > 0;
    mote_neighbour_cells_set_search(launch, c);
}
