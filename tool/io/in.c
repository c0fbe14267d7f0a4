/* SPDX-License-Identifier: Apache-2.0 */
#include "in.h"

#include "in_lines.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Reads all of the input, followed by a newline. The functions that read lines would limit their
 * length. */
static int read_all(in_lines *lines, in_file *in)
{
    const unsigned char *bytes;
    mote_lines_status status = mote_lines_peek(&lines->lines, SIZE_MAX, &bytes);
    if (status == MOTE_LINES_NO_MEMORY)
        return tool_fail(TOOL_INPUT, "%s: out of memory", in->name);
    if (status != MOTE_LINES_END)
        return in_lines_fail(lines, status);
    in->bytes = lines->lines.buffer;
    in->count = lines->lines.end;
    in->bytes[in->count] = '\n';
    lines->lines.buffer = NULL;
    return TOOL_DONE;
}

static int fail_nul(const in_file *in, const char *nul)
{
    size_t line = 1;
    const char *begin = in->bytes;
    for (const char *p = begin; p < nul; p++)
        if (*p == '\n') {
            line++;
            begin = p + 1;
        }
    return tool_fail(TOOL_INPUT,
                     "%s:%zu: byte %zu of the line is NUL: this is not a text in UTF-8, or it is "
                     "damaged",
                     in->name, line, (size_t)(nul - begin) + 1);
}

static int make_text(in_file *in)
{
    if (mote_lines_are_wide(in->bytes, in->count))
        return tool_fail(TOOL_INPUT, "%s:1: " MOTE_LINES_UTF16, in->name);
    const char *nul = memchr(in->bytes, '\0', in->count);
    if (nul)
        return fail_nul(in, nul);
    if (in->count >= 3 && memcmp(in->bytes, "\xef\xbb\xbf", 3) == 0)
        memset(in->bytes, ' ', 3);
    bool has_lf = memchr(in->bytes, '\n', in->count);
    for (char *p = in->bytes; !has_lf && p < in->bytes + in->count; p++)
        *p = *p == '\r' ? '\n' : *p;
    return TOOL_DONE;
}

int in_open(const char *path, in_file *in)
{
    in_lines lines;
    int code = in_lines_open(path, -1, &lines);
    *in = (in_file){.name = lines.name};
    if (code == TOOL_GO_ON)
        code = read_all(&lines, in);
    in_lines_close(&lines);
    if (code == TOOL_DONE)
        code = make_text(in);
    if (code != TOOL_DONE)
        in_close(in);
    return code;
}

void in_close(in_file *in)
{
    free(in->bytes);
    *in = (in_file){0};
}
