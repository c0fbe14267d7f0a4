/* SPDX-License-Identifier: Apache-2.0 */
/* mote tune: measures the best tuning values for a device, and stores them for every program. */
#include "commands.h"
#include "io/out.h"
#include "progress.h"
#include "tune/file.h"
#include "tune/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ID_SECONDS = 300 };

static const tool_option tune_table[] = {
    {'o', "output", "FILE", "the tune file (default: the file that programs read, see above)"},
    {ID_SECONDS, "seconds", "N", "stop measuring after N seconds (default: 60)"},
    {0, NULL, NULL, NULL},
};

#define MOST_VALUES 2048

typedef struct tune_job {
    tool_common common;
    uint64_t seconds;
    char *path; /* path of the tune file */
    char *old;  /* its previous text */
    mote_device_info device;
    char values[MOST_VALUES]; /* that are faster */
} tune_job;

static int tune_option(void *state, int id, const char *value)
{
    tune_job *job = state;
    (void)id;
    return tool_number("--seconds", value, 1, 3600, &job->seconds);
}

/* The library reads plain text from a regular file. */
static int check_output(const char *path)
{
    if (tool_ends_with(path, ".gz"))
        return tool_fail(TOOL_USAGE, "-o %s: a tune file is not packed", path);
    if (strncmp(path, "/dev/", 5) == 0)
        return tool_fail(TOOL_USAGE,
                         "-o %s: the tune file must be a regular file; the table of gains goes to "
                         "standard output",
                         path);
    return TOOL_DONE;
}

/* Chooses -o, or else the file that the library reads. */
static int choose_path(tune_job *job)
{
    if (job->common.output && check_output(job->common.output) != TOOL_DONE)
        return TOOL_USAGE;
    if (job->common.output) {
        job->path = strdup(job->common.output);
        return job->path ? TOOL_DONE : tool_fail(TOOL_DEVICE, "out of memory");
    }
    size_t length = mote_tune_path(NULL, 0);
    if (!length)
        return tool_fail(TOOL_USAGE, "no tune file is read here (MOTE_TUNE_FILE is empty, or HOME "
                                     "is not set): name one with -o");
    job->path = malloc(length + 1);
    if (!job->path)
        return tool_fail(TOOL_DEVICE, "out of memory");
    mote_tune_path(job->path, length + 1);
    tune_file_folders(job->path);
    return TOOL_DONE;
}

static int find_device(tune_job *job)
{
    mote_context *ctx;
    int code = tool_open_device(&job->common, &ctx);
    if (code != TOOL_DONE)
        return code;
    job->device = *mote_context_device(ctx);
    mote_context_release(ctx);
    return TOOL_DONE;
}

static bool is_for(const tune_job *job, const tune_group *group)
{
    return group->device_class == job->device.device_class;
}

static void report(const tune_group *group, const tune_found *found)
{
    if (!found->timed)
        printf("%-24s  not measured: no time was left, --seconds N gives more\n", group->name);
    else if (*found->text)
        printf("%-24s  %12.1f  %12.1f  %7.1f %%  %s\n", group->name, found->usual_us, found->us,
               100.0 * (found->usual_us / found->us - 1.0), found->text);
    else
        printf("%-24s  %12.1f  %12s  %9s  %s\n", group->name, found->usual_us, "-", "-",
               found->lost ? "none: what was faster is slower on other data"
                           : "none: no other is 5 % faster");
    if (found->wrong)
        printf("%-24s  values tried that calls refuse or that give other results: %u\n", "",
               found->wrong);
}

static void keep(tune_job *job, const char *text)
{
    size_t used = strlen(job->values);
    if (*text)
        snprintf(job->values + used, MOST_VALUES - used, "%s%s", used ? "," : "", text);
}

/* The remaining time is shared among the remaining groups. */
static int measure(tune_job *job)
{
    double start = tool_seconds(), end = start + (double)job->seconds;
    size_t count = 0, done = 0;
    int code = TOOL_DONE;
    for (const tune_group *group = tune_groups; group->name; group++)
        count += is_for(job, group);
    printf("%s (%s, driver %s)\n%-24s  %12s  %12s  %9s  %s\n", job->device.name,
           job->device.platform, job->device.driver, "call", "default, us", "tuned, us",
           "faster by", "values");
    progress_start(NULL, !job->common.quiet);
    for (const tune_group *group = tune_groups; group->name && code == TOOL_DONE; group++) {
        tune_found found = {0};
        double now = tool_seconds();
        if (!is_for(job, group))
            continue;
        progress_step("measuring", group->name);
        progress_show((now - start) / (double)job->seconds, 0);
        if (now < end)
            code = tune_search(job->device.spec, group, now + (end - now) / (double)(count - done),
                               &found);
        done++;
        progress_pause();
        if (code == TOOL_DONE)
            report(group, &found);
        progress_resume();
        keep(job, found.text);
    }
    progress_end();
    return code;
}

/* The message contains the values, so that they need not be measured again. */
static int fail_locked(const tune_job *job)
{
    return tool_fail(TOOL_OUTPUT,
                     "%s: not written: another program has kept its folder locked for ten seconds; "
                     "%s%s%s",
                     job->path, *job->values ? "the values are MOTE_TUNE=" : "nothing was faster",
                     job->values, *job->values ? "; -o FILE writes elsewhere" : "");
}

/* Reads the tune file again before writing it, because a run on another device or the user may have
 * changed it during the measurements. */
static int write_values(tune_job *job, out_file **out)
{
    int lock;
    bool locked = tune_file_lock(job->path, &lock);
    free(job->old);
    job->old = NULL;
    int code = locked ? tune_file_read(job->path, &job->old) : fail_locked(job);
    if (code == TOOL_DONE) {
        tune_file_write(*out, job->old, &job->device, job->values);
        code = out_finish(out, 1);
    } else
        out_discard(out, 1);
    tune_file_unlock(lock);
    return code;
}

static void say_written(const tune_job *job)
{
    printf("%s: written", job->path);
    if (!*job->values)
        printf(", without values: the defaults suit this device\n");
    else if (job->common.output)
        printf("; programs read it where MOTE_TUNE_FILE names it\n");
    else
        printf("; programs that use mote read it from now on\n");
}

/* The old file remains until the new one is complete. */
static int tune(tune_job *job)
{
    out_file *out;
    int code = find_device(job);
    if (code == TOOL_DONE)
        code = choose_path(job);
    /* The values of the file are not used while others are measured, so its errors are reported
     * only once. */
    if (code == TOOL_DONE && setenv("MOTE_TUNE_FILE", "", 1) != 0)
        code = tool_fail(TOOL_DEVICE, "out of memory");
    if (code == TOOL_DONE)
        code = tune_file_read(job->path, &job->old);
    if (code == TOOL_DONE)
        code = out_open(job->path, &out);
    if (code != TOOL_DONE)
        return code;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    code = measure(job);
    if (code != TOOL_DONE) {
        out_discard(&out, 1);
        return code;
    }
    code = write_values(job, &out);
    if (code == TOOL_DONE)
        say_written(job);
    return code;
}

static int tune_run(const tool_command *self, int argc, char **argv)
{
    tune_job job = {.seconds = 60};
    int first;
    int code = tool_parse(self, argc, argv, &job.common, tune_option, &job, &first);
    if (code == TOOL_GO_ON)
        code = tool_no_operands(argc, argv, first);
    if (code == TOOL_GO_ON && (job.common.profile || job.common.trace))
        code = tool_fail(TOOL_USAGE, "--profile and --trace: mote tune times its calls itself");
    if (code == TOOL_GO_ON && getenv("MOTE_TUNE") && *getenv("MOTE_TUNE"))
        code = tool_fail(TOOL_USAGE, "MOTE_TUNE is set, and counts over the file: unset it");
    if (code != TOOL_GO_ON)
        return code;
    double start = tool_seconds();
    code = tune(&job);
    tool_timing timing = {.device_s = tool_seconds() - start};
    if (code == TOOL_DONE)
        tool_timing_print(&job.common, "tune", job.device.spec, &timing);
    free(job.path);
    free(job.old);
    return code;
}

const tool_command tool_tune = {
    .name = "tune",
    .arguments = "",
    .summary = "find the fastest parameters for this device, and store them",
    .about =
        "Times calls of each area on this device with launch parameters other than the\n"
        "defaults, in about a minute. Writes the parameters that are faster by more than 5 % to\n"
        "the tune file, which every program that uses mote reads: -o FILE, else\n"
        "$MOTE_TUNE_FILE, $XDG_CONFIG_HOME/mote/tune or ~/.config/mote/tune.\n\n"
        "The results of each call are compared with serial code; values with wrong results are\n"
        "rejected. A table shows the gain of each call. Values of other devices in the file are\n"
        "kept. Do not use the device for anything else during the run.",
    .examples = "mote tune\n"
                "mote tune -d gpu --seconds 20 -o tune.txt",
    .options = tune_table,
    .run = tune_run,
};
