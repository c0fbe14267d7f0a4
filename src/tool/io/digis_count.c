/* SPDX-License-Identifier: Apache-2.0 */
/* How many events a file has, for shares of a run. */
#include "digis_read.h"

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

/* Events that do not ascend are known when all of them are. */
static int count_read(const char *path, const digi_options *options, uint64_t *count)
{
    digi_reader reader;
    digi_set set;
    int code = digi_open(path, options, -1, &reader);
    *count = 0;
    while (code == TOOL_GO_ON && (code = digi_next(&reader, &set)) == TOOL_GO_ON) {
        *count += set.n_events;
        digi_set_free(&set);
    }
    digi_close(&reader);
    return code;
}

int digi_count_events(const char *path, const digi_options *options, uint64_t *count)
{
    digi_survey survey;
    *count = 1;
    bool is_pdig = tool_ends_with(path, ".bin");
    bool is_csv = tool_ends_with(path, ".csv") || tool_ends_with(path, ".csv.gz");
    bool named = options->columns_given && options->columns_given->name[COLUMN_EVENT][0];
    if (is_pdig ? count_pdig(path, count) : !named && is_one_event(path))
        return TOOL_DONE;
    if (is_pdig || !is_csv)
        return count_read(path, options, count);
    int code = digi_csv_survey(path, options, &survey);
    if (code != TOOL_GO_ON)
        return code;
    *count = survey.events;
    return survey.readable && survey.ascending ? TOOL_DONE : count_read(path, options, count);
}
