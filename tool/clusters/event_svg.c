/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the event that --svg-event draws, and keeps its digis. */
#include "job.h"

#include <stdlib.h>

/* Returns the requested event of the batch, or the one with the most digis if it has more than the
 * best one so far; event_end if there is none. */
static size_t best_event(const clusters_options *options, const clusters_batch *batch)
{
    const digi_set *set = &batch->file->digis;
    size_t best = batch->event_end, most = 0;
    for (size_t e = batch->event_begin; e < batch->event_end; e++) {
        if (options->has_event && clusters_event(batch->file, e) != options->event)
            continue;
        size_t digis = 0;
        for (size_t i = set->event_offsets[e]; i < set->event_offsets[e + 1]; i++)
            digis += !digi_is_invalid(set, i);
        if (digis > most) {
            most = digis;
            best = e;
        }
    }
    return best;
}

/* Sets start[k] to the number of digis in the modules before k. */
static void count_modules(const clusters_batch *batch, size_t event, size_t *start)
{
    const digi_set *set = &batch->file->digis;
    size_t n_modules = batch->result->n_modules;
    for (size_t k = 0; k <= n_modules + 1; k++)
        start[k] = 0;
    for (size_t i = set->event_offsets[event]; i < set->event_offsets[event + 1]; i++)
        start[clusters_module_slot(batch, i) + 1]++;
    for (size_t k = 0; k < n_modules; k++)
        start[k + 1] += start[k];
}

/* Sorts the digis by module; start[k] becomes the beginning of module k + 1. */
static void place_digis(const clusters_batch *batch, size_t event, size_t *start, svg_pixel *pixels)
{
    const digi_set *set = &batch->file->digis;
    for (size_t i = set->event_offsets[event]; i < set->event_offsets[event + 1]; i++) {
        size_t slot = clusters_module_slot(batch, i);
        if (slot < batch->result->n_modules)
            pixels[start[slot]++] = (svg_pixel){set->x[i], set->y[i], batch->file->label[i]};
    }
}

static bool keep(clusters_batch *batch, size_t event, size_t *start)
{
    const digi_set *set = &batch->file->digis;
    const mote_pixels_host_result *result = batch->result;
    size_t n_modules = result->n_modules, n = 0, begin = 0;
    count_modules(batch, event, start);
    svg_pixel *pixels = malloc((start[n_modules] + 1) * sizeof(*pixels));
    svg_module *modules = malloc((n_modules + 1) * sizeof(*modules));
    batch->sheet.event = (svg_event){.event = clusters_event(batch->file, event),
                                     .rows = set->rows,
                                     .columns = set->columns,
                                     .n = start[n_modules],
                                     .pixels = pixels,
                                     .modules = modules};
    batch->sheet.input = batch->file->input;
    if (!pixels || !modules)
        return false;
    place_digis(batch, event, start, pixels);
    const uint32_t *clusters =
        result->cluster_start + (event - batch->event_begin) * result->n_modules;
    for (size_t k = 0; k < n_modules; begin = start[k++])
        if (start[k] > begin)
            modules[n++] = (svg_module){.module = clusters_module(batch, k),
                                        .n = start[k] - begin,
                                        .pixels = pixels + begin,
                                        .n_clusters = clusters[k + 1] - clusters[k]};
    batch->sheet.event.n_modules = n;
    return true;
}

bool clusters_sheet_look(const clusters_options *options, clusters_batch *batch)
{
    size_t event = best_event(options, batch);
    if (event == batch->event_end)
        return true;
    size_t *start = malloc((batch->result->n_modules + 2) * sizeof(*start));
    bool good = start && keep(batch, event, start);
    free(start);
    return good;
}

int clusters_sheet_draw(clusters_job *job)
{
    const clusters_options *options = job->options;
    svg_event *event = &job->sheet.event;
    if (!event->n && options->has_event)
        return tool_fail(TOOL_INPUT, "--svg-event: event %llu has no digis (events: %llu)",
                         (unsigned long long)options->event,
                         (unsigned long long)job->counts.events);
    double start = tool_seconds();
    int code = svg_draw_event(job->outs[OUT_SVG_EVENT], event);
    job->timing.write_s += tool_seconds() - start;
    return code;
}
