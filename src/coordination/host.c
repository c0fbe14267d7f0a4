/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers of plain arrays, using the device API. */
#include "coordination/host.h"
#include "core/check.h"
#include "core/host_job.h"

#include <string.h>

#define NAME MOTE_COORDINATION_HOST_NAME

/* Device memory of the slots, and host memory for results that are not copied directly to the
 * caller. */
enum { SLOT_POSITIONS, SLOT_SUMS, SLOT_DERIVATIVES, SLOT_COORDINATION, SLOT_WEIGHTS };

typedef struct work {
    mote_coordination_host_args args;
    mote_host_job job;
    mote_coordination_shape shape;
    mote_type real; /* type of sums on the device */
    mote_coordination_args device;
} work;

/* Positions in float32 are moved to the origin before they are rounded. */
static mote_status recentre(work *w, size_t count, void **positions)
{
    mote_status st = mote_host_plain(w->job.host, SLOT_POSITIONS, count * sizeof(float), positions);
    float *to = *positions;
    for (size_t f = 0; !st && f < w->args.frames; f++) {
        mote_recentre_frame frame = mote_coordination_host_frame(&w->args, &w->shape, f);
        size_t bad = mote_recentre(&frame, to + 3 * f * w->shape.n_atoms);
        if (bad != SIZE_MAX)
            st = mote_coordination_fail_position(&w->args, &w->shape, f, bad);
    }
    return st;
}

/* Uploads the weights in the largest float type of the device. */
static mote_status upload_weights(work *w)
{
    size_t count = w->args.frames * w->shape.entries;
    const void *from = w->args.weights;
    void *shorter = NULL;
    mote_status st = MOTE_SUCCESS;
    if (!from || !count)
        return st;
    if (w->real == MOTE_FLOAT32) {
        st = mote_host_plain(w->job.host, SLOT_WEIGHTS, count * sizeof(float), &shorter);
        for (size_t k = 0; !st && k < count; k++)
            ((float *)shorter)[k] = (float)w->args.weights[k];
        from = shorter;
    }
    return st ? st
              : mote_host_job_upload(&w->job, SLOT_WEIGHTS, from, count, w->real,
                                     &w->device.weights);
}

static mote_status upload(work *w)
{
    const mote_coordination_host_args *a = &w->args;
    size_t count = 3 * a->frames * w->shape.n_atoms;
    bool moves = a->positions64 && w->real == MOTE_FLOAT32;
    mote_type type = a->positions32 || moves ? MOTE_FLOAT32 : MOTE_FLOAT64;
    const void *from = a->positions32 ? (const void *)a->positions32 : a->positions64;
    void *moved = NULL;
    mote_status st = MOTE_SUCCESS;
    if (moves) {
        st = recentre(w, count, &moved);
        from = moved;
    }
    if (!st)
        st = (a->same_positions && !moves ? mote_host_job_upload_again : mote_host_job_upload)(
            &w->job, SLOT_POSITIONS, from, count, type, &w->device.positions);
    if (!st)
        st = upload_weights(w);
    w->device.plan = a->plan;
    w->device.frames = a->frames;
    w->device.box = w->shape.pbc == MOTE_PBC_NONE ? NULL : a->box;
    w->device.derivatives_of = a->derivatives_of;
    return st;
}

/* Error word, value and virial are in one buffer, so that one read fetches them. */
static size_t sums_bytes(const work *w)
{
    return sizeof(mote_error_word) + 10 * w->args.frames * sizeof(double);
}

static mote_view sums_view(const work *w, cl_mem mem, size_t skip, size_t count)
{
    size_t size = mote_type_size(w->real), wide = sizeof(double) / size;
    mote_view view = mote_view_make(mem, wide * count, w->real);
    view.offset = sizeof(mote_error_word) / size + wide * skip;
    return view;
}

/* Returns the caller's array if the device's type equals the type of the results, else NULL. */
static void *straight(const work *w, void *results, mote_type type)
{
    return w->real == type ? results : NULL;
}

static mote_status reserve_outputs(work *w)
{
    const mote_coordination_host_args *a = &w->args;
    mote_coordination_args *d = &w->device;
    size_t rows = a->derivatives_of == MOTE_DERIVATIVES_ATOM ? w->shape.n_atoms : w->shape.entries;
    mote_status st = mote_host_device(w->job.host, SLOT_SUMS, sums_bytes(w), &d->error);
    if (a->value)
        d->value = sums_view(w, d->error, 0, a->frames);
    if (a->virial)
        d->virial = sums_view(w, d->error, a->frames, 9 * a->frames);
    if (!st && (a->derivatives32 || a->derivatives64))
        st = mote_host_job_output(&w->job, SLOT_DERIVATIVES,
                                  a->derivatives32 ? (void *)a->derivatives32
                                                   : straight(w, a->derivatives64, MOTE_FLOAT64),
                                  3 * rows * a->frames, a->derivatives32 ? MOTE_FLOAT32 : w->real,
                                  &d->derivatives);
    if (!st && a->coordination)
        st = mote_host_job_output(&w->job, SLOT_COORDINATION,
                                  straight(w, a->coordination, MOTE_FLOAT64),
                                  w->shape.entries * a->frames, w->real, &d->coordination);
    return st;
}

/* Converts numbers to double; a device without fp64 stores each as two floats, the high part
 * first. */
static void widen(const work *w, const void *from, size_t count, double *to)
{
    const float *two = from;
    if (!to)
        return;
    if (w->real == MOTE_FLOAT64)
        memcpy(to, from, count * sizeof(*to));
    else
        for (size_t i = 0; i < count; i++)
            to[i] = (double)two[2 * i] + (double)two[2 * i + 1];
}

static mote_status download_sums(work *w)
{
    void *memory;
    mote_error_word word;
    size_t frames = w->args.frames;
    mote_status st = mote_host_plain(w->job.host, SLOT_SUMS, sums_bytes(w), &memory);
    if (!st)
        st = mote_host_download(w->job.host, SLOT_SUMS, memory, sums_bytes(w));
    if (st)
        return st;
    memcpy(&word, memory, sizeof(word));
    st = mote_coordination_decode(&w->args, &w->shape, &word);
    if (st)
        return st;
    const char *value = (const char *)memory + sizeof(word);
    widen(w, value, frames, w->args.value);
    widen(w, value + frames * sizeof(double), 9 * frames, w->args.virial);
    return MOTE_SUCCESS;
}

/* Reads results directly to the caller's array, or through host memory if the device's type is
 * shorter. */
static mote_status download(work *w, size_t slot, const mote_view *view, bool wide, void *to)
{
    void *memory = to;
    size_t bytes = view->count * mote_type_size(view->type);
    bool shorter = wide && view->type == MOTE_FLOAT32;
    if (!to || !view->count)
        return MOTE_SUCCESS;
    mote_status st = shorter ? mote_host_plain(w->job.host, slot, bytes, &memory) : MOTE_SUCCESS;
    if (!st)
        st = mote_host_download(w->job.host, slot, memory, bytes);
    for (size_t i = 0; !st && shorter && i < view->count; i++)
        ((double *)to)[i] = ((const float *)memory)[i];
    return st;
}

static mote_status run(work *w)
{
    cl_event done = NULL;
    mote_status st =
        mote_coordination_compute(w->job.host->ctx, w->job.host->queue, &w->device, 0, NULL, &done);
    return mote_host_job_wait(&w->job, st, done);
}

static mote_status compute(work *w)
{
    const mote_coordination_host_args *a = &w->args;
    mote_coordination_args_init(&w->device);
    w->real = w->job.host->ctx->device.has_fp64 ? MOTE_FLOAT64 : MOTE_FLOAT32;
    mote_status st = upload(w);
    if (!st)
        st = reserve_outputs(w);
    if (!st)
        st = run(w);
    if (!st)
        st = download_sums(w);
    bool wide = a->derivatives64;
    if (!st)
        st = download(w, SLOT_DERIVATIVES, &w->device.derivatives, wide,
                      wide ? (void *)a->derivatives64 : a->derivatives32);
    if (!st)
        st = download(w, SLOT_COORDINATION, &w->device.coordination, true, a->coordination);
    return st;
}

mote_status mote_coordination_host(mote_context *ctx, mote_host *host,
                                   const mote_coordination_host_args *args)
{
    work w = {0};
    mote_status st =
        mote_check_args(NAME, "mote_coordination_host_args_init", args, &w.args, sizeof(w.args));
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st)
        st = mote_coordination_check_host(ctx, &w.args, &w.shape);
    if (!st)
        st = compute(&w);
    return mote_host_job_end(&w.job, st);
}
