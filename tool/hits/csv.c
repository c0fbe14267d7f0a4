/* SPDX-License-Identifier: Apache-2.0 */
/* Reads hits with times from CSV: plain hits, or those of Timepix programs. */
#include "hits.h"
#include "../io/digis_csv.h"

#define FINE_TICKS 16  /* of Timepix3, in one tick of the coarse time */
#define MOST_FINE  32  /* some programs correct the fine time, up to this value */
#define SIDE       256 /* of a Timepix */

static int fail_field(const digi_csv *csv, int kind, const char *what)
{
    return tool_fail(TOOL_INPUT, "%s:%zu: %s %s", csv->csv.in->name, csv->csv.line,
                     csv->names[kind], what);
}

/* Divides the index of a pixel into module, row and column. *skip: the row is not a hit, because a
 * flag reports lost data. Devices with several chips write the module to this column instead. */
static int split_pixel(digi_csv *csv, bool *skip)
{
    uint32_t rows = csv->options->rows ? csv->options->rows : SIDE;
    uint32_t columns = csv->options->columns ? csv->options->columns : SIDE;
    uint64_t pixel = csv->field[COLUMN_PIXEL], module = pixel / columns / rows;
    *skip = csv->names[COLUMN_OVERFLOW] && csv->field[COLUMN_OVERFLOW] &&
            csv->field[COLUMN_OVERFLOW] != module;
    if (csv->names[COLUMN_MODULE] && module)
        return fail_field(csv, COLUMN_PIXEL, "is outside the module");
    if (!csv->names[COLUMN_MODULE])
        csv->field[COLUMN_MODULE] = module;
    csv->field[COLUMN_X] = pixel / columns % rows;
    csv->field[COLUMN_Y] = pixel % columns;
    return TOOL_GO_ON;
}

/* Finds the time in ticks. A fine time is counted back from the coarse one. */
static int take_time(const digi_csv *csv, int64_t *t)
{
    bool fine = csv->names[COLUMN_FINE] != NULL, scaled = csv->options->time_scale > 0.0L;
    uint64_t size = csv->field[COLUMN_TIME], most = INT64_MAX;
    if (scaled && fine)
        return fail_field(csv, COLUMN_FINE,
                          "is in ticks, but --time-scale is given: ignore the column by --columns "
                          "none=NAME");
    if (scaled)
        size = (uint64_t)csv->scaled_time;
    if (fine)
        most = INT64_MAX / FINE_TICKS - 2;
    if (size > most + (csv->negative && !fine))
        return fail_field(csv, COLUMN_TIME,
                          fine ? "is above 576460752303423485, the largest with a fine time"
                               : "is above 9223372036854775807 ticks");
    *t = (int64_t)(csv->negative ? 0 - size : size);
    if (!fine)
        return TOOL_GO_ON;
    if (csv->field[COLUMN_FINE] >= MOST_FINE)
        return fail_field(csv, COLUMN_FINE, "is not below 32");
    *t = *t * FINE_TICKS - (int64_t)csv->field[COLUMN_FINE];
    return TOOL_GO_ON;
}

static int take_row(digi_csv *csv, hit_block *block)
{
    hit_arrays *hits = &block->hits;
    bool fraction = false, skip = false;
    uint32_t charge = 0;
    int64_t t = 0;
    int code = digi_row_take(csv);
    if (code == TOOL_GO_ON && csv->names[COLUMN_PIXEL])
        code = split_pixel(csv, &skip);
    if (code == TOOL_GO_ON && skip) {
        block->skipped++;
        return TOOL_GO_ON;
    }
    if (code == TOOL_GO_ON)
        code = digi_row_check(csv, &charge, &fraction);
    if (code == TOOL_GO_ON)
        code = take_time(csv, &t);
    if (code != TOOL_GO_ON)
        return code;
    if (fraction)
        return fail_field(csv, COLUMN_ADC,
                          "is not a whole number, as hits in time need: scale it, or ignore the "
                          "column by --columns none=NAME");
    if (csv->field[COLUMN_MODULE] > UINT32_MAX)
        return tool_fail(TOOL_INPUT,
                         "%s:%zu: %s = %llu is above 4294967295: number the modules of hits in "
                         "time by smaller numbers",
                         csv->csv.in->name, csv->csv.line, csv->names[COLUMN_MODULE],
                         (unsigned long long)csv->field[COLUMN_MODULE]);
    if (hits->n == hits->reserved && !hits_reserve(hits, 1))
        return tool_fail(TOOL_INPUT, "%s:%zu: out of memory", csv->csv.in->name, csv->csv.line);
    hits->module[hits->n] = (uint32_t)csv->field[COLUMN_MODULE];
    hits->x[hits->n] = (uint16_t)csv->field[COLUMN_X];
    hits->y[hits->n] = (uint16_t)csv->field[COLUMN_Y];
    hits->t[hits->n] = t;
    hits->charge[hits->n++] = charge;
    return TOOL_GO_ON;
}

int hits_csv_open(in_lines *in, const digi_options *options, digi_csv *csv)
{
    int code = digi_csv_open(in, options, csv);
    if (code != TOOL_GO_ON)
        return code;
    if (csv->names[COLUMN_EVENT])
        return fail_field(csv, COLUMN_EVENT,
                          "is the number of an event, but hits in time are one stream: give "
                          "--columns none=NAME to leave it out");
    if (csv->names[COLUMN_OVERFLOW] && !csv->names[COLUMN_PIXEL])
        return fail_field(csv, COLUMN_OVERFLOW,
                          "has a meaning only beside the index of a pixel: give --columns "
                          "none=NAME to leave it out");
    if (!csv->names[COLUMN_X])
        csv->names[COLUMN_X] = csv->names[COLUMN_Y] = csv->names[COLUMN_PIXEL];
    return TOOL_GO_ON;
}

int hits_csv_next(digi_csv *csv, hit_block *block)
{
    if (!csv_next_line(&csv->csv))
        return csv->csv.code == TOOL_GO_ON ? TOOL_DONE : csv->csv.code;
    return take_row(csv, block);
}
