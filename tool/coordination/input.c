/* SPDX-License-Identifier: Apache-2.0 */
/* Treats the trajectories, one after the other, as one sequence of frames. */
#include "job.h"

#include "../io/in_lines.h"
#include "../io/file_type.h"
#include "../option.h"
#include "../progress.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SILENCE_MS 100 /* if an input delivers nothing for this time, its frames are computed */

/* ---- bytes ----------------------------------------------------------------------------------- */

/* Waits for bytes; false if the run must end instead. */
static bool wait_for_bytes(coordination_job *job)
{
    bool pending = job->filling && job->filling->frames;
    int ready = pending ? in_wait(job->input, job->wake[0], SILENCE_MS) : 0;
    if (pending && ready == 0)
        coordination_hand_over(job);
    if (ready == 0)
        ready = in_wait(job->input, job->wake[0], -1);
    return ready > 0;
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

/* Skips bytes, only within a regular file: beyond its end, no error would be detected. */
static bool leap(void *user, size_t bytes)
{
    coordination_job *job = user;
    struct stat info;
    off_t at = lseek(job->input, 0, SEEK_CUR);
    return at >= 0 && fstat(job->input, &info) == 0 && S_ISREG(info.st_mode) &&
           bytes <= (size_t)(info.st_size > at ? info.st_size - at : 0) &&
           lseek(job->input, (off_t)bytes, SEEK_CUR) >= 0;
}

/* ---- formats --------------------------------------------------------------------------------- */

/* Finds the format by the name's extension, ignoring that of a packed file. Without a known
 * extension, the contents of the file decide. */
static mote_trajectory_format format_of(const char *path)
{
    char ending[16];
    static const struct {
        const char *ending;
        mote_trajectory_format format;
    } others[] = {{".extxyz", MOTE_TRAJECTORY_XYZ},
                  {".ent", MOTE_TRAJECTORY_PDB},
                  {".dump", MOTE_TRAJECTORY_LAMMPS},
                  {".lammpsdump", MOTE_TRAJECTORY_LAMMPS}};
    for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++)
        if (input_ends_with(path, others[k].ending))
            return others[k].format;
    for (int k = 0; k < MOTE_TRAJECTORY_FORMATS; k++) {
        const char *name = mote_trajectory_format_name((mote_trajectory_format)k);
        snprintf(ending, sizeof(ending), ".%s", name);
        if (input_ends_with(path, ending))
            return (mote_trajectory_format)k;
    }
    return MOTE_TRAJECTORY_ANY;
}

/* A file of another kind is rejected by its name, before it is read. */
static int find_format(const coordination_job *job, const char *path,
                       mote_trajectory_format *format)
{
    struct stat info;
    *format = job->options->format;
    if (*format != MOTE_TRAJECTORY_ANY)
        return TOOL_GO_ON;
    *format = format_of(path);
    int code = input_refuse_foreign(path, "convert it to XTC or XYZ, as by gmx trjconv -o x.xtc or "
                                          "by MDAnalysis");
    if (code != TOOL_GO_ON)
        return code;
    if (*format == MOTE_TRAJECTORY_ANY && !input_is_stream(path) && stat(path, &info) == 0 &&
        !S_ISDIR(info.st_mode))
        return tool_fail(TOOL_INPUT,
                         "%s: the name must end in .xyz, .extxyz, .gro, .pdb, .xtc, .trr, .dcd or "
                         ".lammpstrj, or --format say what it is",
                         path);
    return TOOL_GO_ON;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void fail(coordination_job *job, const char *text)
{
    bool usage = job->trajectory.of_option;
    failure_set(&job->read_failure, usage ? TOOL_USAGE : TOOL_INPUT, text);
}

static const char *current_path(const coordination_job *job)
{
    return job->options->inputs[job->current];
}

static void close_file(coordination_job *job)
{
    mote_trajectory_close(&job->trajectory);
    if (job->unpack)
        unpack_close(job->unpack);
    job->unpack = NULL;
    if (job->input > STDIN_FILENO)
        close(job->input);
    job->input = -1;
}

/* Opens the current file; false, with read_failure set, if it cannot be opened. */
static bool open_file(coordination_job *job)
{
    const char *path = current_path(job);
    char text[600];
    bool is_stdin = strcmp(path, "-") == 0;
    mote_trajectory_format format = job->options->format;
    if (format == MOTE_TRAJECTORY_ANY)
        format = format_of(path);
    progress_step(job->counting ? "counting" : "reading", is_stdin ? "standard input" : path);
    job->unpack = unpack_open(take_bytes, leap, job);
    if (!job->unpack) {
        fail(job, "out of memory");
        return false;
    }
    job->input = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    if (job->input < 0) {
        snprintf(text, sizeof(text), "%.480s: cannot be read: %s", path, strerror(errno));
        fail(job, text);
        return false;
    }
    mote_trajectory_open(&job->trajectory, format, is_stdin ? "standard input" : path, unpack_read,
                         job->unpack);
    job->trajectory.lines.leap = unpack_leap;
    job->trajectory.rules = job->options->rules;
    return true;
}

/* The names of all inputs are checked before the first one is read. */
static int check_files(coordination_job *job)
{
    const coordination_options *options = job->options;
    for (size_t i = 0; i < options->n_inputs; i++) {
        const char *path = options->inputs[i];
        mote_trajectory_format format;
        struct stat info;
        if (find_format(job, path, &format) != TOOL_GO_ON)
            return TOOL_INPUT;
        if (strcmp(path, "-") == 0)
            continue;
        if (stat(path, &info) != 0)
            return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", path, strerror(errno));
        if (S_ISREG(info.st_mode) && info.st_size > 0)
            job->bytes_total += (uint64_t)info.st_size;
    }
    return TOOL_GO_ON;
}

int coordination_open(coordination_job *job)
{
    int code = check_files(job);
    if (code != TOOL_GO_ON)
        return code;
    if (pipe(job->wake) != 0)
        return tool_fail(TOOL_INPUT, "no pipe can be made: %s", strerror(errno));
    if (job->options->names && (code = coordination_names(job)) != TOOL_GO_ON)
        return code;
    if (open_file(job))
        return TOOL_GO_ON;
    job->read_failure.code = TOOL_GO_ON;
    return tool_fail(TOOL_INPUT, "%s", job->read_failure.text);
}

void coordination_give_up(coordination_job *job)
{
    close(job->wake[1]);
    job->wake[1] = -1;
}

void coordination_close(coordination_job *job)
{
    close_file(job);
    mote_trajectory_close(&job->named);
    for (int k = 0; k < 2; k++)
        if (job->wake[k] >= 0)
            close(job->wake[k]);
}

/* ---- frames ---------------------------------------------------------------------------------- */

size_t coordination_bytes(const coordination_job *job)
{
    return job->bytes_before + (job->unpack ? unpack_taken(job->unpack) : 0);
}

uint64_t coordination_frame(const coordination_job *job)
{
    return job->frames_before + job->trajectory.frames - 1;
}

/* Reports what is wrong with the frame, or with the compressed data that contain it. */
static void fail_frame(coordination_job *job)
{
    char text[600];
    const char *fault = unpack_fault(job->unpack);
    if (job->given_up)
        return;
    if (fault)
        snprintf(text, sizeof(text), "%.480s: %s", job->trajectory.name, fault);
    fail(job, fault ? text : job->trajectory.message);
}

static const char *unit_name(double unit)
{
    return unit > 0.5 ? "nm" : "Angstrom";
}

/* Notes which unit the lengths of a file without one are read in, if another file or option has
 * one. */
static void note_unit(coordination_job *job)
{
    const double wanted = job->options->rules.unit, unit = wanted > 0.0 ? wanted : job->unit;
    if (job->trajectory.unit <= 0.0 && unit > 0.0 && !*job->note)
        snprintf(job->note, sizeof(job->note),
                 "%.200s states no unit of length: its lengths are read as %s",
                 job->trajectory.name, unit_name(unit));
}

/* Frames of all files have the same number of atoms, and lengths in one unit. */
static bool fits(coordination_job *job)
{
    const mote_trajectory *t = &job->trajectory;
    char text[1200];
    if (job->frames_before == 0 && t->frames == 1) {
        job->unit = t->unit;
        job->n_atoms = t->frame.n_atoms;
    }
    if (t->frames == 1)
        note_unit(job);
    if (t->frames == 1 && t->frame.n_atoms != job->n_atoms) {
        snprintf(text, sizeof(text),
                 "%.480s: its frames have %zu atom%s, but those of %.480s have %zu", t->name,
                 t->frame.n_atoms, tool_plural(t->frame.n_atoms), job->options->inputs[0],
                 job->n_atoms);
        fail(job, text);
        return false;
    }
    if (job->options->rules.unit > 0.0 || t->unit <= 0.0 || job->unit <= 0.0 ||
        t->unit == job->unit)
        return true;
    snprintf(text, sizeof(text),
             "%.480s: its lengths are in %s, but those of %.480s are in %s: give --length-unit",
             t->name, unit_name(t->unit), job->options->inputs[0], unit_name(job->unit));
    fail(job, text);
    return false;
}

static bool open_next(coordination_job *job)
{
    if (job->current + 1 >= job->options->n_inputs)
        return false;
    job->frames_before += job->trajectory.frames;
    job->bytes_before += unpack_taken(job->unpack);
    close_file(job);
    job->current++;
    return open_file(job);
}

mote_trajectory_status coordination_next(coordination_job *job)
{
    mote_trajectory_status status;
    bool skip = job->trajectory.skip;
    while ((status = mote_trajectory_next(&job->trajectory)) == MOTE_TRAJECTORY_END) {
        if (!open_next(job))
            return job->read_failure.code == TOOL_GO_ON ? MOTE_TRAJECTORY_END : MOTE_TRAJECTORY_BAD;
        job->trajectory.skip = skip;
    }
    if (!*job->note)
        snprintf(job->note, sizeof(job->note), "%s", job->trajectory.note);
    if (status == MOTE_TRAJECTORY_BAD)
        fail_frame(job);
    else if (!fits(job))
        status = MOTE_TRAJECTORY_BAD;
    return status;
}
