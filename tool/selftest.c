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
#include <string.h>

/* In the order of running: areas whose kernels take longest to build come last. */
static const selftest_line *const areas[] = {selftest_described, selftest_coordination,
                                             selftest_pixels};
#define AREAS (sizeof(areas) / sizeof(areas[0]))

/* No case begins later than this by default (--time). A case that has begun may build kernels: up
 * to 12 s of CPU time with PoCL 3.1, and 8 s with NVIDIA's compiler. */
#define USUAL_SECONDS 45

/* A case that takes longer is assumed to have built kernels. */
#define QUICK_SECONDS 0.2

/* The passes over all lines: one case of each operation, then the other cases, then variants. */
enum { FIRST_CASES, OTHER_CASES, VARIANTS, PASSES };

typedef struct selftest_job {
    const tool_common *common;
    uint64_t seconds; /* 0 = no limit */
    double deadline;
    pthread_mutex_t lock; /* for what follows */
    size_t n_lines;       /* of all devices */
    double lines_done;    /* parts of lines too */
    uint64_t cases;
} selftest_job;

/* The progress of a line. */
typedef struct line_state {
    size_t next, count, agreed; /* numbers of cases */
    double seconds;
    char *difference; /* message of the case that differed; the line ends with it */
} line_state;

/* A device. Each device has a separate thread, because most of the time is spent waiting for
 * compilers. */
typedef struct device_job {
    selftest_job *job;
    const char *spec;
    FILE *out; /* into `text`, so that its lines stay together */
    char *text;
    size_t length;
    pthread_t thread;
    bool started, differs;
    size_t run; /* number of cases */
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

/* True if time is over. At least one case runs, even if opening the device took all the time. */
static bool is_late(const device_job *d)
{
    return d->job->seconds && d->run && tool_seconds() > d->job->deadline;
}

/* Runs cases of the line until one differs or time is over. With `first`, also stops after a case
 * that agreed and took long enough to have built kernels. It begins in the middle of the table,
 * because most tables begin with empty inputs and end with large ones. */
static void run_cases(device_job *d, selftest_device *device, const selftest_line *line,
                      line_state *state, bool first)
{
    double seconds = 0.0;
    while (state->next < state->count && !state->difference && !is_late(d) &&
           !(first && state->agreed && seconds > QUICK_SECONDS)) {
        double start = tool_seconds();
        size_t k = (state->next++ + state->count / 2) % state->count;
        selftest_outcome outcome = line->check(device, line->which, k);
        state->agreed += outcome == SELFTEST_AGREES;
        d->run += outcome != SELFTEST_NOT_HERE;
        if (outcome == SELFTEST_DIFFERS) {
            d->differs = true;
            state->difference = strdup(device->message);
            if (!state->difference)
                d->code = tool_fail(TOOL_DEVICE, "out of memory");
        }
        advance(d->job, outcome != SELFTEST_NOT_HERE, 1.0 / (double)state->count);
        seconds = tool_seconds() - start;
        state->seconds += seconds;
    }
}

static void run_pass(device_job *d, selftest_device *device, line_state *states, int pass)
{
    for (size_t a = 0; a < AREAS; a++)
        for (const selftest_line *line = areas[a]; line->name; line++, states++)
            if (line->variant == (pass == VARIANTS) && d->code == TOOL_DONE)
                run_cases(d, device, line, states, pass == FIRST_CASES);
}

/* True if cases of the line were left out for lack of time. */
static bool is_cut(const line_state *state)
{
    return state->next < state->count && !state->difference;
}

static void print_line(device_job *d, const char *spec, const selftest_line *line,
                       const line_state *state)
{
    if (is_cut(state) && !state->agreed)
        return; /* print_unchecked() reports this line */
    fprintf(d->out, "%-10s  %-34s  ", spec, line->name);
    if (state->difference)
        fprintf(d->out, "DIFFERS: %s\n", state->difference);
    else if (!state->agreed)
        fprintf(d->out, "not for this device\n");
    else
        fprintf(d->out, "%zu case%s agree%s  (%.1f s)\n", state->agreed, tool_plural(state->agreed),
                state->agreed == 1 ? "s" : "", state->seconds);
}

/* Prints one sentence about the cases that were left out. It names lines without any case, and
 * counts the lines above that ran only some of their cases. */
static void print_unchecked(device_job *d, const char *spec, const line_state *states)
{
    size_t none = 0, some = 0;
    for (size_t a = 0; a < AREAS; a++)
        for (const selftest_line *line = areas[a]; line->name; line++, states++) {
            some += is_cut(states) && states->agreed;
            if (is_cut(states) && !states->agreed && none++ == 0)
                fprintf(d->out, "%-10s  no time was left for %s", spec, line->name);
            else if (is_cut(states) && !states->agreed)
                fprintf(d->out, "; %s", line->name);
        }
    if (some && none)
        fprintf(d->out, "; and for all cases of %zu line%s above", some, tool_plural(some));
    else if (some)
        fprintf(d->out, "%-10s  no time was left for all cases of %zu line%s above", spec, some,
                tool_plural(some));
    if (some || none)
        fprintf(d->out, ". Kernels that are built are kept; --time 0 checks everything.\n");
}

static void print_lines(device_job *d, const char *spec, const line_state *states)
{
    const line_state *state = states;
    for (size_t a = 0; a < AREAS; a++)
        for (const selftest_line *line = areas[a]; line->name; line++)
            print_line(d, spec, line, state++);
    print_unchecked(d, spec, states);
}

static void run_passes(device_job *d, selftest_device *device)
{
    line_state *states = calloc(count_lines(), sizeof(*states)), *state = states;
    if (!states) {
        d->code = tool_fail(TOOL_DEVICE, "out of memory");
        return;
    }
    for (size_t a = 0; a < AREAS; a++)
        for (const selftest_line *line = areas[a]; line->name; line++)
            (state++)->count = line->count(line->which);
    for (int pass = 0; pass < PASSES; pass++)
        run_pass(d, device, states, pass);
    print_lines(d, mote_context_device(device->ctx)->spec, states);
    for (size_t i = 0; i < count_lines(); i++)
        free(states[i].difference);
    free(states);
}

static void check_device(device_job *d)
{
    selftest_device device = {0};
    tool_common common = *d->job->common;
    common.device = d->spec;
    d->code = tool_open_device(&common, &device.ctx);
    if (d->code != TOOL_DONE)
        return;
    mote_status status = mote_context_queue(
        device.ctx, common.profile || common.trace ? CL_QUEUE_PROFILING_ENABLE : 0, &device.queue);
    if (status == MOTE_SUCCESS)
        run_passes(d, &device);
    else
        d->code = tool_fail_library(status);
    if (device.queue)
        clReleaseCommandQueue(device.queue);
    mote_context_release(device.ctx);
}

static void *run_device(void *arg)
{
    device_job *d = arg;
    d->out = open_memstream(&d->text, &d->length);
    if (d->out)
        check_device(d);
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
    }
    return code;
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
    progress_start("case", !job->common->quiet);
    int code = run_jobs(jobs, count, *out);
    progress_end();
    tool_timing timing = {.device_s = tool_seconds() - start};
    if (code == TOOL_DONE) {
        code = out_finish(out, 1);
        *out = NULL;
        tool_timing_print(job->common, "selftest",
                          job->common->device ? job->common->device : "all", &timing);
    }
    if (code == TOOL_DONE && jobs[0].differs)
        code = tool_fail(TOOL_DISAGREE, "a device and the oracle differ");
    free(jobs);
    return code;
}

/* Finds all devices, or those that the options name. */
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

enum { ID_TIME = 300 };

static const tool_option selftest_table[] = {
    {ID_TIME, "time", "SECONDS",
     "begin no case after this number of seconds (default: 45);\n"
     "0: run all cases"},
    {0, NULL, NULL, NULL},
};

static int selftest_option(void *state, int id, const char *value)
{
    selftest_job *job = state;
    (void)id;
    return tool_number("--time", value, 0, UINT32_MAX, &job->seconds);
}

static int selftest_run(const tool_command *self, int argc, char **argv)
{
    tool_common common = {0};
    selftest_job job = {.common = &common, .seconds = USUAL_SECONDS};
    int first;
    int code = tool_parse(self, argc, argv, &common, selftest_option, &job, &first);
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first);
    if (code != TOOL_GO_ON)
        return code;
    out_file *out;
    selftest_described_make();
    job.deadline = tool_seconds() + (double)job.seconds;
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
    .summary = "compare the results of every device with serial code",
    .about =
        "Runs every primitive on every device (or those of -d) with small inputs, compares the\n"
        "results with plain serial code, and prints one line for each primitive and device.\n"
        "Results must agree bit by bit, and coordination numbers within the error of their\n"
        "precision.\n\n"
        "If kernels must be built first, the time may be too short for all cases. Each\n"
        "operation is checked once before its other cases and its variants are checked, and a\n"
        "last line names what was not checked. The exit status is 0 if all cases that ran\n"
        "agree, and 5 if one differs.",
    .examples = "mote selftest\n"
                "mote selftest -d gpu --time 0",
    .options = selftest_table,
    .run = selftest_run,
};
