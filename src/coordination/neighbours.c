/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/neighbours_box.h"
#include "core/check.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/quirks.h"
#include "core/size.h"
#include "core/sub_groups.h"
#include "core/tune.h"
#include "operations.h"
#include "reduce/bin_by_key.h"
#include "reduce/scan.h"
#include "reduce/sum_plan.h"

#include "cl_sources.h"

#include <stdio.h>

#define FORM           "coordination.form"
#define MOST_CELLS     (((size_t)1 << 24) - 1) /* float32 represents all smaller numbers */
#define GROUP          ((size_t)128)           /* work-group size of launches with barriers */
#define TEAM           ((size_t)8)   /* work-items that search for an entry's neighbours */
#define TEAM_OF_FEW    ((size_t)32)  /* the same in calls with few entries */
#define FEW_EACH       ((size_t)64)  /* entries for each compute unit up to which a call has few */
#define TEAM_BYTES     ((size_t)280) /* local memory that a work-item needs at most */
#define REGISTERS      ((size_t)64)  /* of each work-item of the search, on NVIDIA's devices */
#define SWEEP_GROUP    ((size_t)64)
#define BOUNDS_GROUPS  ((size_t)256) /* largest number of groups */
#define BOUNDS_EACH    ((size_t)2048)
#define ITEMS_PER_UNIT ((size_t)8)  /* in the CPU form */
#define SEARCH_EACH    ((size_t)32) /* entries that make a work-item worthwhile in the CPU form */
#define PLACE_EACH     ((size_t)1024)

#define REALS (MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64))
#define INDEX (MOTE_TYPE_BIT(MOTE_INT32) | MOTE_TYPE_BIT(MOTE_UINT32) | MOTE_TYPE_BIT(MOTE_INT64))

typedef struct plan {
    mote_neighbours_args args;
    mote_neighbours_params params;
    bool cpu, as_double;
    size_t n, count;            /* number of entries of the first list, and of both lists */
    size_t bins;                /* number of cells of both lists */
    size_t limit;               /* the least capacity of an output */
    size_t local;               /* work-group size of launches with barriers */
    size_t searching, team;     /* work-group size of the search, and work-items of an entry */
    size_t registers;           /* of a work-item of the search; 0: no limit */
    size_t bound_each, bounded; /* entries of a group, and number of groups, for the extent */
    mote_scan_plan scan;
    mote_view bounds, extent, grid, key, sorted_key, order, boxes, sorted, starts, counts, sums,
        images, scratch;
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
    for (size_t k = 0; !st && k < sizeof(views) / sizeof(views[0]); k++)
        if (views[k].view->type == MOTE_FLOAT64 && !p->as_double)
            st = mote_fail(MOTE_ERROR_UNSUPPORTED,
                           "%s: %s is float64, but %s has no double precision: use float32",
                           call->name, views[k].name, call->ctx->device.name);
    return st;
}

static mote_status check_counts(const mote_call *call, const plan *p)
{
    const mote_neighbours_args *a = &p->args;
    const char *alone = a->shift.type          ? "shift"
                        : a->distance.type     ? "distance"
                        : a->displacement.type ? "displacement"
                                               : NULL;
    if (a->positions.count % 3 || a->other.count % 3)
        return mote_fail(
            MOTE_ERROR_INVALID_ARGUMENT,
            "%s: positions has %zu elements and other %zu: both must be multiples of 3", call->name,
            a->positions.count, a->other.count);
    if (p->count >> 31)
        return mote_fail(MOTE_ERROR_UNSUPPORTED, "%s: %zu entries, more than 2^31 - 1", call->name,
                         p->count);
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
        least = smaller(least, a->shift.count / 3);
    if (a->distance.type)
        least = smaller(least, a->distance.count);
    if (a->displacement.type)
        least = smaller(least, a->displacement.count / 3);
    return least;
}

static void make_plan(const mote_context *ctx, plan *p)
{
    const mote_neighbours_args *a = &p->args;
    mote_neighbours_params *params = &p->params;
    size_t most = smaller(2 * p->count + 27, MOST_CELLS);
    p->cpu = mote_tune_form(ctx, FORM) == MOTE_DEVICE_CPU;
    p->local = p->cpu ? 1 : smaller(GROUP, ctx->device.max_work_group);
    p->searching = p->cpu ? 1 : clamp((size_t)ctx->device.local_bytes / TEAM_BYTES, 1, p->local);
    p->searching -= p->searching > TEAM_OF_FEW ? p->searching % TEAM_OF_FEW : 0;
    p->team = mote_tune_size(ctx, "coordination.team",
                             p->n <= FEW_EACH * ctx->device.compute_units ? TEAM_OF_FEW : TEAM, 1,
                             TEAM_OF_FEW);
    p->team = smaller(p->team, p->searching);
    p->registers = !p->cpu && mote_has_quirk(ctx, MOTE_QUIRK_PTX) ? REGISTERS : 0;
    p->limit = least_capacity(a);
    p->bounded = clamp(parts(p->count, BOUNDS_EACH), 1,
                       p->cpu ? ITEMS_PER_UNIT * ctx->device.compute_units : BOUNDS_GROUPS);
    p->bound_each = parts(p->count, p->bounded);
    p->bins = most * (a->other.type ? 2 : 1);
    p->scan = mote_scan_plan_make(ctx, FORM, p->n);
    p->scan.local = p->local;
    params->n = (uint32_t)p->n;
    params->n_two = (uint32_t)(p->count - p->n);
    params->most = (uint32_t)most;
    params->flags |= (a->half ? MOTE_NEIGHBOURS_HALF : 0) |
                     (a->other.type ? MOTE_NEIGHBOURS_TWO : 0) |
                     (a->positions.type == MOTE_FLOAT64 ? MOTE_NEIGHBOURS_DOUBLE : 0) |
                     (a->other.type == MOTE_FLOAT64 ? MOTE_NEIGHBOURS_DOUBLE_TWO : 0);
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_neighbours_args *a = &p->args;
    p->as_double = mote_reduce_has_fp64(call->ctx);
    p->n = a->positions.count / 3;
    p->count = p->n + a->other.count / 3;
    mote_status st = check_views(call, p);
    if (!st)
        st = check_counts(call, p);
    if (!st)
        st = mote_neighbours_box(call, a, p->as_double, &p->params);
    if (st)
        return st;
    make_plan(call->ctx, p);
    mote_log(MOTE_LOG_DEBUG, "%s: %s form, %zu entries, at most %u cells", call->name,
             p->cpu ? "CPU" : "GPU", p->count, (unsigned)p->params.most);
    return MOTE_SUCCESS;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    mote_type real = p->as_double ? MOTE_FLOAT64 : MOTE_FLOAT32;
    uint32_t bins = (uint32_t)p->bins;
    p->bounds = mote_carve_take(carve, p->bounded * MOTE_NEIGHBOURS_BOUNDS, real);
    p->extent = mote_carve_take(carve, MOTE_NEIGHBOURS_BOUNDS, real);
    p->grid = mote_carve_take(carve, MOTE_NEIGHBOURS_GRID_WORDS, MOTE_UINT64);
    p->key = mote_carve_take(carve, p->count, MOTE_UINT32);
    p->sorted_key = mote_carve_take(carve, p->count, MOTE_UINT32);
    p->order = mote_carve_take(carve, p->count, MOTE_UINT32);
    p->boxes = mote_carve_take(carve, 3 * p->count, MOTE_INT32);
    p->sorted = mote_carve_take(carve, 4 * p->count, real);
    p->starts = mote_carve_take(carve, p->bins + 1, MOTE_UINT32);
    p->counts = mote_carve_take(carve, p->n, MOTE_UINT32);
    p->sums = mote_carve_take(carve, p->scan.groups, MOTE_UINT64);
    p->images = p->args.shift.type ? p->args.shift : mote_carve_take(carve, p->limit, MOTE_UINT32);
    p->scratch =
        mote_carve_take(carve, mote_bin_by_key_scratch(call->ctx, p->count, bins), MOTE_UINT32);
}

/* ---- launches -------------------------------------------------------------------------------- */

static void begin(mote_launch *launch, mote_call *call, const plan *p, const mote_source *source,
                  const char *kernel)
{
    char defines[64];
    snprintf(defines, sizeof(defines), "-DDOUBLE=%d -DWG=%zu%s", p->as_double, p->local,
             p->cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(launch, call, source, defines, kernel);
    mote_launch_struct(launch, "p", &p->params, sizeof(p->params));
}

static void set_positions(mote_launch *launch, const plan *p)
{
    mote_launch_view(launch, "positions", &p->args.positions);
    mote_launch_view(launch, "other", &p->args.other);
}

/* Runs a launch in which each work-item processes elements alone. In the CPU form, there is one
 * work-item for `least` of the `count` elements or for more. */
static mote_status sweep(mote_launch *launch, const plan *p, size_t count, size_t least)
{
    size_t most = ITEMS_PER_UNIT * launch->call->ctx->device.compute_units;
    size_t local = smaller(SWEEP_GROUP, launch->call->ctx->device.max_work_group);
    if (p->cpu)
        return mote_launch_run(launch, clamp(parts(count, least), 1, most), 1);
    return mote_launch_run(launch, parts(count, local), local);
}

static mote_status launch_grid(mote_call *call, const plan *p)
{
    mote_launch launch;
    begin(&launch, call, p, &mote_cl_coordination_neighbours_prepare, "neighbours_bounds");
    set_positions(&launch, p);
    mote_launch_u32(&launch, "each", (uint32_t)p->bound_each);
    mote_launch_view(&launch, "out", &p->bounds);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, 12 * (uint64_t)p->count);
    mote_status st = mote_launch_run(&launch, p->bounded, p->local);
    if (st)
        return st;
    begin(&launch, call, p, &mote_cl_coordination_neighbours_prepare, "neighbours_grid");
    mote_launch_view(&launch, "in", &p->bounds);
    mote_launch_u32(&launch, "groups", (uint32_t)p->bounded);
    mote_launch_view(&launch, "out", &p->extent);
    mote_launch_view(&launch, "grids", &p->grid);
    return mote_launch_run(&launch, 1, p->local);
}

static mote_status launch_sort(mote_call *call, const plan *p)
{
    const mote_bin_by_key args = {.n = p->count,
                                  .n_bins = (uint32_t)p->bins,
                                  .key = p->key,
                                  .sorted_key = p->sorted_key,
                                  .index = p->order,
                                  .scratch = p->scratch};
    mote_launch launch;
    begin(&launch, call, p, &mote_cl_coordination_neighbours_prepare, "neighbours_key");
    set_positions(&launch, p);
    mote_launch_view(&launch, "grids", &p->grid);
    mote_launch_view(&launch, "key", &p->key);
    mote_launch_view(&launch, "boxes", &p->boxes);
    mote_launch_bytes(&launch, 28 * (uint64_t)p->count);
    mote_status st = sweep(&launch, p, p->count, PLACE_EACH);
    return st ? st : mote_bin_by_key_run(call, &args);
}

static mote_status launch_place(mote_call *call, const plan *p)
{
    mote_launch launch;
    begin(&launch, call, p, &mote_cl_coordination_neighbours_prepare, "neighbours_place");
    set_positions(&launch, p);
    mote_launch_view(&launch, "order", &p->order);
    mote_launch_view(&launch, "sorted", &p->sorted);
    mote_launch_bytes(&launch, 32 * (uint64_t)p->count);
    mote_status st = sweep(&launch, p, p->count, PLACE_EACH);
    if (st)
        return st;
    begin(&launch, call, p, &mote_cl_coordination_neighbours_prepare, "neighbours_starts");
    mote_launch_view(&launch, "keys", &p->sorted_key);
    mote_launch_u32(&launch, "cells", (uint32_t)p->bins);
    mote_launch_view(&launch, "starts", &p->starts);
    mote_launch_bytes(&launch, 4 * ((uint64_t)p->count + p->bins));
    return sweep(&launch, p, p->bins + 1, PLACE_EACH);
}

static void begin_search(mote_launch *launch, mote_call *call, const plan *p, const char *kernel)
{
    char defines[128];
    snprintf(defines, sizeof(defines), "-DDOUBLE=%d -DWG=%zu -DTEAM=%zu", p->as_double,
             p->searching, p->team);
    if (p->cpu)
        snprintf(defines, sizeof(defines), "-DDOUBLE=%d -DCPU_FORM", p->as_double);
    mote_limit_registers(defines, sizeof(defines), p->registers);
    mote_launch_begin(launch, call,
                      p->cpu ? &mote_cl_coordination_neighbours_search_cpu
                             : &mote_cl_coordination_neighbours_search,
                      defines, kernel);
    launch->exact = p->registers > 0;
    mote_launch_struct(launch, "p", &p->params, sizeof(p->params));
    set_positions(launch, p);
    mote_launch_view(launch, "grids", &p->grid);
    mote_launch_view(launch, "starts", &p->starts);
    mote_launch_view(launch, "sorted", &p->sorted);
    mote_launch_view(launch, "boxes", &p->boxes);
}

/* Runs the search: in the GPU form, a team of work-items searches for the neighbours of an entry.
 */
static mote_status search(mote_launch *launch, const plan *p)
{
    if (p->cpu)
        return sweep(launch, p, p->n, SEARCH_EACH);
    return mote_launch_run(launch, parts(p->n, p->searching / p->team), p->searching);
}

static mote_status launch_count(mote_call *call, const plan *p)
{
    mote_launch launch;
    begin_search(&launch, call, p, "neighbours_count");
    mote_launch_view(&launch, "counts", &p->counts);
    mote_launch_bytes(&launch, 36 * (uint64_t)p->n);
    return search(&launch, p);
}

static void begin_offsets(mote_launch *launch, mote_call *call, const plan *p, const char *kernel)
{
    char defines[48];
    snprintf(defines, sizeof(defines), "-DSCAN_LONG=1 -DWG=%zu", p->local);
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
    mote_status st = mote_launch_run(&launch, p->scan.groups, p->local);
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
    return mote_launch_run(&launch, p->scan.groups, p->local);
}

static mote_status launch_fill(mote_call *call, const plan *p)
{
    const mote_neighbours_args *a = &p->args;
    mote_launch launch;
    begin_search(&launch, call, p, "neighbours_fill");
    mote_launch_view(&launch, "offsets", &a->offsets);
    mote_launch_u32(&launch, "wide", a->offsets.type == MOTE_INT64);
    mote_launch_u64(&launch, "limit", p->limit);
    mote_launch_view(&launch, "partner", &a->partner);
    mote_launch_view(&launch, "images", &p->images);
    mote_launch_u32(&launch, "shifts", a->shift.type != MOTE_TYPE_NONE);
    mote_launch_view(&launch, "distance", &a->distance);
    mote_launch_u32(&launch, "is_double_distance", a->distance.type == MOTE_FLOAT64);
    mote_launch_view(&launch, "displacement", &a->displacement);
    mote_launch_u32(&launch, "is_double_displacement", a->displacement.type == MOTE_FLOAT64);
    mote_launch_bytes(&launch, 36 * (uint64_t)p->n + 4 * (uint64_t)p->limit);
    mote_launch_last(&launch);
    return search(&launch, p);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = mote_error_clear(call);
    if (!st && p->n)
        st = launch_grid(call, p);
    if (!st && p->n)
        st = launch_sort(call, p);
    if (!st && p->n)
        st = launch_place(call, p);
    if (!st && p->n)
        st = launch_count(call, p);
    if (!st)
        st = launch_offsets(call, p);
    if (!st && p->n && p->limit)
        st = launch_fill(call, p);
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
MOTE_DEFINE_ARGS_INIT(mote_neighbours_args_init, mote_neighbours_args)
MOTE_DEFINE_CALL(mote_neighbours, mote_neighbours_args, mote_neighbours_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_neighbours_workspace_size, mote_neighbours_args,
                           mote_neighbours_operation)
