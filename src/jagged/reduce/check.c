/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "core/type.h"
#include "jagged/reduce/reduce.h"

#define MOST_VALUES ((size_t)1 << 43) /* so that 32 bits can count the blocks */

/* If there are no values, a type is used that can give such a result. */
static mote_type values_for(const mote_jagged_reduce_args *a, mote_type offsets)
{
    for (unsigned type = MOTE_BOOL; type <= MOTE_TYPE_LAST; type++)
        if (MOTE_TYPE_BIT(type) & MOTE_REDUCTION_VALUES &&
            mote_type_in(mote_reduction_results(a->reduction, (mote_type)type, offsets),
                         a->result.type))
            return (mote_type)type;
    return MOTE_BOOL;
}

static mote_status check_options(const mote_call *call, const mote_jagged_reduce_args *a)
{
    mote_status st = MOTE_CHECK_CHOICE(call->name, "reduction", a->reduction, mote_reduction);
    if (!st)
        st = MOTE_CHECK_CHOICE(call->name, "nan", a->nan, mote_nan_policy);
    if (!st)
        st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    if (!st && a->ddof > MOTE_JAGGED_REDUCE_MOST_DDOF)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: ddof is %u, but must be at most %u",
                       call->name, a->ddof, MOTE_JAGGED_REDUCE_MOST_DDOF);
    return st;
}

mote_status mote_jagged_reduce_check_fp64(const mote_call *call, const mote_jagged_reduce_job *job)
{
    bool values = job->values_type == MOTE_FLOAT64;
    if (mote_jagged_reduce_has_fp64(call->ctx) ||
        !(values || job->args.result.type == MOTE_FLOAT64))
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_UNSUPPORTED, "%s: %s is float64, but %s has no double precision",
                     call->name, values ? "values" : "result", call->ctx->device.name);
}

static mote_status check_views(const mote_call *call, const mote_jagged_reduce_job *job)
{
    const mote_jagged_reduce_args *a = &job->args;
    uint32_t results = mote_reduction_results(a->reduction, job->values_type, job->offsets_type);
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, job->lists + 1, VIEW_EXACT},
        {"values", &a->values, MOTE_REDUCTION_VALUES, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"result", &a->result, results, job->lists, VIEW_EXACT | VIEW_WRITES},
    };
    mote_status st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    return st ? st : mote_jagged_reduce_check_fp64(call, job);
}

mote_status mote_jagged_reduce_check(const mote_call *call, mote_jagged_reduce_job *job)
{
    const mote_jagged_reduce_args *a = &job->args;
    mote_lists lists;
    mote_status st = check_options(call, a);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets, &lists);
    if (!st && a->values.count >= MOST_VALUES)
        st = mote_fail(MOTE_ERROR_UNSUPPORTED, "%s: %zu values: a call takes fewer than 2^43",
                       call->name, a->values.count);
    if (st)
        return st;
    job->lists = lists.count;
    job->offsets_type = lists.type;
    job->values_type = a->values.type ? a->values.type : values_for(a, lists.type);
    return check_views(call, job);
}
