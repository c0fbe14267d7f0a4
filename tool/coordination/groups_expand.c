/* SPDX-License-Identifier: Apache-2.0 */
/* The atoms of a list, once the number of atoms and their names are known. */
#include "groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    char line[24] = "";
    if (group->path)
        snprintf(line, sizeof(line), ":%zu", range->line);
    snprintf(text, size, "%.400s%s: there is no atom %u: the frames have %zu atom%s",
             group_source(group), line, (unsigned)highest(range), n_atoms, tool_plural(n_atoms));
    return group->path ? TOOL_INPUT : group->code;
}

static int count_atoms(const coordination_group *group, const mote_trajectory *t, uint64_t *count,
                       char *text, size_t size)
{
    size_t n_atoms = t->frame.n_atoms;
    for (size_t i = 0; i < group->n_ranges; i++) {
        const coordination_range *range = &group->ranges[i];
        if (range->labelled) {
            int code = group_expand(range->labelled, t, text, size);
            if (code != TOOL_GO_ON)
                return code;
            *count += range->labelled->count;
            continue;
        }
        if (!range->name && highest(range) > n_atoms)
            return fail_range(group, range, n_atoms, text, size);
        uint64_t more = range->name ? group_named(range, t, NULL) : length_of(range);
        if (!more)
            return group_fail_name(group, range, t, text, size);
        *count += more;
    }
    return TOOL_GO_ON;
}

static int expand_edits(coordination_group *group, const mote_trajectory *t, char *text,
                        size_t size)
{
    int code = TOOL_GO_ON;
    for (size_t i = 0; i < group->n_edits && code == TOOL_GO_ON; i++)
        if (group->edits[i].removed)
            code = group_expand(group->edits[i].removed, t, text, size);
    if (code != TOOL_GO_ON)
        return code;
    if (!group_do_edits(group)) {
        snprintf(text, size, "%s: out of memory", group->where);
        return TOOL_INPUT;
    }
    if (group->count)
        return TOOL_GO_ON;
    snprintf(text, size, "%.400s: no atom is left in the list", group_source(group));
    return group->code;
}

/* Stores the atoms of a range; returns the end. */
static uint32_t *store_atoms(const coordination_range *range, const mote_trajectory *t,
                             uint32_t *atoms)
{
    if (range->name)
        return atoms + group_named(range, t, atoms);
    if (range->labelled) {
        coordination_group *list = range->labelled;
        memcpy(atoms, list->atoms, list->count * sizeof(*atoms));
        free(list->atoms); /* no longer needed */
        list->atoms = NULL;
        return atoms + list->count;
    }
    for (uint64_t k = 0, length = length_of(range); k < length; k++)
        *atoms++ = (uint32_t)((int64_t)range->first - 1 + (int64_t)k * range->stride);
    return atoms;
}

int group_expand(coordination_group *group, const mote_trajectory *t, char *text, size_t size)
{
    uint64_t count = 0;
    int code = count_atoms(group, t, &count, text, size);
    if (code != TOOL_GO_ON)
        return code;
    uint32_t *atoms =
        count <= MOTE_TRAJECTORY_MOST_ATOMS ? malloc((size_t)count * sizeof(*atoms)) : NULL;
    if (!atoms) {
        snprintf(text, size, "%s: out of memory: a list of %llu atoms needs %llu bytes",
                 group->where, (unsigned long long)count, 4 * (unsigned long long)count);
        return TOOL_INPUT;
    }
    group->atoms = atoms;
    group->count = (size_t)count;
    for (size_t i = 0; i < group->n_ranges; i++)
        atoms = store_atoms(&group->ranges[i], t, atoms);
    return expand_edits(group, t, text, size);
}
