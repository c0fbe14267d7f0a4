/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/size.h"
#include "core/sub_groups.h"
#include "core/sweep.h"
#include "jagged/reduce/reduce.h"
#include "operations.h"
#include "shared/jagged_reduce.h"

#include "cl_sources.h"

#include <assert.h>
#include <stdio.h>

/* Returns the least traffic of a call. */
static uint64_t traffic(const mote_jagged_reduce_job *job)
{
    const mote_jagged_reduce_args *a = &job->args;
    return (job->lists + 1) * (uint64_t)mote_type_size(job->offsets_type) +
           a->values.count * (uint64_t)mote_type_size(job->values_type) +
           job->lists * (uint64_t)mote_type_size(a->result.type);
}

static mote_status run_count(mote_call *call, const mote_jagged_reduce_job *job)
{
    const mote_jagged_reduce_args *a = &job->args;
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", job->lists);
    char defines[128];
    mote_launch launch;
    snprintf(defines, sizeof(defines), "%s%s", mote_lists_defines(job->offsets_type),
             sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&launch, call, &mote_cl_jagged_reduce_count, defines, "reduce_count");
    mote_launch_view(&launch, "offsets", &a->offsets);
    mote_launch_u32(&launch, "count", (uint32_t)job->lists);
    mote_launch_u64(&launch, "length", a->values.type ? a->values.count : INT64_MAX);
    mote_launch_u32(&launch, "base_first", a->base_first != 0);
    mote_launch_view(&launch, "result", &a->result);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, 2 * (uint64_t)job->lists * mote_type_size(job->offsets_type));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, job->lists ? sweep.groups : 0, sweep.local);
}

static void write_defines(char *text, size_t size, const mote_context *ctx,
                          const mote_jagged_reduce_plan *plan, const mote_source *source)
{
    int used = snprintf(text, size, "%s", plan->defines);
    size_t rest = size - (size_t)used, half = div_ceil(plan->deep, 2),
           quarter = div_ceil(plan->deep, 4);
    text += used;
    if (source == &mote_cl_jagged_reduce_staged)
        snprintf(text, rest, " -DWG=%zu -DLISTS=%zu -DROOM=%zu -DQUADS=%d -DSERIAL_DEEP=%zu",
                 plan->staged_local, plan->staged_lists, plan->staged_room, plan->staged_quads,
                 quarter);
    else if (source == &mote_cl_jagged_reduce_windows)
        snprintf(text, rest, " -DWG=%zu -DWINDOW=%zu -DROOM=%zu -DDEEP=%zu -DSERIAL_DEEP=%zu",
                 plan->staged_local, plan->window, plan->staged_room, half, quarter);
    else if (source == &mote_cl_jagged_reduce_find)
        snprintf(text, rest, " -DWG=%zu -DWINDOW=%zu", plan->find_local, plan->window);
    else if (source == &mote_cl_jagged_reduce_join)
        snprintf(text, rest, " -DWG=%zu -DDEEP=%zu", plan->join_local, plan->deep);
    else if (source == &mote_cl_jagged_reduce_tiles)
        snprintf(text, rest, " -DWG=%zu -DTILE=%zu -DDEEP=%zu -DSERIAL_DEEP=%zu%s", plan->local,
                 plan->tile, plan->deep, half, mote_registers_option(ctx));
}

static void begin(mote_launch *launch, mote_call *call, const mote_jagged_reduce_job *job,
                  const mote_jagged_reduce_plan *plan, const mote_jagged_reduce_between *k,
                  const mote_source *source, const char *kernel)
{
    const mote_jagged_reduce_args *a = &job->args;
    mote_view result = a->result;
    char defines[sizeof(plan->defines) + 128];
    result.offset *= mote_type_size(result.type);
    write_defines(defines, sizeof(defines), call->ctx, plan, source);
    mote_launch_begin(launch, call, source, defines, kernel);
    mote_launch_view(launch, "offsets", &a->offsets);
    mote_launch_u32(launch, "count", (uint32_t)job->lists);
    mote_launch_view(launch, "values", &a->values);
    mote_launch_u64(launch, "length", a->values.count);
    mote_launch_view(launch, "result", &result);
    mote_launch_view(launch, "blocks", &k->blocks);
    mote_launch_view(launch, "long_lists", &k->long_lists);
    mote_launch_view(launch, "error", &call->error);
    mote_launch_u32(launch, "how",
                    mote_jagged_reduce_how(a) | (plan->spreads ? MOTE_JAGGED_REDUCE_SPREADS : 0) |
                        (plan->staged_groups ? MOTE_JAGGED_REDUCE_LEFT : 0));
}

static mote_status run_staged(mote_call *call, const mote_jagged_reduce_job *job,
                              const mote_jagged_reduce_plan *plan,
                              const mote_jagged_reduce_between *k)
{
    mote_launch launch;
    begin(&launch, call, job, plan, k, &mote_cl_jagged_reduce_staged, "reduce_begin");
    mote_launch_view(&launch, "left", &k->left);
    mote_status st = mote_launch_run(&launch, 1, plan->staged_local);
    if (st)
        return st;
    begin(&launch, call, job, plan, k, &mote_cl_jagged_reduce_staged, "reduce_staged");
    mote_launch_view(&launch, "left", &k->left);
    mote_launch_bytes(&launch, traffic(job));
    return mote_launch_run(&launch, plan->staged_groups, plan->staged_local);
}

static void add_windows(mote_launch *launch, const mote_jagged_reduce_plan *plan,
                        const mote_jagged_reduce_between *k)
{
    mote_launch_view(launch, "window_list", &k->window_list);
    mote_launch_view(launch, "window_offset", &k->window_offset);
    mote_launch_view(launch, "window_ended", &k->window_ended);
    mote_launch_u32(launch, "windows_number", (uint32_t)plan->windows);
}

static mote_status run_windows(mote_call *call, const mote_jagged_reduce_job *job,
                               const mote_jagged_reduce_plan *plan,
                               const mote_jagged_reduce_between *k)
{
    mote_launch launch;
    begin(&launch, call, job, plan, k, &mote_cl_jagged_reduce_find, "reduce_find");
    add_windows(&launch, plan, k);
    mote_launch_bytes(&launch, job->lists * (uint64_t)mote_type_size(job->offsets_type));
    mote_status st = mote_launch_run(&launch, plan->find_groups, plan->find_local);
    if (st)
        return st;
    begin(&launch, call, job, plan, k, &mote_cl_jagged_reduce_windows, "reduce_windows");
    add_windows(&launch, plan, k);
    mote_launch_bytes(&launch, traffic(job));
    if (!plan->spreads)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, plan->windows, plan->staged_local);
}

static mote_status run_shares(mote_call *call, const mote_jagged_reduce_job *job,
                              const mote_jagged_reduce_plan *plan,
                              const mote_jagged_reduce_between *k)
{
    mote_launch launch;
    if (plan->cpu) {
        begin(&launch, call, job, plan, k, &mote_cl_jagged_reduce_cpu, "reduce_shares");
    } else {
        begin(&launch, call, job, plan, k, &mote_cl_jagged_reduce_tiles, "reduce_tiles");
        mote_launch_view(&launch, "left", &k->left);
        mote_launch_u32(&launch, "left_lists", (uint32_t)plan->staged_lists);
        mote_launch_u64(&launch, "spread_from",
                        plan->spreads ? MOTE_JAGGED_REDUCE_BLOCK : UINT64_MAX);
        mote_launch_u32(&launch, "tiles", (uint32_t)plan->tiles);
        mote_launch_u32(&launch, "groups", (uint32_t)plan->noted_groups);
    }
    mote_launch_bytes(&launch, plan->staged_groups ? 0 : traffic(job));
    if (!plan->spreads)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, plan->groups, plan->local);
}

static mote_status run_join(mote_call *call, const mote_jagged_reduce_job *job,
                            const mote_jagged_reduce_plan *plan,
                            const mote_jagged_reduce_between *k)
{
    mote_launch launch;
    if (plan->cpu) {
        begin(&launch, call, job, plan, k, &mote_cl_jagged_reduce_cpu, "reduce_join");
    } else {
        begin(&launch, call, job, plan, k, &mote_cl_jagged_reduce_join, "reduce_join");
        mote_launch_view(&launch, "left", &k->left);
        mote_launch_u32(&launch, "share", (uint32_t)(plan->windows ? plan->window : plan->tile));
    }
    mote_launch_bytes(&launch,
                      (plan->windows ? plan->windows : plan->all_tiles) * sizeof(uint32_t));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, plan->join_groups, plan->join_local);
}

/* Asserts that defines, launches and scratch agree, whichever variant was chosen. */
static void check_plan(const mote_jagged_reduce_plan *p, const mote_jagged_reduce_between *k)
{
    (void)p;
    (void)k;
    assert(!p->cpu || (p->local == 1 && !p->windows && !p->staged_groups));
    assert(p->cpu || (p->local % 8 == 0 && p->join_local % 8 == 0 && p->deep > 0));
    assert(p->cpu ||
           (p->tile <= MOTE_JAGGED_REDUCE_BLOCK && p->tiles < p->local &&
            p->tiles <= MOTE_JAGGED_REDUCE_MOST_TILES && p->groups * p->tiles >= p->all_tiles));
    assert(!p->windows || !p->staged_groups);
    assert(!p->windows ||
           (p->window % 256 == 0 && p->window + 16 <= p->staged_room && p->staged_local % 8 == 0 &&
            p->find_local % 8 == 0 && k->window_list.count == p->windows));
    assert(!p->staged_groups ||
           (p->staged_lists > 0 && p->staged_room % 16 == 0 &&
            (!p->staged_quads || p->staged_lists % (4 * p->staged_local) == 0) &&
            k->left.count == MOTE_JAGGED_REDUCE_GROUPS + p->staged_groups));
    assert(!p->spreads || (k->blocks.count > 0 && p->join_groups > 0 &&
                           k->long_lists.count >= (p->windows ? p->windows : p->all_tiles)));
}

static mote_status run(mote_call *call, const mote_jagged_reduce_job *job,
                       const mote_jagged_reduce_plan *plan, const mote_jagged_reduce_between *kept)
{
    mote_status st = MOTE_SUCCESS;
    check_plan(plan, kept);
    if (plan->windows)
        st = run_windows(call, job, plan, kept);
    else if (plan->staged_groups)
        st = run_staged(call, job, plan, kept);
    if (!st && !plan->windows)
        st = run_shares(call, job, plan, kept);
    return st || !plan->spreads ? st : run_join(call, job, plan, kept);
}

typedef struct call_plan {
    mote_jagged_reduce_job job;
    mote_jagged_reduce_plan plan;
    mote_jagged_reduce_between kept;
} call_plan;

static mote_status check(mote_call *call, void *of_call)
{
    call_plan *p = of_call;
    mote_status st = mote_jagged_reduce_check(call, &p->job);
    if (!st)
        p->plan = mote_jagged_reduce_plan_make(call->ctx, &p->job);
    return st;
}

static void carve_plan(const mote_call *call, void *of_call, mote_carve *carve)
{
    call_plan *p = of_call;
    (void)call;
    p->kept = mote_jagged_reduce_carve(&p->plan, carve);
}

static mote_status launch_all(mote_call *call, const void *of_call)
{
    const call_plan *p = of_call;
    mote_status st = mote_error_clear(call);
    if (!st && p->job.args.reduction == MOTE_REDUCE_COUNT)
        st = run_count(call, &p->job);
    else if (!st && p->job.lists > 0)
        st = run(call, &p->job, &p->plan, &p->kept);
    return st;
}

const mote_descriptor mote_jagged_reduce_operation = {
    MOTE_DESCRIBE(mote_jagged_reduce, mote_jagged_reduce_args, call_plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_reduce_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_reduce_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_reduce, mote_jagged_reduce_args, mote_jagged_reduce_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_reduce_workspace_size, mote_jagged_reduce_args,
                           mote_jagged_reduce_operation)
