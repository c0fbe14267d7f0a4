/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix results inside lists of plain arrays, using the device API. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "jagged/list_fault.h"
#include "jagged/lists.h"
#include "mote/jagged.h"
#include "reduce/reductions.h"

#define NAME "mote_jagged_scan_host"

typedef struct work {
    mote_jagged_scan_host_args args;
    mote_host_job job;
    mote_jagged_scan_args device;
} work;

MOTE_DEFINE_ARGS_INIT(mote_jagged_scan_host_args_init, mote_jagged_scan_host_args)

static mote_host_lists lists_of(const mote_jagged_scan_host_args *a)
{
    return (mote_host_lists){.type = a->offsets_type,
                             .count = a->lists,
                             .offsets = a->offsets,
                             .content = a->values_length};
}

/* Checks for errors that the device function cannot see. */
static mote_status check(const mote_jagged_scan_host_args *a)
{
    const mote_host_lists lists = lists_of(a);
    mote_status st = mote_lists_check_host(NAME, &lists, a->values_type, a->values, true);
    if (!st && !a->result && a->values_length)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": result is NULL");
    return st;
}

static mote_status bring(work *w)
{
    const mote_jagged_scan_host_args *a = &w->args;
    mote_jagged_scan_args *d = &w->device;
    mote_type type =
        a->result_type ? a->result_type
                       : mote_reduction_usual_result(a->reduction, a->values_type, a->offsets_type);
    mote_jagged_scan_args_init(d);
    mote_host_job_in(&w->job, a->offsets, a->lists + 1, a->offsets_type, &d->offsets);
    mote_host_job_in(&w->job, a->values, a->values_length, a->values_type, &d->values);
    mote_host_job_out(&w->job, a->result, a->values_length, type, &d->result);
    d->error = mote_host_job_error(&w->job);
    d->reduction = a->reduction;
    d->exclusive = a->exclusive;
    d->validate = MOTE_JAGGED_VALIDATE_FULL;
    return w->job.status;
}

mote_status mote_jagged_scan_host(mote_context *ctx, mote_host *host,
                                  const mote_jagged_scan_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st =
        mote_check_args(NAME, "mote_jagged_scan_host_args_init", args, &w.args, sizeof(w.args));
    if (!st)
        st = check(&w.args);
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st)
        st = bring(&w);
    if (!st) {
        st = mote_jagged_scan(ctx, w.job.host->queue, &w.device, 0, NULL, &done);
        st = mote_host_job_finish(&w.job, st, done);
    }
    if (!st) {
        const mote_host_lists lists = lists_of(&w.args);
        st = mote_lists_fault(NAME, &lists, &w.job.word);
    }
    return mote_host_job_end(&w.job, st);
}
