/* SPDX-License-Identifier: Apache-2.0 */
/* Clustering of plain arrays, using the device API. */
#include "core/check.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "pixels/decode.h"
#include "pixels/host_batch.h"
#include "pixels/host_digis.h"
#include "pixels/host_error.h"
#include "pixels/host_ids.h"
#include "pixels/host_positions.h"

#include <string.h>

_Static_assert(SLOT_POSITIONS + MOTE_PIXELS_POSITION_SLOTS <= MOTE_HOST_SLOTS,
               "a mote_host has too few slots");

/* Room for the records of a first call: one record for this number of digis, which is enough for
 * the data of most detectors. */
#define DIGIS_A_CLUSTER 3
#define LEAST_RECORDS   256

typedef struct work {
    mote_pixels_host_args args;
    mote_host_job job;
    mote_pixels_places places; /* of 64-bit ids */
    const void *ids;           /* ids as the device reads them, and the modules */
    mote_type id_type;
    size_t n_modules;
    size_t n_records;
    mote_pixels_cluster_args device;
} work;

/* Finds the ids in the form that the device reads. */
static mote_status find_ids(work *w)
{
    const mote_pixels_host_args *a = &w->args;
    w->n_modules = a->n_modules;
    w->device.invalid_module_id = (uint32_t)a->invalid_module_id;
    w->ids = a->module_id16 ? (const void *)a->module_id16 : a->module_id32;
    w->id_type = a->module_id16 ? MOTE_UINT16 : MOTE_UINT32;
    if (!a->module_id64)
        return MOTE_SUCCESS;
    mote_status st = mote_pixels_compress_ids(w->job.host, SLOT_MODULE, SLOT_X, a->module_id64,
                                              a->n, a->invalid_module_id, &w->places);
    if (st)
        return st;
    w->ids = w->places.place;
    w->n_modules = w->places.count ? w->places.count : 1;
    w->device.invalid_module_id = MOTE_PIXELS_INVALID_MODULE_U32;
    if (a->n_events > (((size_t)1 << 31) - 1) / w->n_modules)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         MOTE_PIXELS_HOST_NAME ": %zu events of %zu modules: a call takes fewer "
                                               "than 2^31 modules in all, split the batch",
                         a->n_events, w->n_modules);
    return MOTE_SUCCESS;
}

/* Finds the inner modules in the device's numbering: those of the smallest 64-bit ids. */
static void find_inner(work *w)
{
    uint64_t below = w->args.inner_module_id;
    uint32_t count = 0;
    if (below == 0)
        return;
    while (count < w->places.count && w->places.id[count] < below)
        count++;
    w->device.inner_modules = count;
    if (count == 0)
        w->device.charge_cut_inner = 0;
}

static mote_status upload_digis(work *w)
{
    const mote_pixels_host_args *a = &w->args;
    mote_pixels_cluster_args *d = &w->device;
    mote_status st =
        mote_host_job_upload(&w->job, SLOT_MODULE, w->ids, a->n, w->id_type, &d->module_id);
    if (!st)
        st = mote_host_job_upload(&w->job, SLOT_X, a->x, a->n, MOTE_UINT16, &d->x);
    if (!st)
        st = mote_host_job_upload(&w->job, SLOT_Y, a->y, a->n, MOTE_UINT16, &d->y);
    if (!st && a->adc16)
        st = mote_host_job_upload(&w->job, SLOT_ADC, a->adc16, a->n, MOTE_UINT16, &d->adc);
    if (!st && a->adc32)
        st = mote_host_job_upload(&w->job, SLOT_ADC, a->adc32, a->n, MOTE_UINT32, &d->adc);
    if (!st && a->event_offsets &&
        a->n_events > 1) /* the offsets of a single event add no information */
        st = mote_host_job_upload(&w->job, SLOT_EVENTS, a->event_offsets, a->n_events + 1,
                                  MOTE_UINT32, &d->event_offsets);
    return st;
}

static void copy_options(const mote_pixels_host_args *a, size_t n_modules,
                         mote_pixels_cluster_args *d)
{
    d->n_modules = (uint32_t)n_modules;
    d->rows = a->rows;
    d->columns = a->columns;
    d->invalid_cluster_id = a->invalid_cluster_id;
    d->order = a->order;
    d->strategy = a->strategy;
    d->duplicates = a->duplicates;
    d->connectivity = a->connectivity;
    d->adc_threshold = a->adc_threshold;
    d->charge_cut = a->charge_cut;
    d->charge_cut_inner = a->charge_cut_inner;
    d->inner_modules = a->inner_modules;
    d->weight = a->weight;
    d->charge_min = a->charge_min;
    d->morph_dilation = a->morph_dilation;
    d->morph_erosion = a->morph_erosion;
}

static mote_status reserve_records(work *w, size_t count)
{
    w->n_records = count;
    mote_status st = mote_host_job_result(&w->job, SLOT_RECORDS, count, MOTE_PIXELS_CLUSTER_TYPE,
                                          &w->device.properties);
    if (!st && w->args.positions)
        st = mote_pixels_reserve_positions(&w->job, SLOT_POSITIONS, count, &w->device);
    return st;
}

static mote_status reserve_outputs(work *w, bool wants_result)
{
    const mote_pixels_host_args *a = &w->args;
    mote_pixels_cluster_args *d = &w->device;
    size_t modules = a->n_events * w->n_modules;
    mote_status st =
        mote_host_job_output(&w->job, SLOT_LABELS, a->cluster_id, a->n, MOTE_INT32, &d->cluster_id);
    if (!st && a->n_clusters)
        st = mote_host_job_output(&w->job, SLOT_COUNTS, a->n_clusters, modules, MOTE_UINT32,
                                  &d->n_clusters);
    if (!st)
        st = mote_host_device(w->job.host, SLOT_ERROR, sizeof(mote_error_word), &d->error);
    if (st || !wants_result)
        return st;
    st = mote_host_job_result(&w->job, SLOT_STARTS, modules + 1, MOTE_UINT32, &d->cluster_start);
    size_t had = w->job.host->slot[SLOT_RECORDS].plain_bytes / sizeof(mote_pixels_cluster_record);
    size_t count = a->n / DIGIS_A_CLUSTER + LEAST_RECORDS;
    count = count < had ? had : count;
    return st ? st : reserve_records(w, count < a->n ? count : a->n);
}

static mote_status run_once(work *w, uint32_t *needed)
{
    mote_error_word word;
    cl_event done = NULL;
    mote_status st =
        mote_pixels_cluster(w->job.host->ctx, w->job.host->queue, &w->device, 0, NULL, &done);
    double before = w->job.host->device_seconds;
    st = mote_host_job_wait(&w->job, st, done);
    w->job.host->device_seconds += before;
    if (!st)
        st = mote_host_download(w->job.host, SLOT_ERROR, &word, sizeof(word));
    return st ? st : mote_pixels_host_decode(&w->args, &word, needed);
}

/* Runs the call a second time only if there are more clusters than expected. */
static mote_status run(work *w)
{
    uint32_t needed = 0;
    w->job.host->device_seconds = 0.0;
    mote_status st = run_once(w, &needed);
    if (st || needed <= w->n_records)
        return st;
    st = reserve_records(w, needed);
    if (!st)
        st = run_once(w, &needed);
    if (!st && needed > w->n_records)
        st =
            mote_fail(MOTE_ERROR_CAPACITY,
                      "mote_pixels_cluster_host: %u clusters where the same digis made %zu before: "
                      "the arrays changed during the call",
                      needed, w->n_records);
    return st;
}

static mote_status download_result(work *w, mote_pixels_host_result *result)
{
    size_t modules = w->args.n_events * w->n_modules;
    void *starts, *records;
    mote_status st =
        mote_host_plain(w->job.host, SLOT_STARTS, (modules + 1) * sizeof(uint32_t), &starts);
    if (!st)
        st = mote_host_download(w->job.host, SLOT_STARTS, starts, (modules + 1) * sizeof(uint32_t));
    if (st)
        return st;
    size_t count = ((const uint32_t *)starts)[modules];
    size_t bytes = count * sizeof(mote_pixels_cluster_record);
    st = mote_host_plain(w->job.host, SLOT_RECORDS, bytes, &records);
    if (!st)
        st = mote_host_download(w->job.host, SLOT_RECORDS, records, bytes);
    if (st)
        return st;
    *result = (mote_pixels_host_result){
        .size = sizeof(*result),
        .n_modules = w->args.module_id64 ? w->places.count : w->n_modules,
        .module_id = w->args.module_id64 ? w->places.id : NULL,
        .n_clusters = count,
        .cluster_start = starts,
        .properties = records,
    };
    if (w->args.positions)
        st = mote_pixels_download_positions(&w->job, SLOT_POSITIONS, count, result);
    if (!st && w->args.digis)
        st = mote_pixels_download_digis(&w->job, SLOT_DIGIS, count, result);
    return st;
}

/* Labels and counts, and the error word unless it is already known. */
typedef struct downloads {
    mote_host_target targets[MOTE_HOST_TARGETS];
} downloads;

static downloads downloads_of(const work *w, mote_error_word *word)
{
    const mote_pixels_host_args *a = &w->args;
    size_t modules = a->n_clusters ? a->n_events * w->n_modules : 0;
    return (downloads){{
        {SLOT_LABELS, a->cluster_id, a->n * sizeof(int32_t)},
        {SLOT_COUNTS, a->n_clusters, modules * sizeof(uint32_t)},
        {SLOT_ERROR, word, word ? sizeof(*word) : 0},
    }};
}

static mote_status run_labels(work *w)
{
    mote_host *host = w->job.host;
    mote_error_word word;
    uint32_t needed;
    cl_event done = NULL;
    downloads all = downloads_of(w, &word);
    mote_status st = mote_pixels_cluster(host->ctx, host->queue, &w->device, 0, NULL, &done);
    st = mote_host_job_fetch(&w->job, st, done, all.targets, MOTE_HOST_TARGETS);
    return st ? st : mote_pixels_host_decode(&w->args, &word, &needed);
}

static mote_status cluster_at_once(work *w, mote_pixels_host_result *result)
{
    mote_status st = upload_digis(w);
    if (!st)
        st = reserve_outputs(w, result != NULL);
    if (!st && !result)
        return run_labels(w);
    if (!st)
        st = run(w);
    if (!st && w->args.digis)
        st = mote_pixels_list_digis(&w->job, SLOT_DIGIS, &w->device, w->n_records);
    downloads all = downloads_of(w, NULL);
    if (!st)
        st = mote_host_download_all(w->job.host, all.targets, MOTE_HOST_TARGETS);
    return st ? st : download_result(w, result);
}

static mote_status cluster_in_parts(work *w)
{
    mote_error_word word;
    uint32_t needed;
    mote_status st =
        mote_pixels_batch_run(&w->job, &w->args, w->ids, w->id_type, &w->device, &word);
    return st ? st : mote_pixels_host_decode(&w->args, &word, &needed);
}

/* Uploads the arrays of the modules, unless they are still there from the last call. */
static mote_status upload_modules(work *w)
{
    const mote_pixels_host_args *a = &w->args;
    mote_pixels_cluster_args *d = &w->device;
    size_t modules = w->n_modules;
    mote_host_upload_way upload =
        a->same_modules ? mote_host_job_upload_again : mote_host_job_upload;
    mote_status st =
        upload(&w->job, SLOT_CUTS, a->charge_cuts, modules, MOTE_UINT32, &d->charge_cuts);
    if (!st)
        st = upload(&w->job, SLOT_MASK, a->mask,
                    mote_pixels_mask_words(d->n_modules, d->rows, d->columns), MOTE_UINT32,
                    &d->mask);
    if (!st)
        st = upload(&w->job, SLOT_GAIN, a->gain, modules, MOTE_FLOAT32, &d->gain);
    if (!st)
        st = upload(&w->job, SLOT_PEDESTAL, a->pedestal, modules, MOTE_FLOAT32, &d->pedestal);
    if (!st)
        st = upload(&w->job, SLOT_MORPH, a->morph, modules, MOTE_UINT8, &d->morph);
    if (!st && a->positions)
        st = mote_pixels_upload_geometry(&w->job, SLOT_POSITIONS, upload, a, d);
    return st;
}

static mote_status cluster(work *w, mote_pixels_host_result *result)
{
    mote_pixels_cluster_args_init(&w->device);
    mote_status st = find_ids(w);
    copy_options(&w->args, w->n_modules, &w->device);
    find_inner(w);
    if (!st)
        st = upload_modules(w);
    if (st)
        return st;
    if (!result && mote_pixels_batch_wanted(w->job.host->ctx, &w->args))
        return cluster_in_parts(w);
    return cluster_at_once(w, result);
}

mote_status mote_pixels_cluster_host(mote_context *ctx, mote_host *host,
                                     const mote_pixels_host_args *args,
                                     mote_pixels_host_result *result)
{
    work w = {0};
    mote_pixels_host_result found = {.size = sizeof(found)};
    mote_status st = MOTE_SUCCESS;
    if (result)
        st = mote_check_result(MOTE_PIXELS_HOST_NAME, "mote_pixels_host_result_init", result,
                               sizeof(found));
    if (!st)
        st = mote_check_args(MOTE_PIXELS_HOST_NAME, "mote_pixels_host_args_init", args, &w.args,
                             sizeof(w.args));
    if (!st && !host && result)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, MOTE_PIXELS_HOST_NAME
                       ": result lives in host, but host is NULL: make one by mote_host_create()");
    if (!st && w.args.n_events == 0)
        w.args.n_events = 1;
    if (!st)
        st = mote_pixels_host_check(&w.args);
    if (!st)
        st = mote_host_job_begin(&w.job, MOTE_PIXELS_HOST_NAME, ctx, host);
    if (!st)
        st = cluster(&w, result ? &found : NULL);
    if (!st && result)
        mote_give_result(result, &found, sizeof(found));
    return mote_host_job_end(&w.job, st);
}
