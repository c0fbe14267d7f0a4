/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the module that --svg draws, and keeps its digis. */
#include "job.h"

#include <stdlib.h>

/* Counts the digis of each module of an event. */
static void count_event(const clusters_batch *batch, size_t event, size_t *counts)
{
    const digi_set *set = &batch->file->digis;
    size_t n_modules = batch->result->n_modules;
    for (size_t k = 0; k <= n_modules; k++)
        counts[k] = 0;
    for (size_t i = set->event_offsets[event]; i < set->event_offsets[event + 1]; i++)
        counts[clusters_module_slot(batch, i)]++;
}

/* Keeps the digis of a module instead of those kept before. */
static bool keep(clusters_picture *picture, const clusters_batch *batch, size_t event, size_t slot,
                 size_t digis)
{
    const digi_set *set = &batch->file->digis;
    svg_pixel *pixels = malloc((digis + 1) * sizeof(*pixels));
    if (!pixels)
        return false;
    size_t n = 0;
    for (size_t i = set->event_offsets[event]; i < set->event_offsets[event + 1]; i++)
        if (clusters_module_slot(batch, i) == slot)
            pixels[n++] = (svg_pixel){set->x[i], set->y[i], batch->file->label[i]};
    size_t at = (event - batch->event_begin) * batch->result->n_modules + slot;
    svg_module_free(&picture->module);
    picture->digis = digis;
    picture->input = batch->file->input;
    picture->module = (svg_module){.module = clusters_module(batch, slot),
                                   .rows = set->rows,
                                   .columns = set->columns,
                                   .n = n,
                                   .pixels = pixels,
                                   .n_clusters = batch->result->cluster_start[at + 1] -
                                                 batch->result->cluster_start[at]};
    return true;
}

static bool look_at_event(const clusters_options *options, clusters_batch *batch, size_t event,
                          size_t *counts)
{
    clusters_picture *picture = &batch->picture;
    size_t best = batch->result->n_modules, most = picture->digis;
    count_event(batch, event, counts);
    for (size_t k = 0; k < batch->result->n_modules; k++) {
        if (counts[k] <= most ||
            (options->has_module && clusters_module(batch, k) != options->module))
            continue;
        best = k;
        most = counts[k];
    }
    if (best == batch->result->n_modules)
        return true;
    bool kept = keep(picture, batch, event, best, most);
    picture->module.event = clusters_event(batch->file, event);
    return kept;
}

bool clusters_picture_look(const clusters_options *options, clusters_batch *batch)
{
    size_t *counts = malloc((batch->result->n_modules + 1) * sizeof(*counts));
    bool good = counts != NULL;
    for (size_t e = batch->event_begin; e < batch->event_end && good; e++)
        if (!options->has_event || clusters_event(batch->file, e) == options->event)
            good = look_at_event(options, batch, e, counts);
    free(counts);
    return good;
}

int clusters_picture_draw(clusters_job *job)
{
    const clusters_options *options = job->options;
    svg_module *module = &job->picture.module;
    if (!module->n && options->has_module && options->has_event)
        return tool_fail(TOOL_INPUT, "--svg: module %llu has no digis in event %llu",
                         (unsigned long long)options->module, (unsigned long long)options->event);
    if (!module->n && options->has_module)
        return tool_fail(TOOL_INPUT, "--svg: module %llu has no digis in any event",
                         (unsigned long long)options->module);
    if (!module->n && options->has_event)
        return tool_fail(TOOL_INPUT, "--svg: event %llu has no digis (events: %llu)",
                         (unsigned long long)options->event,
                         (unsigned long long)job->counts.events);
    if (!module->n) {
        module->rows = options->digis.rows ? options->digis.rows : 1;
        module->columns = options->digis.columns ? options->digis.columns : 1;
    }
    const svg_window *window = &options->window;
    if (window->given && (window->x_max >= module->rows || window->y_max >= module->columns))
        return tool_fail(TOOL_INPUT, "--window %u:%u,%u:%u ends outside the module of %ux%u pixels",
                         window->x_min, window->x_max, window->y_min, window->y_max, module->rows,
                         module->columns);
    module->window = *window;
    double start = tool_seconds();
    int code = svg_draw(job->outs[OUT_SVG], module);
    job->timing.write_s += tool_seconds() - start;
    return code;
}
