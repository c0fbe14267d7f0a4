/* SPDX-License-Identifier: Apache-2.0 */
/* The reading thread: it divides files into batches of events that devices can share. */
#include "job.h"
#include "../io/arrays.h"
#include "../progress.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DIGIS ((size_t)1 << 19)   /* digis of a batch, unless an event has more */
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

/* Returns the end of a batch with as many events as fit, at least one. */
static size_t batch_end(const digi_set *set, size_t begin, size_t most)
{
    size_t end = begin + 1;
    while (end < most) {
        size_t digis = set->event_offsets[end + 1] - set->event_offsets[begin];
        /* With 64-bit ids, there may be as many modules as digis. */
        uint64_t modules = set->module32 ? set->n_modules : digis;
        if (digis > MOST_DIGIS || (end + 1 - begin) * modules > MOST_SLOTS)
            break;
        end++;
    }
    return end;
}

/* Shares are counted before their events are read, and a file may change meanwhile. */
static bool is_as_counted(const clusters_job *job, size_t i, uint64_t events)
{
    if (!job->options->part.n || events == job->events_of[i])
        return true;
    tool_fail(TOOL_INPUT, "%s: %llu event%s counted, but %llu found: it has changed meanwhile",
              job->options->inputs[i], (unsigned long long)job->events_of[i],
              tool_plural(job->events_of[i]), (unsigned long long)events);
    return false;
}

/* Takes the set over. False after a message; then the file is freed. */
static bool make_file(clusters_job *job, size_t i, digi_set *set)
{
    clusters_file *file = calloc(1, sizeof(*file));
    size_t n = set->n;
    if (!file) {
        digi_set_free(set);
        return failure_set(&job->read_failure, TOOL_INPUT, "out of memory");
    }
    file->digis = *set;
    file->input = i;
    file->label = malloc((n + 1) * sizeof(*file->label));
    if (!file->label)
        tool_fail(TOOL_INPUT, "out of memory for %zu digi%s", n, tool_plural(n));
    if (!file->label || modules_arrange(&job->modules, &file->digis, job->options->inputs[i],
                                        &file->modules) != TOOL_GO_ON) {
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
    file->first_event = job->first_event;
    job->first_event += file->digis.n_events;
    job->reading = file;
    return true;
}

/* Returns how many of n events, of which the first has the number `first`, come before event
 * `limit`. */
static size_t events_before(uint64_t limit, uint64_t first, size_t n)
{
    if (limit <= first)
        return 0;
    return limit - first < n ? (size_t)(limit - first) : n;
}

/* The events of the batch that belong to the share of --part. False: their labels cannot be given
 * apart. */
static bool find_events(const clusters_job *job, size_t *begin, size_t *end)
{
    const clusters_file *file = job->reading;
    const digi_set *set = &file->digis;
    *begin = 0;
    *end = set->n_events;
    if (!job->options->part.n)
        return true;
    *begin = events_before(job->begin, file->first_event, set->n_events);
    *end = events_before(job->end, file->first_event, set->n_events);
    if (*end - *begin == set->n_events || !set->place || !job->outs[OUT_LABELS])
        return true;
    tool_fail(TOOL_INPUT,
              "%s: its events lie mixed, so that labels in the order of the input cannot be split "
              "into shares: sort it by event, or leave out --labels",
              job->options->inputs[file->input]);
    return false;
}

/* Hands the events over; false when no more are wanted. */
static bool deal(clusters_job *job)
{
    clusters_file *file = job->reading;
    const digi_set *set = &file->digis;
    uint64_t bytes = set->bytes, before = job->bytes_read;
    size_t slot, begin, end;
    if (!find_events(job, &begin, &end))
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
        batch->bytes = before + (uint64_t)(part * (double)bytes);
        if (batch->last)
            job->reading = NULL; /* the main thread frees it */
        pipeline_filled(&job->pipeline);
    }
    job->bytes_read += bytes;
    clusters_file_free(job->reading); /* none of its events are needed */
    job->reading = NULL;
    return true;
}

bool clusters_is_foreign(const clusters_job *job, size_t i, uint64_t first)
{
    if (!job->options->part.n)
        return false;
    uint64_t events = job->events_of[i];
    return !events || first >= job->end || first + events <= job->begin;
}

/* An input without events of the share is not read again. */
static bool pass_over(clusters_job *job, size_t i)
{
    bool foreign = clusters_is_foreign(job, i, job->first_event);
    if (foreign)
        job->first_event += job->events_of[i];
    return foreign;
}

/* Deals the next events of the input. TOOL_GO_ON, TOOL_DONE when there are none, or another
 * code when nothing more is to be read. */
static int read_events(clusters_job *job, size_t i, digi_reader *reader)
{
    digi_set set;
    double start = tool_seconds();
    int code = digi_next(reader, &set);
    job->timing.read_s += tool_seconds() - start;
    if (code != TOOL_GO_ON)
        return code;
    return make_file(job, i, &set) && deal(job) ? TOOL_GO_ON : TOOL_INPUT;
}

static bool read_input(clusters_job *job, size_t i)
{
    digi_reader reader;
    size_t slot, first = job->first_event;
    double start = tool_seconds();
    progress_step("reading", array_name(job->options->inputs[i]));
    int code = digi_open(job->options->inputs[i], &job->options->digis, job->wake[0], &reader);
    job->timing.read_s += tool_seconds() - start;
    /* A free slot is needed first, so that inputs are read no further ahead than there are
     * batches. */
    while (code == TOOL_GO_ON)
        code = pipeline_fill(&job->pipeline, &slot) ? read_events(job, i, &reader) : TOOL_INPUT;
    digi_close(&reader);
    return code == TOOL_DONE && is_as_counted(job, i, job->first_event - first);
}

void *clusters_read(void *user)
{
    clusters_job *job = user;
    const clusters_options *options = job->options;
    bool good = true;
    tool_keep_failures(&job->read_failure);
    for (size_t i = 0; i < options->n_inputs && good; i++)
        good = pass_over(job, i) || read_input(job, i);
    tool_keep_failures(NULL);
    pipeline_end(&job->pipeline);
    return NULL;
}
