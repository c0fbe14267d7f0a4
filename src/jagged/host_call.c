/* SPDX-License-Identifier: Apache-2.0 */
#include "jagged/host_call.h"
#include "core/check.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "core/size.h"
#include "jagged/list_fault.h"
#include "jagged/lists.h"

#include <string.h>

#define MOST (SIZE_MAX / sizeof(int64_t) - 1) /* elements of an array */

typedef struct work {
    const mote_host_call *call;
    char *plan;
    mote_host_job job;
    size_t slot[MOTE_HOST_FIELDS]; /* of the outputs that are read after the call */
} work;

/* ---- members of the plan --------------------------------------------------------------------- */

static void *array_of(const work *w, const mote_host_field *f)
{
    void *array;
    memcpy(&array, w->plan + f->array, sizeof(array));
    return array;
}

static mote_type type_of(const work *w, const mote_host_field *f)
{
    mote_type type;
    memcpy(&type, w->plan + f->type, sizeof(type));
    return type;
}

static size_t size_at(const work *w, size_t at)
{
    size_t size;
    memcpy(&size, w->plan + at, sizeof(size));
    return size;
}

/* Returns the number of elements, or SIZE_MAX if it exceeds all memory. */
static size_t count_of(const work *w, const mote_host_field *f)
{
    size_t count = size_at(w, f->count);
    return count > MOST ? SIZE_MAX : count + ((f->flags & (HOST_LISTS | HOST_NEW)) != 0);
}

static mote_host_head head_of(const work *w)
{
    mote_host_head head;
    memcpy(&head, w->plan, sizeof(head));
    return head;
}

static mote_host_lists lists_of(const work *w)
{
    const mote_host_head head = head_of(w);
    size_t at = w->call->content;
    return (mote_host_lists){.type = head.offsets_type,
                             .count = head.lists,
                             .offsets = head.offsets,
                             .content = at ? size_at(w, at) : MOTE_HOST_NO_CONTENT};
}

/* ---- before the call ------------------------------------------------------------------------- */

/* Checks what the device's call cannot see. */
static mote_status check_field(const work *w, const mote_host_field *f)
{
    size_t count = count_of(w, f);
    mote_type type = type_of(w, f);
    bool given = array_of(w, f) != NULL;
    if (given && !mote_type_in(mote_types_moved(), type))
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         "%s: the elements of %s are %s (type %d), but must be a type of 1, 2, 4 "
                         "or 8 bytes",
                         w->call->name, f->name, mote_type_name(type), (int)type);
    if (count > MOST && (given || !(f->flags & HOST_OPTIONAL)))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: %s would have more elements than all memory can hold, for %zu lists: "
                         "split the array",
                         w->call->name, f->name, head_of(w).lists);
    return given || count == 0 || f->flags & HOST_OPTIONAL
               ? MOTE_SUCCESS
               : mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s is NULL", w->call->name, f->name);
}

static mote_status check(const work *w)
{
    const mote_host_head head = head_of(w);
    mote_status st = MOTE_SUCCESS;
    if (!mote_type_in(MOTE_JAGGED_INDEX, head.offsets_type))
        return mote_fail(MOTE_ERROR_INVALID_TYPE,
                         "%s: offsets_type is %s (type %d), but must be int32 or uint32 or int64",
                         w->call->name, mote_type_name(head.offsets_type), (int)head.offsets_type);
    if (head.lists >= MOTE_JAGGED_MOST_LISTS)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %zu lists: a call takes fewer than 2^31, split the array",
                         w->call->name, head.lists);
    for (const mote_host_field *f = w->call->fields; !st && f->name; f++)
        st = check_field(w, f);
    return st;
}

static mote_status bring(work *w)
{
    for (const mote_host_field *f = w->call->fields; f->name; f++) {
        mote_view view = {.type = type_of(w, f)};
        void *array = array_of(w, f);
        size_t count = count_of(w, f);
        if (!array && (f->flags & HOST_OPTIONAL || count == 0))
            count = 0;
        if (!array && f->flags & HOST_OPTIONAL)
            continue;
        w->slot[f - w->call->fields] = w->job.slots;
        if (!(f->flags & HOST_OUT))
            mote_host_job_in(&w->job, array, count, view.type, &view);
        else if (f->flags & HOST_ROOM)
            mote_host_job_room(&w->job, array, count, view.type, &view);
        else
            mote_host_job_out(&w->job, array, count, view.type, &view);
        memcpy(w->plan + f->view, &view, sizeof(view));
    }
    cl_mem error = mote_host_job_error(&w->job);
    memcpy(w->plan + w->call->error, &error, sizeof(error));
    return w->job.status;
}

/* ---- after the call -------------------------------------------------------------------------- */

/* Returns the number of results: the last of the new offsets, or the length of all lists. */
static size_t results(const work *w)
{
    const mote_host_lists lists = lists_of(w);
    for (const mote_host_field *f = w->call->fields; f->name; f++)
        if (f->flags & HOST_NEW)
            return (size_t)mote_host_index(array_of(w, f), lists.type, lists.count);
    return (size_t)(mote_host_index(lists.offsets, lists.type, lists.count) -
                    mote_host_index(lists.offsets, lists.type, 0));
}

/* Reads the results that are valid. */
static mote_status take(work *w, bool too_many)
{
    size_t needed = results(w), room = 0, count = 0;
    bool only_offsets = false;
    mote_host_target targets[MOTE_HOST_TARGETS];
    for (size_t k = 0; w->call->fields[k].name; k++) {
        const mote_host_field *f = &w->call->fields[k];
        void *array = array_of(w, f);
        only_offsets = only_offsets || f->flags & HOST_NEW;
        if (!(f->flags & HOST_ROOM) || !array)
            continue;
        room = count_of(w, f);
        targets[count++] = (mote_host_target){
            w->slot[k], array, min_size(needed, room) * mote_type_size(type_of(w, f))};
    }
    mote_status st = mote_host_download_all(w->job.host, targets, count);
    if (st || !too_many || (only_offsets && !count))
        return st;
    return mote_fail(MOTE_ERROR_CAPACITY,
                     "%s: there is room for %zu results, but %zu are needed: give longer arrays",
                     w->call->name, room, needed);
}

/* If the call has several arrays of offsets, finds the first one in which list k has the error of
 * the slot. */
static void find_fault(const work *w, mote_host_lists *lists, size_t slot, size_t k)
{
    size_t arrays = 0;
    const mote_host_field *found = NULL;
    for (const mote_host_field *f = w->call->fields; f->name; f++) {
        const void *offsets = array_of(w, f);
        if (!(f->flags & HOST_LISTS) || !offsets)
            continue;
        int64_t begin = mote_host_index(offsets, lists->type, k);
        int64_t end = mote_host_index(offsets, lists->type, k + 1);
        arrays++;
        if (!found && (slot == MOTE_SLOT_OFFSETS_NEGATIVE ? begin < 0 : end < begin))
            found = f;
    }
    if (!found || arrays == 1)
        return;
    lists->offsets = array_of(w, found);
    lists->offsets_name = found->name;
}

static mote_status finish(work *w)
{
    mote_host_lists lists = lists_of(w);
    size_t slot = mote_error_slot(&w->job.word);
    if (slot == MOTE_ERROR_SLOTS || slot == MOTE_SLOT_CAPACITY)
        return take(w, slot == MOTE_SLOT_CAPACITY);
    if (w->job.word.slot[slot] < lists.count)
        find_fault(w, &lists, slot, w->job.word.slot[slot]);
    return mote_lists_fault(w->call->name, &lists, &w->job.word);
}

mote_status mote_host_call_run(const mote_host_call *call, mote_context *ctx, mote_host *host,
                               const void *args, void *plan)
{
    work w = {.call = call, .plan = plan};
    cl_event done = NULL;
    mote_status st = mote_check_args(call->name, call->init, args, plan, call->args_size);
    if (!st)
        st = call->set(plan);
    if (!st)
        st = check(&w);
    if (!st)
        st = mote_host_job_begin(&w.job, call->name, ctx, host);
    if (!st)
        st = bring(&w);
    if (!st) {
        st = call->run(ctx, w.job.host->queue, plan, &done);
        st = mote_host_job_finish(&w.job, st, done);
    }
    if (!st)
        st = finish(&w);
    return mote_host_job_end(&w.job, st);
}
