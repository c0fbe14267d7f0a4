/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "core/sweep.h"
#include "jagged/operations.h"
#include "jagged/segments.h"
#include "shared/segments.h"

#include "cl_sources.h"

#include <stdio.h>

void mote_jagged_segments_args_init(mote_jagged_segments_args *args)
{
    if (args)
        *args = (mote_jagged_segments_args){.size = sizeof(*args)};
}

/* The least traffic of a call. */
static uint64_t traffic(const mote_jagged_segments_job *job)
{
    const mote_jagged_segments_args *a = &job->args;
    return (job->lists + 1) * (uint64_t)mote_type_size(job->offsets) +
           a->values.count * (uint64_t)mote_type_size(job->values) +
           job->lists * (uint64_t)mote_type_size(a->result.type);
}

static mote_status run_count(mote_call *call, const mote_jagged_segments_job *job)
{
    const mote_jagged_segments_args *a = &job->args;
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", job->lists);
    mote_view error = mote_error_view(a->error, a->error_offset);
    char defines[128];
    mote_launch launch;
    snprintf(defines, sizeof(defines), "%s%s", mote_lists_defines(job->offsets),
             sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&launch, call, &mote_cl_jagged_segments_count, defines, "segments_count");
    mote_launch_view(&launch, &a->offsets);
    mote_launch_u32(&launch, (uint32_t)job->lists);
    mote_launch_u64(&launch, a->values.type ? a->values.count : INT64_MAX);
    mote_launch_u32(&launch, a->base_first != 0);
    mote_launch_view(&launch, &a->result);
    mote_launch_view(&launch, &error);
    mote_launch_bytes(&launch, 2 * (uint64_t)job->lists * mote_type_size(job->offsets));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, job->lists ? sweep.groups : 0, sweep.local);
}

/* What the launches of a call keep between them. */
typedef struct between {
    mote_view long_lists, blocks, left;
} between;

static void carve(between *k, const mote_jagged_segments_plan *plan, const mote_view *scratch)
{
    mote_carve carve = {.scratch = *scratch};
    *k = (between){0};
    if (plan->spreads)
        k->long_lists = mote_carve_take(&carve, plan->all_tiles, MOTE_UINT32);
    if (plan->blocks)
        k->blocks = mote_carve_take(&carve, plan->blocks, MOTE_UINT64);
    if (plan->flat_groups)
        k->left = mote_carve_take(&carve, plan->flat_groups, MOTE_UINT32);
}

static void begin(mote_launch *launch, mote_call *call, const mote_jagged_segments_job *job,
                  const mote_jagged_segments_plan *plan, const between *k,
                  const mote_source *source, const char *kernel)
{
    const mote_jagged_segments_args *a = &job->args;
    mote_view error = mote_error_view(a->error, a->error_offset), result = a->result;
    bool flat = source == &mote_cl_jagged_segments_flat;
    char defines[sizeof(plan->defines) + 32];
    snprintf(defines, sizeof(defines), plan->cpu ? "%s" : "%s -DWG=%zu", plan->defines,
             flat ? plan->flat_local : plan->local);
    result.offset *= mote_type_size(result.type);
    mote_launch_begin(launch, call, source, defines, kernel);
    mote_launch_view(launch, &a->offsets);
    mote_launch_u32(launch, (uint32_t)job->lists);
    mote_launch_view(launch, &a->values);
    mote_launch_u64(launch, a->values.count);
    mote_launch_view(launch, &result);
    mote_launch_view(launch, &k->blocks);
    mote_launch_view(launch, &k->long_lists);
    mote_launch_view(launch, &error);
    mote_launch_u32(launch, mote_jagged_segments_how(a) |
                                (plan->spreads ? MOTE_SEGMENTS_SPREADS : 0) |
                                (plan->flat_groups ? MOTE_SEGMENTS_LEFT : 0));
}

static const mote_source *source_of(const mote_jagged_segments_plan *plan)
{
    return plan->cpu ? &mote_cl_jagged_segments_cpu : &mote_cl_jagged_segments;
}

static mote_status run_flat(mote_call *call, const mote_jagged_segments_job *job,
                            const mote_jagged_segments_plan *plan, const between *k)
{
    mote_launch launch;
    begin(&launch, call, job, plan, k, &mote_cl_jagged_segments_flat, "segments_flat");
    mote_launch_view(&launch, &k->left);
    mote_launch_bytes(&launch, traffic(job));
    return mote_launch_run(&launch, plan->flat_groups, plan->flat_local);
}

static mote_status run_shares(mote_call *call, const mote_jagged_segments_job *job,
                              const mote_jagged_segments_plan *plan, const between *k)
{
    mote_launch launch;
    begin(&launch, call, job, plan, k, source_of(plan),
          plan->cpu ? "segments_shares" : "segments_tiles");
    if (!plan->cpu) {
        mote_launch_view(&launch, &k->left);
        mote_launch_u64(&launch, plan->spreads ? MOTE_SEGMENTS_BLOCK : UINT64_MAX);
        mote_launch_u32(&launch, (uint32_t)plan->tiles);
    }
    mote_launch_bytes(&launch, plan->flat_groups ? 0 : traffic(job));
    if (!plan->spreads)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, plan->groups, plan->local);
}

static mote_status run(mote_call *call, const mote_jagged_segments_job *job,
                       const mote_jagged_segments_plan *plan, const mote_view *scratch)
{
    mote_launch launch;
    mote_status st = MOTE_SUCCESS;
    between kept;
    carve(&kept, plan, scratch);
    if (plan->flat_groups)
        st = run_flat(call, job, plan, &kept);
    if (!st)
        st = run_shares(call, job, plan, &kept);
    if (st || !plan->spreads)
        return st;
    begin(&launch, call, job, plan, &kept, source_of(plan), "segments_join");
    mote_launch_bytes(&launch, plan->all_tiles * sizeof(uint32_t));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, plan->join_groups, plan->local);
}

mote_status mote_jagged_segments_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                         const void *args, cl_uint num_wait, const cl_event *wait,
                                         cl_event *event)
{
    mote_call call;
    mote_jagged_segments_job job;
    mote_jagged_segments_plan plan;
    mote_view scratch;
    mote_status st =
        mote_call_begin(&call, "mote_jagged_segments", ctx, queue, prepare, num_wait, wait, event);
    if (!st)
        st = mote_jagged_segments_check(&call, args, &job);
    if (!st) {
        plan = mote_jagged_segments_plan_make(ctx, &job);
        st = mote_call_scratch(&call, plan.scratch, &job.args.workspace, &scratch);
    }
    if (!st)
        st = mote_error_clear(&call, job.args.error, job.args.error_offset);
    if (!st && job.args.reduction == MOTE_REDUCE_COUNT)
        st = run_count(&call, &job);
    else if (!st && job.lists > 0)
        st = run(&call, &job, &plan, &scratch);
    return mote_call_end(&call, st);
}

mote_status mote_jagged_segments(mote_context *ctx, cl_command_queue queue,
                                 const mote_jagged_segments_args *args, cl_uint num_wait,
                                 const cl_event *wait, cl_event *event)
{
    return mote_jagged_segments_enqueue(ctx, queue, false, args, num_wait, wait, event);
}

mote_status mote_jagged_segments_workspace_size(mote_context *ctx,
                                                const mote_jagged_segments_args *args,
                                                size_t *bytes)
{
    mote_call call;
    mote_jagged_segments_job job;
    mote_status st = mote_call_begin(&call, "mote_jagged_segments_workspace_size", ctx, NULL, true,
                                     0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = mote_jagged_segments_check(&call, args, &job);
    if (!st)
        *bytes = mote_jagged_segments_plan_make(ctx, &job).scratch + MOTE_WORKSPACE_SLACK;
    return mote_call_end(&call, st);
}
