/* SPDX-License-Identifier: Apache-2.0 */
/* Counts and offsets of plain arrays, using the device API. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "jagged/list_fault.h"
#include "jagged/lists.h"

/* The meaning of `in` and of the output. */
typedef struct shape {
    const char *name;
    size_t in, out; /* elements */
    bool spans;     /* starts and stops may replace `in` */
} shape;

typedef struct work {
    mote_jagged_offsets_host_args args;
    shape shape;
    mote_host_job job;
    mote_view in, starts, stops, out;
    cl_mem error;
} work;

static mote_status fail_missing(const shape *s, const char *what)
{
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s is NULL", s->name, what);
}

static mote_status check_arrays(const mote_jagged_offsets_host_args *a, const shape *s)
{
    if (a->starts || a->stops) {
        if (!s->spans)
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             "%s: starts and stops must be NULL: it takes parents", s->name);
        if (a->in)
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             "%s: give in, or starts and stops, not both", s->name);
        if (a->lists > 0 && !(a->starts && a->stops))
            return fail_missing(s, a->starts ? "stops" : "starts");
    } else if (!a->in && s->in > 0 && !(s->spans && a->lists == 0)) {
        return fail_missing(s, "in");
    }
    return a->out || s->out == 0 ? MOTE_SUCCESS : fail_missing(s, "out");
}

static mote_status check(const mote_jagged_offsets_host_args *a, const shape *s)
{
    if (!mote_type_in(MOTE_JAGGED_INDEX, a->type))
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         "%s: type is %s (type %d), but must be int32 or uint32 or int64", s->name,
                         mote_type_name(a->type), (int)a->type);
    if (a->lists >= MOTE_JAGGED_MOST_LISTS)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %zu lists: a call takes fewer than 2^31, split the array", s->name,
                         a->lists);
    if (s->in > SIZE_MAX / sizeof(int64_t))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %zu elements exceed all memory", s->name,
                         s->in);
    return check_arrays(a, s);
}

static mote_status bring(work *w)
{
    const mote_jagged_offsets_host_args *a = &w->args;
    mote_host_job_in(&w->job, a->starts, a->lists, a->type, &w->starts);
    mote_host_job_in(&w->job, a->stops, a->lists, a->type, &w->stops);
    mote_host_job_in(&w->job, a->in, w->shape.in, a->type, &w->in);
    mote_host_job_out(&w->job, a->out, w->shape.out, a->type, &w->out);
    w->error = mote_host_job_error(&w->job);
    return w->job.status;
}

/* Checks the arguments and copies the arrays to the device. */
static mote_status begin(work *w, mote_context *ctx, mote_host *host)
{
    mote_status st = check(&w->args, &w->shape);
    if (!st)
        st = mote_host_job_begin(&w->job, w->shape.name, ctx, host);
    return st ? st : bring(w);
}

/* Reads the result of the call that returned `st`, and reports errors in the data. */
static mote_status finish(work *w, mote_status st, cl_event done, const mote_host_lists *lists)
{
    st = mote_host_job_finish(&w->job, st, done);
    return st ? st : mote_lists_fault(w->shape.name, lists, &w->job.word);
}

static mote_status copy_args(work *w, const char *name, const void *args)
{
    return mote_check_args(name, "mote_jagged_offsets_host_args_init", args, &w->args,
                           sizeof(w->args));
}

mote_status mote_jagged_counts_host(mote_context *ctx, mote_host *host,
                                    const mote_jagged_offsets_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st = copy_args(&w, "mote_jagged_counts_host", args);
    if (st)
        return st;
    w.shape = (shape){"mote_jagged_counts_host", w.args.lists + 1, w.args.lists, true};
    st = begin(&w, ctx, host);
    if (!st) {
        mote_jagged_counts_args device;
        mote_jagged_counts_args_init(&device);
        device.offsets = w.in;
        device.starts = w.starts;
        device.stops = w.stops;
        device.counts = w.out;
        device.error = w.error;
        st = mote_jagged_counts(ctx, w.job.host->queue, &device, 0, NULL, &done);
        const mote_host_lists lists = {.type = w.args.type,
                                       .count = w.args.lists,
                                       .offsets = w.args.in,
                                       .starts = w.args.starts,
                                       .stops = w.args.stops,
                                       .content = MOTE_HOST_NO_CONTENT};
        st = finish(&w, st, done, &lists);
    }
    return mote_host_job_end(&w.job, st);
}

mote_status mote_jagged_offsets_from_counts_host(mote_context *ctx, mote_host *host,
                                                 const mote_jagged_offsets_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st = copy_args(&w, "mote_jagged_offsets_from_counts_host", args);
    if (st)
        return st;
    w.shape = (shape){"mote_jagged_offsets_from_counts_host", w.args.lists, w.args.lists + 1, true};
    st = begin(&w, ctx, host);
    if (!st) {
        mote_jagged_offsets_from_counts_args device;
        mote_jagged_offsets_from_counts_args_init(&device);
        device.counts = w.in;
        device.starts = w.starts;
        device.stops = w.stops;
        device.offsets = w.out;
        device.error = w.error;
        st = mote_jagged_offsets_from_counts(ctx, w.job.host->queue, &device, 0, NULL, &done);
        const mote_host_lists lists = {.type = w.args.type,
                                       .count = w.args.lists,
                                       .counts = w.args.in,
                                       .starts = w.args.starts,
                                       .stops = w.args.stops,
                                       .content = MOTE_HOST_NO_CONTENT};
        st = finish(&w, st, done, &lists);
    }
    return mote_host_job_end(&w.job, st);
}

mote_status mote_jagged_offsets_from_parents_host(mote_context *ctx, mote_host *host,
                                                  const mote_jagged_offsets_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st = copy_args(&w, "mote_jagged_offsets_from_parents_host", args);
    if (st)
        return st;
    w.shape = (shape){"mote_jagged_offsets_from_parents_host", w.args.n, w.args.lists + 1, false};
    st = begin(&w, ctx, host);
    if (!st) {
        mote_jagged_offsets_from_parents_args device;
        mote_jagged_offsets_from_parents_args_init(&device);
        device.parents = w.in;
        device.offsets = w.out;
        device.error = w.error;
        st = mote_jagged_offsets_from_parents(ctx, w.job.host->queue, &device, 0, NULL, &done);
        const mote_host_lists lists = {.type = w.args.type,
                                       .count = w.args.lists,
                                       .parents = w.args.in,
                                       .content = MOTE_HOST_NO_CONTENT};
        st = finish(&w, st, done, &lists);
    }
    return mote_host_job_end(&w.job, st);
}
