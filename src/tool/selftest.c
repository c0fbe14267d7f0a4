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

/* Building kernels for the first time can take long; later runs find them in the cache. */
#define MOST_SECONDS 45.0

typedef struct selftest_job {
    const tool_common *common;
    out_file *out;
    size_t lines_left; /* of all devices */
    size_t n_lines;
    double deadline;
    bool agrees;
} selftest_job;

/* What one line found. */
typedef struct selftest_result {
    size_t ran, applied; /* cases run, of those that apply */
    const char *differs; /* case, NULL = none */
    char message[400];
} selftest_result;

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

static size_t common_divisor(size_t a, size_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

/* A step that visits all of `count` places, far apart one after the other: a line that runs out of
 * time has then seen cases of every kind. */
static size_t visiting_step(size_t count)
{
    size_t step = count * 5 / 8 + 1;
    while (common_divisor(step, count) != 1)
        step++;
    return step;
}

static void show_progress(const selftest_job *job, size_t i, size_t count)
{
    double done = (double)(job->n_lines - job->lines_left) + (double)i / (double)count;
    progress_show(done / (double)job->n_lines, (uint64_t)(done * (double)count));
}

/* Runs small cases until one differs or the line's share of the time is over. */
static void run_cases(const selftest_job *job, mote_context *ctx, cl_command_queue queue,
                      const selftest_line *line, selftest_result *result)
{
    size_t count = mote_pixels_case_count(), step = visiting_step(count);
    double now = tool_seconds();
    double until = now + (job->deadline - now) / (double)job->lines_left;
    for (size_t i = 0; i < count && !result->differs; i++) {
        const mote_pixels_case *each = mote_pixels_case_at(i * step % count);
        if (!each->small || !applies(each, line))
            continue;
        result->applied++;
        if (result->ran && tool_seconds() > until)
            continue;
        result->ran++;
        if (!mote_pixels_case_check(ctx, queue, each, line->strategy, line->how, result->message,
                                    sizeof(result->message)))
            result->differs = each->name;
        show_progress(job, i, count);
    }
}

static void run_line(selftest_job *job, mote_context *ctx, cl_command_queue queue,
                     const selftest_line *line)
{
    double start = tool_seconds();
    selftest_result result = {0};
    run_cases(job, ctx, queue, line, &result);
    out_print(job->out, "%-10s  %-34s  ", mote_context_device(ctx)->spec, line->name);
    if (result.differs)
        out_print(job->out, "DIFFERS in case %s: %s\n", result.differs, result.message);
    else if (result.ran < result.applied)
        out_print(job->out,
                  "%zu of %zu cases agree  (%.1f s, out of time; the next run is faster)\n",
                  result.ran, result.applied, tool_seconds() - start);
    else
        out_print(job->out, "%zu cases agree  (%.1f s)\n", result.ran, tool_seconds() - start);
    job->agrees = job->agrees && !result.differs;
    job->lines_left--;
}

static void start_lines(selftest_job *job, size_t devices)
{
    job->n_lines = job->lines_left = devices * LINES;
    job->deadline = tool_seconds() + MOST_SECONDS;
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
        start_lines(job, 1);
        return run_device(job, job->common->device);
    }
    mote_status status = mote_devices(&devices, &count);
    if (status != MOTE_SUCCESS)
        return tool_fail_library(status);
    int code = count ? TOOL_DONE : tool_no_device();
    start_lines(job, count);
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
    selftest_job job = {.common = &common, .agrees = true};
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
