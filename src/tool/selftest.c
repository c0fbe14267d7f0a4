/* SPDX-License-Identifier: Apache-2.0 */
/* mote selftest: every primitive on every device against the serial oracles. */
#include "commands.h"
#include "progress.h"
#include "io/out.h"

#include "cases/pixels/cases.h"

/* One primitive, or one way to compute it. */
typedef struct selftest_line {
    const char *name;
    mote_pixels_strategy strategy;
    unsigned how;
} selftest_line;

static const selftest_line lines[] = {
    {"pixels cluster, auto", MOTE_PIXELS_AUTO, 0},
    {"pixels cluster, union_find", MOTE_PIXELS_UNION_FIND, 0},
    {"pixels cluster, histogram", MOTE_PIXELS_HISTOGRAM, 0},
    {"pixels charge_cut, cluster_start", MOTE_PIXELS_AUTO, MOTE_RUN_APART},
};
#define LINES (sizeof(lines) / sizeof(lines[0]))

typedef struct selftest_job {
    const tool_common *common;
    out_file *out;
    size_t n_small, done, total; /* cases: of the table; so far; of all lines and devices */
    bool agrees;
} selftest_job;

static size_t count_small(void)
{
    size_t count = 0;
    for (size_t i = 0; i < mote_pixels_case_count(); i++)
        count += mote_pixels_case_at(i)->small;
    return count;
}

/* Does the case belong to a line? A cut by its own call means the same as the fused one only when
 * the labels tell which charges count. */
static bool applies(const mote_pixels_case *each, const selftest_line *line)
{
    mote_pixels_options options;
    mote_digis digis;
    uint32_t index;
    if (!(line->how & MOTE_RUN_APART))
        return true;
    if (each->options.duplicates == MOTE_DUPLICATES_MAX || each->options.without_adc)
        return false;
    if (!mote_pixels_case_make(each, &digis, &options))
        return true; /* checking it reports the lack of memory */
    bool good = (options.charge_cut || options.charge_cuts) &&
                mote_pixels_find_error(&digis, &options, &index) == MOTE_SUCCESS;
    mote_digis_free(&digis);
    mote_pixels_options_free(&options);
    return good;
}

/* Runs the small cases until one differs. */
static void run_line(selftest_job *job, mote_context *ctx, cl_command_queue queue,
                     const selftest_line *line)
{
    const char *device = mote_context_device(ctx)->spec;
    double start = tool_seconds();
    char message[400];
    bool good = true;
    size_t ran = 0;
    const mote_pixels_case *each = NULL;
    for (size_t i = 0; i < mote_pixels_case_count() && good; i++) {
        each = mote_pixels_case_at(i);
        if (!each->small)
            continue;
        job->done++;
        progress_show((double)job->done / (double)job->total, job->done);
        if (!applies(each, line))
            continue;
        ran++;
        good = mote_pixels_case_check(ctx, queue, each, line->strategy, line->how, message,
                                      sizeof(message));
    }
    if (good)
        out_print(job->out, "%-10s  %-34s  %zu cases agree  (%.1f s)\n", device, line->name, ran,
                  tool_seconds() - start);
    else
        out_print(job->out, "%-10s  %-34s  DIFFERS in case %s: %s\n", device, line->name,
                  each->name, message);
    job->agrees = job->agrees && good;
}

static int run_device(selftest_job *job, const char *spec)
{
    mote_context *ctx;
    tool_common common = *job->common;
    common.device = spec;
    int code = tool_open_device(&common, &ctx);
    if (code != TOOL_DONE)
        return code;
    cl_command_queue queue = NULL;
    mote_status status = mote_context_queue(ctx, 0, &queue);
    if (status != MOTE_SUCCESS)
        code = tool_fail_library(status);
    for (size_t i = 0; i < LINES && status == MOTE_SUCCESS; i++)
        run_line(job, ctx, queue, &lines[i]);
    if (queue)
        clReleaseCommandQueue(queue);
    mote_context_release(ctx);
    return code;
}

static int run_devices(selftest_job *job)
{
    mote_device_info *devices;
    size_t count;
    if (job->common->device) {
        job->total = LINES * job->n_small;
        return run_device(job, job->common->device);
    }
    mote_status status = mote_devices(&devices, &count);
    if (status != MOTE_SUCCESS)
        return tool_fail_library(status);
    int code = count ? TOOL_DONE : tool_no_device();
    job->total = count * LINES * job->n_small;
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
    selftest_job job = {.common = &common, .n_small = count_small(), .agrees = true};
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
    if (code == TOOL_DONE && !job.agrees)
        return tool_fail(TOOL_DISAGREE, "a device and the oracle differ");
    return code;
}

const tool_command tool_selftest = {
    .name = "selftest",
    .arguments = "",
    .summary = "compare every device with serial code",
    .about =
        "Runs every primitive on every device (or the one of -d) with small inputs and compares\n"
        "the results with plain serial code, bit by bit. One line for each primitive and device.",
    .options = NULL,
    .run = selftest_run,
};
