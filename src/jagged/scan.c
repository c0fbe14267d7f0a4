/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "core/log.h"
#include "core/size.h"
#include "core/tune.h"
#include "jagged/expand/balanced.h"
#include "jagged/reduce/reduce.h"
#include "operations.h"
#include "shared/jagged.h"

#include "cl_sources.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define TILE           ((size_t)MOTE_SCAN_TILE)
#define GROUP          ((size_t)256)
#define MOST_GROUPS    ((size_t)1 << 22)
#define GROUPS_A_UNIT  ((size_t)8)       /* for totals */
#define ITEMS_PER_UNIT ((size_t)4)       /* CPU form */
#define TILES_AN_ITEM  ((size_t)4)       /* at least */
#define NAN_BITS       0x7fc00000u       /* NaN in results, as float32 bits */
#define MOST_VALUES    ((size_t)1 << 43) /* levels of the layout that kernels support */

typedef struct plan {
    mote_jagged_scan_args args;
    mote_jagged_reduce_job job; /* the reduction whose prefixes are computed */
    mote_lists lists;
    bool cpu, only; /* only: one launch is enough */
    size_t n, tiles;
    size_t each, groups, local;      /* each: values of a work-item, CPU form */
    mote_view first, begins, totals; /* scratch; the first two are for the GPU form */
} plan;

static void make_plan(const mote_context *ctx, plan *p)
{
    p->n = p->args.values.count;
    p->tiles = max_size(div_ceil(p->n, TILE), 1);
    p->cpu = mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU;
    if (p->cpu) {
        size_t items = mote_tune_size(ctx, "jagged.items",
                                      ITEMS_PER_UNIT * ctx->device.compute_units, 1, 1 << 20);
        p->each = max_size(div_ceil(p->tiles, items), TILES_AN_ITEM) * TILE;
        p->groups = max_size(div_ceil(p->n, p->each), 1);
        p->local = 1;
        p->only = p->groups == 1;
    } else {
        p->local = mote_tune_size(ctx, "jagged.group", min_size(ctx->device.max_work_group, GROUP),
                                  1, GROUP);
        p->groups = min_size(p->tiles, MOST_GROUPS);
        p->only = p->tiles == 1 && p->lists.count <= MOTE_SCAN_MOST_LISTS;
    }
    mote_log(MOTE_LOG_DEBUG, "scan: %s form, %zu lists, %zu elements, %zu groups of %zu",
             p->cpu ? "CPU" : "GPU", p->lists.count, p->n, p->groups, p->local);
}

static mote_status check_options(const mote_call *call, const mote_jagged_scan_args *a)
{
    mote_status st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    if (!st && (unsigned)a->reduction > MOTE_REDUCE_MAX)
        st =
            mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                      "%s: reduction is %d, but must be MOTE_REDUCE_SUM (0), MOTE_REDUCE_PROD (1), "
                      "MOTE_REDUCE_MIN (2) or MOTE_REDUCE_MAX (3)",
                      call->name, (int)a->reduction);
    return st;
}

/* Checks that offsets can hold every position of a value. */
static mote_status check_number(const mote_call *call, const mote_jagged_scan_args *a)
{
    size_t most = a->offsets.type == MOTE_INT32    ? INT32_MAX
                  : a->offsets.type == MOTE_UINT32 ? UINT32_MAX
                                                   : MOST_VALUES - 1;
    if (a->values.count <= most)
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_UNSUPPORTED,
                     "%s: %zu values: with %s offsets a call takes at most %zu", call->name,
                     a->values.count, mote_type_name(a->offsets.type), most);
}

/* If there are no values, their type does not matter, and bool is used. */
static void make_job(plan *p)
{
    const mote_jagged_scan_args *a = &p->args;
    mote_jagged_reduce_job *job = &p->job;
    job->args.reduction = a->reduction;
    job->lists = p->lists.count;
    job->offsets_type = p->lists.type;
    job->values_type = a->values.type ? a->values.type : MOTE_BOOL;
    job->args.result.type =
        a->values.type && a->result.type
            ? a->result.type
            : mote_reduction_usual_result(a->reduction, job->values_type, job->offsets_type);
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_scan_args *a = &p->args;
    mote_status st = check_options(call, a);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets, &p->lists);
    if (!st)
        st = check_number(call, a);
    if (st)
        return st;
    uint32_t results = mote_reduction_results(a->reduction, a->values.type, p->lists.type);
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, 0},
        {"values", &a->values, MOTE_REDUCTION_VALUES, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"result", &a->result, a->values.type ? results : MOTE_REDUCTION_VALUES, a->values.count,
         VIEW_EXACT | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    if (st)
        return st;
    make_job(p);
    make_plan(call->ctx, p);
    return mote_jagged_reduce_check_fp64(call, &p->job);
}

/* One total for each tile and, in the GPU form, for each node that has MOTE_SCAN_NODE tiles or
 * nodes. */
static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    size_t nodes = p->tiles;
    (void)call;
    if (p->only)
        return;
    for (size_t level = p->tiles; !p->cpu && level > MOTE_SCAN_NODE;) {
        level = div_ceil(level, MOTE_SCAN_NODE);
        nodes += level;
    }
    p->totals = mote_carve_take(carve, nodes, MOTE_UINT64);
    if (!p->cpu) {
        p->first = mote_carve_take(carve, p->tiles + 1, MOTE_UINT32);
        p->begins = mote_carve_take(carve, p->tiles + 1, MOTE_UINT64);
    }
}

static void begin(mote_launch *launch, mote_call *call, const plan *p, const char *kernel)
{
    char defines[480];
    mote_jagged_reduce_defines(call->ctx, &p->job, defines, 384);
    size_t used = strlen(defines);
    used += (size_t)snprintf(defines + used, 48, " -DLARGEST=%d -DEXCLUSIVE=%d",
                             p->args.reduction == MOTE_REDUCE_MAX, p->args.exclusive != 0);
    if (!p->cpu)
        snprintf(defines + used, 24, " -DWG=%zu", p->local);
    mote_launch_begin(launch, call,
                      p->cpu ? &mote_cl_jagged_scan_scan_cpu : &mote_cl_jagged_scan_scan, defines,
                      kernel);
}

static void set_places(mote_launch *launch, const mote_call *call, const plan *p)
{
    const mote_list_bounds_input input = {
        .offsets = p->args.offsets, .length = p->args.values.count, .error = call->error};
    mote_list_bounds_set(launch, p->lists.type, p->lists.count, p->n,
                         p->args.validate == MOTE_JAGGED_VALIDATE_FULL, &input);
}

/* Sets the tiles or, in the CPU form, the values of a work-item. */
static void set_values(mote_launch *launch, const plan *p)
{
    mote_launch_view(launch, "values", &p->args.values);
    mote_launch_u64(launch, p->cpu ? "each" : "tiles", p->cpu ? p->each : p->tiles);
}

/* A kernel without scratch reads none. Mesa's rusticl reads the first element before the loop, and
 * faults at NULL. */
static void set_scratch(mote_launch *launch, const plan *p, const char *name,
                        const mote_view *scratch)
{
    mote_launch_view(launch, name,
                     scratch->mem ? scratch : &(mote_view){.mem = p->args.offsets.mem});
}

static void set_totals(mote_launch *launch, const plan *p)
{
    if (!p->cpu)
        set_scratch(launch, p, "first", &p->first);
    set_scratch(launch, p, "totals", &p->totals);
}

static mote_status launch_totals(mote_call *call, const plan *p)
{
    mote_launch launch;
    begin(&launch, call, p, "scan_totals");
    set_places(&launch, call, p);
    set_values(&launch, p);
    set_totals(&launch, p);
    if (!p->cpu)
        set_scratch(&launch, p, "begins", &p->begins);
    size_t most = GROUPS_A_UNIT * call->ctx->device.compute_units;
    return mote_launch_run(&launch, p->cpu ? p->groups : min_size(p->tiles, most), p->local);
}

/* Launches the nodes of the tiles, the nodes of these nodes, and so on, until one node could
 * contain all. */
static mote_status launch_nodes(mote_call *call, const plan *p)
{
    mote_status st = MOTE_SUCCESS;
    size_t below = 0, count = p->tiles;
    for (uint32_t shift = 0; !st && count > MOTE_SCAN_NODE; shift += 8) {
        const size_t nodes = div_ceil(count, MOTE_SCAN_NODE);
        mote_launch launch;
        begin(&launch, call, p, "scan_nodes");
        mote_launch_u64(&launch, "tiles", p->tiles);
        set_totals(&launch, p);
        mote_launch_u32(&launch, "shift", shift);
        mote_launch_u64(&launch, "below", below);
        st = mote_launch_run(&launch, nodes, p->local);
        below += count;
        count = nodes;
    }
    return st;
}

static mote_status launch_tiles(mote_call *call, const plan *p)
{
    const mote_jagged_scan_args *a = &p->args;
    mote_launch launch;
    begin(&launch, call, p, "scan_tiles");
    set_places(&launch, call, p);
    set_values(&launch, p);
    set_totals(&launch, p);
    if (!p->cpu)
        set_scratch(&launch, p, "begins", &p->begins);
    mote_launch_view(&launch, "result", &a->result);
    mote_launch_u32(&launch, "nan_bits", NAN_BITS);
    mote_launch_u32(&launch, "only", p->only);
    mote_launch_bytes(&launch, p->n * (uint64_t)(mote_type_size(a->values.type) +
                                                 mote_type_size(a->result.type)) +
                                   (uint64_t)(p->lists.count + 1) * mote_type_size(p->lists.type));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, p->groups, p->local);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = MOTE_SUCCESS;
    assert(!p->cpu || (p->each % TILE == 0 && p->each * p->groups >= p->n));
    if (!p->only)
        st = launch_totals(call, p);
    if (!st && !p->only && !p->cpu)
        st = launch_nodes(call, p);
    return st ? st : launch_tiles(call, p);
}

const mote_descriptor mote_jagged_scan_operation = {
    MOTE_DESCRIBE(mote_jagged_scan, mote_jagged_scan_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_scan_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_scan_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_scan, mote_jagged_scan_args, mote_jagged_scan_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_scan_workspace_size, mote_jagged_scan_args,
                           mote_jagged_scan_operation)
