/* SPDX-License-Identifier: Apache-2.0 */
#include "groups.h"

#include "../io/in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_ATOM  2147483647u
#define MOST_SHOWN 40

/* What PLUMED puts behind an @; a dash or a colon and more may follow. */
static const char *const plumed_names[] = {
    "mdatoms",      "allatoms", "ndx",   "protein", "nucleic",   "ions",  "water",   "hydrogens",
    "nonhydrogens", "phi",      "psi",   "omega",   "chi",       "chi1",  "chi2",    "chi3",
    "chi4",         "chi5",     "alpha", "beta",    "gamma",     "delta", "epsilon", "zeta",
    "back",         "sugar",    "base",  "lcs",     "sidechain",
};

/* A word that is being read. */
typedef struct word {
    const char *begin, *end;
    size_t line;
} word;

static bool is_separator(char c)
{
    return c == ',' || c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* "--group-a: " or "FILE:LINE: " and the exit code that goes with it. */
static int fail_word(const coordination_group *group, const word *w, const char *what)
{
    char shown[MOST_SHOWN + 4];
    int n = 0;
    for (const char *p = w->begin; p < w->end && n < MOST_SHOWN; p++)
        shown[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
    snprintf(shown + n, sizeof(shown) - (size_t)n, "%s",
             w->end - w->begin > MOST_SHOWN ? "..." : "");
    if (group->file)
        return tool_fail(TOOL_INPUT, "%s:%zu: '%s' %s", group->file, w->line, shown, what);
    return tool_fail(TOOL_USAGE, "%s: '%s' %s", group->option, shown, what);
}

/* Digits at *at, at most MOST_ATOM; moves behind them. */
static bool take_whole(const char **at, const char *end, uint64_t *value)
{
    const char *p = *at;
    *value = 0;
    while (p < end && *p >= '0' && *p <= '9' && *value <= MOST_ATOM)
        *value = *value * 10 + (uint64_t)(*p++ - '0');
    bool good = p > *at && *value <= MOST_ATOM;
    *at = p;
    return good;
}

static bool take_stride(const char **at, const char *end, int64_t *stride)
{
    uint64_t size;
    bool negative = *at < end && **at == '-';
    *at += negative;
    bool good = take_whole(at, end, &size);
    *stride = negative ? -(int64_t)size : (int64_t)size;
    return good;
}

/* FIRST, FIRST-LAST or FIRST-LAST:STRIDE. */
static const char *parse_word(const word *w, coordination_range *range)
{
    const char *p = w->begin;
    uint64_t first, last;
    if (*p == '@')
        return "is not known here: names of PLUMED are not supported; give atom numbers";
    bool good = take_whole(&p, w->end, &first);
    last = first;
    range->stride = 1;
    bool strided = false;
    if (good && p < w->end && *p == '-') {
        p++;
        good = take_whole(&p, w->end, &last);
        strided = good && p < w->end && *p == ':';
    }
    if (strided) {
        p++;
        good = take_stride(&p, w->end, &range->stride);
    }
    if (!good || p != w->end)
        return "is neither an atom number nor FIRST-LAST or FIRST-LAST:STRIDE (at most 2147483647)";
    if (first == 0 || last == 0)
        return "has an atom 0: atoms count from 1";
    if (range->stride == 0)
        return "has a stride of 0";
    if (last < first && range->stride > 0)
        return "runs backwards: give a negative stride, as in 9-1:-1";
    if (last > first && range->stride < 0)
        return "runs forwards, but its stride is negative";
    range->first = (uint32_t)first;
    range->last = (uint32_t)last;
    range->line = w->line;
    return NULL;
}

static int keep(coordination_group *group, const coordination_range *range)
{
    size_t n = group->n_ranges;
    if ((n & (n - 1)) == 0) { /* full: grows by powers of two */
        coordination_range *more = realloc(group->ranges, (n ? 2 * n : 1) * sizeof(*more));
        if (!more)
            return tool_fail(TOOL_INPUT, "%s: out of memory", group->option);
        group->ranges = more;
    }
    group->ranges[group->n_ranges++] = *range;
    return TOOL_GO_ON;
}

static int take_words(coordination_group *group, const char *text, size_t length)
{
    const char *p = text, *end = text + length;
    word w = {.line = 1};
    int code = TOOL_GO_ON;
    while (code == TOOL_GO_ON && p < end) {
        if (is_separator(*p)) {
            w.line += *p++ == '\n';
            continue;
        }
        w.begin = p;
        while (p < end && !is_separator(*p))
            p++;
        w.end = p;
        coordination_range range;
        const char *fault = parse_word(&w, &range);
        code = fault ? fail_word(group, &w, fault) : keep(group, &range);
    }
    if (code != TOOL_GO_ON || group->n_ranges)
        return code;
    if (group->file)
        return tool_fail(TOOL_INPUT, "%s: the list of atoms is empty", group->file);
    return tool_fail(TOOL_USAGE, "%s: the list of atoms is empty", group->option);
}

/* Other names that only begin as PLUMED's do may be files. */
static bool is_plumed_name(const char *name)
{
    bool exists = access(name, F_OK) == 0;
    for (size_t i = 0; i < sizeof(plumed_names) / sizeof(plumed_names[0]); i++) {
        size_t n = strlen(plumed_names[i]);
        if (strncmp(name, plumed_names[i], n) == 0 &&
            (!name[n] || (!exists && strchr(":-,", name[n]))))
            return true;
    }
    return false;
}

static int take_file(coordination_group *group, const char *path)
{
    in_file in;
    if (is_plumed_name(path))
        return tool_fail(
            TOOL_USAGE,
            "%s: PLUMED's @%s is not supported: give atom numbers, or @./%s for a file "
            "of that name",
            group->option, path, path);
    int code = in_open(path, false, &in);
    if (code != TOOL_DONE)
        return code;
    group->path = path;
    group->file = strcmp(path, "-") == 0 ? "standard input" : path;
    code = take_words(group, in.bytes, in.count);
    in_close(&in);
    return code;
}

int group_take(coordination_group *group, const char *option, const char *list)
{
    group_free(group);
    group->option = option;
    return *list == '@' ? take_file(group, list + 1) : take_words(group, list, strlen(list));
}

/* ---- the atoms
 * ----------------------------------------------------------------------------------- */

static uint64_t length_of(const coordination_range *range)
{
    int64_t span = (int64_t)range->last - (int64_t)range->first;
    return (uint64_t)(span / range->stride) + 1;
}

static uint32_t highest(const coordination_range *range)
{
    int64_t end = (int64_t)range->first + (int64_t)(length_of(range) - 1) * range->stride;
    return end > range->first ? (uint32_t)end : range->first;
}

static int fail_range(const coordination_group *group, const coordination_range *range,
                      size_t n_atoms, char *text, size_t size)
{
    int used = group->file ? snprintf(text, size, "%.400s:%zu", group->file, range->line)
                           : snprintf(text, size, "%s", group->option);
    snprintf(text + used, size - (size_t)used, ": there is no atom %u: the frames have %zu atom%s",
             (unsigned)highest(range), n_atoms, tool_plural(n_atoms));
    return group->file ? TOOL_INPUT : TOOL_USAGE;
}

int group_expand(coordination_group *group, size_t n_atoms, char *text, size_t size)
{
    uint64_t count = 0;
    for (size_t i = 0; i < group->n_ranges; i++) {
        const coordination_range *range = &group->ranges[i];
        if (highest(range) > n_atoms)
            return fail_range(group, range, n_atoms, text, size);
        count += length_of(range);
    }
    uint32_t *atoms = count <= MOST_ATOM ? malloc((size_t)count * sizeof(*atoms)) : NULL;
    if (!atoms) {
        snprintf(text, size, "%s: out of memory: a list of %llu atoms needs %llu bytes",
                 group->option, (unsigned long long)count, 4 * (unsigned long long)count);
        return TOOL_INPUT;
    }
    group->atoms = atoms;
    group->count = (size_t)count;
    for (size_t i = 0; i < group->n_ranges; i++) {
        const coordination_range *range = &group->ranges[i];
        uint64_t length = length_of(range);
        for (uint64_t k = 0; k < length; k++)
            *atoms++ = (uint32_t)((int64_t)range->first - 1 + (int64_t)k * range->stride);
    }
    return TOOL_GO_ON;
}

void group_free(coordination_group *group)
{
    free(group->ranges);
    free(group->atoms);
    *group = (coordination_group){0};
}
