/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of atoms: PLUMED's words ("1-108", "1,5,9-20:2"), names of atoms ("name:OW", "element:O"),
 * @FILE with such words, or @FILE.ndx:GROUP, a group of an index file of GROMACS. */
#ifndef MOTE_TOOL_COORDINATION_GROUPS_H
#define MOTE_TOOL_COORDINATION_GROUPS_H

#include "../tool.h"

#include "tool/formats/trajectory/trajectory.h"

/* One word: first, first + stride, ... up to last; or all atoms with a name; or those of the list
 * that has a label. */
typedef struct coordination_range {
    uint32_t first, last;                /* from 1 */
    int64_t stride;                      /* not 0; negative if last < first */
    size_t line;                         /* of its file */
    char *name;                          /* NULL: numbers; else owned: may hold * and ? */
    bool element;                        /* the name is that of an element */
    struct coordination_group *labelled; /* NULL, or owned: the list whose label the word is */
} coordination_range;

/* An edit of a list, made once the list's atoms are known. */
typedef enum coordination_edit_kind { EDIT_REMOVE, EDIT_SORT, EDIT_UNIQUE } coordination_edit_kind;
typedef struct coordination_edit {
    coordination_edit_kind kind;
    struct coordination_group *removed; /* for EDIT_REMOVE: each entry removes one atom */
} coordination_edit;

typedef struct coordination_group {
    char where[200]; /* for messages, as "--group-a" */
    int code;        /* exit code for a wrong word */
    char *path;      /* path of @FILE; NULL: the words come from elsewhere */
    coordination_range *ranges;
    size_t n_ranges;
    coordination_edit *edits; /* in the order in which they are applied */
    size_t n_edits;
    bool named;      /* it needs the names of atoms */
    uint32_t *atoms; /* from 0; filled by group_expand() */
    size_t count;
} coordination_group;

/* Characters between the words of a list. */
#define GROUP_SEPARATORS ", \t\r\n"

/* Lists that have labels. take() reads the list with the label that a word is into an empty group,
 * and returns TOOL_GO_ON, or prints a message and returns an exit code. If no list has this label,
 * it sets *known to false and does nothing. */
typedef struct group_labels {
    int (*take)(void *user, const char *word, size_t length, coordination_group *group,
                bool *known);
    void *user;
} group_labels;

/* Reads a list, which comes from `where`, and whose words may be `labels` (NULL: none). Returns
 * TOOL_GO_ON, or prints a message and returns an exit code. */
int group_take(coordination_group *group, const char *where, int code, const char *list,
               const group_labels *labels);

/* Reads a group of the index file `path`; returns TOOL_GO_ON, or prints a message and returns an
 * exit code. */
int group_take_index(coordination_group *group, const char *where, int code, const char *path,
                     const char *name);

/* Appends an edit. For EDIT_REMOVE, *removed receives an empty group for the caller to fill.
 * Returns TOOL_GO_ON, or prints a message and returns an exit code. */
int group_edit(coordination_group *group, coordination_edit_kind kind,
               coordination_group **removed);

/* The atoms of the list, now that their number and perhaps their names are known. Returns
 * TOOL_GO_ON, or an exit code and in `text` a message. */
int group_expand(coordination_group *group, const mote_trajectory *t, char *text, size_t size);

/* Calls `take` with each file from which the list or a list of removed atoms was read. Stops at the
 * first code other than TOOL_GO_ON and returns it. */
typedef int (*group_file_fn)(void *user, const char *path);
int group_files(const coordination_group *group, group_file_fn take, void *user);

void group_free(coordination_group *group);

/* For the files of this folder. */

/* Makes all edits of a list whose atoms are known. Returns false if out of memory. */
bool group_do_edits(coordination_group *group);

/* Reads the words of a text; `line` is the number of its first line. */
int group_words(coordination_group *group, const char *text, size_t length, size_t line,
                const group_labels *labels);

/* "--group-a" or "FILE", the beginning of messages. */
const char *group_source(const coordination_group *group);

/* Stores the atoms that have the name of a range at `atoms`, unless that is NULL; returns their
 * number. */
size_t group_named(const coordination_range *range, const mote_trajectory *t, uint32_t *atoms);

/* Reports why a range has no atoms. */
int group_fail_name(const coordination_group *group, const coordination_range *range,
                    const mote_trajectory *t, char *text, size_t size);

#endif
