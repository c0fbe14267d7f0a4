/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of plain arrays, using the device API. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "core/type.h"
#include "mote/reduce.h"
#include "reduce/reductions.h"
#include "reduce/sum_plan.h"

#define NAME "mote_reduce_host"

#define SLOT_PARTS ((size_t)3) /* in plain memory: float32 parts of float64 results */

typedef struct work {
    mote_reduce_host_args args;
    mote_host_job job;
    bool two_floats; /* float64 results are sums of two float32 */
    mote_reduce_args device;
} work;

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

static mote_status sum(work *w)
{
    const mote_reduce_host_args *a = &w->args;
    mote_reduce_args *d = &w->device;
    float *parts = NULL; /* high parts, then low parts */
    cl_event done = NULL;
    mote_reduce_args_init(d);
    d->rows = a->rows;
    d->reduction = a->reduction;
    d->accumulation = a->accumulation;
    d->nan = a->nan;
    mote_host_job_in(&w->job, a->values, a->rows * a->n, a->type, &d->values);
    d->values.type = a->type;
    if (!w->two_floats) {
        mote_host_job_out(&w->job, a->result, a->rows, a->result_type, &d->result);
    } else {
        void *memory = NULL;
        mote_status st =
            mote_host_plain(w->job.host, SLOT_PARTS, 2 * a->rows * sizeof(float), &memory);
        if (st)
            return st;
        parts = memory;
        mote_host_job_out(&w->job, parts, a->rows, MOTE_FLOAT32, &d->result);
        mote_host_job_out(&w->job, parts + a->rows, a->rows, MOTE_FLOAT32, &d->result_low);
    }
    mote_status st = w->job.status;
    if (!st) {
        st = mote_reduce_rows(w->job.host->ctx, w->job.host->queue, d, 0, NULL, &done);
        st = mote_host_job_finish(&w->job, st, done);
    }
    for (size_t i = 0; !st && parts && i < a->rows; i++)
        ((double *)a->result)[i] = (double)parts[i] + (double)parts[a->rows + i];
    return st;
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
