/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of plain arrays, on top of the device API. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "core/type.h"
#include "mote/reduce.h"
#include "reduce/reductions.h"
#include "reduce/sum_plan.h"

#define NAME "mote_reduce_host"

enum { SLOT_VALUES, SLOT_RESULT, SLOT_LOW };

typedef struct work {
    mote_reduce_host_args args;
    mote_host_job job;
    bool two_floats; /* float64 results are put together of two float32 */
    mote_reduce_args device;
} work;

MOTE_DEFINE_ARGS_INIT(mote_reduce_host_args_init, mote_reduce_host_args)

static mote_type usual_result(const mote_reduce_host_args *a)
{
    uint32_t types = mote_reduction_results(a->reduction, a->type, MOTE_TYPE_NONE);
    return types & MOTE_TYPE_BIT(MOTE_FLOAT64)
               ? MOTE_FLOAT64
               : mote_reduction_usual_result(a->reduction, a->type, MOTE_TYPE_NONE);
}

static mote_status check(const mote_reduce_host_args *a)
{
    size_t size = mote_type_size(a->type);
    if (!mote_type_in(MOTE_REDUCTION_VALUES, a->type))
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         NAME ": type is %s (type %d), but must be bool, an integer type, float16, "
                              "float32 or float64",
                         mote_type_name(a->type), (int)a->type);
    if (a->n > SIZE_MAX / size / a->rows)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": %zu rows of %zu values exceed all memory", a->rows, a->n);
    if (!a->result || (!a->values && a->n > 0))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": %s is NULL",
                         a->result ? "values" : "result");
    return MOTE_SUCCESS;
}

static mote_status describe(work *w)
{
    const mote_reduce_host_args *a = &w->args;
    size_t count = a->rows * a->n;
    mote_reduce_args_init(&w->device);
    w->device.rows = a->rows;
    w->device.reduction = a->reduction;
    w->device.accumulation = a->accumulation;
    w->device.nan = a->nan;
    mote_status st =
        mote_host_job_upload(&w->job, SLOT_VALUES, a->values, count, a->type, &w->device.values);
    w->device.values.type = a->type;
    if (!st)
        st = mote_host_job_output(&w->job, SLOT_RESULT, w->two_floats ? NULL : a->result, a->rows,
                                  w->two_floats ? MOTE_FLOAT32 : a->result_type, &w->device.result);
    if (!st && w->two_floats)
        st = mote_host_job_reserve(&w->job, SLOT_LOW, a->rows, MOTE_FLOAT32, &w->device.result_low);
    return st;
}

/* High and low parts, added up here. */
static mote_status fetch_two(work *w, mote_status st, cl_event done)
{
    double *result = w->args.result;
    size_t rows = w->args.rows;
    void *memory;
    if (!st)
        st = mote_host_plain(w->job.host, SLOT_LOW, 2 * rows * sizeof(float), &memory);
    float *high = st ? NULL : memory, *low = st ? NULL : high + rows;
    const mote_host_target targets[] = {{SLOT_RESULT, high, rows * sizeof(float)},
                                        {SLOT_LOW, low, rows * sizeof(float)}};
    st = mote_host_job_fetch(&w->job, st, done, targets, 2);
    for (size_t i = 0; !st && i < rows; i++)
        result[i] = (double)high[i] + (double)low[i];
    return st;
}

static mote_status sum(work *w)
{
    const mote_reduce_host_args *a = &w->args;
    mote_status st = describe(w);
    if (st)
        return st;
    cl_event done = NULL;
    st = mote_reduce_rows(w->job.host->ctx, w->job.host->queue, &w->device, 0, NULL, &done);
    if (w->two_floats)
        return fetch_two(w, st, done);
    const mote_host_target target = {SLOT_RESULT, a->result,
                                     a->rows * mote_type_size(a->result_type)};
    return mote_host_job_fetch(&w->job, st, done, &target, 1);
}

mote_status mote_reduce_host(mote_context *ctx, mote_host *host, const mote_reduce_host_args *args)
{
    work w = {0};
    mote_status st =
        mote_check_args(NAME, "mote_reduce_host_args_init", args, &w.args, sizeof(w.args));
    if (!st)
        st = mote_reduction_check_whole(NAME, w.args.reduction);
    if (w.args.rows == 0)
        w.args.rows = 1;
    if (!st && w.args.result_type == MOTE_TYPE_NONE)
        w.args.result_type = usual_result(&w.args);
    if (!st)
        st = check(&w.args);
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st) {
        w.two_floats = (w.args.type == MOTE_FLOAT32 || w.args.type == MOTE_FLOAT16) &&
                       w.args.result_type == MOTE_FLOAT64 && w.args.reduction == MOTE_REDUCE_SUM &&
                       !mote_reduce_has_fp64(ctx);
        st = sum(&w);
    }
    return mote_host_job_end(&w.job, st);
}
