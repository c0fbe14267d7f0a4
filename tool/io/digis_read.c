/* SPDX-License-Identifier: Apache-2.0 */
#include "digis_read.h"
#include "file_type.h"

#include <sys/stat.h>

/* True if the file can be examined before it is read. */
static bool is_regular(const char *path)
{
    struct stat info;
    return !input_is_stream(path) && stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

enum digi_format digi_format_of(const char *path, const digi_options *options)
{
    if (options->format != DIGIS_ANY)
        return options->format;
    if (input_ends_with(path, ".csv") || input_ends_with(path, ".tsv") ||
        input_ends_with(path, ".txt") || input_ends_with(path, ".t3pa"))
        return DIGIS_CSV;
    if (input_ends_with(path, ".tpx3"))
        return DIGIS_TIMEPIX3;
    if (input_ends_with(path, ".bin"))
        return DIGIS_BIN;
    return DIGIS_ANY;
}

/* A file that cannot be read counts as CSV, whose reader prints the message. */
static bool begins_as_pdig(in_lines *in)
{
    const unsigned char *head;
    return mote_lines_peek(&in->lines, MOTE_PDIG_HEAD, &head) == MOTE_LINES_LINE &&
           mote_pdig_is(head, MOTE_PDIG_HEAD);
}

int digi_open(const char *path, const digi_options *options, int wake, digi_reader *reader)
{
    *reader = (digi_reader){.in.fd = -1};
    enum digi_format format = digi_format_of(path, options);
    int code =
        format == DIGIS_ANY ? input_refuse_foreign(path, "write the digis as CSV") : TOOL_GO_ON;
    if (code == TOOL_GO_ON && format == DIGIS_ANY && is_regular(path))
        code = tool_fail(TOOL_INPUT,
                         "%s: the name must end in .csv, .tsv, .txt or .bin, or these and .gz, "
                         ".bz2 or .xz, or --input-format say what it is",
                         path);
    if (code == TOOL_GO_ON && format == DIGIS_TIMEPIX3)
        code = tool_fail(TOOL_INPUT,
                         "%s: packets of Timepix3 are hits in time: give "
                         "--time-window TICKS",
                         path);
    if (code == TOOL_GO_ON)
        code = in_lines_open(path, wake, &reader->in);
    if (code != TOOL_GO_ON)
        return code;
    reader->is_pdig = format == DIGIS_BIN || (format == DIGIS_ANY && begins_as_pdig(&reader->in));
    if (reader->is_pdig)
        return digi_pdig_open(&reader->in, options, &reader->pdig);
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
    return reader->is_pdig ? digi_pdig_next(&reader->pdig, set) : digi_csv_next(&reader->csv, set);
}
