/* SPDX-License-Identifier: Apache-2.0 */
/* Edits lists of atoms like REMOVE, SORT and UNIQUE of PLUMED's GROUP. */
#include "groups.h"

#include <stdlib.h>

int group_edit(coordination_group *group, coordination_edit_kind kind, coordination_group **removed)
{
    coordination_edit *more = realloc(group->edits, (group->n_edits + 1) * sizeof(*more));
    coordination_group *list = kind == EDIT_REMOVE ? calloc(1, sizeof(*list)) : NULL;
    if (more)
        group->edits = more;
    if (!more || (kind == EDIT_REMOVE && !list)) {
        free(list);
        return tool_fail(TOOL_INPUT, "%s: out of memory", group->where);
    }
    more[group->n_edits++] = (coordination_edit){kind, list};
    if (removed)
        *removed = list;
    return TOOL_GO_ON;
}

static int by_number(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

static void sort(coordination_group *group)
{
    if (group->count)
        qsort(group->atoms, group->count, sizeof(*group->atoms), by_number);
}

static void unite(coordination_group *group)
{
    size_t kept = 0;
    sort(group);
    for (size_t i = 0; i < group->count; i++)
        if (!kept || group->atoms[i] != group->atoms[kept - 1])
            group->atoms[kept++] = group->atoms[i];
    group->count = kept;
}

/* For each atom of `removed`, removes the first equal atom of the list. */
static bool leave_out(coordination_group *group, const coordination_group *removed)
{
    uint32_t most = 0;
    for (size_t i = 0; i < removed->count; i++)
        most = removed->atoms[i] > most ? removed->atoms[i] : most;
    uint32_t *times = calloc((size_t)most + 1, sizeof(*times));
    size_t kept = 0;
    if (!times)
        return false;
    for (size_t i = 0; i < removed->count; i++)
        times[removed->atoms[i]]++;
    for (size_t i = 0; i < group->count; i++) {
        uint32_t atom = group->atoms[i];
        if (atom <= most && times[atom])
            times[atom]--;
        else
            group->atoms[kept++] = atom;
    }
    group->count = kept;
    free(times);
    return true;
}

bool group_do_edits(coordination_group *group)
{
    bool good = true;
    for (size_t i = 0; i < group->n_edits && good; i++) {
        const coordination_edit *edit = &group->edits[i];
        if (edit->kind == EDIT_REMOVE)
            good = leave_out(group, edit->removed);
        else if (edit->kind == EDIT_SORT)
            sort(group);
        else
            unite(group);
    }
    return good;
}
