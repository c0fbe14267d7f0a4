/* SPDX-License-Identifier: Apache-2.0 */
#include "core/check.h"
#include "core/fail.h"
#include "core/type.h"
#include "operations.h"
#include "reduce/reductions.h"
#include "reduce/sum_plan.h"

static mote_status check_options(const mote_call *call, const mote_reduce_args *a)
{
    mote_status st = mote_reduction_check_whole(call->name, a->reduction);
    if (st)
        return st;
    if ((unsigned)a->accumulation > MOTE_ACCUMULATE_COMPENSATED)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: accumulation is %d, which is not a value of mote_accumulation",
                         call->name, (int)a->accumulation);
    if ((unsigned)a->nan > MOTE_NAN_SKIP)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: nan is %d, which is not a value of mote_nan_policy", call->name,
                         (int)a->nan);
    return MOTE_SUCCESS;
}

/* Returns 0 if values of this type cannot be summed. Without values, their type follows from the
 * result's type. */
static mote_type type_of_values(const mote_reduce_args *a)
{
    mote_type type = a->values.type ? a->values.type : a->result.type;
    return mote_type_in(MOTE_REDUCTION_VALUES, type) ? type : MOTE_TYPE_NONE;
}

static uint32_t result_types(const mote_reduce_args *a, mote_type values)
{
    uint32_t types = 0;
    if (a->values.type)
        return mote_reduction_results(a->reduction, values, MOTE_TYPE_NONE);
    for (unsigned type = MOTE_BOOL; type <= MOTE_TYPE_LAST; type++)
        if (MOTE_REDUCTION_VALUES & MOTE_TYPE_BIT(type))
            types |= mote_reduction_results(a->reduction, (mote_type)type, MOTE_TYPE_NONE);
    return types;
}

static mote_status check_types(const mote_call *call, const mote_reduce_args *a, mote_type values)
{
    if ((values == MOTE_FLOAT64 || a->result.type == MOTE_FLOAT64) &&
        !mote_reduce_has_fp64(call->ctx))
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %s is float64, but %s has no double precision: use float32%s",
                         call->name, values == MOTE_FLOAT64 ? "values" : "result",
                         call->ctx->device.name, values == MOTE_FLOAT64 ? "" : " and result_low");
    if (a->result_low.count && (a->reduction != MOTE_REDUCE_SUM || a->result.type != MOTE_FLOAT32))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: result_low goes with a float32 result of a sum only", call->name);
    return MOTE_SUCCESS;
}

static mote_status check_rows(const mote_call *call, const mote_reduce_args *a)
{
    size_t rows = a->rows;
    if (rows > INT32_MAX)
        return mote_fail(MOTE_ERROR_UNSUPPORTED, "%s: rows is %zu: a call takes fewer than 2^31",
                         call->name, rows);
    if (rows ? a->values.count % rows != 0 : a->values.count != 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: values has %zu elements, which %zu rows do not divide evenly",
                         call->name, a->values.count, rows);
    return MOTE_SUCCESS;
}

static mote_status check_views(const mote_call *call, const mote_reduce_args *a, mote_type values)
{
    const mote_view_rule views[] = {
        {"values", &a->values, MOTE_REDUCTION_VALUES, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"result", &a->result, result_types(a, values), a->rows, VIEW_EXACT | VIEW_WRITES},
        {"result_low", &a->result_low, MOTE_TYPE_BIT(MOTE_FLOAT32), a->rows,
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

typedef struct plan {
    mote_reduce_args args;
    mote_type values;
    mote_reduce_plan reduce; /* if there are rows */
    mote_view sums;
} plan;

static mote_status check(mote_call *call, plan *p)
{
    mote_reduce_args *a = &p->args;
    p->values = type_of_values(a);
    mote_status st = check_options(call, a);
    if (!st)
        st = check_rows(call, a);
    if (!st)
        st = check_views(call, a, p->values);
    if (!st)
        st = check_types(call, a, p->values);
    return st || a->rows == 0 ? st : mote_reduce_plan_make(call, a, p->values, &p->reduce);
}

static mote_status check_one(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    if (p->args.rows > 1)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: rows is %zu: mote_reduce_rows() takes more than one", call->name,
                         p->args.rows);
    p->args.rows = 1;
    return check(call, p);
}

static mote_status check_many(mote_call *call, void *call_plan)
{
    return check(call, call_plan);
}

/* mote_prepare() does not know which of the two calls will be made. */
static mote_status check_either(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    if (p->args.rows == 0 && p->args.result.count > 0)
        p->args.rows = 1;
    return check(call, p);
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    (void)call;
    p->sums = mote_reduce_plan_carve(&p->reduce, carve);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    if (p->args.rows == 0)
        return MOTE_SUCCESS;
    return mote_reduce_plan_run(call, &p->reduce, &p->args, &p->sums);
}

static const mote_descriptor one_row = {
    MOTE_DESCRIBE(mote_reduce, mote_reduce_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_reduce_args),
    .check = check_one,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_reduce, mote_reduce_args, one_row)

static const mote_descriptor many_rows = {
    MOTE_DESCRIBE(mote_reduce_rows, mote_reduce_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_reduce_args),
    .check = check_many,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_reduce_rows, mote_reduce_args, many_rows)

const mote_descriptor mote_reduce_operation = {
    MOTE_DESCRIBE(mote_reduce_rows, mote_reduce_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_reduce_args),
    .check = check_either,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_WORKSPACE_SIZE(mote_reduce_workspace_size, mote_reduce_args, mote_reduce_operation)
