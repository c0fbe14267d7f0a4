/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/host_batch.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/tune.h"

#define PART_DIGIS ((size_t)400000)
#define MOST_PARTS ((size_t)64)
#define AHEAD      ((size_t)2) /* parts in progress before the host waits for the labels of one */

/* One part of the batch. */
typedef struct part {
    size_t first_event, n_events;
    size_t first, n; /* digis */
    mote_host_part labels, counts;
} part;

typedef struct batch {
    mote_host *host;
    const mote_pixels_host_args *args;
    const mote_pixels_cluster_args *options;
    const void *array[4]; /* arrays of SLOT_MODULE to SLOT_ADC; NULL = no charges */
    mote_type type[4];
    uint32_t *given;   /* the caller's event offsets, which are read once */
    uint32_t *offsets; /* event offsets of all parts, each beginning with 0 */
    mote_view offsets_view;
    cl_event ready; /* the arrays that all parts need are on the device */
    size_t count;
    part part[MOST_PARTS];
} batch;

static size_t part_digis(const mote_context *ctx)
{
    size_t usual = ctx->device.device_class == MOTE_DEVICE_GPU ? PART_DIGIS : 0;
    return mote_tune_size(ctx, "pixels.host_digis", usual, 0, SIZE_MAX);
}

bool mote_pixels_batch_wanted(const mote_context *ctx, const mote_pixels_host_args *args)
{
    size_t digis = part_digis(ctx);
    return digis > 0 && args->n_events > 1 && args->n / 2 >= digis;
}

/* Copies the event offsets. The copied offsets never decrease and never exceed the number of digis,
 * even if another thread has changed the caller's array since it was checked. */
static mote_status read_offsets(batch *b)
{
    const mote_pixels_host_args *a = b->args;
    size_t count = 2 * a->n_events + 1 + MOST_PARTS;
    uint32_t least = 0, most = (uint32_t)a->n;
    void *memory;
    mote_status st = mote_host_plain(b->host, SLOT_EVENTS, count * sizeof(uint32_t), &memory);
    if (st)
        return st;
    b->given = memory;
    b->offsets = b->given + a->n_events + 1;
    for (size_t e = 0; e < a->n_events; e++) {
        uint32_t offset = a->event_offsets[e];
        offset = offset < most ? offset : most;
        b->given[e] = least = offset < least ? least : offset;
    }
    b->given[0] = 0;
    b->given[a->n_events] = most;
    return MOTE_SUCCESS;
}

/* Divides the batch into parts of whole events with about equal numbers of digis. */
static void cut_parts(batch *b)
{
    const mote_pixels_host_args *a = b->args;
    size_t share = max_size(part_digis(b->host->ctx), div_ceil(a->n, MOST_PARTS - 1));
    const uint32_t *offset = b->given;
    for (size_t e = 0; e < a->n_events;) {
        part *p = &b->part[b->count++];
        *p = (part){.first_event = e, .first = offset[e]};
        bool last = b->count == MOST_PARTS;
        while (e < a->n_events && (last || offset[e] - p->first < share))
            e++;
        p->n_events = e - p->first_event;
        p->n = offset[e] - p->first;
    }
}

static mote_status make_offsets(batch *b, mote_host_job *job)
{
    const mote_pixels_host_args *a = b->args;
    size_t count = a->n_events + b->count;
    uint32_t *to = b->offsets;
    for (size_t k = 0; k < b->count; k++)
        for (size_t e = 0; e <= b->part[k].n_events; e++)
            *to++ = b->given[b->part[k].first_event + e] - (uint32_t)b->part[k].first;
    return mote_host_job_upload(job, SLOT_EVENTS, b->offsets, count, MOTE_UINT32, &b->offsets_view);
}

static mote_status reserve(batch *b)
{
    const mote_pixels_host_args *a = b->args;
    size_t slots = a->n_events * b->options->n_modules;
    cl_mem mem;
    mote_status st = mote_host_device(b->host, SLOT_LABELS, a->n * sizeof(int32_t), &mem);
    for (size_t k = 0; !st && k < 4; k++)
        if (b->array[k])
            st =
                mote_host_device(b->host, SLOT_MODULE + k, a->n * mote_type_size(b->type[k]), &mem);
    if (!st && a->n_clusters)
        st = mote_host_device(b->host, SLOT_COUNTS, slots * sizeof(uint32_t), &mem);
    if (!st)
        st = mote_host_device(b->host, SLOT_ERROR, b->count * sizeof(mote_error_word), &mem);
    return st;
}

static mote_status flush(cl_command_queue queue)
{
    cl_int code = clFlush(queue);
    return code ? mote_fail_cl(code, "mote_host", "clFlush") : MOTE_SUCCESS;
}

/* Sends a part. *sent receives an event that completes after all arrays of the part, which the
 * caller releases; NULL for a part without digis.
 */
static mote_status send_part(batch *b, const part *p, cl_event *sent)
{
    size_t last = b->array[3] ? 3 : 2;
    mote_status st = MOTE_SUCCESS;
    *sent = NULL;
    for (size_t k = 0; !st && p->n > 0 && k <= last; k++) {
        size_t element = mote_type_size(b->type[k]);
        mote_host_part sending = {.queue = b->host->up,
                                  .slot = SLOT_MODULE + k,
                                  .offset = p->first * element,
                                  .bytes = p->n * element,
                                  .memory = (char *)(uintptr_t)b->array[k] + p->first * element};
        st = mote_host_send(b->host, &sending, b->args->n * element, k == last);
        *sent = sending.done;
    }
    return st ? st : flush(b->host->up);
}

static mote_view view_of(const batch *b, size_t slot, size_t first, size_t count, mote_type type)
{
    mote_view view = mote_view_make(b->host->slot[slot].device, count, type);
    view.offset = first;
    return view;
}

/* Parts use two queues in turn, because a part has few running groups left when the next one
 * begins. */
static mote_status cluster_part(batch *b, size_t k, cl_event sent, cl_event *done)
{
    const part *p = &b->part[k];
    bool turn = k % 2 && sent;
    cl_command_queue queue = turn ? b->host->other : b->host->queue;
    const cl_event wait[] = {sent, b->ready};
    cl_uint waits = sent ? 1 + (cl_uint)turn : 0;
    mote_pixels_cluster_args d = *b->options;
    size_t modules = d.n_modules;
    d.module_id = view_of(b, SLOT_MODULE, p->first, p->n, b->type[0]);
    d.x = view_of(b, SLOT_X, p->first, p->n, MOTE_UINT16);
    d.y = view_of(b, SLOT_Y, p->first, p->n, MOTE_UINT16);
    if (b->array[3])
        d.adc = view_of(b, SLOT_ADC, p->first, p->n, b->type[3]);
    d.event_offsets = b->offsets_view;
    d.event_offsets.offset += p->first_event + k;
    d.event_offsets.count = p->n_events + 1;
    d.cluster_id = view_of(b, SLOT_LABELS, p->first, p->n, MOTE_INT32);
    if (b->args->n_clusters)
        d.n_clusters =
            view_of(b, SLOT_COUNTS, p->first_event * modules, p->n_events * modules, MOTE_UINT32);
    d.error = b->host->slot[SLOT_ERROR].device;
    d.error_offset = k * sizeof(mote_error_word);
    mote_status st = mote_pixels_cluster(b->host->ctx, queue, &d, waits, waits ? wait : NULL, done);
    return st ? st : flush(queue);
}

static mote_status fetch_part(batch *b, part *p, cl_event done)
{
    const mote_pixels_host_args *a = b->args;
    size_t modules = b->options->n_modules, size = sizeof(uint32_t);
    mote_status st = MOTE_SUCCESS;
    p->labels = (mote_host_part){.queue = b->host->down,
                                 .slot = SLOT_LABELS,
                                 .offset = p->first * size,
                                 .bytes = p->n * size,
                                 .memory = a->cluster_id + p->first};
    if (p->n > 0)
        st = mote_host_fetch(b->host, &p->labels, a->n * size, done);
    if (st || !a->n_clusters)
        return st ? st : flush(b->host->down);
    p->counts = (mote_host_part){.queue = b->host->down,
                                 .slot = SLOT_COUNTS,
                                 .offset = p->first_event * modules * size,
                                 .bytes = p->n_events * modules * size,
                                 .memory = a->n_clusters + p->first_event * modules};
    if (p->counts.bytes > 0)
        st = mote_host_fetch(b->host, &p->counts, a->n_events * modules * size, done);
    return st ? st : flush(b->host->down);
}

static mote_status begin_part(batch *b, size_t k)
{
    cl_event sent, done = NULL;
    mote_status st = send_part(b, &b->part[k], &sent);
    if (!st)
        st = cluster_part(b, k, sent, &done);
    if (!st)
        st = fetch_part(b, &b->part[k], done);
    if (sent)
        clReleaseEvent(sent);
    if (done)
        clReleaseEvent(done);
    return st;
}

/* This is also needed after a failure, because commands in progress still use the caller's
 * arrays. */
static mote_status end_part(batch *b, size_t k)
{
    part *p = &b->part[k];
    mote_status st = p->labels.done ? mote_host_wait_part(b->host, &p->labels) : MOTE_SUCCESS;
    mote_status also = p->counts.done ? mote_host_wait_part(b->host, &p->counts) : MOTE_SUCCESS;
    return st ? st : also;
}

static mote_status mark_ready(batch *b)
{
    cl_int code = clEnqueueMarkerWithWaitList(b->host->queue, 0, NULL, &b->ready);
    return code ? mote_fail_cl(code, "mote_host", "clEnqueueMarkerWithWaitList")
                : flush(b->host->queue);
}

static mote_status run_parts(batch *b)
{
    size_t begun = 0, ended = 0;
    mote_status st = MOTE_SUCCESS;
    while (!st && begun < b->count) {
        st = begin_part(b, begun++);
        if (!st && begun - ended > AHEAD)
            st = end_part(b, ended++);
    }
    for (; ended < begun; ended++) {
        mote_status also = end_part(b, ended);
        st = st ? st : also;
    }
    if (st) {
        clFinish(b->host->up);
        clFinish(b->host->queue);
        clFinish(b->host->other);
        clFinish(b->host->down);
    }
    return st;
}

/* Indices of digis count from the part's first one. */
static mote_status merge_errors(batch *b, mote_error_word *word)
{
    mote_error_word each[MOST_PARTS];
    size_t bytes = b->count * sizeof(each[0]);
    mote_status st = mote_host_download(b->host, SLOT_ERROR, each, bytes);
    for (size_t s = 0; s < MOTE_ERROR_SLOTS; s++) {
        uint32_t lowest = MOTE_ERROR_SLOT_CLEAR;
        for (size_t k = 0; !st && k < b->count && lowest == MOTE_ERROR_SLOT_CLEAR; k++)
            if (each[k].slot[s] != MOTE_ERROR_SLOT_CLEAR)
                lowest = each[k].slot[s] + (uint32_t)b->part[k].first;
        word->slot[s] = lowest;
    }
    return st;
}

mote_status mote_pixels_batch_run(mote_host_job *job, const mote_pixels_host_args *args,
                                  const void *ids, mote_type id_type,
                                  const mote_pixels_cluster_args *options, mote_error_word *word)
{
    batch b = {.host = job->host, .args = args, .options = options};
    const void *adc = args->adc16 ? (const void *)args->adc16 : args->adc32;
    const void *const array[4] = {ids, args->x, args->y, adc};
    const mote_type type[4] = {id_type, MOTE_UINT16, MOTE_UINT16,
                               args->adc16 ? MOTE_UINT16 : MOTE_UINT32};
    for (size_t k = 0; k < 4; k++) {
        b.array[k] = array[k];
        b.type[k] = type[k];
    }
    mote_status st = read_offsets(&b);
    if (st)
        return st;
    cut_parts(&b);
    double begin = mote_host_clock();
    st = mote_host_side_queues(job->host);
    if (!st)
        st = make_offsets(&b, job);
    if (!st)
        st = reserve(&b);
    if (!st)
        st = mark_ready(&b);
    if (!st)
        st = run_parts(&b);
    if (b.ready)
        clReleaseEvent(b.ready);
    job->host->device_seconds = mote_host_clock() - begin;
    return st ? st : merge_errors(&b, word);
}
