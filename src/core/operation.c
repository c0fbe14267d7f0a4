/* SPDX-License-Identifier: Apache-2.0 */
#include "core/operation.h"
#include "core/check.h"
#include "core/error.h"
#include "core/fail.h"

#include <string.h>

typedef union plan_room {
    max_align_t align;
    unsigned char bytes[MOTE_PLAN_BYTES];
} plan_room;

/* Returns room for an error word of the call, if the caller's word is kept. */
static mote_view carve_all(const mote_descriptor *operation, const mote_call *call, plan_room *plan,
                           mote_carve *carve)
{
    mote_view own = {0};
    if (call->keeps_error)
        own = mote_carve_take(carve, MOTE_ERROR_SLOTS, MOTE_UINT32);
    if (operation->carve)
        operation->carve(call, plan, carve);
    return own;
}

/* Stores in `carve` how much scratch is needed. */
static mote_status make_plan(const mote_descriptor *operation, mote_call *call, const void *args,
                             plan_room *plan, mote_carve *carve)
{
    cl_mem error = NULL;
    size_t offset = 0;
    uint32_t keep = 0;
    memset(plan, 0, operation->plan_size);
    mote_status st = mote_check_args(call->name, operation->init, args, plan, operation->args_size);
    if (st)
        return st;
    if (operation->workspace_at)
        call->workspace = (const mote_view *)(const void *)(plan->bytes + operation->workspace_at);
    if (operation->error_at) {
        memcpy(&error, plan->bytes + operation->error_at, sizeof(error));
        memcpy(&offset, plan->bytes + operation->error_offset_at, sizeof(offset));
        memcpy(&keep, plan->bytes + operation->error_keep_at, sizeof(keep));
    }
    if (error)
        call->error = (mote_view){error, offset / sizeof(uint32_t), MOTE_ERROR_SLOTS, MOTE_UINT32};
    call->keeps_error = keep != 0;
    st = mote_check_error_word(call, error, offset);
    if (!st)
        st = operation->check(call, plan);
    if (!st)
        carve_all(operation, call, plan, carve);
    return st;
}

/* With error_keep, the call's own error word is merged into the caller's at the end. */
static mote_status launch_all(const mote_descriptor *operation, mote_call *call,
                              const plan_room *plan, const mote_view *own)
{
    mote_view kept = call->error;
    bool merge = call->keeps_error && (kept.mem || call->preparing);
    if (merge)
        call->error = *own;
    mote_status st = operation->launch(call, plan);
    return st || !merge ? st : mote_error_merge(call, &kept);
}

mote_status mote_operation_enqueue(const mote_descriptor *operation, mote_context *ctx,
                                   cl_command_queue queue, bool prepare, const void *args,
                                   cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    mote_call call;
    plan_room plan;
    mote_carve carve = {0};
    mote_view scratch;
    mote_status st =
        mote_call_begin(&call, operation->name, ctx, queue, prepare, num_wait, wait, event);
    if (!st)
        st = make_plan(operation, &call, args, &plan, &carve);
    if (!st)
        st = mote_call_scratch(&call, carve.used, call.workspace, &scratch);
    if (!st) {
        carve = (mote_carve){.scratch = scratch};
        mote_view own = carve_all(operation, &call, &plan, &carve);
        st = launch_all(operation, &call, &plan, &own);
    }
    return mote_call_end(&call, st);
}

mote_status mote_operation_workspace_size(const mote_descriptor *operation, const char *name,
                                          mote_context *ctx, const void *args, size_t *bytes)
{
    mote_call call;
    plan_room plan;
    mote_carve carve = {0};
    mote_status st = mote_call_begin(&call, name, ctx, NULL, true, 0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", name);
    if (!st)
        st = make_plan(operation, &call, args, &plan, &carve);
    if (!st)
        *bytes = carve.used ? carve.used + MOTE_WORKSPACE_SLACK : 0;
    return mote_call_end(&call, st);
}
