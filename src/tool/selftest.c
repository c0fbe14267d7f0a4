/* SPDX-License-Identifier: Apache-2.0 */
/* mote selftest: every primitive on every device against the serial oracles. */
#include "commands.h"
#include "progress.h"
#include "common/devices.h"
#include "io/out.h"
#include "selftest/lines.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static const selftest_line *const areas[] = {selftest_reduce,       selftest_jagged,
                                             selftest_segments,     selftest_expand,
                                             selftest_coordination, selftest_pixels};
#define AREAS (sizeof(areas) / sizeof(areas[0]))

/* The lines are chosen to need far less where kernels must be built first. A device that is slower
 * still gets no further, and says so: a case that has not run has not agreed. */
#define MOST_SECONDS 55.0

typedef struct selftest_job {
    const tool_common *common;
    double deadline;
    pthread_mutex_t lock; /* for what follows */
    size_t n_lines;       /* of all devices */
    double lines_done;    /* parts of lines too */
    uint64_t cases;
} selftest_job;

/* A device. Each has a thread of its own, as compilers are what is waited for most. */
typedef struct device_job {
    selftest_job *job;
    const char *spec;
    FILE *out; /* into `text`, so that its lines stay together */
    char *text;
    size_t length;
    pthread_t thread;
    bool started, differs, incomplete;
    int code;
} device_job;

static size_t count_lines(void)
{
    size_t n = 0;
    for (size_t a = 0; a < AREAS; a++)
        for (const selftest_line *line = areas[a]; line->name; line++)
            n++;
    return n;
}

static void advance(selftest_job *job, bool is_case, double part)
{
    pthread_mutex_lock(&job->lock);
    job->cases += is_case;
    job->lines_done += part;
    progress_show(job->lines_done / (double)job->n_lines, job->cases);
    pthread_mutex_unlock(&job->lock);
}

/* Runs the line's cases until one differs or time is over; returns how many agreed. */
static size_t run_cases(selftest_job *job, selftest_device *device, const selftest_line *line,
                        selftest_outcome *outcome, bool *left_out)
{
    size_t count = line->count(line->which), agreed = 0;
    *outcome = SELFTEST_AGREES;
    for (size_t k = 0; k < count && *outcome != SELFTEST_DIFFERS; k++) {
        if (tool_seconds() > job->deadline) {
            *left_out = true;
            break;
        }
        *outcome = line->check(device, line->which, k);
        agreed += *outcome == SELFTEST_AGREES;
        advance(job, *outcome != SELFTEST_NOT_HERE, 1.0 / (double)count);
    }
    return agreed;
}

static void run_line(device_job *d, selftest_device *device, const selftest_line *line)
{
    double start = tool_seconds();
    selftest_outcome outcome;
    bool left_out = false;
    size_t agreed = run_cases(d->job, device, line, &outcome, &left_out);
    double seconds = tool_seconds() - start;
    fprintf(d->out, "%-10s  %-34s  ", mote_context_device(device->ctx)->spec, line->name);
    if (outcome == SELFTEST_DIFFERS)
        fprintf(d->out, "DIFFERS: %s\n", device->message);
    else if (agreed == 0 && !left_out)
        fprintf(d->out, "not for this device\n");
    else
        fprintf(d->out, "%zu cases agree%s  (%.1f s)\n", agreed,
                left_out ? ", the others were left out" : "", seconds);
    d->differs = d->differs || outcome == SELFTEST_DIFFERS;
    d->incomplete = d->incomplete || left_out;
}

static int run_lines(device_job *d)
{
    selftest_device device = {0};
    tool_common common = *d->job->common;
    common.device = d->spec;
    int code = tool_open_device(&common, &device.ctx);
    if (code != TOOL_DONE)
        return code;
    mote_status status = mote_context_queue(
        device.ctx, common.profile || common.trace ? CL_QUEUE_PROFILING_ENABLE : 0, &device.queue);
    if (status != MOTE_SUCCESS)
        code = tool_fail_library(status);
    for (size_t a = 0; a < AREAS && status == MOTE_SUCCESS; a++)
        for (const selftest_line *line = areas[a]; line->name; line++)
            run_line(d, &device, line);
    if (device.queue)
        clReleaseCommandQueue(device.queue);
    mote_context_release(device.ctx);
    return code;
}

static void *run_device(void *arg)
{
    device_job *d = arg;
    d->out = open_memstream(&d->text, &d->length);
    if (d->out)
        d->code = run_lines(d);
    bool kept = d->out && !ferror(d->out);
    if (!d->out || fclose(d->out) || !kept)
        d->code = tool_fail(TOOL_DEVICE, "out of memory");
    return NULL;
}

/* Runs the devices side by side and prints the lines of one after those of another. */
static int run_jobs(device_job *jobs, size_t count, out_file *out)
{
    int code = TOOL_DONE;
    for (size_t i = 0; i < count; i++)
        jobs[i].started = pthread_create(&jobs[i].thread, NULL, run_device, &jobs[i]) == 0;
    for (size_t i = 0; i < count; i++) {
        if (jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
        else
            run_device(&jobs[i]);
        if (code == TOOL_DONE)
            code = jobs[i].code;
        if (code == TOOL_DONE)
            out_bytes(out, jobs[i].text, jobs[i].length);
        free(jobs[i].text);
        jobs[0].differs = jobs[0].differs || jobs[i].differs;
        jobs[0].incomplete = jobs[0].incomplete || jobs[i].incomplete;
    }
    return code;
}

/* What a run without a failure ends with. */
static int verdict(const device_job *all)
{
    if (all->differs)
        return tool_fail(TOOL_DISAGREE, "a device and the oracle differ");
    if (all->incomplete)
        return tool_fail(TOOL_DEVICE, "cases were left out because a minute is over; kernels that "
                                      "are built stay: run it again, or one device (-d)");
    return TOOL_DONE;
}

static int run_devices(selftest_job *job, const device_list *devices, out_file **out)
{
    size_t count = devices->count;
    device_job *jobs = calloc(count, sizeof(*jobs));
    if (!jobs)
        return tool_fail(TOOL_DEVICE, "out of memory");
    job->n_lines = count * count_lines();
    for (size_t i = 0; i < count; i++)
        jobs[i] = (device_job){.job = job, .spec = devices->specs[i]};
    double start = tool_seconds();
    progress_start("cases", !job->common->quiet);
    int code = run_jobs(jobs, count, *out);
    progress_end();
    tool_timing timing = {.device_s = tool_seconds() - start};
    if (code == TOOL_DONE) {
        code = out_finish(out, 1);
        *out = NULL;
        tool_timing_print(job->common, "selftest",
                          job->common->device ? job->common->device : "all", &timing);
    }
    if (code == TOOL_DONE)
        code = verdict(jobs);
    free(jobs);
    return code;
}

/* All devices, unless some were asked for. */
static int find_devices(selftest_job *job, out_file **out)
{
    device_list devices;
    int code = devices_find(job->common->device ? job->common->device : "*", &devices);
    if (code != TOOL_GO_ON)
        return code;
    code = run_devices(job, &devices, out);
    devices_close(&devices);
    return code;
}

static int selftest_option(void *state, int id, const char *value)
{
    (void)state;
    (void)id;
    (void)value;
    return TOOL_GO_ON;
}

static int selftest_run(const tool_command *self, int argc, char **argv)
{
    tool_common common = {0};
    int first;
    int code = tool_parse(self, argc, argv, &common, selftest_option, NULL, &first);
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    out_file *out;
    selftest_job job = {.common = &common, .deadline = tool_seconds() + MOST_SECONDS};
    code = out_open(common.output, &out);
    if (code != TOOL_DONE)
        return code;
    pthread_mutex_init(&job.lock, NULL);
    code = find_devices(&job, &out);
    pthread_mutex_destroy(&job.lock);
    if (out)
        out_discard(&out, 1);
    return code;
}

const tool_command tool_selftest = {
    .name = "selftest",
    .arguments = "",
    .summary = "compare every device with serial code",
    .about =
        "Runs every primitive on every device (or those of -d) with small inputs and compares\n"
        "the results with plain serial code: bit by bit, coordination numbers within the error\n"
        "of their precision. One line for each primitive and device.\n"
        "It ends within a minute. Exit status: 0 when all cases ran and agree, 5 when one "
        "differs,\n"
        "3 when a device was too slow to run them all.",
    .options = NULL,
    .run = selftest_run,
};
