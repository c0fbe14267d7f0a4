/* SPDX-License-Identifier: Apache-2.0 */
#include "core/check.h"
#include "core/fail.h"
#include "reduce/operations.h"
#include "reduce/sum_plan.h"

#define VALUE_TYPES                                                                                \
    (MOTE_TYPE_BIT(MOTE_INT32) | MOTE_TYPE_BIT(MOTE_INT64) | MOTE_TYPE_BIT(MOTE_FLOAT32) |         \
     MOTE_TYPE_BIT(MOTE_FLOAT64))

void mote_reduce_args_init(mote_reduce_args *args)
{
    if (args)
        *args = (mote_reduce_args){.size = sizeof(*args)};
}

static mote_status check_options(const mote_call *call, const mote_reduce_args *a)
{
    if (a->reduction != MOTE_REDUCE_SUM && a->reduction != MOTE_REDUCE_MIN &&
        a->reduction != MOTE_REDUCE_MAX)
        return mote_fail(
            MOTE_ERROR_INVALID_ARGUMENT,
            "%s: reduction is %d, but must be MOTE_REDUCE_SUM (0), MOTE_REDUCE_MIN (2) "
            "or MOTE_REDUCE_MAX (3)",
            call->name, (int)a->reduction);
    if ((unsigned)a->accumulation > MOTE_ACCUMULATE_COMPENSATED)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: accumulation is %d, which is none of mote_accumulation", call->name,
                         (int)a->accumulation);
    if ((unsigned)a->nan > MOTE_NAN_SKIP)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: nan is %d, which is none of mote_nan_policy", call->name,
                         (int)a->nan);
    return MOTE_SUCCESS;
}

/* 0 when it is none that can be summed. Without values their type is the result's. */
static mote_type type_of_values(const mote_reduce_args *a)
{
    unsigned type = (unsigned)(a->values.type ? a->values.type : a->result.type);
    return type < 32 && (VALUE_TYPES & MOTE_TYPE_BIT(type)) ? (mote_type)type : MOTE_TYPE_NONE;
}

static uint32_t result_types(const mote_reduce_args *a, mote_type values)
{
    if (a->reduction != MOTE_REDUCE_SUM)
        return a->values.type ? MOTE_TYPE_BIT(values) : VALUE_TYPES;
    if (!a->values.type)
        return VALUE_TYPES & ~MOTE_TYPE_BIT(MOTE_INT32);
    if (values == MOTE_FLOAT32)
        return MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64);
    return MOTE_TYPE_BIT(values == MOTE_FLOAT64 ? MOTE_FLOAT64 : MOTE_INT64);
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
        {"values", &a->values, VALUE_TYPES, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"result", &a->result, result_types(a, values), a->rows, VIEW_EXACT | VIEW_WRITES},
        {"result_low", &a->result_low, MOTE_TYPE_BIT(MOTE_FLOAT32), a->rows,
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
        {"workspace", &a->workspace, MOTE_TYPE_BIT(MOTE_UINT32), VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

/* Which of the two calls is meant; mote_prepare() does not know. */
typedef enum sum_kind { ONE_ROW, MANY_ROWS, EITHER } sum_kind;

static mote_status check(const mote_call *call, sum_kind kind, const void *args,
                         mote_reduce_args *a, mote_type *values)
{
    mote_status st = mote_check_args(call->name, "mote_reduce_args_init", args, a, sizeof(*a));
    if (!st && kind == ONE_ROW && a->rows > 1)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: rows is %zu: mote_reduce_rows() takes more than one", call->name,
                       a->rows);
    if (!st && a->rows == 0 && (kind == ONE_ROW || (kind == EITHER && a->result.count > 0)))
        a->rows = 1;
    *values = type_of_values(a);
    if (!st)
        st = check_options(call, a);
    if (!st)
        st = check_rows(call, a);
    if (!st)
        st = check_views(call, a, *values);
    return st ? st : check_types(call, a, *values);
}

static mote_status enqueue(const char *name, sum_kind kind, mote_context *ctx,
                           cl_command_queue queue, bool prepare, const void *args, cl_uint num_wait,
                           const cl_event *wait, cl_event *event)
{
    mote_call call;
    mote_reduce_args a;
    mote_reduce_plan plan;
    mote_view scratch;
    mote_type values;
    mote_status st = mote_call_begin(&call, name, ctx, queue, prepare, num_wait, wait, event);
    if (!st)
        st = check(&call, kind, args, &a, &values);
    if (st || a.rows == 0)
        return mote_call_end(&call, st);
    st = mote_reduce_plan_make(&call, &a, values, &plan);
    if (!st)
        st = mote_call_scratch(&call, mote_reduce_plan_scratch(&plan), &a.workspace, &scratch);
    if (!st)
        st = mote_reduce_plan_run(&call, &plan, &a, &scratch);
    return mote_call_end(&call, st);
}

mote_status mote_reduce_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                const void *args, cl_uint num_wait, const cl_event *wait,
                                cl_event *event)
{
    return enqueue("mote_reduce_rows", EITHER, ctx, queue, prepare, args, num_wait, wait, event);
}

mote_status mote_reduce(mote_context *ctx, cl_command_queue queue, const mote_reduce_args *args,
                        cl_uint num_wait, const cl_event *wait, cl_event *event)
{
    return enqueue("mote_reduce", ONE_ROW, ctx, queue, false, args, num_wait, wait, event);
}

mote_status mote_reduce_rows(mote_context *ctx, cl_command_queue queue,
                             const mote_reduce_args *args, cl_uint num_wait, const cl_event *wait,
                             cl_event *event)
{
    return enqueue("mote_reduce_rows", MANY_ROWS, ctx, queue, false, args, num_wait, wait, event);
}

mote_status mote_reduce_workspace_size(mote_context *ctx, const mote_reduce_args *args,
                                       size_t *bytes)
{
    mote_call call;
    mote_reduce_args a;
    mote_reduce_plan plan = {.blocks = 1};
    mote_type values;
    mote_status st =
        mote_call_begin(&call, "mote_reduce_workspace_size", ctx, NULL, true, 0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = check(&call, EITHER, args, &a, &values);
    if (!st && a.rows > 0)
        st = mote_reduce_plan_make(&call, &a, values, &plan);
    if (!st)
        *bytes = mote_reduce_plan_scratch(&plan) + MOTE_WORKSPACE_SLACK;
    return mote_call_end(&call, st);
}
