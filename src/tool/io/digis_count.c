/* SPDX-License-Identifier: Apache-2.0 */
/* How many events a file has, for shares of a run. */
#include "digis.h"
#include "digis_columns.h"

#include "../option.h"

#include <stdio.h>
#include <string.h>

/* The second number of the head of a PDIG file. */
static bool count_pdig(const char *path, uint64_t *count)
{
    unsigned char head[8];
    FILE *file = fopen(path, "rb");
    bool good =
        file && fread(head, 1, sizeof(head), file) == sizeof(head) && !memcmp(head, "PDIG", 4);
    if (file)
        fclose(file);
    if (good)
        *count =
            head[4] | (uint64_t)head[5] << 8 | (uint64_t)head[6] << 16 | (uint64_t)head[7] << 24;
    return good;
}

static bool is_blank(const char *line)
{
    if (strncmp(line, "\xef\xbb\xbf", 3) == 0)
        line += 3;
    return line[strspn(line, " \t\r")] == '\n';
}

/* Without a column whose name holds "event" a CSV file is one event. Of a packed one nobody knows,
 * and below a blank line there is another header. */
static bool is_one_event(const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "rb");
    bool whole = file && fgets(line, sizeof(line), file) && strchr(line, '\n');
    if (file)
        fclose(file);
    return whole && !is_blank(line) && line[0] != '\x1f' && !strstr(line, "event");
}

int digi_count_events(const char *path, const digi_options *options, uint64_t *count)
{
    digi_set set;
    *count = 1;
    bool is_pdig = tool_ends_with(path, ".bin");
    bool named = options->columns_given && options->columns_given->name[COLUMN_EVENT][0];
    if (is_pdig ? count_pdig(path, count) : !named && is_one_event(path))
        return TOOL_DONE;
    int code = digi_read(path, options, &set);
    if (code != TOOL_DONE)
        return code;
    *count = set.n_events;
    digi_set_free(&set);
    return TOOL_DONE;
}
