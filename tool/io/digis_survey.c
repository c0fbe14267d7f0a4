/* SPDX-License-Identifier: Apache-2.0 */
/* Examines a CSV file of digis: whether its events ascend, and how many there are. It parses only
 * the necessary fields of a row; other errors are found when the file is read. */
#include "digis_csv.h"

#include <math.h>

typedef struct survey_row {
    digi_event event;
    bool fraction;
} survey_row;

typedef struct survey_columns {
    int event[EVENT_KEYS], adc; /* -1 = none */
    int n_keys;                 /* number of columns of an event */
    bool adc_is_last;
} survey_columns;

/* A separator in quotes does not end a field, and a quote may follow padding. */
static bool may_be_quoted(char first)
{
    return first == '"' || first == ' ' || first == '\t' || first == '\r';
}

/* Returns the field `count` columns after `at`, or NULL if the slow way must find it. */
static const char *skip_fields(const char *at, char separator, int count)
{
    for (; count > 0; count--) {
        if (may_be_quoted(*at))
            return NULL;
        while (*at != separator && *at != '\n')
            at++;
        if (*at++ != separator)
            return NULL;
    }
    return at;
}

/* True if the last field of the line consists of digits only. */
static bool ends_whole(const csv_reader *csv)
{
    const char *p = csv->end;
    while (p > csv->at && (unsigned char)(p[-1] - '0') < 10)
        p--;
    return p < csv->end && p > csv->at && p[-1] == csv->separator;
}

/* Succeeds if all fields consist of digits only, as they nearly always do. */
static bool take_fast(const csv_reader *csv, const survey_columns *columns, survey_row *row)
{
    uint64_t charge;
    const char *p;
    for (int k = 0; k < EVENT_KEYS; k++) {
        if (columns->event[k] < 0)
            continue;
        p = skip_fields(csv->at, csv->separator, columns->event[k]);
        if (!p || !csv_digits(p, csv->separator, &row->event.key[k]))
            return false;
    }
    row->fraction = false;
    if (columns->adc < 0 || (columns->adc_is_last && ends_whole(csv)))
        return true;
    p = skip_fields(csv->at, csv->separator, columns->adc);
    return p && csv_digits(p, csv->separator, &charge);
}

static bool take_slowly(const csv_reader *csv, const survey_columns *columns, survey_row *row)
{
    const char *p = csv->at, *begin, *end;
    bool good = true;
    double charge = 0.0;
    int keys = 0;
    for (int c = 0; p && good; c++) {
        p = csv_field(csv, p, &begin, &end);
        if (c == columns->adc)
            good = csv_real(begin, end, &charge) == CSV_GOOD;
        for (int k = 0; k < EVENT_KEYS; k++)
            if (c == columns->event[k]) {
                good = csv_integer(begin, end, UINT64_MAX, &row->event.key[k]) == CSV_GOOD;
                keys++;
            }
    }
    row->fraction = floor(charge) != charge;
    return good && keys == columns->n_keys;
}

static int place_of(const digi_csv *csv, int kind)
{
    for (int c = 0; c < csv->header.n_columns; c++)
        if (csv->kind[c] == kind)
            return c;
    return -1;
}

int digi_csv_look(digi_csv *csv, digi_survey *survey)
{
    *survey = (digi_survey){.readable = true, .ascending = true, .whole = true};
    if (!csv->names[COLUMN_EVENT]) {
        survey->events = 1;
        return TOOL_GO_ON;
    }
    survey_columns columns = {.adc = place_of(csv, COLUMN_ADC)};
    for (int k = 0; k < EVENT_KEYS; k++) {
        columns.event[k] = place_of(csv, COLUMN_RUN + k);
        columns.n_keys += columns.event[k] >= 0;
    }
    columns.adc_is_last = columns.adc == csv->header.n_columns - 1;
    digi_event last = {0};
    while (survey->ascending && csv_next_line(&csv->csv)) {
        survey_row row = {0};
        if (!take_fast(&csv->csv, &columns, &row) && !take_slowly(&csv->csv, &columns, &row)) {
            survey->readable = false;
            break;
        }
        int order = digi_event_compare(&row.event, &last);
        survey->ascending = !survey->events || order >= 0;
        survey->whole = survey->whole && !row.fraction;
        survey->events += !survey->events || order != 0;
        last = row.event;
    }
    return csv->csv.code;
}

int digi_csv_survey(const char *path, const digi_options *options, digi_survey *survey)
{
    in_lines in;
    digi_csv csv;
    *survey = (digi_survey){0};
    int code = in_lines_open(path, -1, &in);
    if (code == TOOL_GO_ON)
        code = digi_csv_open(&in, options, &csv);
    if (code == TOOL_GO_ON)
        code = digi_csv_look(&csv, survey);
    in_lines_close(&in);
    return code;
}
