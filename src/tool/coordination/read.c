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
    job->filling->bytes = unpack_taken(job->unpack);
    pipeline_filled(&job->pipeline);
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

/* By the name's ending, without .gz; names without one that is known are looked into. */
static mote_trajectory_format format_of(const char *path)
{
    char ending[16];
    if (tool_ends_with(path, ".extxyz") || tool_ends_with(path, ".extxyz.gz"))
        return MOTE_TRAJECTORY_XYZ;
    for (int k = 0; k < MOTE_TRAJECTORY_FORMATS; k++) {
        const char *name = mote_trajectory_format_name((mote_trajectory_format)k);
        snprintf(ending, sizeof(ending), ".%s", name);
        if (tool_ends_with(path, ending))
            return (mote_trajectory_format)k;
        snprintf(ending, sizeof(ending), ".%s.gz", name);
        if (tool_ends_with(path, ending))
            return (mote_trajectory_format)k;
    }
    return MOTE_TRAJECTORY_ANY;
}

/* A file of another kind is refused by its name, before it is looked into. */
static int find_format(const coordination_job *job, mote_trajectory_format *format)
{
    static const char *const others[] = {".pdb", ".lammpstrj", ".dump", ".nc", ".tng", ".h5md"};
    const char *path = job->options->input;
    struct stat info;
    *format = job->options->format;
    if (*format != MOTE_TRAJECTORY_ANY)
        return TOOL_GO_ON;
    *format = format_of(path);
    for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++)
        if (tool_ends_with(path, others[k]))
            return tool_fail(TOOL_INPUT,
                             "%s: files of this kind are not read; convert it to XTC or XYZ, as by "
                             "gmx trjconv -o x.xtc or by MDAnalysis",
                             path);
    if (*format == MOTE_TRAJECTORY_ANY && !input_is_stream(path) && stat(path, &info) == 0 &&
        !S_ISDIR(info.st_mode))
        return tool_fail(TOOL_INPUT,
                         "%s: the name must end in .xyz, .extxyz, .gro, .xtc, .trr or .dcd, or "
                         "--format say what it is",
                         path);
    return TOOL_GO_ON;
}

int coordination_open(coordination_job *job)
{
    const char *path = job->options->input;
    mote_trajectory_format format;
    struct stat info;
    bool is_stdin = strcmp(path, "-") == 0;
    if (!tool_ends_with(path, ".gz") && input_refuse_packed(path) != TOOL_GO_ON)
        return TOOL_INPUT;
    if (find_format(job, &format) != TOOL_GO_ON)
        return TOOL_INPUT;
    job->unpack = unpack_open(take_bytes, job);
    if (!job->unpack)
        return tool_fail(TOOL_DEVICE, "%s: out of memory", path);
    if (pipe(job->wake) != 0)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    job->input = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    if (job->input < 0)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    if (fstat(job->input, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
        job->bytes_total = (uint64_t)info.st_size;
    mote_trajectory_open(&job->trajectory, format, is_stdin ? "standard input" : path, unpack_read,
                         job->unpack);
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
    unpack_close(job->unpack);
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
    failure_set(&job->read_failure, code, text);
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
        tool_failure *failure = &job->read_failure;
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
    size_t slot;
    if (!pipeline_fill(&job->pipeline, &slot) || !make_batch(job, &job->batches[slot]))
        return false;
    job->filling = &job->batches[slot];
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

/* What is wrong with the frame, or with the packed data that it lies in. */
static void fail_frame(coordination_job *job)
{
    char text[600];
    const char *fault = unpack_fault(job->unpack);
    if (job->given_up)
        return;
    if (fault)
        snprintf(text, sizeof(text), "%.480s: %s", job->trajectory.name, fault);
    fail(job, TOOL_INPUT, fault ? text : job->trajectory.message);
}

/* The next frame that is asked for; the others are passed over. */
static bool next_frame(coordination_job *job)
{
    const coordination_options *options = job->options;
    mote_trajectory *t = &job->trajectory;
    mote_trajectory_status status;
    double start = tool_seconds();
    do {
        if (t->frames >= options->end)
            return false;
        t->skip = t->frames < options->begin || (t->frames - options->begin) % options->stride;
        status = mote_trajectory_next(t);
    } while (status == MOTE_TRAJECTORY_FRAME && t->skip && !job->given_up);
    job->timing.read_s += tool_seconds() - start;
    if (status == MOTE_TRAJECTORY_BAD)
        fail_frame(job);
    return status == MOTE_TRAJECTORY_FRAME;
}

/* The first frame of all that are asked for. */
static bool first_frame(coordination_job *job)
{
    char text[600];
    if (next_frame(job))
        return true;
    if (job->read_failure.code == TOOL_GO_ON && !job->given_up) {
        snprintf(text, sizeof(text),
                 "%.480s: it has %zu frame%s, none of them from --begin to before --end",
                 job->trajectory.name, job->trajectory.frames,
                 tool_plural(job->trajectory.frames));
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
        hand_over(job);
    job->timing.bytes = unpack_taken(job->unpack);
    pipeline_end(&job->pipeline);
    return NULL;
}
