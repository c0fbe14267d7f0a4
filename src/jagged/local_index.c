/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "jagged/label.h"
#include "jagged/operations.h"

void mote_jagged_local_index_args_init(mote_jagged_local_index_args *args)
{
    if (args)
        *args = (mote_jagged_local_index_args){.size = sizeof(*args)};
}

static mote_status check(const mote_call *call, const void *args, mote_label_job *job)
{
    mote_jagged_local_index_args a;
    mote_status st =
        mote_check_args(call->name, "mote_jagged_local_index_args_init", args, &a, sizeof(a));
    if (!st)
        st = mote_label_check_strategy(call, a.strategy);
    if (!st)
        st = mote_label_check_validate(call, a.validate);
    if (!st)
        st = mote_lists_of_offsets(call, &a.offsets, &job->lists);
    if (st)
        return st;
    uint32_t same = a.offsets.type < 32 ? MOTE_TYPE_BIT(a.offsets.type) : UINT32_MAX;
    const mote_view_rule views[] = {
        {"offsets", &a.offsets, MOTE_JAGGED_INDEX, job->lists.count + 1, VIEW_EXACT},
        {"local_index", &a.local_index, same, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"workspace", &a.workspace, MOTE_TYPE_BIT(MOTE_UINT32), VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    job->local_index = true;
    job->offsets = a.offsets;
    job->out = a.local_index;
    job->relative = true;
    job->length = a.content_length ? a.content_length : SIZE_MAX;
    job->strategy = a.strategy;
    job->full = a.validate == MOTE_JAGGED_VALIDATE_FULL;
    job->error = a.error;
    job->error_offset = a.error_offset;
    return st ? st : mote_check_error_word(call, a.error, a.error_offset);
}

mote_status mote_jagged_local_index_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                            const void *args, cl_uint num_wait,
                                            const cl_event *wait, cl_event *event)
{
    mote_call call;
    mote_label_job job;
    mote_status st = mote_call_begin(&call, "mote_jagged_local_index", ctx, queue, prepare,
                                     num_wait, wait, event);
    if (!st)
        st = check(&call, args, &job);
    if (!st)
        st = mote_label_run(&call, &job);
    return mote_call_end(&call, st);
}

mote_status mote_jagged_local_index(mote_context *ctx, cl_command_queue queue,
                                    const mote_jagged_local_index_args *args, cl_uint num_wait,
                                    const cl_event *wait, cl_event *event)
{
    return mote_jagged_local_index_enqueue(ctx, queue, false, args, num_wait, wait, event);
}

mote_status mote_jagged_local_index_workspace_size(mote_context *ctx,
                                                   const mote_jagged_local_index_args *args,
                                                   size_t *bytes)
{
    mote_call call;
    mote_label_job job;
    mote_status st = mote_call_begin(&call, "mote_jagged_local_index_workspace_size", ctx, NULL,
                                     true, 0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = check(&call, args, &job);
    if (!st)
        *bytes = 0;
    return mote_call_end(&call, st);
}
