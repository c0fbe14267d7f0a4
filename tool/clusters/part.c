/* SPDX-License-Identifier: Apache-2.0 */
/* --part: the events of all inputs are counted first, then one share of them is clustered. */
#include "job.h"

#include "../common/share.h"
#include "../progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int count_input(const clusters_job *job, const char *path, uint64_t *count)
{
    struct stat info;
    bool is_stdin = strcmp(path, "-") == 0;
    if (is_stdin || (stat(path, &info) == 0 && !S_ISREG(info.st_mode)))
        return tool_fail(TOOL_USAGE, "--part reads its inputs twice: %s must be a regular file",
                         is_stdin ? "standard input" : path);
    progress_step("counting", path);
    int code = digi_count_events(path, &job->options->digis, count);
    return code == TOOL_DONE ? TOOL_GO_ON : code;
}

int clusters_take_part(clusters_job *job)
{
    const clusters_options *options = job->options;
    int code = TOOL_GO_ON;
    if (!options->part.n)
        return code;
    double start = tool_seconds();
    job->run = options->common.run;
    job->events_of = calloc(options->n_inputs, sizeof(*job->events_of));
    if (!job->events_of)
        return tool_fail(TOOL_INPUT, "out of memory");
    for (size_t i = 0; i < options->n_inputs && code == TOOL_GO_ON; i++) {
        code = count_input(job, options->inputs[i], &job->events_of[i]);
        job->total += job->events_of[i];
        share_add_input(&job->run, i, options->inputs[i]);
    }
    if (code == TOOL_GO_ON)
        code = share_add_file(&job->run, "mask", options->mask);
    if (code == TOOL_GO_ON)
        code = share_add_file(&job->run, "gain", options->gain);
    if (code == TOOL_GO_ON)
        code = share_add_file(&job->run, "morph", options->morph);
    part_range(&options->part, job->total, &job->begin, &job->end);
    job->timing.read_s += tool_seconds() - start;
    return code;
}
