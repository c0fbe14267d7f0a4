/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "jagged/balanced.h"
#include "jagged/label.h"
#include "jagged/operations.h"

#include "cl_sources.h"

#include <stdio.h>

void mote_jagged_gather_by_parent_args_init(mote_jagged_gather_by_parent_args *args)
{
    if (args)
        *args = (mote_jagged_gather_by_parent_args){.size = sizeof(*args)};
}

/* Every type of a size that kernels can move. */
static uint32_t value_types(void)
{
    uint32_t types = 0;
    for (unsigned t = 1; t < 32; t++) {
        size_t size = mote_type_size((mote_type)t);
        if (size == 1 || size == 2 || size == 4 || size == 8)
            types |= MOTE_TYPE_BIT(t);
    }
    return types;
}

static mote_status check(const mote_call *call, const void *args,
                         mote_jagged_gather_by_parent_args *a, mote_lists *lists)
{
    mote_status st =
        mote_check_args(call->name, "mote_jagged_gather_by_parent_args_init", args, a, sizeof(*a));
    if (!st)
        st = mote_label_check_validate(call, a->validate);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets, lists);
    if (st)
        return st;
    size_t m = lists->count;
    uint32_t any = value_types();
    uint32_t same =
        (unsigned)a->values.type < 32 ? any & MOTE_TYPE_BIT((unsigned)a->values.type) : 0;
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, m + 1, VIEW_EXACT},
        {"values", &a->values, any, m, VIEW_EXACT},
        {"result", &a->result, same ? same : any, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"workspace", &a->workspace, MOTE_TYPE_BIT(MOTE_UINT32), VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    return st ? st : mote_check_error_word(call, a->error, a->error_offset);
}

static mote_status launch_gather(mote_call *call, const mote_jagged_gather_by_parent_args *a,
                                 const mote_lists *lists)
{
    static const char *const defines[] = {
        [1] = "-DVALUE=uchar", [2] = "-DVALUE=ushort", [4] = "-DVALUE=uint", [8] = "-DVALUE=ulong"};
    size_t size = mote_type_size(a->result.type ? a->result.type : a->values.type);
    const mote_balanced_kernel kernel = {.gpu = &mote_cl_jagged_gather,
                                         .cpu = &mote_cl_jagged_gather_cpu,
                                         .defines = defines[size ? size : 1],
                                         .name = "gather"};
    const mote_balanced_plan plan = mote_balanced_make(call->ctx, lists, a->result.count,
                                                       a->validate == MOTE_JAGGED_VALIDATE_FULL);
    const mote_places_input input = {.offsets = a->offsets,
                                     .relative = true,
                                     .length = SIZE_MAX,
                                     .error = mote_error_view(a->error, a->error_offset)};
    mote_launch launch;
    mote_balanced_begin(&launch, call, &plan, &kernel, &input);
    mote_launch_view(&launch, &a->values);
    mote_launch_view(&launch, &a->result);
    mote_launch_bytes(&launch, (uint64_t)a->result.count * size +
                                   (uint64_t)lists->count * (size + mote_type_size(lists->type)));
    mote_launch_last(&launch);
    return mote_balanced_run(&launch, &plan);
}

mote_status mote_jagged_gather_by_parent_enqueue(mote_context *ctx, cl_command_queue queue,
                                                 bool prepare, const void *args, cl_uint num_wait,
                                                 const cl_event *wait, cl_event *event)
{
    mote_call call;
    mote_jagged_gather_by_parent_args a;
    mote_lists lists;
    mote_status st = mote_call_begin(&call, "mote_jagged_gather_by_parent", ctx, queue, prepare,
                                     num_wait, wait, event);
    if (!st)
        st = check(&call, args, &a, &lists);
    if (!st)
        st = mote_error_clear(&call, a.error, a.error_offset);
    if (!st)
        st = launch_gather(&call, &a, &lists);
    return mote_call_end(&call, st);
}

mote_status mote_jagged_gather_by_parent(mote_context *ctx, cl_command_queue queue,
                                         const mote_jagged_gather_by_parent_args *args,
                                         cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return mote_jagged_gather_by_parent_enqueue(ctx, queue, false, args, num_wait, wait, event);
}

mote_status mote_jagged_gather_by_parent_workspace_size(
    mote_context *ctx, const mote_jagged_gather_by_parent_args *args, size_t *bytes)
{
    mote_call call;
    mote_jagged_gather_by_parent_args a;
    mote_lists lists;
    mote_status st = mote_call_begin(&call, "mote_jagged_gather_by_parent_workspace_size", ctx,
                                     NULL, true, 0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = check(&call, args, &a, &lists);
    if (!st)
        *bytes = 0;
    return mote_call_end(&call, st);
}
