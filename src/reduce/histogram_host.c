/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of plain arrays, on top of the device API. */
#include "core/check.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "mote/histogram.h"
#include "reduce/reductions.h"

#define NAME "mote_histogram_host"

typedef struct work {
    mote_histogram_host_args args;
    mote_host_job job;
    mote_histogram_args device;
} work;

/* Faults that the device function cannot see. */
static mote_status check(const mote_histogram_host_args *a)
{
    const char *missing = !a->values && a->n                       ? "values"
                          : !a->weights && a->weights_type && a->n ? "weights"
                          : !a->result                             ? "result"
                                                                   : NULL;
    if (!mote_type_in(MOTE_REDUCTION_VALUES, a->type))
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         NAME ": type is %s (type %d), but must be bool, an integer type, float16, "
                              "float32 or float64",
                         mote_type_name(a->type), (int)a->type);
    if ((a->weights || a->weights_type) && a->weights_type != MOTE_FLOAT32 &&
        a->weights_type != MOTE_FLOAT64)
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         NAME ": weights_type is %s (type %d), but must be float32 or float64",
                         mote_type_name(a->weights_type), (int)a->weights_type);
    if (a->edges && a->edges_type != a->type && a->edges_type != MOTE_FLOAT32 &&
        a->edges_type != MOTE_FLOAT64)
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         NAME ": edges_type is %s (type %d), but must be float32, float64 or %s",
                         mote_type_name(a->edges_type), (int)a->edges_type,
                         mote_type_name(a->type));
    if (a->n > SIZE_MAX / sizeof(int64_t) || a->bins > SIZE_MAX / sizeof(int64_t) - 1)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": n is %zu and bins is %zu: that exceeds all memory", a->n, a->bins);
    if (a->bins == 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": bins is 0, but must be 1 or more");
    return missing ? mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": %s is NULL", missing)
                   : MOTE_SUCCESS;
}

static mote_status bring(work *w)
{
    const mote_histogram_host_args *a = &w->args;
    mote_histogram_args *d = &w->device;
    mote_histogram_args_init(d);
    mote_host_job_in(&w->job, a->values, a->n, a->type, &d->values);
    mote_host_job_in(&w->job, a->edges, a->bins + 1, a->edges_type, &d->edges);
    mote_host_job_in(&w->job, a->weights, a->n, a->weights_type, &d->weights);
    mote_host_job_out(&w->job, a->result, a->bins, a->weights_type ? a->weights_type : MOTE_INT64,
                      &d->result);
    d->error = mote_host_job_error(&w->job);
    d->values.type = a->type;
    d->low = a->low;
    d->high = a->high;
    return w->job.status;
}

mote_status mote_histogram_host(mote_context *ctx, mote_host *host,
                                const mote_histogram_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st =
        mote_check_args(NAME, "mote_histogram_host_args_init", args, &w.args, sizeof(w.args));
    if (!st)
        st = check(&w.args);
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st)
        st = bring(&w);
    if (!st) {
        st = mote_histogram(w.job.host->ctx, w.job.host->queue, &w.device, 0, NULL, &done);
        st = mote_host_job_finish(&w.job, st, done);
    }
    if (!st)
        st = mote_error_decode(&w.job.word, NULL);
    return mote_host_job_end(&w.job, st);
}
