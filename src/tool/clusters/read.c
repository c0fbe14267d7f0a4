/* SPDX-License-Identifier: Apache-2.0 */
/* The reading thread: files, cut into batches of events that devices can share. */
#include "job.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DIGIS ((size_t)1 << 19)   /* of a batch, unless an event has more */
#define MOST_SLOTS ((uint64_t)1 << 26) /* events x modules of a call */

void clusters_file_free(clusters_file *file)
{
    if (file) {
        modules_arrays_free(&file->modules);
        digi_set_free(&file->digis);
        free(file->label);
    }
    free(file);
}

uint64_t clusters_event(const clusters_file *file, size_t event)
{
    const uint64_t *number = file->digis.event_number;
    return number ? number[event] : file->first_event + event;
}

/* As many events as fit; at least one. */
static size_t batch_end(const digi_set *set, size_t begin, size_t most)
{
    size_t end = begin + 1;
    while (end < most) {
        size_t digis = set->event_offsets[end + 1] - set->event_offsets[begin];
        /* Ids of 64 bits: there may be as many modules as digis. */
        uint64_t modules = set->module32 ? set->n_modules : digis;
        if (digis > MOST_DIGIS || (end + 1 - begin) * modules > MOST_SLOTS)
            break;
        end++;
    }
    return end;
}

/* Shares are counted before their events are read: somebody may change a file meanwhile. */
static bool is_as_counted(const clusters_job *job, size_t i, const digi_set *set)
{
    if (!job->options->part.n || set->n_events == job->events_of[i])
        return true;
    tool_fail(TOOL_INPUT, "%s: %llu events were counted, but %zu are there",
              job->options->inputs[i], (unsigned long long)job->events_of[i], set->n_events);
    return false;
}

static bool read_file(clusters_job *job, size_t i)
{
    const char *path = job->options->inputs[i];
    clusters_file *file = calloc(1, sizeof(*file));
    if (!file)
        return failure_set(&job->read_failure, TOOL_INPUT, "out of memory");
    double start = tool_seconds();
    int code = digi_read(path, &job->options->digis, &file->digis);
    job->timing.read_s += tool_seconds() - start;
    if (code != TOOL_DONE) {
        free(file);
        return false;
    }
    file->label = malloc((file->digis.n + 1) * sizeof(*file->label));
    if (!file->label) {
        tool_fail(TOOL_INPUT, "out of memory for %zu digis", file->digis.n);
        clusters_file_free(file);
        return false;
    }
    /* Numbers of several files' events need not differ. */
    if (job->options->n_inputs > 1) {
        free(file->digis.event_number);
        file->digis.event_number = NULL;
    }
    if (!job->ignored[0])
        memcpy(job->ignored, file->digis.ignored, sizeof(job->ignored));
    if (!is_as_counted(job, i, &file->digis) ||
        modules_arrange(&job->modules, &file->digis, path, &file->modules) != TOOL_GO_ON) {
        clusters_file_free(file);
        return false;
    }
    file->first_event = job->first_event;
    job->first_event += file->digis.n_events;
    job->reading = file;
    return true;
}

/* The file's events that belong to the share. False: their labels cannot be given apart. */
static bool find_events(const clusters_job *job, const char *path, size_t *begin, size_t *end)
{
    const clusters_file *file = job->reading;
    const digi_set *set = &file->digis;
    *begin = 0;
    *end = set->n_events;
    if (!job->options->part.n)
        return true;
    if (job->begin > file->first_event)
        *begin = job->begin - file->first_event;
    if (job->end - file->first_event < *end)
        *end = job->end - file->first_event;
    if (*end - *begin == set->n_events || !set->place || !job->outs[OUT_LABELS])
        return true;
    tool_fail(TOOL_INPUT,
              "%s: its events lie mixed, so that labels in the order of the input cannot be split "
              "into shares: sort it by event, or leave out --labels",
              path);
    return false;
}

/* Hands the file's events over; false when no more are wanted. */
static bool deal(clusters_job *job, const char *path)
{
    clusters_file *file = job->reading;
    const digi_set *set = &file->digis;
    size_t slot, begin, end;
    if (!find_events(job, path, &begin, &end))
        return false;
    for (size_t e = begin; e < end;) {
        if (!pipeline_fill(&job->pipeline, &slot))
            return false;
        clusters_batch *batch = &job->batches[slot];
        batch->file = file;
        batch->event_begin = e;
        batch->event_end = e = batch_end(set, e, end);
        batch->last = e == end;
        double part = set->n ? (double)set->event_offsets[e] / (double)set->n : 1.0;
        batch->bytes = job->bytes_read + (uint64_t)(part * (double)set->bytes);
        if (batch->last)
            job->reading = NULL; /* the main thread frees it */
        pipeline_filled(&job->pipeline);
    }
    return true;
}

/* An input none of whose events belong to the share is not read again. */
static bool is_foreign(clusters_job *job, size_t i)
{
    if (!job->options->part.n)
        return false;
    uint64_t first = job->first_event, events = job->events_of[i];
    bool foreign = !events || first >= job->end || first + events <= job->begin;
    if (foreign)
        job->first_event += events;
    return foreign;
}

void *clusters_read(void *user)
{
    clusters_job *job = user;
    const clusters_options *options = job->options;
    bool good = true;
    size_t slot;
    tool_keep_failures(&job->read_failure);
    /* A free slot first: files are read no further ahead than there are batches. */
    for (size_t i = 0; i < options->n_inputs && good && pipeline_fill(&job->pipeline, &slot); i++) {
        if (is_foreign(job, i))
            continue;
        good = read_file(job, i);
        uint64_t bytes = good ? job->reading->digis.bytes : 0;
        good = good && deal(job, options->inputs[i]);
        job->bytes_read += bytes;
        if (good && job->reading) { /* it has no events */
            clusters_file_free(job->reading);
            job->reading = NULL;
        }
    }
    tool_keep_failures(NULL);
    pipeline_end(&job->pipeline);
    return NULL;
}
