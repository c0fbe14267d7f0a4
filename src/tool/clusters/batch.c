/* SPDX-License-Identifier: Apache-2.0 */
/* Batches of events: bounded in memory, and each one moves the progress bar. */
#include "job.h"
#include "../progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGIS ((size_t)4 << 20)
#define MOST_SLOTS ((uint64_t)1 << 26) /* events x modules of a call */

uint64_t clusters_module(const clusters_batch *batch, size_t k)
{
    return batch->set->module32 ? k : batch->result->module_id[k];
}

/* As many events as fit; at least one. */
static size_t batch_end(const digi_set *set, size_t begin)
{
    size_t end = begin + 1;
    while (end < set->n_events) {
        size_t digis = set->event_offsets[end + 1] - set->event_offsets[begin];
        /* Ids of 64 bits: there may be as many modules as digis. */
        uint64_t modules = set->module32 ? set->n_modules : digis;
        if (digis > MOST_DIGIS || (end + 1 - begin) * modules > MOST_SLOTS)
            break;
        end++;
    }
    return end;
}

/* A charge of the input's unit in the integers of the set. Charges that were integers are compared
 * exactly; scaled ones were rounded, and so is what they are compared with. */
static long double scaled_charge(const digi_set *set, long double charge)
{
    return set->value ? roundl(charge * (long double)set->scale) : ceill(charge);
}

static uint64_t limit_u64(long double charge)
{
    return charge < 18446744073709551615.0L ? (uint64_t)charge : UINT64_MAX;
}

static int by_id(const void *a, const void *b)
{
    const uint64_t *p = a, *q = b;
    return *p < *q ? -1 : *p > *q;
}

/* With 64-bit ids the library numbers the modules of a call: how many ids lie below inner_modules?
 */
static bool count_inner(const digi_set *set, size_t first, size_t n, uint64_t below,
                        uint32_t *count)
{
    uint64_t *ids = malloc((n + 1) * sizeof(*ids));
    if (!ids)
        return false;
    size_t found = 0;
    for (size_t i = first; i < first + n; i++)
        if (set->module64[i] < below && !digi_is_invalid(set, i))
            ids[found++] = set->module64[i];
    qsort(ids, found, sizeof(*ids), by_id);
    *count = 0;
    for (size_t i = 0; i < found; i++)
        *count += i == 0 || ids[i] != ids[i - 1];
    free(ids);
    return true;
}

static bool set_cuts(const clusters_options *options, const digi_set *set, size_t first,
                     mote_pixels_host_args *args)
{
    long double threshold = scaled_charge(set, options->threshold);
    args->adc_threshold = threshold < 4294967295.0L ? (uint32_t)threshold : UINT32_MAX;
    args->charge_cut = limit_u64(scaled_charge(set, options->cut));
    if (!options->has_inner_cut)
        return true;
    args->charge_cut_inner = limit_u64(scaled_charge(set, options->inner_cut));
    if (set->module32) {
        bool all = options->inner_modules > UINT32_MAX;
        args->inner_modules = all ? UINT32_MAX : (uint32_t)options->inner_modules;
        return true;
    }
    if (!count_inner(set, first, args->n, options->inner_modules, &args->inner_modules))
        return false;
    if (args->inner_modules == 0)
        args->charge_cut_inner = 0;
    return true;
}

static void set_digis(const digi_set *set, size_t first, int32_t *label,
                      mote_pixels_host_args *args)
{
    if (set->module32) {
        args->module_id32 = set->module32 + first;
        args->invalid_module_id = MOTE_PIXELS_INVALID_MODULE_U32;
        args->n_modules = set->n_modules;
    } else {
        args->module_id64 = set->module64 + first;
        args->invalid_module_id = set->invalid64;
    }
    args->x = set->x + first;
    args->y = set->y + first;
    args->adc32 = set->adc + first;
    args->rows = set->rows;
    args->columns = set->columns;
    args->cluster_id = label + first;
}

static int call_library(clusters_job *job, clusters_batch *batch, int32_t *label,
                        uint32_t *event_offsets, mote_pixels_host_result *result)
{
    const digi_set *set = batch->set;
    const clusters_options *options = job->options;
    size_t first = set->event_offsets[batch->event_begin];
    mote_pixels_host_args args;
    mote_pixels_host_args_init(&args);
    args.n = set->event_offsets[batch->event_end] - first;
    if (args.n >= (size_t)1 << 31)
        return tool_fail(TOOL_INPUT, "an event of %zu digis: fewer than 2147483648 are possible",
                         args.n);
    args.n_events = batch->event_end - batch->event_begin;
    for (size_t e = 0; e <= args.n_events; e++)
        event_offsets[e] = (uint32_t)(set->event_offsets[batch->event_begin + e] - first);
    args.event_offsets = event_offsets;
    args.duplicates = (mote_pixels_duplicates)options->duplicates;
    args.strategy = (mote_pixels_strategy)options->strategy;
    args.connectivity = options->connectivity;
    set_digis(set, first, label, &args);
    if (!set_cuts(options, set, first, &args))
        return tool_fail(TOOL_INPUT, "out of memory for %zu digis", args.n);
    double start = tool_seconds();
    mote_status status = mote_pixels_cluster_host(job->ctx, job->host, &args, result);
    job->timing.device_s += tool_seconds() - start;
    batch->result = result;
    return status == MOTE_SUCCESS ? TOOL_GO_ON : tool_fail_library(status);
}

static void count_batch(clusters_job *job, const clusters_batch *batch)
{
    const mote_pixels_host_result *result = batch->result;
    size_t n_events = batch->event_end - batch->event_begin;
    job->n_digis +=
        batch->set->event_offsets[batch->event_end] - batch->set->event_offsets[batch->event_begin];
    job->n_events += n_events;
    job->n_clusters += result->n_clusters;
    for (size_t k = 0; k < n_events * result->n_modules; k++)
        job->n_modules += result->cluster_start[k + 1] != result->cluster_start[k];
}

/* Nothing more can be delivered, or something could not be written. */
static int check_outputs(clusters_job *job)
{
    bool all_closed = true;
    for (int i = 0; i < OUT_COUNT; i++) {
        if (!job->outs[i])
            continue;
        all_closed = all_closed && out_is_closed(job->outs[i]);
        int code = out_check(job->outs[i]);
        if (code != TOOL_GO_ON)
            return code;
    }
    return all_closed ? TOOL_DONE : TOOL_GO_ON;
}

static void show_progress(const clusters_job *job, const clusters_batch *batch)
{
    const digi_set *set = batch->set;
    double part = set->n ? (double)set->event_offsets[batch->event_end] / (double)set->n : 1.0;
    double bytes = (double)job->timing.bytes + part * (double)set->bytes;
    progress_show(job->bytes_total ? bytes / (double)job->bytes_total : -1.0, job->n_events);
}

static int run_batch(clusters_job *job, clusters_batch *batch, int32_t *label,
                     uint32_t *event_offsets)
{
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    int code = call_library(job, batch, label, event_offsets, &result);
    if (code != TOOL_GO_ON)
        return code;
    count_batch(job, batch);
    double start = tool_seconds();
    if (job->outs[OUT_CLUSTERS])
        clusters_write_clusters(job, batch);
    job->timing.write_s += tool_seconds() - start;
    if (job->outs[OUT_SVG])
        code = clusters_picture_look(job, batch);
    show_progress(job, batch);
    return code == TOOL_GO_ON ? check_outputs(job) : code;
}

int clusters_run_file(clusters_job *job, const digi_set *set)
{
    int32_t *label = malloc((set->n + 1) * sizeof(*label));
    uint32_t *event_offsets = malloc((set->n_events + 1) * sizeof(*event_offsets));
    int code = TOOL_GO_ON;
    if (!label || !event_offsets)
        code = tool_fail(TOOL_INPUT, "out of memory for %zu digis", set->n);
    for (size_t e = 0; e < set->n_events && code == TOOL_GO_ON;) {
        clusters_batch batch = {.set = set, .event_begin = e, .label = label};
        batch.event_end = batch_end(set, e);
        code = run_batch(job, &batch, label, event_offsets);
        e = batch.event_end;
    }
    if (code == TOOL_GO_ON && job->outs[OUT_LABELS]) {
        double start = tool_seconds();
        clusters_write_labels(job, set, label);
        job->timing.write_s += tool_seconds() - start;
    }
    free(label);
    free(event_offsets);
    return code;
}
