/* SPDX-License-Identifier: Apache-2.0 */
#include "groups.h"

#include "../io/in.h"
#include "../io/file_type.h"
#include "../option.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_ATOM  2147483647u
#define MOST_SHOWN 40

/* The names that PLUMED allows after an @; a dash or a colon and more may follow. */
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
    return c && strchr(GROUP_SEPARATORS, c);
}

const char *group_source(const coordination_group *group)
{
    if (!group->path)
        return group->where;
    return strcmp(group->path, "-") == 0 ? "standard input" : group->path;
}

/* "--group-a: " or "FILE:LINE: ", and the exit code of the list. */
static int fail_word(const coordination_group *group, const word *w, const char *what)
{
    char shown[MOST_SHOWN + 4];
    int n = 0;
    for (const char *p = w->begin; p < w->end && n < MOST_SHOWN; p++)
        shown[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
    snprintf(shown + n, sizeof(shown) - (size_t)n, "%s",
             w->end - w->begin > MOST_SHOWN ? "..." : "");
    if (group->path)
        return tool_fail(TOOL_INPUT, "%s:%zu: '%s' %s", group_source(group), w->line, shown, what);
    return tool_fail(group->code, "%s: '%s' %s", group->where, shown, what);
}

/* Reads digits at *at, at most MOST_ATOM; moves *at past them. */
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
static const char *parse_numbers(const word *w, coordination_range *range)
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
        return "is neither an atom number nor FIRST-LAST or FIRST-LAST:STRIDE (at most "
               "2147483647), "
               "nor name:NAME or element:SYMBOL";
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
    return NULL;
}

/* name:OW or element:O; returns false for other words. */
static bool parse_name(const word *w, coordination_range *range, const char **fault)
{
    static const char *const keys[] = {"name:", "element:"};
    for (int k = 0; k < 2; k++) {
        size_t n = strlen(keys[k]), length = (size_t)(w->end - w->begin);
        if (length < n || strncmp(w->begin, keys[k], n) != 0)
            continue;
        *fault = length == n ? "names nothing" : NULL;
        range->element = k == 1;
        range->name = *fault ? NULL : strndup(w->begin + n, length - n);
        if (!range->name && !*fault)
            *fault = "does not fit into memory";
        return true;
    }
    return false;
}

static const char *parse_word(const word *w, coordination_range *range)
{
    const char *fault = NULL;
    *range = (coordination_range){.line = w->line};
    return parse_name(w, range, &fault) ? fault : parse_numbers(w, range);
}

/* In long lists, consecutive numbers are merged to one range. */
static bool goes_on(const coordination_group *group, const coordination_range *range)
{
    const coordination_range *last = group->n_ranges ? &group->ranges[group->n_ranges - 1] : NULL;
    return last && !last->name && !range->name && last->stride == 1 && range->stride == 1 &&
           range->first == (uint64_t)last->last + 1;
}

static void free_range(coordination_range *range)
{
    free(range->name);
    if (range->labelled)
        group_free(range->labelled);
    free(range->labelled);
}

static int keep(coordination_group *group, coordination_range *range)
{
    size_t n = group->n_ranges;
    group->named = group->named || range->name || (range->labelled && range->labelled->named);
    if (goes_on(group, range)) {
        group->ranges[n - 1].last = range->last;
        group->ranges[n - 1].line = range->line;
        return TOOL_GO_ON;
    }
    if ((n & (n - 1)) == 0) { /* full: grows by powers of two */
        coordination_range *more = realloc(group->ranges, (n ? 2 * n : 1) * sizeof(*more));
        if (!more) {
            free_range(range);
            return tool_fail(TOOL_INPUT, "%s: out of memory", group->where);
        }
        group->ranges = more;
    }
    group->ranges[group->n_ranges++] = *range;
    return TOOL_GO_ON;
}

static bool may_be_label(const word *w)
{
    return isalpha((unsigned char)*w->begin) && !memchr(w->begin, ':', (size_t)(w->end - w->begin));
}

/* Reads a word that is a label; *known is false for other words. */
static int take_label(coordination_group *group, const word *w, const group_labels *labels,
                      bool *known)
{
    coordination_range range = {.line = w->line};
    *known = false;
    range.labelled = calloc(1, sizeof(*range.labelled));
    int code = range.labelled ? labels->take(labels->user, w->begin, (size_t)(w->end - w->begin),
                                             range.labelled, known)
                              : tool_fail(TOOL_INPUT, "%s: out of memory", group->where);
    if (*known && code == TOOL_GO_ON)
        return keep(group, &range);
    free_range(&range);
    return code;
}

static int take_word(coordination_group *group, const word *w, const group_labels *labels)
{
    coordination_range range;
    bool known = false;
    int code = labels ? take_label(group, w, labels, &known) : TOOL_GO_ON;
    if (known || code != TOOL_GO_ON)
        return code;
    const char *fault = parse_word(w, &range);
    if (fault && labels && may_be_label(w))
        fault = "is neither the label of a GROUP line above nor a list of atoms, such as 7, 1-108, "
                "9-20:2, name:OW or element:O";
    return fault ? fail_word(group, w, fault) : keep(group, &range);
}

int group_words(coordination_group *group, const char *text, size_t length, size_t line,
                const group_labels *labels)
{
    const char *p = text, *end = text + length;
    word w = {.line = line};
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
        code = take_word(group, &w, labels);
    }
    if (code != TOOL_GO_ON || group->n_ranges)
        return code;
    return tool_fail(group->path ? TOOL_INPUT : group->code, "%s: the list of atoms is empty",
                     group_source(group));
}

/* Other names that only begin like PLUMED's may be files. */
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
    int code = in_open(path, &in);
    if (code != TOOL_DONE)
        return code;
    group->path = strdup(path);
    code = group->path ? group_words(group, in.bytes, in.count, 1, NULL)
                       : tool_fail(TOOL_INPUT, "%s: out of memory", path);
    in_close(&in);
    return code;
}

/* Returns where the path of an index file ends and the name of its group begins, as in a.ndx:Water
 * or a.ndx.gz:Water; NULL when the words are those of a list. PLUMED's @ndx:{FILE GROUP} is
 * none. */
static const char *find_index(const char *name)
{
    const char *ending = strstr(name, ".ndx");
    const char *colon = ending ? input_skip_packing(ending + 4) : "";
    bool plumed = strncmp(name, "ndx:", 4) == 0;
    return !plumed && access(name, F_OK) != 0 && *colon == ':' ? colon : NULL;
}

int group_take(coordination_group *group, const char *where, int code, const char *list,
               const group_labels *labels)
{
    group_free(group);
    snprintf(group->where, sizeof(group->where), "%s", where);
    group->code = code;
    if (*list != '@')
        return group_words(group, list, strlen(list), 1, labels);
    const char *colon = find_index(list + 1);
    if (!colon && is_plumed_name(list + 1))
        return tool_fail(
            code,
            "%s: PLUMED's @%s is not supported: give atom numbers, or @./%s for a file "
            "of that name",
            group->where, list + 1, list + 1);
    if (!colon && !input_ends_with(list, ".ndx"))
        return take_file(group, list + 1);
    char *path = colon ? strndup(list + 1, (size_t)(colon - list) - 1) : strdup(list + 1);
    int taken = path ? group_take_index(group, where, code, path, colon ? colon + 1 : "")
                     : tool_fail(TOOL_INPUT, "%s: out of memory", where);
    free(path);
    return taken;
}

int group_files(const coordination_group *group, group_file_fn take, void *user)
{
    int code = group->path ? take(user, group->path) : TOOL_GO_ON;
    for (size_t i = 0; i < group->n_ranges && code == TOOL_GO_ON; i++)
        if (group->ranges[i].labelled)
            code = group_files(group->ranges[i].labelled, take, user);
    for (size_t i = 0; i < group->n_edits && code == TOOL_GO_ON; i++)
        if (group->edits[i].removed)
            code = group_files(group->edits[i].removed, take, user);
    return code;
}

void group_free(coordination_group *group)
{
    for (size_t i = 0; i < group->n_ranges; i++)
        free_range(&group->ranges[i]);
    for (size_t i = 0; i < group->n_edits; i++)
        if (group->edits[i].removed) {
            group_free(group->edits[i].removed);
            free(group->edits[i].removed);
        }
    free(group->edits);
    free(group->ranges);
    free(group->atoms);
    free(group->path);
    *group = (coordination_group){0};
}
