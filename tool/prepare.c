/* SPDX-License-Identifier: Apache-2.0 */
/* Implements `mote prepare`, which runs commands on small generated inputs, so that their kernels
 * are in the cache. */
#include "cache.h"
#include "commands.h"
#include "common/devices.h"
#include "io/out.h"
#include "io/partial_outputs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define MOST_WORDS 20

/* Each line runs in a process of its own, so that a failure ends only that process. In each area,
 * the lines that generate inputs come first. */
static const struct {
    const char *area, *line;
} lines[] = {
    {"pixels", "generate events --events 2 -o events.bin"},
    {"pixels", "generate hits --hits 20000 -o hits.tpx3"},
    {"pixels", "clusters events.bin -o clusters.csv"},
    {"pixels", "clusters events.bin -o clusters.csv --labels labels.csv"},
    {"pixels", "clusters hits.tpx3 --time-window 64 -o clusters.csv"},
    {"coordination", "generate atoms -n 100 -o small.gro"},
    {"coordination", "generate atoms -n 20000 -o large.gro"},
    {"coordination", "coordination small.gro --r0 0.3 -o colvar.txt"},
    {"coordination", "coordination small.gro --r0 0.3 --precision mixed -o colvar.txt"},
    {"coordination", "coordination large.gro --r0 0.3 -o colvar.txt"},
    {"coordination", "coordination large.gro --r0 0.3 --precision mixed -o colvar.txt"},
    {"coordination", "rdf small.gro --rmax 0.5 -o rdf.txt"},
    {"coordination", "rdf large.gro --rmax 0.5 -o rdf.txt"},
    {"jagged", "generate jagged --lists 20000 -o offsets.npy --values values.npy"},
    {"jagged", "parents offsets.npy -o out.npy"},
    {"jagged", "local-index offsets.npy -o out.npy"},
    {"jagged", "counts offsets.npy -o counts.npy"},
    {"jagged", "offsets --from-counts counts.npy -o out.npy"},
    {"jagged", "reduce offsets.npy values.npy -o sums.npy"},
    {"jagged", "reduce offsets.npy values.npy --op prod -o out.npy"},
    {"jagged", "reduce offsets.npy values.npy --op min -o out.npy"},
    {"jagged", "reduce offsets.npy values.npy --op max -o out.npy"},
    {"jagged", "reduce offsets.npy values.npy --op argmin -o out.npy"},
    {"jagged", "reduce offsets.npy values.npy --op argmax -o out.npy"},
    {"jagged", "reduce offsets.npy values.npy --op mean -o out.npy"},
    {"jagged", "reduce offsets.npy values.npy --op var -o out.npy"},
    {"jagged", "reduce offsets.npy values.npy --op any -o out.npy"},
    {"jagged", "scan offsets.npy values.npy -o out.npy"},
    {"jagged", "sort offsets.npy values.npy -o out.npy"},
    {"jagged", "sort --indices offsets.npy values.npy -o out.npy"},
    {"jagged", "topk -k 2 offsets.npy values.npy -o out.csv"},
    {"jagged", "pad -k 2 offsets.npy values.npy -o out.npy"},
    {"jagged", "quantile offsets.npy values.npy -o out.npy"},
    {"jagged", "unique offsets.npy values.npy -o out.csv"},
    {"jagged", "run-lengths offsets.npy values.npy -o out.csv"},
    {"jagged", "filter offsets.npy values.npy values.npy -o out.csv"},
    {"jagged", "nonzero offsets.npy values.npy -o out.csv"},
    {"jagged", "gather offsets.npy sums.npy -o out.npy"},
    {"jagged", "pairs offsets.npy -o out.csv"},
    {"jagged", "combinations -n 3 offsets.npy -o out.csv"},
    {"jagged", "product offsets.npy offsets.npy -o out.csv"},
    {"reduce", "generate jagged --lists 20000 -o offsets.npy --values values.npy"},
    {"reduce", "reduce values.npy -o out.txt"},
    {"reduce", "reduce values.npy --op min -o out.txt"},
    {"reduce", "reduce values.npy --op max -o out.txt"},
    {"reduce", "histogram values.npy -o out.csv"},
};

#define LINES (sizeof(lines) / sizeof(lines[0]))

typedef struct prepare_job {
    const tool_common *common;
    char **areas;
    size_t n_areas;
    char folder[4096];
    unsigned commands;
} prepare_job;

static bool is_chosen(const prepare_job *job, const char *area)
{
    for (size_t i = 0; i < job->n_areas; i++)
        if (strcmp(job->areas[i], area) == 0)
            return true;
    return job->n_areas == 0;
}

static int check_areas(const prepare_job *job)
{
    for (size_t i = 0; i < job->n_areas; i++) {
        bool known = false;
        for (size_t k = 0; k < LINES; k++)
            known = known || strcmp(lines[k].area, job->areas[i]) == 0;
        if (!known)
            return tool_fail(TOOL_USAGE,
                             "unknown area '%s': expected pixels, coordination, jagged or reduce",
                             job->areas[i]);
    }
    return TOOL_GO_ON;
}

/* Starts the command of a line with the common options. A word that begins with a letter and
 * contains a dot is the name of a file in the folder of the job. */
static int start(const prepare_job *job, const char *line, const char *device, pid_t *child)
{
    char text[200], names[MOST_WORDS][sizeof(job->folder) + 40], *rest = NULL;
    char program[] = "mote", quiet[] = "-q", on_device[] = "-d", *words[MOST_WORDS + 5] = {program};
    int count = 1;
    snprintf(text, sizeof(text), "%s", line);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        bool file = isalpha((unsigned char)*word) && strchr(word, '.');
        snprintf(names[count], sizeof(names[0]), "%s%s%s", file ? job->folder : "", file ? "/" : "",
                 word);
        words[count] = names[count];
        count++;
    }
    words[count++] = quiet;
    if (device) {
        snprintf(names[0], sizeof(names[0]), "%s", device);
        words[count++] = on_device;
        words[count++] = names[0];
    }
    posix_spawnattr_t attributes;
    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, unfinished_usual_signals());
    error = posix_spawn(child, "/proc/self/exe", NULL, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* Waits for a process, to which it passes on a signal that would end the run, and returns its exit
 * code. */
static int wait_for(pid_t child, const char *line)
{
    const struct timespec pause = {.tv_nsec = 10000000};
    bool told = false;
    pid_t ended;
    int status;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0 || (ended < 0 && errno == EINTR)) {
        if (!told && unfinished_is_due())
            told = kill(child, SIGTERM) == 0;
        nanosleep(&pause, NULL);
    }
    if (ended < 0)
        return tool_fail(TOOL_DEVICE, "cannot wait for a process: %s", strerror(errno));
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    return tool_fail(TOOL_DEVICE, "signal %d ended: mote %s", WTERMSIG(status), line);
}

static int run_line(prepare_job *job, const char *line, const char *device)
{
    pid_t child;
    double begin = tool_seconds();
    int error = start(job, line, device, &child);
    if (error)
        return tool_fail(TOOL_DEVICE, "cannot start a process: %s", strerror(error));
    int code = wait_for(child, line);
    if (code == TOOL_DONE && job->common->verbose)
        tool_note(job->common, "%.1f s: mote %s", tool_seconds() - begin, line);
    job->commands++;
    return code;
}

static int run_device(prepare_job *job, const char *device)
{
    int code = TOOL_DONE;
    for (size_t k = 0; k < LINES && code == TOOL_DONE && !unfinished_is_due(); k++)
        if (is_chosen(job, lines[k].area))
            code = run_line(job, lines[k].line, device);
    return code;
}

static void remove_folder(const char *folder)
{
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir))
        unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    rmdir(folder);
}

/* Runs the lines for each device. A signal that would end the run is held until the folder is
 * removed. */
static int run_devices(prepare_job *job, const device_list *devices)
{
    const char *parent = getenv("TMPDIR");
    int length = snprintf(job->folder, sizeof(job->folder), "%s/mote-prepare-XXXXXX",
                          parent && *parent ? parent : "/tmp");
    if (length >= (int)sizeof(job->folder))
        return tool_fail(TOOL_OUTPUT, "the name in TMPDIR is too long");
    unfinished_hold();
    int code = TOOL_DONE;
    if (!mkdtemp(job->folder))
        code = tool_fail(TOOL_OUTPUT, "%s: %s", job->folder, strerror(errno));
    for (size_t i = 0; i < devices->count && code == TOOL_DONE; i++)
        code = run_device(job, devices->specs[i]);
    remove_folder(job->folder);
    unfinished_keep(NULL, 0, "");
    return code;
}

static int prepare(prepare_job *job, const char *cache, out_file *out)
{
    device_list devices;
    cache_content content;
    double begin = tool_seconds();
    int code = check_areas(job);
    if (code == TOOL_GO_ON)
        code = devices_find(job->common->device, &devices);
    if (code != TOOL_GO_ON)
        return code;
    code = run_devices(job, &devices);
    devices_close(&devices);
    if (code != TOOL_DONE)
        return code;
    int error = cache_look(cache, false, &content);
    if (error)
        return tool_fail(TOOL_INPUT, "%s: %s", cache, strerror(error));
    out_print(out, "%u command%s in %.1f s; %.3000s: %zu program%s\n", job->commands,
              tool_plural(job->commands), tool_seconds() - begin, cache, content.programs,
              tool_plural(content.programs));
    return TOOL_DONE;
}

static int no_option(void *state, int id, const char *value)
{
    (void)state;
    (void)id;
    (void)value;
    return TOOL_GO_ON;
}

static int prepare_run(const tool_command *self, int argc, char **argv)
{
    tool_common common = {0};
    prepare_job job = {.common = &common};
    int first;
    int code = tool_parse(self, argc, argv, &common, no_option, NULL, &first);
    if (code != TOOL_GO_ON)
        return code;
    job.areas = argv + first;
    job.n_areas = (size_t)(argc - first);
    signal(SIGCHLD, SIG_DFL); /* the caller may have ignored it, and then waitpid() fails */
    char *cache = cache_directory();
    if (!cache)
        return tool_fail(TOOL_USAGE, TOOL_NO_CACHE);
    out_file *out;
    code = out_open(common.output, &out);
    if (code == TOOL_DONE) {
        code = prepare(&job, cache, out);
        if (code == TOOL_DONE)
            code = out_finish(&out, 1);
        else
            out_discard(&out, 1);
    }
    free(cache);
    return code;
}

const tool_command tool_prepare = {
    .name = "prepare",
    .arguments = "[pixels|coordination|jagged|reduce]...",
    .summary = "build kernels ahead of the jobs that need them",
    .about =
        "Runs the commands of the areas (default: all) on small generated inputs, with their\n"
        "usual options and types, so that the cache contains their kernels (see mote cache).\n"
        "Other options and types may need other kernels: run the command itself on a small\n"
        "input to build them. A run takes as long as the driver needs to build the kernels that\n"
        "are not in the cache. PoCL keeps kernels for CPUs in its own cache.",
    .examples = "mote prepare\n"
                "MOTE_CACHE_DIR=/shared/mote mote prepare pixels -d 'gpu:*'",
    .options = NULL,
    .run = prepare_run,
};
