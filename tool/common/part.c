/* SPDX-License-Identifier: Apache-2.0 */
#include "part.h"
#include "share.h"

#include "../io/out.h"
#include "../option.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads an environment variable that is a whole number. */
static bool variable(const char *name, uint64_t *value)
{
    const char *text = getenv(name);
    char *end;
    if (!text || *text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &end, 10);
    return !*end;
}

static bool rank_of(const char *rank, const char *size, tool_part *p)
{
    uint64_t k, n;
    if (!variable(rank, &k) || !variable(size, &n) || k >= n)
        return false;
    p->k = k + 1;
    p->n = n;
    return true;
}

/* Slurm numbers the process of a job script, or of a shell of salloc, as if srun had started it. */
static bool slurm_process(tool_part *p)
{
    bool found = rank_of("SLURM_PROCID", "SLURM_NTASKS", p);
    p->script = found && p->n > 1 && !getenv("SLURM_STEP_ID");
    return found;
}

/* Determines the position of a task in its array, whose numbers may have steps. */
static bool array_task(tool_part *p)
{
    uint64_t id, least, most, count;
    if (!variable("SLURM_ARRAY_TASK_ID", &id) || !variable("SLURM_ARRAY_TASK_MIN", &least) ||
        !variable("SLURM_ARRAY_TASK_MAX", &most) || !variable("SLURM_ARRAY_TASK_COUNT", &count))
        return false;
    uint64_t step = count > 1 ? (most - least) / (count - 1) : 1;
    if (!step || most < least || least + step * (count - 1) != most || id < least || id > most ||
        (id - least) % step)
        return false;
    *p = (tool_part){.k = (id - least) / step + 1, .n = count};
    return true;
}

static int find_share(tool_part *p)
{
    tool_part task = {0}, process = {0};
    bool has_process = rank_of("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", &process) ||
                       rank_of("PMI_RANK", "PMI_SIZE", &process) || slurm_process(&process);
    bool has_task = array_task(&task);
    if (!has_task && getenv("SLURM_ARRAY_TASK_ID"))
        return tool_fail(TOOL_USAGE, "--part auto: the numbers of the job array's tasks are not "
                                     "evenly spaced: give --part K/N");
    if (!has_process && !has_task)
        return tool_fail(
            TOOL_USAGE, "--part auto: neither mpirun nor srun nor a job array of Slurm has started "
                        "this process (OMPI_COMM_WORLD_RANK, PMI_RANK, SLURM_PROCID and "
                        "SLURM_ARRAY_TASK_ID are not set with their sizes): give --part K/N");
    if (!has_process)
        process = (tool_part){.k = 1, .n = 1};
    if (!has_task)
        task = (tool_part){.k = 1, .n = 1};
    p->k = (task.k - 1) * process.n + process.k;
    p->n = task.n * process.n;
    p->script = process.script;
    if (task.n > PART_MOST || process.n > PART_MOST || p->n > PART_MOST)
        return tool_fail(TOOL_USAGE, "--part auto: more than %d shares", PART_MOST);
    return TOOL_GO_ON;
}

int part_take(const char *value, tool_part *p)
{
    int end = 0;
    *p = (tool_part){0};
    if (strcmp(value, "auto") == 0)
        return find_share(p);
    bool digits = strspn(value, "0123456789/") == strlen(value) && strlen(value) < 16;
    if (!digits || sscanf(value, "%" SCNu64 "/%" SCNu64 "%n", &p->k, &p->n, &end) != 2 ||
        value[end] || p->k < 1 || p->k > p->n || p->n > PART_MOST)
        return tool_fail(TOOL_USAGE,
                         "--part: '%s' is neither auto nor K/N such as 2/8, K from 1 to N and N at "
                         "most %d",
                         value, PART_MOST);
    return TOOL_GO_ON;
}

bool part_is_first(const tool_part *p)
{
    return p->n == 0 || p->k == 1;
}

/* total * k / n, rounded upwards: total is below 2^64 / PART_MOST. */
static uint64_t bound(uint64_t total, uint64_t k, uint64_t n)
{
    return total / n * k + (total % n * k + n - 1) / n;
}

void part_range(const tool_part *p, uint64_t total, uint64_t *begin, uint64_t *end)
{
    *begin = p->n ? bound(total, p->k - 1, p->n) : 0;
    *end = p->n ? bound(total, p->k, p->n) : total;
}

/* Keeps an allocated name; NULL if memory ran out. */
static char *keep(tool_part *p, const char *word, char *name)
{
    part_output *more = realloc(p->outputs, (p->n_outputs + 1) * sizeof(*more));
    if (!more) {
        free(name);
        return NULL;
    }
    p->outputs = more;
    more[p->n_outputs].name = name;
    snprintf(more[p->n_outputs].word, sizeof(more->word), "%s", word);
    p->n_outputs++;
    return name;
}

/* Returns where the label is inserted, and how many characters of the name it replaces. */
static size_t place_of(const char *name, size_t *replaced)
{
    const char *mark = strstr(name, "%p");
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    const char *dot = *base ? strrchr(base + 1, '.') : NULL;
    *replaced = mark ? 2 : 0;
    if (mark)
        return (size_t)(mark - name);
    return dot ? (size_t)(dot - name) : strlen(name);
}

int part_rename(tool_part *p, const char *word, const char **name)
{
    char label[48], most[24];
    size_t replaced;
    if (!p->n || !*name)
        return TOOL_GO_ON;
    if (tool_ends_with(*name, ".npy") || tool_ends_with(*name, ".gz"))
        return tool_fail(
            TOOL_USAGE,
            "%s: --part writes text, which can be put together, no arrays and no packed "
            "files",
            *name);
    char *part = out_part_name(*name);
    if (!part)
        return TOOL_GO_ON;
    free(part);
    int width = snprintf(most, sizeof(most), "%" PRIu64, p->n);
    snprintf(label, sizeof(label), "%0*" PRIu64 "-of-%" PRIu64, width, p->k, p->n);
    size_t before = place_of(*name, &replaced);
    char *made = malloc(strlen(*name) + sizeof(label) + 2);
    if (made)
        sprintf(made, "%.*s%s%s%s", (int)before, *name, replaced ? "" : ".", label,
                *name + before + replaced);
    if (!made || !keep(p, word, made))
        return tool_fail(TOOL_OUTPUT, "%s: out of memory", *name);
    *name = made;
    return TOOL_GO_ON;
}

int part_check(const tool_part *p, const tool_common *common)
{
    if (p->n && common->trace)
        return tool_fail(TOOL_USAGE,
                         "--trace %s: every share would write this file: leave out --part, "
                         "or take --profile",
                         common->trace);
    if (p->script)
        tool_note(common,
                  "--part auto: this is share %" PRIu64 " of %" PRIu64 ", and no srun has started "
                  "it (SLURM_STEP_ID is not set): without srun before the command the shares of "
                  "Slurm's other tasks are not computed",
                  p->k, p->n);
    return TOOL_GO_ON;
}

int part_complete(const tool_part *p, const char *command, uint64_t total, uint64_t run)
{
    int code = TOOL_DONE;
    share_add_option(&run, "version", mote_version());
    for (size_t i = 0; i < p->n_outputs && code == TOOL_DONE; i++) {
        tool_share s = {.k = p->k, .n = p->n, .total = total, .run = run};
        snprintf(s.command, sizeof(s.command), "%s", command);
        snprintf(s.output, sizeof(s.output), "%s", p->outputs[i].word);
        code = share_write(p->outputs[i].name, &s);
    }
    return code;
}

void part_free(tool_part *p)
{
    for (size_t i = 0; i < p->n_outputs; i++)
        free(p->outputs[i].name);
    free(p->outputs);
    *p = (tool_part){0};
}
