/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters hits in plain arrays in space and time, using the device API. */
#include "core/check.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/host_job.h"
#include "core/size.h"
#include "mote/pixels_time.h"

#define NAME "mote_pixels_cluster_time_host"

/* The first call has room for the results of one cluster for each HITS_A_CLUSTER hits, and of
 * LEAST_CLUSTERS more. */
#define HITS_A_CLUSTER 3
#define LEAST_CLUSTERS 256

enum { MODULE, X, Y, T, CHARGE, LABELS, COUNT, RECORDS, MODULES, FIRST, LAST, ERROR_WORD };

typedef struct work {
    mote_pixels_time_host_args args;
    mote_host_job job;
    mote_pixels_cluster_time_args device;
    const uint32_t *n_clusters;
    mote_error_word word;
} work;

/* An output array on the host, with one element for each cluster. */
typedef struct output {
    size_t slot;
    mote_type type;
    mote_view *view;
} output;

#define OUTPUTS 4
#define OUTPUTS_OF(w)                                                                              \
    {                                                                                              \
        {RECORDS, MOTE_PIXELS_CLUSTER_TYPE, &(w)->device.properties},                              \
            {MODULES, MOTE_UINT32, &(w)->device.cluster_module},                                   \
            {FIRST, MOTE_INT64, &(w)->device.cluster_first},                                       \
            {LAST, MOTE_INT64, &(w)->device.cluster_last},                                         \
    }

/* Checks the arguments for errors that the device function cannot find. */
static mote_status check(const mote_pixels_time_host_args *a)
{
    const char *missing = !a->module_id16 && !a->module_id32 ? "module_id16 or module_id32"
                          : !a->x                            ? "x"
                          : !a->y                            ? "y"
                          : !a->t                            ? "t"
                          : !a->cluster_id                   ? "cluster_id"
                                                             : NULL;
    if (a->module_id16 && a->module_id32)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": module_id16 and module_id32: give one of them");
    if (a->charge16 && a->charge32)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": charge16 and charge32: give one of them or neither");
    if (a->n >> 31)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         NAME ": %zu hits: a call takes fewer than 2^31, split the stream", a->n);
    return missing && a->n ? mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": %s is NULL", missing)
                           : MOTE_SUCCESS;
}

/* Uploads the hits; charges are needed for properties only. */
static mote_status upload(work *w, bool charges)
{
    const mote_pixels_time_host_args *a = &w->args;
    mote_pixels_cluster_time_args *d = &w->device;
    const struct {
        size_t slot;
        const void *from;
        mote_type type;
        mote_view *view;
    } inputs[] = {
        {MODULE, a->module_id16, MOTE_UINT16, &d->module_id},
        {MODULE, a->module_id32, MOTE_UINT32, &d->module_id},
        {X, a->x, MOTE_UINT16, &d->x},
        {Y, a->y, MOTE_UINT16, &d->y},
        {T, a->t, MOTE_INT64, &d->t},
        {CHARGE, charges ? a->charge16 : NULL, MOTE_UINT16, &d->charge},
        {CHARGE, charges ? a->charge32 : NULL, MOTE_UINT32, &d->charge},
    };
    mote_status st = MOTE_SUCCESS;
    for (size_t k = 0; !st && k < sizeof(inputs) / sizeof(inputs[0]); k++)
        if (inputs[k].from)
            st = mote_host_job_upload(&w->job, inputs[k].slot, inputs[k].from, a->n, inputs[k].type,
                                      inputs[k].view);
    return st;
}

static mote_status reserve(work *w, size_t clusters)
{
    const output outputs[OUTPUTS] = OUTPUTS_OF(w);
    mote_status st = MOTE_SUCCESS;
    for (size_t k = 0; !st && k < OUTPUTS; k++)
        st = mote_host_job_result(&w->job, outputs[k].slot, clusters, outputs[k].type,
                                  outputs[k].view);
    return st;
}

static mote_status run(work *w)
{
    cl_event done = NULL;
    void *count = NULL;
    mote_host *host = w->job.host;
    mote_status st = mote_host_plain(host, COUNT, sizeof(uint32_t), &count);
    const mote_host_target targets[] = {
        {LABELS, w->args.cluster_id, w->args.n * sizeof(int32_t)},
        {COUNT, count, sizeof(uint32_t)},
        {ERROR_WORD, &w->word, sizeof(w->word)},
    };
    if (st)
        return st;
    w->n_clusters = count;
    st = mote_pixels_cluster_time(host->ctx, host->queue, &w->device, 0, NULL, &done);
    return mote_host_job_fetch(&w->job, st, done, targets, sizeof(targets) / sizeof(targets[0]));
}

/* Returns the error that the error word reports. Too little room for results is not an error
 * here. */
static mote_status decode(const work *w)
{
    const mote_pixels_time_host_args *a = &w->args;
    mote_error_word word = w->word;
    uint32_t module = word.slot[MOTE_SLOT_MODULE], hit = word.slot[MOTE_SLOT_COORDINATE];
    if (module < a->n)
        return mote_fail(
            MOTE_ERROR_MODULE, NAME ": hit %u: module %u is not below n_modules = %u",
            (unsigned)module,
            (unsigned)(a->module_id16 ? a->module_id16[module] : a->module_id32[module]),
            (unsigned)a->n_modules);
    if (hit < a->n) {
        bool row = a->x[hit] >= a->rows;
        return mote_fail(MOTE_ERROR_COORDINATE, NAME ": hit %u: %s = %u is not below %s = %u",
                         (unsigned)hit, row ? "x" : "y", (unsigned)(row ? a->x[hit] : a->y[hit]),
                         row ? "rows" : "columns", (unsigned)(row ? a->rows : a->columns));
    }
    word.slot[MOTE_SLOT_CAPACITY] = MOTE_ERROR_SLOT_CLEAR;
    return mote_error_decode(&word, NULL);
}

static mote_status download(work *w, mote_pixels_time_host_result *result)
{
    const output outputs[OUTPUTS] = OUTPUTS_OF(w);
    void *memory[OUTPUTS];
    mote_status st = MOTE_SUCCESS;
    for (size_t k = 0; !st && k < OUTPUTS; k++) {
        size_t bytes = *w->n_clusters * mote_type_size(outputs[k].type);
        st = mote_host_plain(w->job.host, outputs[k].slot, bytes, &memory[k]);
        if (!st)
            st = mote_host_download(w->job.host, outputs[k].slot, memory[k], bytes);
    }
    if (!st)
        *result = (mote_pixels_time_host_result){.size = sizeof(*result),
                                                 .n_clusters = *w->n_clusters,
                                                 .properties = memory[0],
                                                 .module = memory[1],
                                                 .first = memory[2],
                                                 .last = memory[3]};
    return st;
}

/* Clusters the hits. The call runs a second time only if there are more clusters than the results
 * have room for. */
static mote_status cluster(work *w, mote_pixels_time_host_result *result)
{
    const mote_pixels_time_host_args *a = &w->args;
    mote_pixels_cluster_time_args *d = &w->device;
    size_t room = min_size(a->n / HITS_A_CLUSTER + LEAST_CLUSTERS, a->n);
    mote_pixels_cluster_time_args_init(d);
    d->n_modules = a->n_modules;
    d->rows = a->rows;
    d->columns = a->columns;
    d->radius = a->radius;
    d->window = a->window;
    d->complete = a->complete;
    d->streaming = a->streaming;
    mote_status st = upload(w, result != NULL);
    if (!st)
        st = mote_host_job_output(&w->job, LABELS, a->cluster_id, a->n, MOTE_INT32, &d->cluster_id);
    if (!st)
        st = mote_host_job_result(&w->job, COUNT, 1, MOTE_UINT32, &d->n_clusters);
    if (!st)
        st = mote_host_device(w->job.host, ERROR_WORD, sizeof(mote_error_word), &d->error);
    if (!st && result)
        st = reserve(w, room);
    if (!st)
        st = run(w);
    if (!st)
        st = decode(w);
    if (st || !result)
        return st;
    if (*w->n_clusters > room) {
        room = *w->n_clusters;
        st = reserve(w, room);
        if (!st)
            st = run(w);
        if (!st)
            st = decode(w);
        if (!st && *w->n_clusters > room)
            st = mote_fail(MOTE_ERROR_CAPACITY,
                           NAME ": %u clusters where the same hits made %zu before: the arrays "
                                "changed during the call",
                           (unsigned)*w->n_clusters, room);
    }
    return st ? st : download(w, result);
}

mote_status mote_pixels_cluster_time_host(mote_context *ctx, mote_host *host,
                                          const mote_pixels_time_host_args *args,
                                          mote_pixels_time_host_result *result)
{
    work w = {0};
    mote_pixels_time_host_result found = {.size = sizeof(found)};
    mote_status st = MOTE_SUCCESS;
    if (result)
        st = mote_check_result(NAME, "mote_pixels_time_host_result_init", result, sizeof(found));
    if (!st)
        st =
            mote_check_args(NAME, "mote_pixels_time_host_args_init", args, &w.args, sizeof(w.args));
    if (!st && !host && result)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       NAME ": result lives in host, but host is NULL: make one by "
                            "mote_host_create()");
    if (!st)
        st = check(&w.args);
    if (!st)
        st = mote_host_job_begin(&w.job, NAME, ctx, host);
    if (!st)
        st = cluster(&w, result ? &found : NULL);
    if (!st && result)
        mote_give_result(result, &found, sizeof(found));
    return mote_host_job_end(&w.job, st);
}
