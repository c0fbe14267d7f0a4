/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of plain arrays, on top of the device API. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host.h"
#include "mote/reduce.h"
#include "reduce/reductions.h"
#include "reduce/sum_plan.h"

#define NAME "mote_reduce_host"

enum { SLOT_VALUES, SLOT_RESULT, SLOT_LOW };

typedef struct work {
    mote_reduce_host_args args;
    mote_host *host;
    bool two_floats; /* float64 results are put together of two float32 */
    mote_reduce_args device;
} work;

void mote_reduce_host_args_init(mote_reduce_host_args *args)
{
    if (args)
        *args = (mote_reduce_host_args){.size = sizeof(*args)};
}

static mote_type usual_result(const mote_reduce_host_args *a)
{
    uint32_t types = mote_reduction_results(a->reduction, a->type, MOTE_TYPE_NONE);
    return types & MOTE_TYPE_BIT(MOTE_FLOAT64)
               ? MOTE_FLOAT64
               : mote_reduction_usual_result(a->reduction, a->type, MOTE_TYPE_NONE);
}

static mote_status check(const mote_context *ctx, const mote_host *host,
                         const mote_reduce_host_args *a)
{
    size_t size = mote_type_size(a->type);
    if (!ctx)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": ctx is NULL");
    if (host && host->ctx != ctx)
        return mote_fail(MOTE_ERROR_WRONG_CONTEXT,
                         NAME ": host was made on another mote_context than ctx");
    if (a->type != MOTE_INT32 && a->type != MOTE_INT64 && a->type != MOTE_FLOAT32 &&
        a->type != MOTE_FLOAT64)
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         NAME ": type is %s (type %d), but must be int32 or int64 or float32 or "
                              "float64",
                         mote_type_name(a->type), (int)a->type);
    if (a->n > SIZE_MAX / size / a->rows)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": %zu rows of %zu values pass all memory", a->rows, a->n);
    if (!a->result || (!a->values && a->n > 0))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": %s is NULL",
                         a->result ? "values" : "result");
    return MOTE_SUCCESS;
}

static mote_status reserve(work *w, size_t slot, mote_type type, mote_view *view)
{
    cl_mem mem = NULL;
    mote_status st = mote_host_device(w->host, slot, w->args.rows * mote_type_size(type), &mem);
    *view = mote_view_make(mem, w->args.rows, type);
    return st;
}

static mote_status describe(work *w)
{
    const mote_reduce_host_args *a = &w->args;
    size_t count = a->rows * a->n;
    mote_status st = MOTE_SUCCESS;
    mote_reduce_args_init(&w->device);
    w->device.rows = a->rows;
    w->device.reduction = a->reduction;
    w->device.accumulation = a->accumulation;
    w->device.nan = a->nan;
    if (count > 0) {
        st = mote_host_upload(w->host, SLOT_VALUES, a->values, count * mote_type_size(a->type));
        w->device.values = mote_view_make(w->host->slot[SLOT_VALUES].device, count, a->type);
    } else {
        w->device.values.type = a->type;
    }
    if (!st)
        st = reserve(w, SLOT_RESULT, w->two_floats ? MOTE_FLOAT32 : a->result_type,
                     &w->device.result);
    if (!st && w->two_floats)
        st = reserve(w, SLOT_LOW, MOTE_FLOAT32, &w->device.result_low);
    return st;
}

static mote_status run(work *w)
{
    cl_event done = NULL;
    mote_status st = mote_reduce_rows(w->host->ctx, w->host->queue, &w->device, 0, NULL, &done);
    if (!st)
        st = mote_host_wait(w->host, done);
    if (done)
        clReleaseEvent(done);
    return st;
}

static mote_status download_two(work *w)
{
    double *result = w->args.result;
    size_t rows = w->args.rows;
    void *memory;
    mote_status st = mote_host_plain(w->host, SLOT_LOW, 2 * rows * sizeof(float), &memory);
    if (st)
        return st;
    float *high = memory, *low = high + rows;
    st = mote_host_download(w->host, SLOT_RESULT, high, rows * sizeof(float));
    if (!st)
        st = mote_host_download(w->host, SLOT_LOW, low, rows * sizeof(float));
    for (size_t i = 0; !st && i < rows; i++)
        result[i] = (double)high[i] + (double)low[i];
    return st;
}

static mote_status sum(work *w)
{
    const mote_reduce_host_args *a = &w->args;
    mote_status st = describe(w);
    if (!st)
        st = run(w);
    if (!st && w->two_floats)
        st = download_two(w);
    else if (!st)
        st = mote_host_download(w->host, SLOT_RESULT, a->result,
                                a->rows * mote_type_size(a->result_type));
    if (st)
        clFinish(w->host->queue); /* the upload may still read the caller's array */
    return st;
}

mote_status mote_reduce_host(mote_context *ctx, mote_host *host, const mote_reduce_host_args *args)
{
    work w = {.host = host};
    mote_host *temporary = NULL;
    mote_status st =
        mote_check_args(NAME, "mote_reduce_host_args_init", args, &w.args, sizeof(w.args));
    if (st)
        return st;
    st = mote_reduction_check_whole(NAME, w.args.reduction);
    if (st)
        return st;
    if (w.args.rows == 0)
        w.args.rows = 1;
    if (w.args.result_type == MOTE_TYPE_NONE)
        w.args.result_type = usual_result(&w.args);
    st = check(ctx, host, &w.args);
    if (st)
        return st;
    w.two_floats = w.args.type == MOTE_FLOAT32 && w.args.result_type == MOTE_FLOAT64 &&
                   w.args.reduction == MOTE_REDUCE_SUM && !mote_reduce_has_fp64(ctx);
    if (!host) {
        st = mote_host_create(ctx, NULL, &temporary);
        w.host = temporary;
    }
    if (!st)
        st = sum(&w);
    mote_host_release(temporary);
    return st;
}
