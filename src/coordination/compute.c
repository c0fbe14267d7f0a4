/* SPDX-License-Identifier: Apache-2.0 */
/* mote_coordination_compute(): which method a call takes. */
#include "coordination/all_pairs.h"
#include "coordination/operations.h"
#include "core/fail.h"

/* Checks, and leaves in `carve` how much scratch is needed. */
static mote_status plan_call(mote_call *call, const void *args, mote_coordination_job *job,
                             mote_all_pairs *all, mote_carve *carve)
{
    mote_status st = mote_coordination_check(call, args, job);
    if (!st && job->plan->method == MOTE_COORDINATION_CELLS)
        st =
            mote_fail(MOTE_ERROR_UNSUPPORTED,
                      "%s: method CELLS is not in this version: use AUTO or ALL_PAIRS", call->name);
    if (!st)
        mote_all_pairs_carve(job, all, carve);
    return st;
}

mote_status mote_coordination_compute_enqueue(mote_context *ctx, cl_command_queue queue,
                                              bool prepare, const void *args, cl_uint num_wait,
                                              const cl_event *wait, cl_event *event)
{
    mote_call call;
    mote_coordination_job job;
    mote_all_pairs all;
    mote_carve carve = {0};
    mote_view scratch;
    mote_status st = mote_call_begin(&call, "mote_coordination_compute", ctx, queue, prepare,
                                     num_wait, wait, event);
    if (!st)
        st = plan_call(&call, args, &job, &all, &carve);
    if (!st)
        st = mote_call_scratch(&call, carve.used, &job.args.workspace, &scratch);
    if (!st) {
        carve = (mote_carve){.scratch = scratch};
        mote_all_pairs_carve(&job, &all, &carve);
        st = mote_all_pairs_run(&job, &all);
    }
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
    mote_all_pairs all;
    mote_carve carve = {0};
    mote_status st =
        mote_call_begin(&call, "mote_coordination_workspace_size", ctx, NULL, true, 0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = plan_call(&call, args, &job, &all, &carve);
    if (!st)
        *bytes = carve.used + MOTE_WORKSPACE_SLACK;
    return mote_call_end(&call, st);
}
