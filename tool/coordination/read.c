/* SPDX-License-Identifier: Apache-2.0 */
/* The reading thread: it collects frames of the trajectories in batches. */
#include "job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH_ATOMS  ((size_t)1 << 16)
#define BATCH_FRAMES ((size_t)256)

void coordination_hand_over(coordination_job *job)
{
    job->filling->bytes = coordination_bytes(job);
    pipeline_filled(&job->pipeline);
    job->filling = NULL;
}

static void fail(coordination_job *job, int code, const char *text)
{
    failure_set(&job->read_failure, code, text);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Returns the source of names: the file of --names, else the trajectory itself. */
static const mote_trajectory *names_of(coordination_job *job)
{
    char text[1200];
    const mote_trajectory *named = &job->named;
    if (!job->options->names)
        return &job->trajectory;
    if (named->frame.n_atoms == job->n_atoms)
        return named;
    snprintf(text, sizeof(text), "%.480s has %zu atom%s, but the frames of %.480s have %zu",
             named->name, named->frame.n_atoms, tool_plural(named->frame.n_atoms),
             job->trajectory.name, job->n_atoms);
    fail(job, TOOL_INPUT, text);
    return NULL;
}

/* Expands the lists of one number, once the number of atoms is known. */
static bool expand(coordination_job *job, coordination_cv *cv, const mote_trajectory *named)
{
    coordination_group *groups[] = {&cv->group_a, &cv->group_b};
    if (cv->behind) {
        cv->entries = cv_lists(cv)->entries;
        return true;
    }
    cv->entries = cv->group_a.n_ranges ? 0 : job->n_atoms;
    for (int k = 0; k < 2; k++) {
        tool_failure *failure = &job->read_failure;
        if (!groups[k]->n_ranges)
            continue;
        int code = group_expand(groups[k], named, failure->text, sizeof(failure->text));
        if (code != TOOL_GO_ON) {
            failure->code = code;
            return false;
        }
        cv->entries += groups[k]->count;
    }
    size_t a = cv->group_a.count, b = cv->group_b.count;
    if (!cv->pair || a == b)
        return true;
    char text[500];
    snprintf(text, sizeof(text),
             "--pair needs two lists of one length, but %s has %zu atom%s and %s has %zu",
             cv->group_a.where, a, tool_plural(a), cv->group_b.where, b);
    fail(job, cv->group_a.code, text);
    return false;
}

/* Expands lists and chooses lengths of batches. */
static bool begin(coordination_job *job)
{
    coordination_options *options = job->options;
    const mote_trajectory *named = names_of(job);
    for (size_t c = 0; c < options->n_cvs && named; c++) {
        options->cvs[c].first = job->entries;
        if (!expand(job, &options->cvs[c], named))
            return false;
        job->entries += options->cvs[c].entries;
        job->numbers += options->cvs[c].behind ? 0 : options->cvs[c].entries;
        job->functions = job->functions || options->cvs[c].component.kind != COMPONENT_NONE;
    }
    size_t n_atoms = job->n_atoms, most = n_atoms > job->entries ? n_atoms : job->entries;
    job->most_frames = most > BATCH_ATOMS ? 1 : most ? BATCH_ATOMS / most : BATCH_FRAMES;
    if (job->most_frames > BATCH_FRAMES)
        job->most_frames = BATCH_FRAMES;
    return named != NULL;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Allocates one array, unless it exists or is not needed. */
static bool reserve(double **array, bool wanted, size_t frames, size_t each)
{
    if (!wanted || *array)
        return true;
    *array = each < SIZE_MAX / 16 / frames ? malloc((frames * each + 1) * sizeof(double)) : NULL;
    return *array != NULL;
}

/* A frame that fills a batch is handed over as it lies, so that large ones are not in memory twice.
 * Atoms of DCD that do not move remain with the reader. */
static bool is_handed_over(const coordination_job *job)
{
    return job->most_frames == 1 && !job->trajectory.dcd.free_atoms;
}

static bool make_batch(coordination_job *job, coordination_batch *batch)
{
    const coordination_options *options = job->options;
    size_t n_atoms = job->n_atoms, frames = job->most_frames, n_cvs = options->n_cvs;
    bool derivatives = options->derivatives, per_atom = options->per_atom || job->functions;
    batch->frames = 0;
    batch->timed = true;
    if (!batch->number)
        batch->number = malloc(frames * sizeof(*batch->number));
    if (batch->number && reserve(&batch->positions, !is_handed_over(job), frames, 3 * n_atoms) &&
        reserve(&batch->box, true, frames, 9) && reserve(&batch->time, true, frames, 1) &&
        reserve(&batch->value, true, frames, n_cvs) &&
        reserve(&batch->virial, options->virial, frames, 9 * n_cvs) &&
        reserve(&batch->derivatives, derivatives, frames, 3 * job->entries) &&
        reserve(&batch->coordination, per_atom, frames, job->entries))
        return true;
    char text[160];
    size_t each =
        3 * n_atoms + (derivatives ? 3 * job->entries : 0) + (per_atom ? job->entries : 0);
    snprintf(text, sizeof(text), "out of memory: %zu frame%s of %zu atoms need %.4g MB", frames,
             tool_plural(frames), n_atoms, 8e-6 * (double)frames * (double)each);
    fail(job, TOOL_INPUT, text);
    return false;
}

/* Makes room for one more frame with this kind of box; false if there is none. */
static bool make_room(coordination_job *job)
{
    coordination_batch *batch = job->filling;
    const mote_trajectory_frame *frame = &job->trajectory.frame;
    if (batch && batch->frames && (batch->pbc != frame->pbc || batch->periodic != frame->periodic))
        coordination_hand_over(job);
    if (job->filling)
        return true;
    size_t slot;
    if (!pipeline_fill(&job->pipeline, &slot) || !make_batch(job, &job->batches[slot]))
        return false;
    job->filling = &job->batches[slot];
    return true;
}

static void keep_positions(coordination_job *job, coordination_batch *batch, size_t k)
{
    mote_trajectory *t = &job->trajectory;
    size_t count = 3 * job->n_atoms;
    if (is_handed_over(job)) {
        double *used = batch->positions;
        batch->positions = t->frame.positions;
        t->frame.positions = used;
        t->reserved = used ? job->n_atoms : 0;
    } else if (count) {
        memcpy(batch->positions + k * count, t->frame.positions, count * sizeof(double));
    }
}

static void keep_frame(coordination_job *job)
{
    const mote_trajectory_frame *frame = &job->trajectory.frame;
    const coordination_options *options = job->options;
    coordination_batch *batch = job->filling;
    size_t k = batch->frames++;
    batch->pbc = frame->pbc;
    batch->periodic = frame->periodic;
    batch->number[k] = coordination_frame(job);
    batch->time[k] = frame->has_time ? frame->time : (double)batch->number[k];
    batch->timed = batch->timed && frame->has_time;
    if (frame->has_time && options->time_scale > 0.0)
        batch->time[k] *= options->time_scale;
    memcpy(batch->box + 9 * k, frame->box, sizeof(frame->box));
    keep_positions(job, batch, k);
    if (batch->frames == job->most_frames)
        coordination_hand_over(job);
}

/* Only one image of each pair counts, even if several are within d_max: this is reported once, at
 * the end.
 */
static void warn(coordination_job *job)
{
    const coordination_options *options = job->options;
    double half = 0.5 * mote_trajectory_height(&job->trajectory.frame);
    for (size_t c = 0; c < options->n_cvs && !job->warned; c++) {
        const coordination_cv *cv = &options->cvs[c];
        if (cv->no_pbc || !(cv->function.d_max > half))
            continue;
        job->warned = true;
        snprintf(job->warning, sizeof(job->warning),
                 "warning: frame %llu: the d_max of %.100s, %g, is more than half the box, %g: one "
                 "image of each pair counts",
                 (unsigned long long)coordination_frame(job), cv->label, cv->function.d_max, half);
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Reads the next requested frame; other frames are skipped. */
static bool next_frame(coordination_job *job)
{
    const coordination_options *options = job->options;
    mote_trajectory_status status;
    double start = tool_seconds();
    do {
        uint64_t next = coordination_frame(job) + 1;
        if (next >= options->end)
            return false;
        job->trajectory.skip = next < options->begin || (next - options->begin) % options->stride;
        status = coordination_next(job);
    } while (status == MOTE_TRAJECTORY_FRAME && job->trajectory.skip && !job->given_up);
    job->timing.read_s += tool_seconds() - start;
    if (status == MOTE_TRAJECTORY_FRAME && !job->warned && !job->given_up)
        warn(job);
    return status == MOTE_TRAJECTORY_FRAME;
}

/* Reads the first requested frame. */
static bool first_frame(coordination_job *job)
{
    char text[600];
    if (next_frame(job))
        return true;
    if (job->read_failure.code == TOOL_GO_ON && !job->given_up) {
        size_t frames = (size_t)coordination_frame(job) + 1;
        snprintf(text, sizeof(text),
                 "%.480s: %s %zu frame%s, none of them from --begin to before --end",
                 job->trajectory.name, job->current ? "up to its end there are" : "it has", frames,
                 tool_plural(frames));
        fail(job, TOOL_INPUT, text);
    }
    return false;
}

void *coordination_read(void *user)
{
    coordination_job *job = user;
    bool good = first_frame(job) && begin(job);
    while (good && make_room(job)) {
        keep_frame(job);
        good = next_frame(job);
    }
    if (job->filling && job->filling->frames)
        coordination_hand_over(job);
    job->timing.bytes = coordination_bytes(job);
    pipeline_end(&job->pipeline);
    return NULL;
}
