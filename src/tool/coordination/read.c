/* SPDX-License-Identifier: Apache-2.0 */
/* The reading thread: frames of the trajectory, gathered into batches. */
#include "job.h"

#include "../io/kind.h"
#include "../option.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BATCH_ATOMS  ((size_t)1 << 16)
#define BATCH_FRAMES ((size_t)256)
#define SILENCE_MS   100 /* an input that gives nothing for so long has its frames computed */

/* ---- bytes
 * --------------------------------------------------------------------------------------- */

static void hand_over(coordination_job *job)
{
    job->filling->bytes = job->trajectory.lines.bytes;
    ring_pass(&job->ring, RING_READ);
    job->filling = NULL;
}

/* Waits for bytes; false when the run is to end instead. */
static bool wait_for_bytes(coordination_job *job)
{
    struct pollfd states[] = {{.fd = job->input, .events = POLLIN}, {.fd = job->wake[0]}};
    bool pending = job->filling && job->filling->frames;
    int ready = pending ? poll(states, 2, SILENCE_MS) : 0;
    if (pending && ready == 0)
        hand_over(job);
    while (ready == 0 || (ready < 0 && errno == EINTR))
        ready = poll(states, 2, -1);
    return !states[1].revents;
}

static long take_bytes(void *user, char *to, size_t bytes)
{
    coordination_job *job = user;
    if (wait_for_bytes(job))
        return read(job->input, to, bytes);
    job->given_up = true;
    errno = ECANCELED;
    return -1;
}

static bool find_format(const char *path, mote_trajectory_format *format)
{
    *format = tool_ends_with(path, ".gro") ? MOTE_TRAJECTORY_GRO : MOTE_TRAJECTORY_XYZ;
    struct stat info;
    return *format == MOTE_TRAJECTORY_GRO || tool_ends_with(path, ".xyz") ||
           tool_ends_with(path, ".extxyz") || input_is_stream(path) || stat(path, &info) != 0 ||
           S_ISDIR(info.st_mode);
}

int coordination_open(coordination_job *job)
{
    const char *path = job->options->input;
    mote_trajectory_format format;
    struct stat info;
    bool is_stdin = strcmp(path, "-") == 0;
    if (input_refuse_packed(path) != TOOL_GO_ON)
        return TOOL_INPUT;
    if (!find_format(path, &format))
        return tool_fail(TOOL_INPUT, "%s: the name must end in .xyz, .extxyz or .gro", path);
    if (pipe(job->wake) != 0)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    job->input = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    if (job->input < 0)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (fstat(job->input, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
        job->bytes_total = (uint64_t)info.st_size;
    mote_trajectory_open(&job->trajectory, format, is_stdin ? "standard input" : path, take_bytes,
                         job);
    job->trajectory.ignore_boxes = job->options->no_pbc;
    return TOOL_GO_ON;
}

void coordination_give_up(coordination_job *job)
{
    close(job->wake[1]);
    job->wake[1] = -1;
}

void coordination_close(coordination_job *job)
{
    mote_trajectory_close(&job->trajectory);
    if (job->input > STDIN_FILENO)
        close(job->input);
    for (int k = 0; k < 2; k++)
        if (job->wake[k] >= 0)
            close(job->wake[k]);
}

/* ---- batches
 * ------------------------------------------------------------------------------------- */

static void fail(coordination_job *job, int code, const char *text)
{
    job->read_failure.code = code;
    snprintf(job->read_failure.text, sizeof(job->read_failure.text), "%s", text);
}

/* Lists and lengths of batches, once the number of atoms is known. */
static bool begin(coordination_job *job)
{
    coordination_options *options = job->options;
    coordination_group *groups[] = {&options->group_a, &options->group_b};
    size_t n_atoms = job->trajectory.frame.n_atoms;
    job->n_atoms = n_atoms;
    job->entries = options->group_a.n_ranges ? 0 : n_atoms;
    for (int k = 0; k < 2; k++) {
        coordination_failure *failure = &job->read_failure;
        if (!groups[k]->n_ranges)
            continue;
        int code = group_expand(groups[k], n_atoms, failure->text, sizeof(failure->text));
        if (code != TOOL_GO_ON) {
            failure->code = code;
            return false;
        }
        job->entries += groups[k]->count;
    }
    size_t a = options->group_a.count, b = options->group_b.count;
    if (options->pair && a != b) {
        char text[160];
        snprintf(text, sizeof(text),
                 "--pair needs two lists of one length, but --group-a has %zu "
                 "atom%s and --group-b has %zu",
                 a, tool_plural(a), b);
        fail(job, TOOL_USAGE, text);
        return false;
    }
    size_t most = n_atoms > job->entries ? n_atoms : job->entries;
    job->most_frames = most > BATCH_ATOMS ? 1 : most ? BATCH_ATOMS / most : BATCH_FRAMES;
    if (job->most_frames > BATCH_FRAMES)
        job->most_frames = BATCH_FRAMES;
    return true;
}

/* Memory of one array, unless it is there or not wanted. */
static bool reserve(double **array, bool wanted, size_t frames, size_t each)
{
    if (!wanted || *array)
        return true;
    *array = each < SIZE_MAX / 16 / frames ? malloc((frames * each + 1) * sizeof(double)) : NULL;
    return *array != NULL;
}

static bool make_batch(coordination_job *job, coordination_batch *batch)
{
    const coordination_options *options = job->options;
    size_t n_atoms = job->n_atoms, frames = job->most_frames;
    bool derivatives = options->derivatives, per_atom = options->per_atom;
    batch->frames = 0;
    if (reserve(&batch->positions, true, frames, 3 * n_atoms) &&
        reserve(&batch->box, true, frames, 9) && reserve(&batch->time, true, frames, 1) &&
        reserve(&batch->value, true, frames, 1) &&
        reserve(&batch->virial, options->virial, frames, 9) &&
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

/* Room for one more frame of this kind of box; false when there is none to be had. */
static bool make_room(coordination_job *job)
{
    coordination_batch *batch = job->filling;
    if (batch && batch->frames && batch->pbc != job->trajectory.frame.pbc)
        hand_over(job);
    if (job->filling)
        return true;
    batch = ring_next(&job->ring, RING_READ);
    if (!batch || !make_batch(job, batch))
        return false;
    job->filling = batch;
    return true;
}

static void keep_frame(coordination_job *job)
{
    const mote_trajectory_frame *frame = &job->trajectory.frame;
    coordination_batch *batch = job->filling;
    size_t k = batch->frames++;
    batch->pbc = frame->pbc;
    batch->time[k] = frame->has_time ? frame->time : (double)(job->trajectory.frames - 1);
    memcpy(batch->box + 9 * k, frame->box, sizeof(frame->box));
    if (frame->n_atoms)
        memcpy(batch->positions + 3 * k * frame->n_atoms, frame->positions,
               3 * frame->n_atoms * sizeof(double));
    if (batch->frames == job->most_frames)
        hand_over(job);
}

static bool next_frame(coordination_job *job)
{
    double start = tool_seconds();
    mote_trajectory_status status = mote_trajectory_next(&job->trajectory);
    job->timing.read_s += tool_seconds() - start;
    if (status == MOTE_TRAJECTORY_BAD && !job->given_up)
        fail(job, TOOL_INPUT, job->trajectory.message);
    return status == MOTE_TRAJECTORY_FRAME;
}

void *coordination_read(void *user)
{
    coordination_job *job = user;
    bool good = next_frame(job) && begin(job);
    while (good && make_room(job)) {
        keep_frame(job);
        good = next_frame(job);
    }
    if (job->filling && job->filling->frames)
        hand_over(job);
    job->timing.bytes = job->trajectory.lines.bytes;
    ring_end(&job->ring, RING_READ);
    return NULL;
}
