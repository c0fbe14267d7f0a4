/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/sweep.h"
#include "jagged/reduce/reduce.h"
#include "operations.h"
#include "shared/jagged.h"

#include "cl_sources.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST 256 /* largest number of quantiles */

typedef struct plan {
    mote_jagged_quantile_args args;
    mote_jagged_reduce_job job; /* job of a mean, whose results have the same type */
    uint64_t quantiles[MOST];   /* in the form that the kernel reads */
} plan;

/* Returns a quantile as the kernel reads it: the bits of the double if `wide` is set, otherwise a
 * number of units of 2^-64. */
static uint64_t passed(double quantile, bool wide)
{
    uint64_t bits;
    if (!wide)
        return quantile < 1 ? (uint64_t)ldexp(quantile, 64) : UINT64_MAX;
    quantile += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &quantile, sizeof(bits));
    return bits;
}

static mote_status check_quantiles(const mote_call *call, plan *p)
{
    const mote_jagged_quantile_args *a = &p->args;
    if (a->count > MOST)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: count is %zu, but must be at most %d",
                         call->name, a->count, MOST);
    if (!a->quantiles && a->count)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: quantiles is NULL", call->name);
    for (size_t i = 0; i < a->count; i++) {
        double quantile = a->quantiles[i];
        if (!(quantile >= 0 && quantile <= 1))
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             "%s: quantiles[%zu] is %g, but must be from 0 to 1", call->name, i,
                             quantile);
        p->quantiles[i] = passed(quantile, p->job.args.result.type == MOTE_FLOAT64);
    }
    return MOTE_SUCCESS;
}

/* Makes the job. If there are no values, it has a type of values that can have such a result. */
static void make_job(plan *p)
{
    const mote_jagged_quantile_args *a = &p->args;
    mote_jagged_reduce_job *job = &p->job;
    job->args.reduction = MOTE_REDUCE_MEAN;
    job->offsets_type = a->offsets.type;
    job->values_type = a->values.type                   ? a->values.type
                       : a->result.type == MOTE_FLOAT64 ? MOTE_FLOAT64
                                                        : MOTE_FLOAT32;
    job->args.result.type =
        mote_reduction_usual_result(MOTE_REDUCE_MEAN, job->values_type, job->offsets_type);
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_quantile_args *a = &p->args;
    mote_lists lists;
    mote_status st = mote_lists_of_offsets(call, &a->offsets, &lists);
    if (st)
        return st;
    p->job.lists = lists.count;
    make_job(p);
    st = check_quantiles(call, p);
    if (st)
        return st;
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, 0},
        {"values", &a->values, MOTE_REDUCTION_VALUES, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"result", &a->result, MOTE_TYPE_BIT(p->job.args.result.type), lists.count * a->count,
         VIEW_EXACT | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    return st ? st : mote_jagged_reduce_check_fp64(call, &p->job);
}

/* Launches the kernel for up to MOTE_JAGGED_QUANTILES quantiles, from number `first` on. */
static mote_status launch_some(mote_call *call, const plan *p, size_t first)
{
    static const char *const names[MOTE_JAGGED_QUANTILES] = {"q0", "q1", "q2", "q3"};
    const mote_jagged_quantile_args *a = &p->args;
    const mote_jagged_reduce_job *job = &p->job;
    const size_t m = job->lists, count = min_size(a->count - first, MOTE_JAGGED_QUANTILES);
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", m);
    mote_view result = a->result;
    mote_launch launch;
    char defines[448];
    mote_jagged_reduce_defines(call->ctx, job, defines, sizeof(defines));
    size_t used = strlen(defines);
    snprintf(defines + used, sizeof(defines) - used, " -DQUANTILE_DOUBLE=%d%s",
             job->args.result.type == MOTE_FLOAT64, sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&launch, call, &mote_cl_jagged_select_quantile, defines, "quantile");
    mote_launch_view(&launch, "offsets", &a->offsets);
    mote_launch_u32(&launch, "m", (uint32_t)m);
    mote_launch_view(&launch, "values", &a->values);
    mote_launch_u64(&launch, "n", a->values.count);
    for (size_t i = 0; i < MOTE_JAGGED_QUANTILES; i++)
        mote_launch_u64(&launch, names[i], i < count ? p->quantiles[first + i] : 0);
    mote_launch_u32(&launch, "count", (uint32_t)count);
    mote_launch_u64(&launch, "row", a->count);
    result.offset += first;
    mote_launch_view(&launch, "result", &result);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(
        &launch, (uint64_t)m * mote_type_size(job->offsets_type) +
                     (uint64_t)m * count *
                         (mote_type_size(a->result.type) + 2 * mote_type_size(a->values.type)));
    if (first + count == a->count)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, m ? sweep.groups : 0, sweep.local);
}

/* Launches the kernel for all quantiles. If there are none, one launch checks the lists. */
static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    size_t first = 0;
    mote_status st = mote_error_clear(call);
    do {
        st = st ? st : launch_some(call, p, first);
        first += MOTE_JAGGED_QUANTILES;
    } while (!st && first < p->args.count);
    return st;
}

const mote_descriptor mote_jagged_quantile_operation = {
    MOTE_DESCRIBE(mote_jagged_quantile, mote_jagged_quantile_args, plan),
    MOTE_DESCRIBE_ERROR(mote_jagged_quantile_args),
    .check = check,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_quantile, mote_jagged_quantile_args, mote_jagged_quantile_operation)
