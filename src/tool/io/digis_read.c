/* SPDX-License-Identifier: Apache-2.0 */
#include "digis_read.h"
#include "kind.h"

#include "../option.h"

#include <sys/stat.h>

/* A regular file can be looked through before it is read. */
static bool is_regular(const char *path)
{
    struct stat info;
    return !input_is_stream(path) && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

int digi_open(const char *path, const digi_options *options, int wake, digi_reader *reader)
{
    *reader = (digi_reader){.path = path, .options = options, .in.fd = -1};
    bool packed = tool_ends_with(path, ".csv.gz");
    if (!packed && input_refuse_packed(path) != TOOL_GO_ON)
        return TOOL_INPUT;
    reader->is_pdig = tool_ends_with(path, ".bin");
    if (reader->is_pdig)
        return TOOL_GO_ON;
    if (!packed && !tool_ends_with(path, ".csv") && is_regular(path))
        return tool_fail(TOOL_INPUT, "%s: the name must end in .csv, .csv.gz or .bin", path);
    int code = in_lines_open(path, wake, &reader->in);
    if (code == TOOL_GO_ON)
        code = digi_csv_open(&reader->in, options, &reader->csv);
    if (code == TOOL_GO_ON && is_regular(path))
        reader->csv.path = path;
    return code;
}

void digi_close(digi_reader *reader)
{
    digi_csv_close(&reader->csv);
    in_lines_close(&reader->in);
}

int digi_next(digi_reader *reader, digi_set *set)
{
    if (!reader->is_pdig)
        return digi_csv_next(&reader->csv, set);
    *set = (digi_set){0};
    if (reader->ended)
        return TOOL_DONE;
    reader->ended = true;
    int code = digi_pdig_read(reader->path, reader->options, set);
    return code == TOOL_DONE ? TOOL_GO_ON : code;
}
