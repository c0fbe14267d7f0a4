/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of atoms as PLUMED writes them: "1-108", "1,5,9-20:2", or @FILE with the same words. */
#ifndef MOTE_TOOL_COORDINATION_GROUPS_H
#define MOTE_TOOL_COORDINATION_GROUPS_H

#include "../tool.h"

/* One word: first, first + stride, ... up to last. */
typedef struct coordination_range {
    uint32_t first, last; /* from 1 */
    int64_t stride;       /* not 0; negative when last < first */
    size_t line;          /* of its file */
} coordination_range;

typedef struct coordination_group {
    const char *option; /* as "--group-a" */
    const char *path;   /* as the command line has it; NULL: the words came from there */
    const char *file;   /* the same for messages */
    coordination_range *ranges;
    size_t n_ranges;
    uint32_t *atoms; /* from 0; filled by group_expand() */
    size_t count;
} coordination_group;

/* Reads a list; TOOL_GO_ON, or an exit code after a message. */
int group_take(coordination_group *group, const char *option, const char *list);

/* The atoms of the list, now that their number is known. TOOL_GO_ON, or an exit code and in `text`
 * a message. */
int group_expand(coordination_group *group, size_t n_atoms, char *text, size_t size);

void group_free(coordination_group *group);

#endif
