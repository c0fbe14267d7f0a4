/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and local indices of plain arrays, using the device API. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "jagged/list_fault.h"
#include "jagged/lists.h"

typedef struct work {
    mote_jagged_parents_host_args args;
    mote_host_job job;
    mote_view offsets, starts, stops, out;
    cl_mem error;
} work;

static mote_status fail(const char *name, const char *what)
{
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s", name, what);
}

static mote_status check_sizes(const mote_jagged_parents_host_args *a, const char *name)
{
    if (!mote_type_in(MOTE_JAGGED_INDEX, a->type))
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         "%s: type is %s (type %d), but must be int32 or uint32 or int64", name,
                         mote_type_name(a->type), (int)a->type);
    if (a->lists >= MOTE_JAGGED_MOST_LISTS)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %zu lists: a call takes fewer than 2^31, split the array", name,
                         a->lists);
    if (a->n > SIZE_MAX / sizeof(int64_t))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: n is %zu: that exceeds all memory", name,
                         a->n);
    return MOTE_SUCCESS;
}

static mote_status check(const mote_jagged_parents_host_args *a, const char *name, bool spans)
{
    mote_status st = check_sizes(a, name);
    if (st)
        return st;
    if ((a->starts || a->stops) && !spans)
        return fail(name, "starts and stops must be NULL: it takes offsets");
    if ((a->starts || a->stops) && a->offsets)
        return fail(name, "give offsets, or starts and stops, not both");
    if (!a->offsets && !spans)
        return fail(name, "offsets is NULL");
    if (!a->offsets && a->lists > 0 && !(a->starts && a->stops))
        return fail(name, a->starts  ? "stops is NULL"
                          : a->stops ? "starts is NULL"
                                     : "offsets is NULL, and so are starts and stops");
    return a->out || a->n == 0 ? MOTE_SUCCESS : fail(name, "out is NULL");
}

static mote_status begin(work *w, const char *name, bool spans, mote_context *ctx, mote_host *host,
                         const void *args)
{
    const mote_jagged_parents_host_args *a = &w->args;
    mote_status st = mote_check_args(name, "mote_jagged_parents_host_args_init", args, &w->args,
                                     sizeof(w->args));
    if (!st)
        st = check(a, name, spans);
    if (!st)
        st = mote_host_job_begin(&w->job, name, ctx, host);
    if (st)
        return st;
    mote_host_job_in(&w->job, a->offsets, a->lists + 1, a->type, &w->offsets);
    mote_host_job_in(&w->job, a->starts, a->lists, a->type, &w->starts);
    mote_host_job_in(&w->job, a->stops, a->lists, a->type, &w->stops);
    mote_host_job_out(&w->job, a->out, a->n, a->type, &w->out);
    w->error = mote_host_job_error(&w->job);
    return w->job.status;
}

/* Reads the result of the call that returned `st`, and reports errors in the data. */
static mote_status finish(work *w, mote_status st, cl_event done, size_t content)
{
    const mote_jagged_parents_host_args *a = &w->args;
    const mote_host_lists lists = {.type = a->type,
                                   .count = a->lists,
                                   .offsets = a->offsets,
                                   .starts = a->starts,
                                   .stops = a->stops,
                                   .content = content};
    st = mote_host_job_finish(&w->job, st, done);
    return st ? st : mote_lists_fault(w->job.name, &lists, &w->job.word);
}

mote_status mote_jagged_parents_host(mote_context *ctx, mote_host *host,
                                     const mote_jagged_parents_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st = begin(&w, "mote_jagged_parents_host", true, ctx, host, args);
    if (!st) {
        const mote_jagged_parents_host_args *a = &w.args;
        bool absolute = a->absolute || !a->offsets;
        mote_jagged_parents_args device;
        mote_jagged_parents_args_init(&device);
        device.offsets = w.offsets;
        device.starts = w.starts;
        device.stops = w.stops;
        device.parents = w.out;
        device.absolute = a->absolute;
        device.content_length = a->content_length;
        device.strategy = a->strategy;
        device.validate = MOTE_JAGGED_VALIDATE_FULL;
        device.overlap =
            a->overlap == MOTE_JAGGED_OVERLAP_DEFAULT ? MOTE_JAGGED_OVERLAP_CHECK : a->overlap;
        device.error = w.error;
        st = mote_jagged_parents(ctx, w.job.host->queue, &device, 0, NULL, &done);
        st = finish(&w, st, done, absolute ? a->n : a->content_length);
    }
    return mote_host_job_end(&w.job, st);
}

mote_status mote_jagged_local_index_host(mote_context *ctx, mote_host *host,
                                         const mote_jagged_parents_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st = begin(&w, "mote_jagged_local_index_host", false, ctx, host, args);
    if (!st) {
        const mote_jagged_parents_host_args *a = &w.args;
        mote_jagged_local_index_args device;
        mote_jagged_local_index_args_init(&device);
        device.offsets = w.offsets;
        device.local_index = w.out;
        device.content_length = a->content_length;
        device.strategy = a->strategy;
        device.validate = MOTE_JAGGED_VALIDATE_FULL;
        device.error = w.error;
        st = mote_jagged_local_index(ctx, w.job.host->queue, &device, 0, NULL, &done);
        st = finish(&w, st, done, a->content_length);
    }
    return mote_host_job_end(&w.job, st);
}
