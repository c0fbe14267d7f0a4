/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes packets in plain arrays, using the device API. */
#include "core/check.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "mote/pixels_time.h"

#define NAME "mote_pixels_decode_timepix3_host"

enum { PACKETS, CHIP, MODULE, X, Y, T, CHARGE, N_HITS, ERROR_WORD };

#define OUTPUTS 6 /* with n_hits */

typedef struct work {
    mote_pixels_timepix3_host_args args;
    mote_host_job job;
    mote_pixels_timepix3_args device;
    mote_error_word word;
} work;

static mote_status check(const mote_pixels_timepix3_host_args *a)
{
    if (a->n >> 31)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         NAME ": %zu packets: a call takes fewer than 2^31, split the stream",
                         a->n);
    if (!a->n_hits || (!a->packets && a->n))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": %s is NULL",
                         a->n_hits ? "packets" : "n_hits");
    return MOTE_SUCCESS;
}

/* Uploads the packets and reserves room for the hits; `targets` receives the wanted outputs. */
static mote_status prepare(work *w, mote_host_target *targets, size_t *count)
{
    const mote_pixels_timepix3_host_args *a = &w->args;
    mote_pixels_timepix3_args *d = &w->device;
    const struct {
        size_t slot, count;
        void *to;
        mote_type type;
        mote_view *view;
    } outputs[OUTPUTS] = {
        {MODULE, a->n, a->module_id, MOTE_UINT16, &d->module_id},
        {X, a->n, a->x, MOTE_UINT16, &d->x},
        {Y, a->n, a->y, MOTE_UINT16, &d->y},
        {T, a->n, a->t, MOTE_INT64, &d->t},
        {CHARGE, a->n, a->charge, MOTE_UINT16, &d->charge},
        {N_HITS, 1, a->n_hits, MOTE_UINT32, &d->n_hits},
    };
    mote_status st =
        mote_host_job_upload(&w->job, PACKETS, a->packets, a->n, MOTE_UINT64, &d->packets);
    if (!st)
        st = mote_host_job_upload(&w->job, CHIP, a->chip, a->n, MOTE_UINT16, &d->chip);
    for (size_t k = 0; !st && k < OUTPUTS; k++) {
        if (!outputs[k].to)
            continue;
        targets[(*count)++] = (mote_host_target){
            outputs[k].slot, outputs[k].to, outputs[k].count * mote_type_size(outputs[k].type)};
        st = mote_host_job_output(&w->job, outputs[k].slot, outputs[k].to, outputs[k].count,
                                  outputs[k].type, outputs[k].view);
    }
    if (!st)
        st = mote_host_device(w->job.host, ERROR_WORD, sizeof(mote_error_word), &d->error);
    targets[(*count)++] = (mote_host_target){ERROR_WORD, &w->word, sizeof(w->word)};
    return st;
}

static mote_status decode(work *w)
{
    mote_host_target targets[OUTPUTS + 1];
    size_t count = 0;
    cl_event done = NULL;
    mote_pixels_timepix3_args_init(&w->device);
    w->device.reference = w->args.reference;
    mote_status st = prepare(w, targets, &count);
    if (st)
        return st;
    st = mote_pixels_decode_timepix3(w->job.host->ctx, w->job.host->queue, &w->device, 0, NULL,
                                     &done);
    st = mote_host_job_fetch(&w->job, st, done, targets, count);
    if (st)
        return st;
    uint32_t packet = w->word.slot[MOTE_SLOT_PACKET];
    if (packet < w->args.n)
        return mote_fail(MOTE_ERROR_PACKET,
                         NAME ": packet %u: 0x%016llx is of no kind that Timepix3 sends",
                         (unsigned)packet, (unsigned long long)w->args.packets[packet]);
    return mote_error_decode(&w->word, NULL);
}

mote_status mote_pixels_decode_timepix3_host(mote_context *ctx, mote_host *host,
                                             const mote_pixels_timepix3_host_args *args)
{
    work w = {0};
    mote_status st =
        mote_check_args(NAME, "mote_pixels_timepix3_host_args_init", args, &w.args, sizeof(w.args));
    if (!st)
        st = check(&w.args);
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st)
        st = decode(&w);
    return mote_host_job_end(&w.job, st);
}
