/* SPDX-License-Identifier: Apache-2.0 */
/* mote selftest: every primitive on every device against the serial oracles. */
#include "commands.h"
#include "progress.h"
#include "io/out.h"
#include "selftest/lines.h"

static const selftest_line *const areas[] = {selftest_reduce,       selftest_jagged,
                                             selftest_segments,     selftest_expand,
                                             selftest_coordination, selftest_pixels};
#define AREAS (sizeof(areas) / sizeof(areas[0]))

/* The lines are chosen to need far less where kernels must be built first. A device that is slower
 * still gets no further, and is told so: what has not run has not agreed. */
#define MOST_SECONDS 55.0

typedef struct selftest_job {
    const tool_common *common;
    out_file *out;
    size_t lines_done, n_lines; /* of all devices */
    uint64_t cases;
    double deadline;
    bool differs, incomplete;
} selftest_job;

static size_t count_lines(void)
{
    size_t n = 0;
    for (size_t a = 0; a < AREAS; a++)
        for (const selftest_line *line = areas[a]; line->name; line++)
            n++;
    return n;
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
        job->cases += *outcome != SELFTEST_NOT_HERE;
        double done = (double)job->lines_done + (double)(k + 1) / (double)count;
        progress_show(done / (double)job->n_lines, job->cases);
    }
    return agreed;
}

static void run_line(selftest_job *job, selftest_device *device, const selftest_line *line)
{
    double start = tool_seconds();
    selftest_outcome outcome;
    bool left_out = false;
    size_t agreed = run_cases(job, device, line, &outcome, &left_out);
    double seconds = tool_seconds() - start;
    out_print(job->out, "%-10s  %-34s  ", mote_context_device(device->ctx)->spec, line->name);
    if (outcome == SELFTEST_DIFFERS)
        out_print(job->out, "DIFFERS: %s\n", device->message);
    else if (agreed == 0 && !left_out)
        out_print(job->out, "not for this device\n");
    else
        out_print(job->out, "%zu cases agree%s  (%.1f s)\n", agreed,
                  left_out ? ", the others were left out" : "", seconds);
    job->differs = job->differs || outcome == SELFTEST_DIFFERS;
    job->incomplete = job->incomplete || left_out;
    job->lines_done++;
}

static int run_device(selftest_job *job, const char *spec)
{
    selftest_device device = {0};
    tool_common common = *job->common;
    common.device = spec;
    int code = tool_open_device(&common, &device.ctx);
    if (code != TOOL_DONE)
        return code;
    mote_status status = mote_context_queue(device.ctx, 0, &device.queue);
    if (status != MOTE_SUCCESS)
        code = tool_fail_library(status);
    for (size_t a = 0; a < AREAS && status == MOTE_SUCCESS; a++)
        for (const selftest_line *line = areas[a]; line->name; line++)
            run_line(job, &device, line);
    if (device.queue)
        clReleaseCommandQueue(device.queue);
    mote_context_release(device.ctx);
    return code;
}

static int run_devices(selftest_job *job)
{
    mote_device_info *devices;
    size_t count;
    job->n_lines = count_lines();
    if (job->common->device)
        return run_device(job, job->common->device);
    mote_status status = mote_devices(&devices, &count);
    if (status != MOTE_SUCCESS)
        return tool_fail_library(status);
    int code = count ? TOOL_DONE : tool_no_device();
    job->n_lines *= count;
    for (size_t i = 0; i < count && code == TOOL_DONE; i++)
        code = run_device(job, devices[i].spec);
    mote_devices_free(devices);
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
    selftest_job job = {.common = &common, .deadline = tool_seconds() + MOST_SECONDS};
    code = out_open(common.output, &job.out);
    if (code != TOOL_DONE)
        return code;
    double start = tool_seconds();
    progress_start("cases", !common.quiet);
    code = run_devices(&job);
    progress_hide();
    tool_timing timing = {.device_s = tool_seconds() - start};
    if (code != TOOL_DONE) {
        out_discard(&job.out, 1);
        return code;
    }
    code = out_finish(&job.out, 1);
    tool_timing_print(&common, "selftest", common.device ? common.device : "all", &timing);
    if (code == TOOL_DONE && job.differs)
        return tool_fail(TOOL_DISAGREE, "a device and the oracle differ");
    if (code == TOOL_DONE && job.incomplete)
        return tool_fail(TOOL_DEVICE, "cases were left out because a minute is over; kernels that "
                                      "are built stay: run it again, or one device (-d)");
    return code;
}

const tool_command tool_selftest = {
    .name = "selftest",
    .arguments = "",
    .summary = "compare every device with serial code",
    .about =
        "Runs every primitive on every device (or the one of -d) with small inputs and compares\n"
        "the results with plain serial code, bit by bit. One line for each primitive and device.\n"
        "It ends within a minute. Exit status: 0 when all cases ran and agree, 5 when one "
        "differs,\n"
        "3 when a device was too slow to run them all.",
    .options = NULL,
    .run = selftest_run,
};
