/* SPDX-License-Identifier: Apache-2.0 */
/* --part: the frames of all inputs are counted first, then one share of them is computed. */
#include "job.h"

#include "../common/share.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static int check_inputs(const coordination_options *options)
{
    struct stat info;
    for (size_t i = 0; i < options->n_inputs; i++) {
        const char *path = options->inputs[i];
        bool is_stdin = strcmp(path, "-") == 0;
        if (is_stdin ||
            (stat(path, &info) == 0 && !S_ISDIR(info.st_mode) && !S_ISREG(info.st_mode)))
            return tool_fail(TOOL_USAGE, "--part reads its inputs twice: %s must be a regular file",
                             is_stdin ? "standard input" : path);
    }
    return TOOL_GO_ON;
}

/* Frames of the inputs, up to --end. */
static int count_frames(const coordination_options *options, uint64_t *count)
{
    coordination_options all = *options;
    coordination_job job = {.options = &all,
                            .counting = true,
                            .input = -1,
                            .wake = {-1, -1},
                            .read_failure.code = TOOL_GO_ON};
    mote_trajectory_status status = MOTE_TRAJECTORY_FRAME;
    all.names = NULL;
    *count = 0;
    int code = coordination_open(&job);
    while (code == TOOL_GO_ON && status == MOTE_TRAJECTORY_FRAME && *count < options->end) {
        job.trajectory.skip = true;
        status = coordination_next(&job);
        *count += status == MOTE_TRAJECTORY_FRAME;
    }
    if (code == TOOL_GO_ON && job.read_failure.code != TOOL_GO_ON)
        code = tool_fail(job.read_failure.code, "%s", job.read_failure.text);
    coordination_close(&job);
    return code;
}

typedef struct list_files {
    uint64_t *run;
    size_t list, file; /* number of the list, and of the file within it */
} list_files;

static int add_list_file(void *user, const char *path)
{
    list_files *files = user;
    char name[64];
    snprintf(name, sizeof(name), "group %zu, file %zu", files->list, files->file++);
    return share_add_file(files->run, name, path);
}

/* Options with files are not part of the run's number; the contents of the files are. */
static int make_run(coordination_job *job)
{
    const coordination_options *options = job->options;
    job->run = options->common.run;
    for (size_t i = 0; i < options->n_inputs; i++)
        share_add_input(&job->run, i, options->inputs[i]);
    int code = share_add_file(&job->run, "names", options->names);
    if (code == TOOL_GO_ON)
        code = share_add_file(&job->run, "plumed", options->plumed_file);
    for (size_t i = 0; i < 2 * options->n_cvs && code == TOOL_GO_ON; i++) {
        const coordination_cv *cv = &options->cvs[i / 2];
        list_files files = {&job->run, i, 0};
        code = group_files(i % 2 ? &cv->group_b : &cv->group_a, add_list_file, &files);
    }
    return code;
}

int coordination_take_part(coordination_job *job, bool *empty)
{
    coordination_options *options = job->options;
    uint64_t count, begin, end;
    if (!options->part.n)
        return TOOL_GO_ON;
    double start = tool_seconds();
    int code = check_inputs(options);
    if (code == TOOL_GO_ON)
        code = count_frames(options, &count);
    job->timing.read_s += tool_seconds() - start;
    if (code != TOOL_GO_ON || count <= options->begin)
        return code; /* a run without a frame says so */
    if (count < options->end)
        options->end = count;
    job->total = (options->end - options->begin - 1) / options->stride + 1;
    part_range(&options->part, job->total, &begin, &end);
    *empty = begin == end;
    if (end < job->total)
        options->end = options->begin + end * options->stride;
    options->begin += begin * options->stride;
    return make_run(job);
}
