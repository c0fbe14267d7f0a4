/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting inside lists of plain arrays, on top of the device API. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "jagged/list_fault.h"
#include "jagged/lists.h"
#include "mote/jagged.h"
#include "reduce/reductions.h"

#define NAME "mote_jagged_sort_host"

enum { SLOT_OFFSETS, SLOT_VALUES, SLOT_RESULT, SLOT_INDICES, SLOT_ERROR };

typedef struct work {
    mote_jagged_sort_host_args args;
    mote_host_job job;
    mote_jagged_sort_args device;
} work;

MOTE_DEFINE_ARGS_INIT(mote_jagged_sort_host_args_init, mote_jagged_sort_host_args)

static mote_host_lists lists_of(const mote_jagged_sort_host_args *a)
{
    return (mote_host_lists){.type = a->offsets_type,
                             .count = a->lists,
                             .offsets = a->offsets,
                             .content = a->values_length};
}

/* Faults that the device function cannot see. */
static mote_status check(const mote_jagged_sort_host_args *a)
{
    const mote_host_lists lists = lists_of(a);
    mote_status st = mote_lists_check_host(NAME, &lists, a->values_type, a->values, true);
    if (!st && a->indices && !mote_type_in(MOTE_JAGGED_INDEX, a->indices_type))
        st = mote_fail(MOTE_ERROR_INVALID_TYPE,
                       NAME ": indices_type is %s (type %d), but must be int32 or uint32 or int64",
                       mote_type_name(a->indices_type), (int)a->indices_type);
    if (!st && !a->result && !a->indices && a->values_length)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       NAME ": result and indices are NULL: give one of them");
    return st;
}

static mote_status bring(work *w)
{
    const mote_jagged_sort_host_args *a = &w->args;
    mote_jagged_sort_args *d = &w->device;
    mote_view error = {0};
    mote_jagged_sort_args_init(d);
    mote_status st = mote_host_job_upload(&w->job, SLOT_OFFSETS, a->offsets, a->lists + 1,
                                          a->offsets_type, &d->offsets);
    if (!st)
        st = mote_host_job_upload(&w->job, SLOT_VALUES, a->values, a->values_length, a->values_type,
                                  &d->values);
    if (!st && a->result)
        st = mote_host_job_output(&w->job, SLOT_RESULT, a->result, a->values_length, a->values_type,
                                  &d->result);
    if (!st && a->indices)
        st = mote_host_job_output(&w->job, SLOT_INDICES, a->indices, a->values_length,
                                  a->indices_type, &d->indices);
    if (!st)
        st = mote_host_job_reserve(&w->job, SLOT_ERROR, MOTE_ERROR_SLOTS, MOTE_UINT32, &error);
    d->descending = a->descending;
    d->validate = MOTE_JAGGED_VALIDATE_FULL;
    d->error = error.mem;
    return st;
}

/* Fetches the result of the call that returned `st`, or an error message about the data. */
static mote_status finish(work *w, mote_status st, cl_event done)
{
    const mote_jagged_sort_host_args *a = &w->args;
    const mote_host_lists lists = lists_of(a);
    mote_error_word word;
    const mote_host_target targets[] = {
        {SLOT_ERROR, &word, sizeof(word)},
        {SLOT_RESULT, a->result, a->values_length * mote_type_size(w->device.result.type)},
        {SLOT_INDICES, a->indices, a->values_length * mote_type_size(w->device.indices.type)}};
    st = mote_host_job_fetch(&w->job, st, done, targets, 3);
    return st ? st : mote_lists_fault(NAME, &lists, &word);
}

mote_status mote_jagged_sort_host(mote_context *ctx, mote_host *host,
                                  const mote_jagged_sort_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st =
        mote_check_args(NAME, "mote_jagged_sort_host_args_init", args, &w.args, sizeof(w.args));
    if (!st)
        st = check(&w.args);
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st)
        st = bring(&w);
    if (!st) {
        st = mote_jagged_sort(ctx, w.job.host->queue, &w.device, 0, NULL, &done);
        st = finish(&w, st, done);
    }
    return mote_host_job_end(&w.job, st);
}
