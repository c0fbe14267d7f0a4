/* SPDX-License-Identifier: Apache-2.0 */
/* The work of a worker: it clusters a batch of events and formats its lines. */
#include "job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t clusters_module(const clusters_batch *batch, size_t k)
{
    const digi_set *set = &batch->file->digis;
    return set->module32 ? digi_module_at(set, k) : batch->result->module_id[k];
}

size_t clusters_module_slot(const clusters_batch *batch, size_t i)
{
    const digi_set *set = &batch->file->digis;
    const mote_pixels_host_result *result = batch->result;
    if (digi_is_invalid(set, i))
        return result->n_modules;
    if (set->module32)
        return set->module32[i];
    size_t low = 0, high = result->n_modules;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (result->module_id[middle] < set->module64[i])
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A charge of the input's unit in the integers of the set. Charges that were integers are compared
 * exactly; scaled charges were rounded, and so is the number that they are compared with. */
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

/* With 64-bit ids the library numbers the modules of a call: counts the ids below inner_modules.
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
        args->inner_modules = (uint32_t)digi_modules_below(set, options->inner_modules);
        if (args->inner_modules == 0)
            args->charge_cut_inner = 0;
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
    args->adc32 = set->no_charges ? NULL : set->adc + first;
    args->rows = set->rows;
    args->columns = set->columns;
    args->cluster_id = label + first;
}

/* The arguments of a batch; besides arrays of the file, they refer to `event_offsets`. */
static bool set_args(const clusters_options *options, const clusters_batch *batch,
                     uint32_t *event_offsets, mote_pixels_host_args *args)
{
    const digi_set *set = &batch->file->digis;
    size_t first = set->event_offsets[batch->event_begin];
    mote_pixels_host_args_init(args);
    args->n = set->event_offsets[batch->event_end] - first;
    if (args->n >= (size_t)1 << 31) {
        tool_fail(TOOL_INPUT, "an event of %zu digis: fewer than 2147483648 are possible", args->n);
        return false;
    }
    args->n_events = batch->event_end - batch->event_begin;
    for (size_t e = 0; e <= args->n_events; e++)
        event_offsets[e] = (uint32_t)(set->event_offsets[batch->event_begin + e] - first);
    args->event_offsets = event_offsets;
    args->duplicates = (mote_pixels_duplicates)options->duplicates;
    args->strategy = (mote_pixels_strategy)options->strategy;
    args->connectivity = options->connectivity;
    set_digis(set, first, batch->file->label, args);
    args->mask = batch->file->modules.mask;
    args->gain = batch->file->modules.gain;
    args->pedestal = batch->file->modules.pedestal;
    args->morph = batch->file->modules.morph;
    args->morph_dilation = options->morph_elements[0];
    args->morph_erosion = options->morph_elements[1];
    if (set_cuts(options, set, first, args))
        return true;
    tool_fail(TOOL_INPUT, "out of memory for %zu digi%s", args->n, tool_plural(args->n));
    return false;
}

static bool call_library(device_worker *w, const clusters_options *options, clusters_batch *batch,
                         mote_pixels_host_result *result)
{
    size_t n_events = batch->event_end - batch->event_begin;
    uint32_t *event_offsets = malloc((n_events + 1) * sizeof(*event_offsets));
    mote_pixels_host_args args;
    if (!event_offsets)
        return failure_set(&w->failure, TOOL_INPUT, "out of memory for offsets of events");
    bool good = set_args(options, batch, event_offsets, &args);
    if (good) {
        double start = tool_seconds();
        mote_status status = mote_pixels_cluster_host(w->ctx, w->host, &args, result);
        w->device_s += tool_seconds() - start;
        good = !status || failure_of_library(&w->failure, status);
    }
    if (good && !clusters_count_dropped(options, batch, args.adc_threshold))
        good = failure_set(&w->failure, TOOL_INPUT, "out of memory for counts of digis");
    free(event_offsets);
    return good;
}

static void count_batch(clusters_batch *batch)
{
    const mote_pixels_host_result *result = batch->result;
    const size_t *offsets = batch->file->digis.event_offsets;
    size_t n_events = batch->event_end - batch->event_begin;
    batch->counts.digis = offsets[batch->event_end] - offsets[batch->event_begin];
    batch->counts.events = n_events;
    batch->counts.clusters = result->n_clusters;
    for (size_t k = 0; k < n_events * result->n_modules; k++)
        batch->counts.modules += result->cluster_start[k + 1] != result->cluster_start[k];
}

/* Labels of digis that are not in the order of the input wait for the whole file. */
static bool make_lines(const clusters_job *job, clusters_batch *batch)
{
    const digi_set *set = &batch->file->digis;
    size_t begin = set->event_offsets[batch->event_begin];
    size_t end = set->event_offsets[batch->event_end];
    bool good = true;
    if (job->outs[OUT_CLUSTERS])
        good = job->options->acts ? clusters_measurement_lines(job->options, batch)
                                  : clusters_cluster_lines(batch);
    if (good && job->outs[OUT_LABELS] && !set->place)
        good = clusters_label_lines(batch->file, begin, end, &batch->lines[OUT_LABELS]);
    if (good && job->outs[OUT_SVG])
        good = clusters_picture_look(job->options, batch);
    if (good && job->outs[OUT_SVG_EVENT])
        good = clusters_sheet_look(job->options, batch);
    return good;
}

bool clusters_work(device_worker *w, size_t slot)
{
    const clusters_job *job = w->workers->job;
    clusters_batch *batch = &job->batches[slot];
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    batch->counts = (clusters_counts){0};
    if (!call_library(w, job->options, batch, &result))
        return false;
    batch->result = &result;
    count_batch(batch);
    bool good = make_lines(job, batch);
    batch->result = NULL;
    return good || failure_set(&w->failure, TOOL_OUTPUT, "out of memory for lines of results");
}
