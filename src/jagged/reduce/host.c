/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions of lists in plain arrays, using the device API. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "jagged/list_fault.h"
#include "jagged/reduce/reduce.h"

#define NAME "mote_jagged_reduce_host"

typedef struct work {
    mote_jagged_reduce_host_args args;
    mote_host_job job;
    mote_jagged_reduce_args device;
} work;

MOTE_DEFINE_ARGS_INIT(mote_jagged_reduce_host_args_init, mote_jagged_reduce_host_args)

/* Checks for errors that the device function cannot see, because it knows only the uploaded
 * part. */
static mote_status check(const mote_jagged_reduce_host_args *a)
{
    const mote_host_lists lists = {.type = a->offsets_type,
                                   .count = a->lists,
                                   .offsets = a->offsets,
                                   .content = a->values_length};
    mote_status st = mote_lists_check_host(NAME, &lists, a->values_type, a->values,
                                           a->reduction != MOTE_REDUCE_COUNT);
    if (!st && !a->result && a->lists > 0)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": result is NULL");
    return st;
}

static mote_status bring(work *w)
{
    const mote_jagged_reduce_host_args *a = &w->args;
    mote_jagged_reduce_args *d = &w->device;
    mote_type type =
        a->result_type ? a->result_type
                       : mote_reduction_usual_result(a->reduction, a->values_type, a->offsets_type);
    mote_jagged_reduce_args_init(d);
    mote_host_job_in(&w->job, a->offsets, a->lists + 1, a->offsets_type, &d->offsets);
    mote_host_job_in(&w->job, a->values, a->values_length, a->values_type, &d->values);
    mote_host_job_out(&w->job, a->result, a->lists, type, &d->result);
    d->error = mote_host_job_error(&w->job);
    if (a->values || a->reduction != MOTE_REDUCE_COUNT)
        d->values.type = a->values_type;
    d->base_first = a->base_first;
    d->reduction = a->reduction;
    d->nan = a->nan;
    d->ddof = a->ddof;
    d->validate = MOTE_JAGGED_VALIDATE_FULL;
    return w->job.status;
}

/* Returns the largest valid offset. */
static size_t content(const mote_jagged_reduce_host_args *a)
{
    if (!a->values && a->reduction == MOTE_REDUCE_COUNT)
        return MOTE_HOST_NO_CONTENT;
    return a->values_length +
           (a->base_first ? (size_t)mote_host_index(a->offsets, a->offsets_type, 0) : 0);
}

mote_status mote_jagged_reduce_host(mote_context *ctx, mote_host *host,
                                    const mote_jagged_reduce_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st =
        mote_check_args(NAME, "mote_jagged_reduce_host_args_init", args, &w.args, sizeof(w.args));
    if (!st)
        st = check(&w.args);
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st)
        st = bring(&w);
    if (!st) {
        st = mote_jagged_reduce(ctx, w.job.host->queue, &w.device, 0, NULL, &done);
        st = mote_host_job_finish(&w.job, st, done);
    }
    if (!st) {
        const mote_host_lists lists = {.type = w.args.offsets_type,
                                       .count = w.args.lists,
                                       .offsets = w.args.offsets,
                                       .content = content(&w.args)};
        st = mote_lists_fault(NAME, &lists, &w.job.word);
    }
    return mote_host_job_end(&w.job, st);
}
