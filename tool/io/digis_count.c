/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the events of a file, for shares of a run. */
#include "digis_read.h"

/* Reads the number from the head of a PDIG file. */
static int count_pdig(const char *path, const digi_options *options, uint64_t *count)
{
    digi_reader reader;
    int code = digi_open(path, options, -1, &reader);
    if (code == TOOL_GO_ON)
        *count = reader.pdig.pdig.n_events;
    digi_close(&reader);
    return code == TOOL_GO_ON ? TOOL_DONE : code;
}

/* Events that do not ascend can be counted only after all of them are read. */
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
    *count = 0;
    enum digi_format format = digi_format_of(path, options);
    if (format == DIGIS_BIN)
        return count_pdig(path, options, count);
    if (format != DIGIS_CSV)
        return count_read(path, options, count);
    int code = digi_csv_survey(path, options, &survey);
    if (code != TOOL_GO_ON)
        return code;
    *count = survey.events;
    return survey.readable && survey.ascending ? TOOL_DONE : count_read(path, options, count);
}
