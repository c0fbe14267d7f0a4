/* SPDX-License-Identifier: Apache-2.0 */
/* How many events a file has, for shares of a run. */
#include "digis_read.h"

#include <stdio.h>
#include <string.h>

/* As the head of a PDIG file says. */
static int count_pdig(const char *path, const digi_options *options, uint64_t *count)
{
    digi_reader reader;
    int code = digi_open(path, options, -1, &reader);
    if (code == TOOL_GO_ON)
        *count = reader.pdig.pdig.n_events;
    digi_close(&reader);
    return code == TOOL_GO_ON ? TOOL_DONE : code;
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
    enum digi_format format = digi_format_of(path, options);
    bool named = options->columns_given && options->columns_given->name[COLUMN_EVENT][0];
    if (format == DIGIS_BIN)
        return count_pdig(path, options, count);
    if (!named && is_one_event(path))
        return TOOL_DONE;
    if (format != DIGIS_CSV)
        return count_read(path, options, count);
    int code = digi_csv_survey(path, options, &survey);
    if (code != TOOL_GO_ON)
        return code;
    *count = survey.events;
    return survey.readable && survey.ascending ? TOOL_DONE : count_read(path, options, count);
}
