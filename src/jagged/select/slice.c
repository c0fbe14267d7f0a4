/* SPDX-License-Identifier: Apache-2.0 */
/* Implements mote_jagged_slice(): computes the bounds of all slices first, then the offsets of the
 * kept elements, and then copies the elements. */
#include "core/error.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/sweep.h"
#include "core/type.h"
#include "jagged/expand/balanced.h"
#include "jagged/lengths/compact.h"
#include "mote/jagged.h"
#include "operations.h"

#include "cl_sources.h"

#include <stdio.h>

typedef struct plan {
    mote_jagged_slice_args args;
    mote_lists lists;
    size_t capacity;
    mote_compact compact; /* its inputs are the bounds of the slices */
    mote_balanced_plan shares;
} plan;

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_slice_args *a = &p->args;
    mote_status st = mote_lists_of_offsets(call, &a->offsets, &p->lists);
    if (st)
        return st;
    if (a->sliced.type && a->positions.type && a->sliced.count != a->positions.count)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: sliced has room for %zu elements and positions for %zu: give both "
                         "the same",
                         call->name, a->sliced.count, a->positions.count);
    uint32_t types = mote_lists_types(&p->lists), moved = mote_types_moved();
    uint32_t same = mote_type_in(moved, a->values.type);
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, 0},
        {"values", &a->values, moved, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"offsets_out", &a->offsets_out, types, p->lists.count + 1, VIEW_EXACT | VIEW_WRITES},
        {"sliced", &a->sliced, same ? same : moved, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"positions", &a->positions, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
    };
    p->capacity = max_size(a->sliced.count, a->positions.count);
    p->compact = (mote_compact){
        .of = MOTE_LENGTH_OF_SPANS, .lists = p->lists.count, .offsets = a->offsets_out};
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    p->compact.a = mote_carve_take(carve, p->lists.count, p->lists.type);
    p->compact.b = mote_carve_take(carve, p->lists.count, p->lists.type);
    mote_compact_carve(call->ctx, &p->compact, carve);
    const mote_balanced_job job = {
        .lists = &p->lists, .n = p->capacity, .inside = true, .reads = true};
    p->shares = mote_balanced_make(call->ctx, &job);
}

static mote_status launch_bounds(mote_call *call, const plan *p)
{
    const mote_jagged_slice_args *a = &p->args;
    const size_t m = p->lists.count;
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", m);
    mote_launch launch;
    char defines[128];
    snprintf(defines, sizeof(defines), "%s%s", mote_lists_defines(p->lists.type),
             sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&launch, call, &mote_cl_jagged_select_bounds, defines, "slice_bounds");
    mote_launch_view(&launch, "offsets", &a->offsets);
    mote_launch_u32(&launch, "m", (uint32_t)m);
    mote_launch_u64(&launch, "n", a->values.count);
    mote_launch_u64(&launch, "start", (uint64_t)a->start);
    mote_launch_u64(&launch, "stop", (uint64_t)a->stop);
    mote_launch_view(&launch, "starts", &p->compact.a);
    mote_launch_view(&launch, "stops", &p->compact.b);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, 3 * (uint64_t)m * mote_type_size(p->lists.type));
    return mote_launch_run(&launch, m ? sweep.groups : 0, sweep.local);
}

static mote_status launch_copy(mote_call *call, const plan *p)
{
    const mote_jagged_slice_args *a = &p->args;
    size_t index = mote_type_size(p->lists.type), size = mote_type_size(a->sliced.type);
    mote_type type = a->sliced.type ? a->sliced.type : MOTE_UINT8;
    char defines[32];
    snprintf(defines, sizeof(defines), "-DVALUE=%s", mote_type_moved_as(type));
    const mote_balanced_kernel kernel = {.gpu = &mote_cl_jagged_select_slice,
                                         .cpu = &mote_cl_jagged_select_slice_cpu,
                                         .defines = defines,
                                         .name = "slice",
                                         .bytes = 2 * (uint64_t)a->sliced.count * size +
                                                  (uint64_t)a->positions.count * index +
                                                  2 * (uint64_t)p->lists.count * index};
    const mote_list_bounds_input input = {
        .offsets = a->offsets_out, .length = SIZE_MAX, .error = call->error};
    mote_launch launch;
    mote_balanced_begin(&launch, call, &p->shares, &kernel, &input);
    mote_launch_view(&launch, "starts", &p->compact.a);
    mote_launch_view(&launch, "values", &a->values);
    mote_launch_u64(&launch, "values_n", a->values.count);
    mote_launch_view(&launch, "sliced", &a->sliced);
    mote_launch_view(&launch, "positions", &a->positions);
    return mote_balanced_run(&launch, &p->shares);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = mote_error_clear(call);
    if (!st)
        st = launch_bounds(call, p);
    if (!st)
        st = mote_compact_run(call, &p->compact, false);
    return st ? st : launch_copy(call, p);
}

const mote_descriptor mote_jagged_slice_operation = {
    MOTE_DESCRIBE(mote_jagged_slice, mote_jagged_slice_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_slice_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_slice_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_slice, mote_jagged_slice_args, mote_jagged_slice_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_slice_workspace_size, mote_jagged_slice_args,
                           mote_jagged_slice_operation)
