/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of the columns in a CSV file of digis: by their names, or as the command line
 * states. */
#ifndef MOTE_TOOL_IO_DIGIS_COLUMNS_H
#define MOTE_TOOL_IO_DIGIS_COLUMNS_H

#include "csv.h"

enum {
    COLUMN_MODULE,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_ADC,
    COLUMN_RUN, /* this and the next kind are ignored without COLUMN_EVENT */
    COLUMN_LUMI,
    COLUMN_EVENT,
    COLUMN_TIME, /* this and the following kinds are those of hits in time */
    COLUMN_FINE,
    COLUMN_PIXEL,
    COLUMN_OVERFLOW,
    COLUMN_KINDS,
    COLUMN_IGNORED = COLUMN_KINDS
};

/* Names assigned to kinds by --columns, "" = not given; and columns that are ignored. Without
 * `time`, no column is of a kind from COLUMN_TIME on. */
typedef struct digi_columns {
    char name[COLUMN_KINDS][CSV_MOST_NAME];
    char left_out[CSV_MOST_COLUMNS][CSV_MOST_NAME];
    size_t n_left_out;
    bool time; /* the file has hits with times */
} digi_columns;

/* Reads the value of --columns; TOOL_GO_ON, or TOOL_USAGE after a message. */
int digi_columns_parse(const char *text, digi_columns *columns);

/* Returns whether a column with this name has the kind if --columns does not state another one. */
bool digi_column_has_name(int kind, const char *name);

/* The kind of each column. `ignored` receives the names of those that hold nothing for us, but for
 * what cells of Acts have besides. Fails if a column is missing, occurs twice, or seems to be a
 * missing one with another name. */
int digi_columns_find(const csv_reader *csv, const csv_header *header, const digi_columns *given,
                      uint8_t *kind, char *ignored, size_t size);

#endif
