/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbour lists of plain arrays, using the device API. */
#include "core/check.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "core/size.h"
#include "mote/neighbours.h"

#define NAME "mote_neighbours_host"

#define REALS (MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64))
#define INDEX (MOTE_TYPE_BIT(MOTE_INT32) | MOTE_TYPE_BIT(MOTE_UINT32) | MOTE_TYPE_BIT(MOTE_INT64))

/* Arrays whose elements are read when their number is known. */
enum { PARTNER, SHIFT, DISTANCE, DISPLACEMENT, ROOMS };

typedef struct work {
    mote_neighbours_host_args args;
    mote_host_job job;
    mote_neighbours_args device;
    mote_host_target room[ROOMS]; /* `bytes` are those of one pair */
} work;

static mote_status check_type(const char *name, mote_type type, uint32_t types, bool given)
{
    if (!given || mote_type_in(types, type))
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INVALID_TYPE, NAME ": %s is %s (type %d), but must be %s", name,
                     mote_type_name(type), (int)type,
                     types == REALS ? "float32 or float64" : "int32, uint32 or int64");
}

/* Checks the arguments for errors that the device function cannot find. */
static mote_status check(const mote_neighbours_host_args *a)
{
    const char *missing = a->n && !a->positions                ? "positions"
                          : a->m && a->other_type && !a->other ? "other"
                          : !a->offsets                        ? "offsets"
                                                               : NULL;
    mote_status st = check_type("positions_type", a->positions_type, REALS, true);
    if (!st)
        st = check_type("other_type", a->other_type, REALS, a->other_type || a->other);
    if (!st)
        st = check_type("offsets_type", a->offsets_type, INDEX, true);
    if (!st)
        st = check_type("distance_type", a->distance_type, REALS, a->distance);
    if (!st)
        st = check_type("displacement_type", a->displacement_type, REALS, a->displacement);
    if (st)
        return st;
    if (a->n >> 31 || a->m >> 31)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         NAME ": n is %zu and m %zu: both must be below 2^31", a->n, a->m);
    if (a->capacity > SIZE_MAX / 3 / sizeof(double))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": capacity is %zu: that exceeds all memory", a->capacity);
    return missing ? mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": %s is NULL", missing)
                   : MOTE_SUCCESS;
}

static void bring_room(work *w, int k, void *to, size_t each, mote_type type, mote_view *view)
{
    w->room[k] = (mote_host_target){w->job.slots, to, each * mote_type_size(type)};
    if (to)
        mote_host_job_room(&w->job, to, each * w->args.capacity, type, view);
}

static mote_status bring(work *w)
{
    const mote_neighbours_host_args *a = &w->args;
    mote_neighbours_args *d = &w->device;
    mote_neighbours_args_init(d);
    d->cutoff = a->cutoff;
    d->box = a->box;
    d->pbc = a->pbc;
    d->half = a->half;
    d->frames = a->frames;
    mote_host_job_in(&w->job, a->positions, 3 * a->n, a->positions_type, &d->positions);
    if (a->other_type)
        mote_host_job_in(&w->job, a->other, 3 * a->m, a->other_type, &d->other);
    d->positions.type = a->positions_type;
    d->other.type = a->other_type;
    mote_host_job_out(&w->job, a->offsets, a->n + 1, a->offsets_type, &d->offsets);
    bring_room(w, PARTNER, a->partner, 1, a->offsets_type, &d->partner);
    bring_room(w, SHIFT, a->shift, 3, MOTE_INT32, &d->shift);
    bring_room(w, DISTANCE, a->distance, 1, a->distance_type, &d->distance);
    bring_room(w, DISPLACEMENT, a->displacement, 3, a->displacement_type, &d->displacement);
    d->error = mote_host_job_error(&w->job);
    return w->job.status;
}

/* ---- after the call -------------------------------------------------------------------------- */

/* Reads the lists that end within the capacity. */
static mote_status take(work *w)
{
    const mote_neighbours_host_args *a = &w->args;
    const size_t needed = (size_t)mote_host_index(a->offsets, a->offsets_type, a->n);
    mote_host_target targets[ROOMS];
    size_t count = 0, stored = needed;
    if (!a->partner)
        return MOTE_SUCCESS;
    for (size_t i = a->n; stored > a->capacity; i--)
        stored = (size_t)mote_host_index(a->offsets, a->offsets_type, i - 1);
    for (int k = 0; k < ROOMS; k++)
        if (w->room[k].memory) {
            targets[count] = w->room[k];
            targets[count++].bytes *= stored;
        }
    mote_status st = mote_host_download_all(w->job.host, targets, count);
    if (st || needed <= a->capacity)
        return st;
    return mote_fail(MOTE_ERROR_CAPACITY,
                     NAME ": there is room for %zu pairs, but %zu are needed: give longer arrays",
                     a->capacity, needed);
}

static double real_of(const void *array, mote_type type, size_t k)
{
    return type == MOTE_FLOAT64 ? ((const double *)array)[k] : (double)((const float *)array)[k];
}

static mote_status fail_position(const mote_neighbours_host_args *a, size_t entry)
{
    const bool second = entry >= a->n;
    const void *array = second ? a->other : a->positions;
    const mote_type type = second ? a->other_type : a->positions_type;
    const size_t k = second ? entry - a->n : entry;
    return mote_fail(MOTE_ERROR_POSITION,
                     NAME ": entry %zu of %s is at (%g, %g, %g), but must be finite and less than "
                          "2^29 boxes from the origin, or 2^16 without double precision",
                     k, second ? "other" : "positions", real_of(array, type, 3 * k),
                     real_of(array, type, 3 * k + 1), real_of(array, type, 3 * k + 2));
}

static mote_status finish(work *w)
{
    const mote_neighbours_host_args *a = &w->args;
    const size_t slot = mote_error_slot(&w->job.word);
    if (slot == MOTE_ERROR_SLOTS || slot == MOTE_SLOT_CAPACITY)
        return take(w);
    const uint32_t index = w->job.word.slot[slot];
    if (slot == MOTE_SLOT_POSITION && index < a->n + a->m)
        return fail_position(a, index);
    if (slot == MOTE_SLOT_OFFSETS_OUT_OF_RANGE)
        return mote_fail(MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
                         NAME ": %s cannot count the pairs up to entry %u: use int64",
                         mote_type_name(a->offsets_type), (unsigned)index);
    return mote_error_decode(&w->job.word, NULL);
}

mote_status mote_neighbours_host(mote_context *ctx, mote_host *host,
                                 const mote_neighbours_host_args *args)
{
    work w = {0};
    cl_event done = NULL;
    mote_status st =
        mote_check_args(NAME, "mote_neighbours_host_args_init", args, &w.args, sizeof(w.args));
    if (!st)
        st = check(&w.args);
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st)
        st = bring(&w);
    if (!st) {
        st = mote_neighbours(w.job.host->ctx, w.job.host->queue, &w.device, 0, NULL, &done);
        st = mote_host_job_finish(&w.job, st, done);
    }
    if (!st)
        st = finish(&w);
    return mote_host_job_end(&w.job, st);
}
