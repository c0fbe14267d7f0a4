/* SPDX-License-Identifier: Apache-2.0 */
/* mote_coordination_compute(): which method a call takes. */
#include "coordination/method.h"
#include "coordination/operations.h"
#include "core/fail.h"

/* Checks, and leaves in *bytes how much scratch is needed; with `any`, whatever AUTO may choose. */
static mote_status plan_call(mote_call *call, const void *args, mote_coordination_job *job,
                             bool any, bool *chosen, size_t *bytes)
{
    mote_method method;
    mote_status st = mote_coordination_check(call, args, job);
    *bytes = 0;
    if (st)
        return st;
    *chosen = mote_method_is_cells(job);
    for (int cells = 0; cells < 2; cells++) {
        mote_carve carve = {0};
        if (cells != *chosen && !(any && mote_method_is_open(job)))
            continue;
        mote_method_carve(job, cells, &method, &carve);
        *bytes = carve.used > *bytes ? carve.used : *bytes;
    }
    return MOTE_SUCCESS;
}

static mote_status run(const mote_coordination_job *job, bool cells, const mote_view *scratch)
{
    mote_method method;
    mote_carve carve = {.scratch = *scratch};
    mote_method_carve(job, cells, &method, &carve);
    return mote_method_run(job, &method);
}

mote_status mote_coordination_compute_enqueue(mote_context *ctx, cl_command_queue queue,
                                              bool prepare, const void *args, cl_uint num_wait,
                                              const cl_event *wait, cl_event *event)
{
    mote_call call;
    mote_coordination_job job;
    mote_view scratch;
    size_t bytes;
    bool cells;
    mote_status st = mote_call_begin(&call, "mote_coordination_compute", ctx, queue, prepare,
                                     num_wait, wait, event);
    if (!st)
        st = plan_call(&call, args, &job, prepare, &cells, &bytes);
    if (!st)
        st = mote_call_scratch(&call, bytes, &job.args.workspace, &scratch);
    if (!st && prepare && mote_method_is_open(&job))
        st = run(&job, !cells, &scratch);
    if (!st)
        st = run(&job, cells, &scratch);
    return mote_call_end(&call, st);
}

mote_status mote_coordination_compute(mote_context *ctx, cl_command_queue queue,
                                      const mote_coordination_args *args, cl_uint num_wait,
                                      const cl_event *wait, cl_event *event)
{
    return mote_coordination_compute_enqueue(ctx, queue, false, args, num_wait, wait, event);
}

mote_status mote_coordination_workspace_size(mote_context *ctx, const mote_coordination_args *args,
                                             size_t *bytes)
{
    mote_call call;
    mote_coordination_job job;
    size_t needed;
    bool cells;
    mote_status st =
        mote_call_begin(&call, "mote_coordination_workspace_size", ctx, NULL, true, 0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = plan_call(&call, args, &job, true, &cells, &needed);
    if (!st)
        *bytes = needed + MOTE_WORKSPACE_SLACK;
    return mote_call_end(&call, st);
}
