/* SPDX-License-Identifier: Apache-2.0 */
/* Digis from CSV: Acts and traccc cells, or plain digis.
 *
 * A long file whose events ascend is returned in parts of whole events, so that only one part is in
 * memory. This needs charges that are whole numbers or a given scale, since a scale is chosen from
 * all charges of a file. A regular file is scanned before its first part is returned; if it cannot
 * be cut, it is read as a whole. In a pipe, the order of the first part must continue: another
 * order after it is an error. */
#ifndef MOTE_TOOL_IO_DIGIS_CSV_H
#define MOTE_TOOL_IO_DIGIS_CSV_H

#include "csv.h"
#include "digis.h"
#include "digis_columns.h"

enum digi_parts { PARTS_UNKNOWN, PARTS_NONE, PARTS_MANY };

typedef struct digi_csv {
    csv_reader csv;
    csv_header header;
    uint8_t kind[CSV_MOST_COLUMNS];
    const char *names[COLUMN_KINDS]; /* names in the header; NULL: no such column */
    char ignored[200];               /* names of columns that are not read */
    const digi_options *options;

    uint64_t field[COLUMN_KINDS]; /* the row's whole numbers */
    double value;                 /* its charge, if it is not whole */
    bool whole;
    bool negative;           /* its time is the negative of the field */
    double scaled_time;      /* its time, in ticks, if times are scaled */
    uint32_t x_most, y_most; /* of all rows so far */

    const char *path; /* path of a file that can be surveyed; NULL = none */
    enum digi_parts parts;
    size_t part_digis; /* a part ends before the next event after this number of digis */
    digi_set *set;     /* the part that is being read */
    uint64_t *event;   /* one for each of its digis if the file has events */
    size_t event_reserved;
    uint64_t last_event; /* event of the previous row */
    bool mixed;          /* events do not ascend */
    bool given;          /* a part was passed on, so that it cannot be read again */
    bool pending;        /* the row belongs to the next part */
    bool ended;
    size_t taken; /* bytes of the previous parts */
} digi_csv;

/* Reads the header. TOOL_GO_ON, or TOOL_INPUT after a message; close it in both cases. */
int digi_csv_open(in_lines *in, const digi_options *options, digi_csv *csv);
void digi_csv_close(digi_csv *csv);

/* Reads the next part: TOOL_GO_ON with a set to be freed, TOOL_DONE after the last one, or
 * TOOL_INPUT after a message with file and line. */
int digi_csv_next(digi_csv *csv, digi_set *set);

/* ---- rows: what parts are made of ------------------------------------------------------------ */

/* Reports an error in the line; returns TOOL_INPUT. */
int digi_row_fail(const digi_csv *csv, const char *sentence);

/* Reads the fields of the line. */
int digi_row_take(digi_csv *csv);

/* Checks them. Stores the charge in *adc if it is an integer; sets *fraction if values must be
 * kept. */
int digi_row_check(digi_csv *csv, uint32_t *adc, bool *fraction);

/* ---- looking through a file ------------------------------------------------------------------ */

typedef struct digi_survey {
    bool readable;  /* true as far as the survey checks */
    bool ascending; /* events ascend; otherwise the remaining file was not surveyed */
    bool whole;     /* all charges are whole numbers */
    uint64_t events;
} digi_survey;

/* Looks through the rows of an opened file, whose parts cannot be read then. Without a column for
 * events, all digis belong to one event. TOOL_GO_ON, or TOOL_INPUT after a message. */
int digi_csv_look(digi_csv *csv, digi_survey *survey);

/* Does the same as digi_csv_look() for the file `path`. */
int digi_csv_survey(const char *path, const digi_options *options, digi_survey *survey);

#endif
