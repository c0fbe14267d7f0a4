/* SPDX-License-Identifier: Apache-2.0 */
#include "csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_EXACT 0x1p53 /* larger doubles cannot represent every integer */

static bool is_padding(const csv_reader *reader, char c)
{
    return c == '\r' || ((c == ' ' || c == '\t') && c != reader->separator);
}

static const char *skip_padding(const char *at)
{
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
    return at;
}

/* Returns where the field behind a separator begins; NULL at the end of the line. Several blanks
 * are one separator, and blanks at the end are ignored. */
static const char *next_field(const csv_reader *reader, const char *at)
{
    if (*at != reader->separator)
        return NULL;
    if (reader->separator != ' ')
        return at + 1;
    at = skip_padding(at);
    return *at == '\n' ? NULL : at;
}

/* Sets [begin, end) to the text between the quote at `at` and the one that ends the field.
 * Returns the separator or the end of the line after it, or NULL if no quote ends the field or more
 * text follows. */
static const char *quoted(const csv_reader *reader, const char *at, const char **begin,
                          const char **end)
{
    const char *p = at + 1;
    while (*p != '\n' && (*p != '"' || p[1] == '"')) /* "" represents a quote */
        p += *p == '"' ? 2 : 1;
    *begin = at + 1;
    *end = p;
    if (*p++ != '"')
        return NULL;
    while (is_padding(reader, *p))
        p++;
    return *p == reader->separator || *p == '\n' ? p : NULL;
}

const char *csv_field(const csv_reader *reader, const char *at, const char **begin,
                      const char **end)
{
    const char *p = at, separator = reader->separator;
    while (is_padding(reader, *p) || (*p == ' ' && separator == ' '))
        p++;
    const char *stop = *p == '"' ? quoted(reader, p, begin, end) : NULL;
    if (stop)
        return next_field(reader, stop);
    *begin = p; /* with its quote if that is misplaced: it is neither a number nor a name */
    while (*p != separator && *p != '\n')
        p++;
    const char *last = p;
    while (last > *begin && is_padding(reader, last[-1]))
        last--;
    *end = last;
    return next_field(reader, p);
}

/* Moves to the next line that is not blank. If `comments` is set, lines that begin with # are
 * returned, too. */
static bool next_line(csv_reader *reader, bool comments)
{
    mote_lines_status status;
    char first;
    do {
        status = mote_lines_next(&reader->in->lines, &reader->at, &reader->end);
        first = status == MOTE_LINES_LINE ? *skip_padding(reader->at) : 'x';
    } while (first == '\n' || (first == '#' && !comments));
    reader->line = reader->in->lines.number;
    if (status != MOTE_LINES_LINE && status != MOTE_LINES_END)
        reader->code = in_lines_fail(reader->in, status);
    return status == MOTE_LINES_LINE;
}

bool csv_next_line(csv_reader *reader)
{
    if (!reader->held)
        return next_line(reader, false);
    reader->held = false;
    reader->line = reader->in->lines.number;
    return true;
}

/* Returns the first of the separators outside of quotes; else a blank between names, else a
 * comma. */
static char find_separator(const char *at)
{
    bool quotes = false, blank = false;
    for (at = skip_padding(at); *at != '\n'; at++) {
        quotes ^= *at == '"';
        if (!quotes && (*at == ',' || *at == ';' || *at == '\t'))
            return *at;
        blank = blank || (!quotes && *at == ' ' && at[1] > ' ');
    }
    return blank ? ' ' : ',';
}

/* Reads the column names. Returns false if there are too many. */
static bool take_names(csv_reader *reader, const char *next, csv_header *header)
{
    while (next) {
        const char *field = next, *begin, *end;
        if (header->n_columns == CSV_MOST_COLUMNS)
            return false;
        next = csv_field(reader, field, &begin, &end);
        bool quoted = begin > field && begin[-1] == '"';
        header->has_cr = header->has_cr || (!quoted && mote_lines_have_cr(begin, end));
        char *name = header->name[header->n_columns++];
        begin += begin < end && *begin == '#'; /* of a header like "#Col,#Row" */
        for (size_t n = 0; begin < end && n + 1 < CSV_MOST_NAME; n++, begin++)
            name[n] = *begin >= ' ' && *begin <= '~' ? *begin : '?';
    }
    return true;
}

/* Stores a printable piece of the header line for messages. */
static void keep_text(const char *at, csv_header *header)
{
    size_t n = 0;
    for (; *at != '\n' && !(*at == '\r' && at[1] == '\n') && n + 1 < sizeof(header->text); at++)
        header->text[n++] = *at == '\t' ? ' ' : *at >= ' ' && *at <= '~' ? *at : '?';
    header->text[n] = '\0';
}

/* Rejects files that are not text, by their first bytes. */
static int check_first_bytes(csv_reader *reader)
{
    const unsigned char *at;
    in_lines *in = reader->in;
    (void)mote_lines_peek(&in->lines, 8, &at);
    size_t count = in->lines.end - in->lines.begin;
    if (count >= 8 && memcmp(at, "PDIG", 4) == 0 && memchr(at, '\0', 8))
        return tool_fail(TOOL_INPUT,
                         "%s:1: these are binary digis, not CSV: let the name end in .bin, or give "
                         "--input-format bin",
                         in->name);
    return TOOL_GO_ON;
}

/* Finds the first line that is not blank, without the mark that some editors put before a text. */
static bool first_line(csv_reader *reader)
{
    static const char mark[] = "\xef\xbb\xbf";
    if (!next_line(reader, true))
        return false;
    if (reader->line > 1 || strncmp(reader->at, mark, 3) != 0)
        return true;
    reader->at += 3;
    return *skip_padding(reader->at) != '\n' || next_line(reader, true);
}

/* True if the line is like "sep=;", which Excel accepts in front of the header. */
static bool names_separator(const csv_reader *reader)
{
    return reader->end - reader->at == 5 && strncasecmp(reader->at, "sep=", 4) == 0;
}

static bool begins_with_number(const char *at)
{
    at = skip_padding(at);
    at += *at == '"';
    return (*at >= '0' && *at <= '9') || *at == '+' || *at == '-' || *at == '.';
}

static bool take_header(csv_reader *reader, const char *at, csv_header *header)
{
    *header = (csv_header){0};
    keep_text(at, header);
    reader->separator = find_separator(at);
    return take_names(reader, at, header);
}

/* Reads the header: the first line that is not a comment. If that line begins with a number, it is
 * a row, and the header is the comment before it, as numpy.savetxt writes it. Other comments are
 * not checked. */
static int find_header(csv_reader *reader, csv_header *header)
{
    bool named = false, found = true, good = true;
    while (found && *skip_padding(reader->at) == '#') {
        size_t line = reader->line;
        good = take_header(reader, skip_padding(skip_padding(reader->at) + 1), header);
        named = true;
        found = next_line(reader, true);
        if (!found || begins_with_number(reader->at))
            reader->line = line;
    }
    if (reader->code != TOOL_GO_ON)
        return reader->code;
    reader->held = found && named && begins_with_number(reader->at);
    if (found && !reader->held)
        good = take_header(reader, reader->at, header);
    if (header->has_cr)
        return tool_fail(TOOL_INPUT, "%s:%zu: " MOTE_LINES_CR, reader->in->name, reader->line);
    return good ? TOOL_GO_ON
                : tool_fail(TOOL_INPUT, "%s:%zu: the header has more than %d columns",
                            reader->in->name, reader->line, CSV_MOST_COLUMNS);
}

int csv_open(csv_reader *reader, in_lines *in, csv_header *header)
{
    *reader = (csv_reader){.in = in, .code = TOOL_GO_ON};
    *header = (csv_header){0};
    int code = check_first_bytes(reader);
    if (code != TOOL_GO_ON)
        return code;
    bool found = first_line(reader);
    if (found && names_separator(reader))
        found = next_line(reader, true);
    if (!found)
        return reader->code != TOOL_GO_ON
                   ? reader->code
                   : tool_fail(TOOL_INPUT, "%s:1: the file is empty; a header line was expected",
                               in->name);
    return find_header(reader, header);
}

enum csv_number csv_whole(const char *begin, const char *end, uint64_t *value)
{
    const char *p = begin;
    if (p < end && *p == '+')
        p++;
    bool negative = p < end && *p == '-';
    p += negative;
    if (p == end)
        return CSV_NOT_A_NUMBER;
    uint64_t v = 0;
    bool large = false;
    for (; p < end; p++) {
        unsigned digit = (unsigned char)(*p - '0');
        if (digit > 9)
            return CSV_NOT_A_NUMBER;
        large = large || v > (UINT64_MAX - digit) / 10;
        v = v * 10 + digit;
    }
    *value = v;
    if (negative && (v || large))
        return CSV_NEGATIVE;
    return large ? CSV_TOO_LARGE : CSV_GOOD;
}

/* Reads up to 15 digits with a point: they are exact in a double, and so is one division by a power
 * of ten. */
static bool short_decimal(const char *begin, const char *end, double *value)
{
    static const double tens[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t digits = 0;
    int behind = 0;
    bool point = false;
    if (end - begin > 16 || end == begin)
        return false;
    for (const char *p = begin; p < end; p++) {
        if (*p == '.' && !point) {
            point = true;
            continue;
        }
        unsigned digit = (unsigned char)(*p - '0');
        if (digit > 9)
            return false;
        digits = digits * 10 + digit;
        behind += point;
    }
    if (end - begin - point > 15 || end - begin == point)
        return false;
    *value = (double)digits / tens[behind];
    return true;
}

enum csv_number csv_real(const char *begin, const char *end, double *value)
{
    if (short_decimal(begin, end, value))
        return CSV_GOOD;
    /* strtod would also read blanks, NaN, infinity and hexadecimal numbers. */
    size_t n = (size_t)(end - begin);
    if (n == 0 || strspn(begin, "0123456789.eE+-") < n)
        return CSV_NOT_A_NUMBER;
    char *stop; /* no character of a number follows a field */
    *value = strtod(begin, &stop);
    if (stop != end)
        return CSV_NOT_A_NUMBER;
    if (*value < 0.0)
        return CSV_NEGATIVE;
    return isfinite(*value) ? CSV_GOOD : CSV_TOO_LARGE;
}

/* True if a number that csv_real() has accepted is an integer. Examines the digits, because a
 * double near 2^53 cannot hold a fraction. */
static bool is_whole(const char *begin, const char *end)
{
    /* Digits so far, those before the point, and the last digit that is not 0. */
    long digits = 0, before = -1, last = -1;
    const char *p = begin;
    for (; p < end && *p != 'e' && *p != 'E'; p++) {
        if (*p == '.')
            before = digits;
        if (*p < '0' || *p > '9')
            continue;
        if (*p != '0')
            last = digits;
        digits++;
    }
    if (before < 0)
        before = digits;
    long power = p < end ? strtol(p + 1, NULL, 10) : 0;
    return last < 0 || power > last - before;
}

enum csv_number csv_integer(const char *begin, const char *end, uint64_t most, uint64_t *value)
{
    double real;
    enum csv_number found = csv_whole(begin, end, value);
    if (found == CSV_GOOD && *value > most)
        return CSV_TOO_LARGE;
    if (found != CSV_NOT_A_NUMBER)
        return found;
    found = csv_real(begin, end, &real);
    if (found != CSV_GOOD)
        return found;
    if (!is_whole(begin, end))
        return CSV_NOT_A_NUMBER;
    /* A double cannot represent UINT64_MAX, which becomes 2^64 here. */
    if (real > (double)most || real >= 0x1p64)
        return CSV_TOO_LARGE;
    if (real >= MOST_EXACT)
        return CSV_INEXACT;
    *value = (uint64_t)real;
    return CSV_GOOD;
}

void csv_integer_fault(enum csv_number found, uint64_t most, char text[CSV_FAULT])
{
    const char *what = found == CSV_NEGATIVE    ? "is negative"
                       : found == CSV_TOO_LARGE ? "is too large"
                       : found == CSV_INEXACT
                           ? "is not exact: write it without a point and an exponent"
                           : "is not a whole number";
    snprintf(text, CSV_FAULT, "%s; it must be from 0 to %llu", what, (unsigned long long)most);
}
