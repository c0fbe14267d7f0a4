/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a row of a CSV file of digis. */
#include "digis_csv.h"

#include <math.h>

#define MOST_SHOWN  40     /* bytes of a field in a message */
#define MOST_PLACE  65535  /* the highest row or column of any module */
#define MOST_SCALED 0x1p53 /* ticks: larger ones are rounded by more than a tick */

int digi_row_fail(const digi_csv *csv, const char *sentence)
{
    return tool_fail(TOOL_INPUT, "%s:%zu: %s", csv->csv.in->name, csv->csv.line, sentence);
}

static int fail_field(const digi_csv *csv, int kind, const char *begin, const char *end,
                      const char *what)
{
    if (mote_lines_have_cr(begin, end))
        what = "holds a CR: lines must end in LF or CRLF";
    char shown[MOST_SHOWN + 1]; /* control characters of terminals are replaced */
    size_t n = 0;
    for (const char *p = begin; p < end && n < MOST_SHOWN; p++)
        shown[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
    shown[n] = '\0';
    return tool_fail(TOOL_INPUT, "%s:%zu: %s '%s' %s", csv->csv.in->name, csv->csv.line,
                     csv->names[kind], shown, what);
}

/* Reads a time, which may be negative, and is a real number if times are scaled. */
static int take_time(digi_csv *csv, const char *begin, const char *end)
{
    char fault[CSV_FAULT];
    long double scale = csv->options->time_scale;
    bool negative = begin < end && *begin == '-';
    double real;
    enum csv_number found = CSV_NOT_A_NUMBER;
    csv->negative = negative;
    if (scale > 0.0L && csv_real(begin + negative, end, &real) == CSV_GOOD) {
        csv->scaled_time = (double)roundl(scale * (long double)real);
        if (csv->scaled_time > MOST_SCALED)
            return fail_field(csv, COLUMN_TIME, begin, end,
                              "is more than 2^53 ticks, which cannot be scaled exactly: subtract "
                              "the time of the first hit");
        return TOOL_GO_ON;
    }
    if (scale == 0.0L)
        found = csv_integer(begin + negative, end, (uint64_t)1 << 63, &csv->field[COLUMN_TIME]);
    if (found == CSV_GOOD)
        return TOOL_GO_ON;
    if (begin == end)
        return fail_field(csv, COLUMN_TIME, begin, end, "is empty; a number was expected");
    if (scale == 0.0L && found == CSV_NOT_A_NUMBER && csv_real(begin + negative, end, &real) == 0)
        return fail_field(csv, COLUMN_TIME, begin, end,
                          "is not a whole number of ticks: give --time-scale S, the number of "
                          "ticks in one unit of this column");
    snprintf(fault, sizeof(fault), "is not a %s from -2^63 to 2^63 - 1",
             scale == 0.0L ? "whole number" : "number");
    return fail_field(csv, COLUMN_TIME, begin, end, fault);
}

/* Reads a field for which the fast way was not sufficient. */
static int take_slowly(digi_csv *csv, int kind, const char *begin, const char *end)
{
    char fault[CSV_FAULT];
    uint64_t most = kind == COLUMN_X || kind == COLUMN_Y ? MOST_PLACE : UINT64_MAX;
    if (kind == COLUMN_TIME)
        return take_time(csv, begin, end);
    enum csv_number found = kind == COLUMN_ADC ? csv_whole(begin, end, &csv->field[kind])
                                               : csv_integer(begin, end, most, &csv->field[kind]);
    if (kind == COLUMN_ADC && (found == CSV_NOT_A_NUMBER || found == CSV_TOO_LARGE)) {
        found = csv_real(begin, end, &csv->value);
        csv->whole = false;
    }
    if (found == CSV_GOOD)
        return TOOL_GO_ON;
    if (begin == end)
        return fail_field(csv, kind, begin, end, "is empty; a number was expected");
    if (kind == COLUMN_ADC)
        return fail_field(csv, kind, begin, end,
                          found == CSV_NEGATIVE    ? "is negative; it must be at least 0"
                          : found == CSV_TOO_LARGE ? "is too large; it must be below 1.8e308"
                                                   : "is not a number");
    csv_integer_fault(found, most, fault);
    return fail_field(csv, kind, begin, end, fault);
}

static int fail_count(const digi_csv *csv, int found)
{
    if (found > csv->header.n_columns)
        return tool_fail(TOOL_INPUT, "%s:%zu: more fields than the %d of the header",
                         csv->csv.in->name, csv->csv.line, csv->header.n_columns);
    return tool_fail(TOOL_INPUT, "%s:%zu: %d field%s, but the header has %d", csv->csv.in->name,
                     csv->csv.line, found, found == 1 ? "" : "s", csv->header.n_columns);
}

int digi_row_take(digi_csv *csv)
{
    const char *p = csv->csv.at, separator = csv->csv.separator;
    bool scales = csv->options->time_scale > 0.0L;
    csv->whole = true;
    csv->negative = false;
    for (int c = 0; c < csv->header.n_columns; c++) {
        int kind = csv->kind[c];
        const char *stop = kind == COLUMN_IGNORED || (kind == COLUMN_TIME && scales)
                               ? NULL
                               : csv_digits(p, separator, &csv->field[kind]);
        if (stop && *stop == separator && (separator != ' ' || stop[1] > ' ')) {
            p = stop + 1;
            continue;
        }
        const char *begin, *end;
        p = csv_field(&csv->csv, p, &begin, &end);
        if (!stop && kind != COLUMN_IGNORED) {
            int code = take_slowly(csv, kind, begin, end);
            if (code != TOOL_GO_ON)
                return code;
        }
        if (!p)
            return c + 1 == csv->header.n_columns ? TOOL_GO_ON : fail_count(csv, c + 1);
    }
    return fail_count(csv, csv->header.n_columns + 1);
}

static int check_place(digi_csv *csv, bool invalid)
{
    static const int kinds[] = {COLUMN_X, COLUMN_Y};
    const uint32_t sizes[] = {csv->options->rows, csv->options->columns};
    for (int i = 0; i < 2; i++) {
        uint64_t v = csv->field[kinds[i]];
        if (v < (sizes[i] && !invalid ? sizes[i] : MOST_PLACE + 1))
            continue;
        if (v > MOST_PLACE)
            return tool_fail(TOOL_INPUT, "%s:%zu: %s = %llu is above %d", csv->csv.in->name,
                             csv->csv.line, csv->names[kinds[i]], (unsigned long long)v,
                             MOST_PLACE);
        return tool_fail(TOOL_INPUT, "%s:%zu: %s = %llu is outside the module (--size %ux%u)",
                         csv->csv.in->name, csv->csv.line, csv->names[kinds[i]],
                         (unsigned long long)v, csv->options->rows, csv->options->columns);
    }
    if (invalid)
        return TOOL_GO_ON;
    csv->x_most = csv->field[COLUMN_X] > csv->x_most ? (uint32_t)csv->field[COLUMN_X] : csv->x_most;
    csv->y_most = csv->field[COLUMN_Y] > csv->y_most ? (uint32_t)csv->field[COLUMN_Y] : csv->y_most;
    return TOOL_GO_ON;
}

/* Stores the row's charge as an integer in *adc if it is one; sets *fraction if values must be
 * kept.
 */
static int check_charge(digi_csv *csv, uint32_t *adc, bool *fraction)
{
    long double scale = csv->options->adc_scale;
    if (csv->whole)
        csv->value = (double)csv->field[COLUMN_ADC];
    long double scaled = scale > 0.0L ? roundl(scale * (long double)csv->value) : csv->value;
    if (scaled >= 4294967296.0L)
        return tool_fail(TOOL_INPUT, "%s:%zu: %s = %.15g%s is above 4294967295%s",
                         csv->csv.in->name, csv->csv.line, csv->names[COLUMN_ADC], csv->value,
                         scale > 0.0L ? " times --adc-scale" : "",
                         scale > 0.0L ? "" : "; give --adc-scale S below 1");
    *fraction = scale > 0.0L || floorl(scaled) != scaled;
    *adc = (uint32_t)scaled;
    return TOOL_GO_ON;
}

int digi_row_check(digi_csv *csv, uint32_t *adc, bool *fraction)
{
    const digi_options *options = csv->options;
    bool invalid = options->has_invalid && csv->field[COLUMN_MODULE] == options->invalid_module;
    int code = check_charge(csv, adc, fraction);
    return code == TOOL_GO_ON ? check_place(csv, invalid) : code;
}
