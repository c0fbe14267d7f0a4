/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "jagged/expand/balanced.h"
#include "jagged/expand/element_index.h"
#include "operations.h"
#include "reduce/reductions.h"

#include "cl_sources.h"

#include <stdio.h>

typedef struct plan {
    mote_jagged_gather_by_parent_args args;
    mote_lists lists;
    mote_balanced_plan shares;
} plan;

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_gather_by_parent_args *a = &p->args;
    mote_status st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets, &p->lists);
    if (st)
        return st;
    size_t m = p->lists.count;
    bool differs = a->elements.type != MOTE_TYPE_NONE;
    if (differs && !call->ctx->device.has_fp64)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: elements need double precision, which %s does not have", call->name,
                         call->ctx->device.name);
    uint32_t any = differs ? MOTE_TYPE_BIT(MOTE_FLOAT64) : mote_types_moved();
    uint32_t same = mote_type_in(any, a->values.type);
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, m + 1, VIEW_EXACT},
        {"values", &a->values, any, m, VIEW_EXACT},
        {"result", &a->result, same ? same : any, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"elements", &a->elements, MOTE_REDUCTION_VALUES, a->result.count,
         VIEW_EXACT | VIEW_OPTIONAL},
    };
    const mote_balanced_job job = {.lists = &p->lists,
                                   .n = a->result.count,
                                   .full = a->validate == MOTE_JAGGED_VALIDATE_FULL,
                                   .reads = true};
    p->shares = mote_balanced_make(call->ctx, &job);
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

/* Values are only copied, as integers of their size; elements are used in computations. */
static const char *defines_of(const mote_jagged_gather_by_parent_args *a)
{
    static const char *const sizes[] = {
        [1] = "-DVALUE=uchar", [2] = "-DVALUE=ushort", [4] = "-DVALUE=uint", [8] = "-DVALUE=ulong"};
    static const char *const elements[] = {
        [MOTE_BOOL] = "-DVALUE=double -DELEMENT=uchar -DELEMENT_BOOL=1",
        [MOTE_UINT8] = "-DVALUE=double -DELEMENT=uchar",
        [MOTE_UINT16] = "-DVALUE=double -DELEMENT=ushort",
        [MOTE_INT32] = "-DVALUE=double -DELEMENT=int",
        [MOTE_UINT32] = "-DVALUE=double -DELEMENT=uint",
        [MOTE_INT64] = "-DVALUE=double -DELEMENT=long",
        [MOTE_UINT64] = "-DVALUE=double -DELEMENT=ulong",
        [MOTE_FLOAT32] = "-DVALUE=double -DELEMENT=float",
        [MOTE_FLOAT64] = "-DVALUE=double -DELEMENT=double",
        [MOTE_INT8] = "-DVALUE=double -DELEMENT=char",
        [MOTE_INT16] = "-DVALUE=double -DELEMENT=short",
        [MOTE_FLOAT16] = "-DVALUE=double -DELEMENT=ushort -DELEMENT_HALF=1",
    };
    if (a->elements.type)
        return elements[a->elements.type];
    size_t size = mote_type_size(a->result.type ? a->result.type : a->values.type);
    return sizes[size ? size : 1];
}

static mote_status launch_gather(mote_call *call, const plan *p)
{
    const mote_jagged_gather_by_parent_args *a = &p->args;
    const mote_lists *lists = &p->lists;
    size_t size = mote_type_size(a->values.type);
    const mote_balanced_kernel kernel = {
        .gpu = &mote_cl_jagged_expand_gather,
        .cpu = &mote_cl_jagged_expand_gather_cpu,
        .defines = defines_of(a),
        .name = "gather",
        .bytes = (uint64_t)a->result.count * (size + mote_type_size(a->elements.type)) +
                 (uint64_t)lists->count * (size + mote_type_size(lists->type))};
    const mote_list_bounds_input input = {
        .offsets = a->offsets, .relative = true, .length = SIZE_MAX, .error = call->error};
    mote_launch launch;
    mote_balanced_begin(&launch, call, &p->shares, &kernel, &input);
    mote_launch_view(&launch, "values", &a->values);
    mote_launch_view(&launch, "result", &a->result);
    if (a->elements.type) {
        mote_launch_view(&launch, "elements", &a->elements);
        mote_launch_u32(&launch, "squared", a->squared);
    }
    return mote_balanced_run(&launch, &p->shares);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    mote_status st = mote_error_clear(call);
    return st ? st : launch_gather(call, call_plan);
}

const mote_descriptor mote_jagged_gather_by_parent_operation = {
    MOTE_DESCRIBE(mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_gather_by_parent_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_gather_by_parent_args),
    .check = check,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args,
                 mote_jagged_gather_by_parent_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_gather_by_parent_workspace_size,
                           mote_jagged_gather_by_parent_args,
                           mote_jagged_gather_by_parent_operation)
