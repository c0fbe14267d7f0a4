/* SPDX-License-Identifier: Apache-2.0 */
/* Atoms by name, and groups of GROMACS' index files. */
#include "groups.h"

#include "../io/in.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_NAMES 12 /* that a message lists */

/* ---- names ----------------------------------------------------------------------------------- */

/* A name belongs to an element if its first letters are the symbol: O, O1, Cl_2. */
static bool is_element(const char *name, const char *symbol)
{
    size_t letters = 0;
    while (isalpha((unsigned char)name[letters]))
        letters++;
    return letters && strlen(symbol) == letters && strncasecmp(name, symbol, letters) == 0;
}

static bool has_name(const coordination_range *range, const char *name)
{
    return range->element ? is_element(name, range->name) : fnmatch(range->name, name, 0) == 0;
}

/* The names in GRO and PDB files are those of force fields: CA may be carbon. */
static bool knows(const coordination_range *range, const mote_trajectory *t)
{
    bool of_elements = t->format != MOTE_TRAJECTORY_GRO && t->format != MOTE_TRAJECTORY_PDB;
    return t->names && (of_elements || !range->element);
}

size_t group_named(const coordination_range *range, const mote_trajectory *t, uint32_t *atoms)
{
    size_t count = 0;
    for (size_t i = 0; i < t->frame.n_atoms && knows(range, t); i++) {
        if (!has_name(range, t->names[i]))
            continue;
        if (atoms)
            atoms[count] = (uint32_t)i;
        count++;
    }
    return count;
}

/* Lists the first few different names, for example "C, H, O, ...". */
static void list_names(const mote_trajectory *t, char *list, size_t size)
{
    const char *shown[MOST_NAMES];
    size_t n = 0, used = 0;
    for (size_t i = 0; i < t->frame.n_atoms; i++) {
        bool known = false;
        for (size_t k = 0; k < n && !known; k++)
            known = strcmp(shown[k], t->names[i]) == 0;
        if (known)
            continue;
        if (n == MOST_NAMES) {
            snprintf(list + used, size - used, ", ...");
            return;
        }
        shown[n] = t->names[i];
        used += (size_t)snprintf(list + used, size - used, "%s%s", n ? ", " : "", shown[n]);
        n++;
    }
}

int group_fail_name(const coordination_group *group, const coordination_range *range,
                    const mote_trajectory *t, char *text, size_t size)
{
    char names[MOST_NAMES * (MOTE_TRAJECTORY_NAME + 2) + 8] = "none";
    const char *kind = range->element ? "element" : "name";
    const char *source = group_source(group);
    if (!t->names)
        snprintf(text, size,
                 "%.300s: %s:%.60s: the file %.300s has no names of atoms; take them from a GRO, "
                 "PDB or XYZ file by --names FILE",
                 source, kind, range->name, t->name);
    else if (!knows(range, t))
        snprintf(text, size,
                 "%.300s: element:%.60s: GRO and PDB files name atoms, not elements: name:%.60s* "
                 "takes all "
                 "names that begin so",
                 source, range->name, range->name);
    else {
        list_names(t, names, sizeof(names));
        snprintf(text, size, "%.300s: %s:%.60s fits no atom; the names are %s", source, kind,
                 range->name, names);
    }
    return group->path ? TOOL_INPUT : group->code;
}

/* ---- index files ----------------------------------------------------------------------------- */

/* A section of an index file. */
typedef struct section {
    const char *name;
    int length; /* of the name */
    const char *begin, *end;
    size_t line; /* at begin */
} section;

/* Finds the name between brackets on a line, without blanks around it; returns false for other
 * lines. */
static bool is_head(const char *line, const char *end, section *head)
{
    while (line < end && isblank((unsigned char)*line))
        line++;
    const char *close = line < end && *line == '[' ? memchr(line, ']', (size_t)(end - line)) : NULL;
    if (!close)
        return false;
    for (line++; line < close && isblank((unsigned char)*line);)
        line++;
    while (close > line && isblank((unsigned char)close[-1]))
        close--;
    head->name = line;
    head->length = (int)(close - line);
    return true;
}

/* Finds the next section from *at on; advances *line. */
static bool next_section(const char **at, const char *end, size_t *line, section *found)
{
    bool inside = false;
    section other;
    for (const char *p = *at; p < end;) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *stop = newline ? newline : end, *next = newline ? newline + 1 : end;
        if (is_head(p, stop, inside ? &other : found)) {
            if (inside)
                return true;
            inside = true;
            found->begin = next;
            found->line = *line + 1;
        }
        ++*line;
        found->end = *at = p = next;
    }
    return inside;
}

static bool is_named(const section *s, const char *name)
{
    return strlen(name) == (size_t)s->length && strncmp(s->name, name, (size_t)s->length) == 0;
}

static bool is_blank(const in_file *in)
{
    size_t i = 0;
    while (i < in->count && isspace((unsigned char)in->bytes[i]))
        i++;
    return i == in->count;
}

static int fail_index(const coordination_group *group, const in_file *in, const char *name)
{
    char names[400] = "";
    const char *at = in->bytes, *end = at + in->count;
    size_t line = 1, used = 0;
    section s;
    while (next_section(&at, end, &line, &s) && used < sizeof(names) - 1)
        used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%.*s", used ? ", " : "",
                                 s.length < 60 ? s.length : 60, s.name);
    if (is_blank(in))
        return tool_fail(TOOL_INPUT,
                         "%s: the index file is empty: groups of atoms were expected, each below a "
                         "line [ NAME ]",
                         group_source(group));
    if (!used)
        return tool_fail(TOOL_INPUT, "%s: this index file has no group: no line is [ NAME ]",
                         group_source(group));
    return tool_fail(TOOL_INPUT, "%s: %s%s%s; its groups are %s%s", group_source(group),
                     *name ? "it has no group '" : "name one of its groups, as in @index.ndx:Water",
                     name, *name ? "'" : "", names, used < sizeof(names) - 1 ? "" : "...");
}

static int take_section(coordination_group *group, const in_file *in, const char *name)
{
    const char *at = in->bytes, *end = at + in->count;
    size_t line = 1;
    section s, found = {0};
    while (next_section(&at, end, &line, &s)) {
        if (!is_named(&s, name))
            continue;
        if (found.name)
            return tool_fail(TOOL_INPUT,
                             "%s:%zu: the group '%s' is there twice, before line %zu, too",
                             group_source(group), s.line - 1, name, found.line);
        found = s;
    }
    if (!found.name)
        return fail_index(group, in, name);
    return group_words(group, found.begin, (size_t)(found.end - found.begin), found.line, NULL);
}

/* Overwrites comments with blanks. A comment begins with a semicolon and ends with the line. */
static void blank_comments(in_file *in)
{
    bool comment = false;
    for (char *p = in->bytes; p < in->bytes + in->count; p++) {
        comment = *p != '\n' && (comment || *p == ';');
        if (comment)
            *p = ' ';
    }
}

int group_take_index(coordination_group *group, const char *where, int code, const char *path,
                     const char *name)
{
    in_file in;
    group_free(group);
    snprintf(group->where, sizeof(group->where), "%s", where);
    group->code = code;
    int opened = in_open(path, &in);
    if (opened != TOOL_DONE)
        return opened;
    group->path = strdup(path);
    blank_comments(&in);
    int taken = group->path ? take_section(group, &in, name)
                            : tool_fail(TOOL_INPUT, "%s: out of memory", path);
    in_close(&in);
    return taken;
}
