/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "core/size.h"
#include "core/sweep.h"
#include "core/tune.h"
#include "core/type.h"
#include "shared/jagged.h"
#include "jagged/expand/element_index.h"
#include "jagged/lists.h"
#include "jagged/nonzero.h"
#include "operations.h"
#include "reduce/reductions.h"

#include "cl_sources.h"

#include <assert.h>
#include <stdio.h>

#define BLOCK           ((size_t)MOTE_NONZERO_BLOCK)
#define ITEM            ((size_t)MOTE_NONZERO_ITEM) /* values of a work-item of the GPU form */
#define GROUP           ((size_t)256)
#define GROUPS_PER_UNIT ((size_t)16)
#define ITEMS_PER_UNIT  ((size_t)4) /* CPU form */
static size_t least_capacity(const mote_jagged_nonzero_args *a)
{
    size_t positions = a->positions.count;
    if (!a->elements.type)
        return positions;
    return a->positions.type ? min_size(positions, a->filtered.count) : a->filtered.count;
}

void mote_nonzero_make(const mote_context *ctx, mote_nonzero_plan *p)
{
    const size_t most[] = {[MOTE_INT32] = INT32_MAX, [MOTE_UINT32] = UINT32_MAX};
    size_t units = ctx->device.compute_units, tile, groups;
    p->n = p->args.values.count;
    p->limit = least_capacity(&p->args);
    if (p->lists.type != MOTE_INT64)
        p->n = min_size(p->n, most[p->lists.type]);
    p->padded = div_ceil(p->n, BLOCK) * BLOCK;
    p->cpu = mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU;
    if (p->cpu) {
        p->local = 1;
        tile = BLOCK;
        groups = ITEMS_PER_UNIT * units;
    } else {
        p->local = mote_tune_size(ctx, "jagged.group", min_size(ctx->device.max_work_group, GROUP),
                                  1, GROUP);
        tile = ITEM * p->local;
        groups =
            units * mote_tune_size(ctx, "jagged.nonzero_groups_a_unit", GROUPS_PER_UNIT, 1, 256);
    }
    size_t tiles = p->padded ? div_ceil(p->padded, tile) : 1;
    p->each = div_ceil(tiles, min_size(tiles, groups)) * tile;
    p->groups = p->padded ? div_ceil(p->padded, p->each) : 1;
}

static mote_status check(mote_call *call, void *call_plan)
{
    mote_nonzero_plan *p = call_plan;
    const mote_jagged_nonzero_args *a = &p->args;
    mote_status st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets, &p->lists);
    if (st)
        return st;
    if ((a->elements.type != MOTE_TYPE_NONE) != (a->filtered.type != MOTE_TYPE_NONE))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: %s is given without %s: give both views or none", call->name,
                         a->elements.type ? "elements" : "filtered",
                         a->elements.type ? "filtered" : "elements");
    uint32_t types = mote_lists_types(&p->lists), moved = mote_types_moved();
    uint32_t same = mote_type_in(moved, a->elements.type);
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, 0},
        {"values", &a->values, MOTE_REDUCTION_VALUES, VIEW_ANY_COUNT, 0},
        {"offsets_out", &a->offsets_out, types, p->lists.count + 1, VIEW_EXACT | VIEW_WRITES},
        {"positions", &a->positions, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"elements", &a->elements, moved, a->values.count, VIEW_EXACT | VIEW_OPTIONAL},
        {"filtered", &a->filtered, same ? same : moved, VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    if (!st)
        mote_nonzero_make(call->ctx, p);
    return st;
}

void mote_nonzero_carve(const mote_call *call, void *call_plan, mote_carve *carve)
{
    mote_nonzero_plan *p = call_plan;
    (void)call;
    mote_type type = p->lists.type == MOTE_INT64 ? MOTE_UINT64 : MOTE_UINT32;
    p->marks = mote_carve_take(carve, p->padded / 32, MOTE_UINT32);
    p->blocks = mote_carve_take(carve, p->padded / BLOCK + 1, type);
    p->sums = mote_carve_take(carve, p->groups, type);
}

/* Returns the marks as elements of `size` bytes. */
static mote_view marks_of(const mote_nonzero_plan *p, size_t size)
{
    mote_view view = p->marks;
    view.offset = view.offset * sizeof(uint32_t) / size;
    return view;
}

/* Begins a launch of a kernel of the program for values, or of the one for elements. */
static void begin(mote_launch *launch, mote_call *call, const mote_nonzero_plan *p,
                  mote_type element, const char *kernel)
{
    mote_type value = p->args.values.type ? p->args.values.type : MOTE_UINT8;
    char defines[192];
    int used = snprintf(defines, sizeof(defines), "%s -DSCAN_LONG=%d -DWG=%zu ",
                        mote_lists_defines(p->lists.type), p->lists.type == MOTE_INT64, p->local);
    if (element)
        snprintf(defines + used, sizeof(defines) - (size_t)used, "-DELEMENT=%s",
                 mote_type_moved_as(element));
    else
        used +=
            snprintf(defines + used, sizeof(defines) - (size_t)used, "-DVALUE=%s -DVALUE_FLOAT=%d",
                     mote_type_moved_as(value), mote_type_is_float(value));
    if (!element && p->runs)
        snprintf(defines + used, sizeof(defines) - (size_t)used, " -DRUNS=%u", p->runs);
    mote_launch_begin(launch, call,
                      p->cpu ? &mote_cl_jagged_nonzero_nonzero_cpu
                             : &mote_cl_jagged_nonzero_nonzero,
                      defines, kernel);
}

static mote_status launch_mark(mote_call *call, const mote_nonzero_plan *p)
{
    const mote_view marks = marks_of(p, 1);
    mote_launch launch;
    begin(&launch, call, p, MOTE_TYPE_NONE, "nonzero_mark");
    mote_launch_view(&launch, "offsets", &p->args.offsets);
    mote_launch_u32(&launch, "m", (uint32_t)p->lists.count);
    mote_launch_view(&launch, "values", &p->args.values);
    mote_launch_u64(&launch, "n", p->n);
    mote_launch_u64(&launch, "padded", p->padded);
    mote_launch_u64(&launch, "each", p->each);
    mote_launch_view(&launch, "marks", &marks);
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, (uint64_t)p->n * mote_type_size(p->args.values.type));
    return mote_launch_run(&launch, p->groups, p->local);
}

static mote_status launch_place(mote_call *call, const mote_nonzero_plan *p)
{
    const mote_jagged_nonzero_args *a = &p->args;
    const mote_view marks = marks_of(p, sizeof(uint16_t));
    mote_launch launch;
    begin(&launch, call, p, a->elements.type, "nonzero_place");
    mote_launch_view(&launch, "marks", &marks);
    mote_launch_u64(&launch, "n", p->n);
    mote_launch_u64(&launch, "padded", p->padded);
    mote_launch_u64(&launch, "each", p->each);
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_view(&launch, "blocks", &p->blocks);
    mote_launch_view(&launch, "positions", &a->positions);
    mote_launch_u64(&launch, "capacity", a->positions.count);
    if (a->elements.type) {
        mote_launch_view(&launch, "elements", &a->elements);
        mote_launch_view(&launch, "filtered", &a->filtered);
        mote_launch_u64(&launch, "filtered_capacity", a->filtered.count);
    }
    mote_launch_u64(&launch, "limit", p->limit);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, p->padded / 8);
    return mote_launch_run(&launch, p->groups, p->local);
}

static mote_status launch_offsets(mote_call *call, const mote_nonzero_plan *p, bool last)
{
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", p->lists.count + 1);
    mote_launch launch;
    char defines[128];
    snprintf(defines, sizeof(defines), "%s%s", mote_lists_defines(p->lists.type),
             sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&launch, call, &mote_cl_jagged_nonzero_offsets, defines, "nonzero_offsets");
    mote_launch_view(&launch, "offsets", &p->args.offsets);
    mote_launch_u32(&launch, "m", (uint32_t)p->lists.count);
    mote_launch_u64(&launch, "n", p->n);
    mote_launch_view(&launch, "marks", &p->marks);
    mote_launch_view(&launch, "blocks", &p->blocks);
    mote_launch_view(&launch, "out", &p->args.offsets_out);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, 2 * (uint64_t)p->lists.count * mote_type_size(p->lists.type));
    if (last)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, sweep.groups, sweep.local);
}

mote_status mote_nonzero_run(mote_call *call, const mote_nonzero_plan *p, bool last)
{
    assert(p->padded % BLOCK == 0 && p->each * p->groups >= p->padded &&
           p->each % (p->cpu ? BLOCK : ITEM * p->local) == 0 && p->sums.count == p->groups);
    mote_status st = launch_mark(call, p);
    if (!st)
        st = launch_place(call, p);
    return st ? st : launch_offsets(call, p, last);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    return mote_nonzero_run(call, call_plan, true);
}

const mote_descriptor mote_jagged_nonzero_operation = {
    MOTE_DESCRIBE(mote_jagged_nonzero, mote_jagged_nonzero_args, mote_nonzero_plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_nonzero_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_nonzero_args),
    .check = check,
    .carve = mote_nonzero_carve,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_nonzero, mote_jagged_nonzero_args, mote_jagged_nonzero_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_nonzero_workspace_size, mote_jagged_nonzero_args,
                           mote_jagged_nonzero_operation)
