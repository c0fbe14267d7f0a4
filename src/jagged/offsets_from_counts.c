/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "jagged/compact.h"
#include "jagged/lists.h"
#include "jagged/operations.h"

void mote_jagged_offsets_from_counts_args_init(mote_jagged_offsets_from_counts_args *args)
{
    if (args)
        *args = (mote_jagged_offsets_from_counts_args){.size = sizeof(*args)};
}

static mote_status check(const mote_call *call, const void *args,
                         mote_jagged_offsets_from_counts_args *a, mote_lists *lists)
{
    mote_status st = mote_check_args(call->name, "mote_jagged_offsets_from_counts_args_init", args,
                                     a, sizeof(*a));
    if (!st)
        st = mote_lists_of_counts(call, &a->counts, &a->starts, &a->stops, a->offsets.type, lists);
    if (st)
        return st;
    size_t m = lists->count;
    bool spans = lists->spans;
    const mote_view_rule views[] = {
        {"counts", &a->counts, MOTE_JAGGED_INDEX, m, VIEW_EXACT | VIEW_OPTIONAL_IF(spans)},
        {"starts", &a->starts, MOTE_JAGGED_INDEX, m, VIEW_EXACT | VIEW_OPTIONAL_IF(!spans)},
        {"stops", &a->stops, mote_lists_types(lists), m, VIEW_EXACT | VIEW_OPTIONAL_IF(!spans)},
        {"offsets", &a->offsets, mote_lists_types(lists), m + 1, VIEW_EXACT | VIEW_WRITES},
        {"workspace", &a->workspace, MOTE_TYPE_BIT(MOTE_UINT32), VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    return st ? st : mote_check_error_word(call, a->error, a->error_offset);
}

static mote_status plan_call(const mote_call *call, const void *args,
                             mote_jagged_offsets_from_counts_args *a, mote_compact *c,
                             mote_carve *carve)
{
    mote_lists lists;
    mote_status st = check(call, args, a, &lists);
    if (st)
        return st;
    *c = (mote_compact){.of = lists.spans ? MOTE_LENGTH_OF_SPANS : MOTE_LENGTH_OF_COUNTS,
                        .lists = lists.count,
                        .a = lists.spans ? a->starts : a->counts,
                        .b = a->stops,
                        .offsets = a->offsets,
                        .error = mote_error_view(a->error, a->error_offset)};
    mote_compact_carve(call->ctx, c, carve);
    return MOTE_SUCCESS;
}

mote_status mote_jagged_offsets_from_counts_enqueue(mote_context *ctx, cl_command_queue queue,
                                                    bool prepare, const void *args,
                                                    cl_uint num_wait, const cl_event *wait,
                                                    cl_event *event)
{
    mote_call call;
    mote_jagged_offsets_from_counts_args a;
    mote_compact c;
    mote_carve carve = {0};
    mote_view scratch;
    mote_status st = mote_call_begin(&call, "mote_jagged_offsets_from_counts", ctx, queue, prepare,
                                     num_wait, wait, event);
    if (!st)
        st = plan_call(&call, args, &a, &c, &carve);
    if (!st)
        st = mote_call_scratch(&call, carve.used, &a.workspace, &scratch);
    if (!st) {
        carve = (mote_carve){.scratch = scratch};
        mote_compact_carve(ctx, &c, &carve);
        st = mote_compact_run(&call, &c, true);
    }
    return mote_call_end(&call, st);
}

mote_status mote_jagged_offsets_from_counts(mote_context *ctx, cl_command_queue queue,
                                            const mote_jagged_offsets_from_counts_args *args,
                                            cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return mote_jagged_offsets_from_counts_enqueue(ctx, queue, false, args, num_wait, wait, event);
}

mote_status mote_jagged_offsets_from_counts_workspace_size(
    mote_context *ctx, const mote_jagged_offsets_from_counts_args *args, size_t *bytes)
{
    mote_call call;
    mote_jagged_offsets_from_counts_args a;
    mote_compact c;
    mote_carve carve = {0};
    mote_status st = mote_call_begin(&call, "mote_jagged_offsets_from_counts_workspace_size", ctx,
                                     NULL, true, 0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = plan_call(&call, args, &a, &c, &carve);
    if (!st)
        *bytes = carve.used + MOTE_WORKSPACE_SLACK;
    return mote_call_end(&call, st);
}
