/* SPDX-License-Identifier: Apache-2.0 */
/* Lines, fields and numbers of CSV text. */
#ifndef MOTE_TOOL_IO_CSV_H
#define MOTE_TOOL_IO_CSV_H

#include "in_lines.h"
#include "../tool.h"

#define CSV_MOST_COLUMNS 64

#define CSV_MOST_NAME 64

typedef struct csv_reader {
    in_lines *in;
    const char *at, *end; /* the line; its newline, or CR and newline, follows */
    char separator; /* comma, semicolon or tab, whichever comes first in the header; else a blank
                       between its names */
    size_t line;    /* 1-based number of the line at `at` */
    bool held;      /* the line was read, but not yet returned */
    int code;       /* TOOL_GO_ON, or TOOL_INPUT after a message if reading failed */
} csv_reader;

/* The header, which may follow a #. Names may be quoted and padded; long names are truncated.
 * csv_open() fails on an empty file and on too many columns. */
typedef struct csv_header {
    int n_columns;
    char name[CSV_MOST_COLUMNS][CSV_MOST_NAME];
    char text[200]; /* the header as found, truncated, for messages */
    bool has_cr;    /* a name contains a CR: lines do not end with LF */
} csv_header;

int csv_open(csv_reader *reader, in_lines *in, csv_header *header);

/* Moves to the next line that is not blank and does not begin with #. Returns false at the end or
 * if reading fails. Pointers into the previous line become invalid. */
bool csv_next_line(csv_reader *reader);

/* One field: [begin, end) without padding and the quotes around it. Returns the beginning of the
 * next field, or NULL after the last one of the line. */
const char *csv_field(const csv_reader *reader, const char *at, const char **begin,
                      const char **end);

/* The result of reading a number. */
enum csv_number { CSV_GOOD, CSV_NOT_A_NUMBER, CSV_NEGATIVE, CSV_TOO_LARGE, CSV_INEXACT };

/* Reads a whole number as fast as possible: digits at `at` before a separator or the line's end.
 * Returns the first byte after the digits, or NULL if the field must be parsed by csv_field() and
 * csv_whole(). */
static inline const char *csv_digits(const char *at, char separator, uint64_t *value)
{
    uint64_t v = 0;
    const char *p = at;
    while ((unsigned char)(*p - '0') < 10)
        v = v * 10 + (uint64_t)(*p++ - '0');
    *value = v;
    bool ends = *p == separator || *p == '\n' || (*p == '\r' && p[1] == '\n');
    return ends && p != at && p - at <= 19 ? p : NULL;
}

enum csv_number csv_whole(const char *begin, const char *end, uint64_t *value);
enum csv_number csv_real(const char *begin, const char *end, double *value);

/* Reads an integer up to `most`, which may be written as 2.0 or 2e0. Returns CSV_INEXACT for such a
 * notation from 2^53 on, because the program that wrote it may have rounded the number. */
enum csv_number csv_integer(const char *begin, const char *end, uint64_t most, uint64_t *value);

/* Describes the error of such an integer, as "is negative; it must be from 0 to 65535". */
#define CSV_FAULT 120
void csv_integer_fault(enum csv_number found, uint64_t most, char text[CSV_FAULT]);

#endif
