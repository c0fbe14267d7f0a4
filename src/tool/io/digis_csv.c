/* SPDX-License-Identifier: Apache-2.0 */
/* Digis from CSV: Acts and traccc cells, or plain digis. */
#include "digis.h"
#include "digis_columns.h"

#include <math.h>
#include <stdlib.h>

#define MOST_SHOWN 40 /* bytes of a field in a message */

typedef struct digi_parser {
    csv_reader csv;
    csv_header header;
    uint8_t kind[CSV_MOST_COLUMNS];
    const char *names[COLUMN_KINDS]; /* as the header has them */
    const digi_options *options;
    digi_set *set;
    uint64_t *event; /* one for each digi when the file has events */
    size_t event_reserved;
    uint64_t field[COLUMN_KINDS]; /* the row's whole numbers */
    double value;                 /* its charge, when not whole */
    bool whole;
    uint32_t x_most, y_most;
} digi_parser;

static int fail_line(const digi_parser *parser, const char *sentence)
{
    return tool_fail(TOOL_INPUT, "%s:%zu: %s", parser->csv.in->name, parser->csv.line, sentence);
}

static int fail_field(const digi_parser *parser, int kind, const char *begin, const char *end,
                      const char *what)
{
    char shown[MOST_SHOWN + 1]; /* what a terminal would obey is not shown */
    size_t n = 0;
    for (const char *p = begin; p < end && n < MOST_SHOWN; p++)
        shown[n++] = *p >= ' ' && *p <= '~' ? *p : '?';
    shown[n] = '\0';
    return tool_fail(TOOL_INPUT, "%s:%zu: %s '%s' %s", parser->csv.in->name, parser->csv.line,
                     parser->names[kind], shown, what);
}

static int fail_memory(const digi_parser *parser)
{
    return tool_fail(TOOL_INPUT, "%s: out of memory after %zu digis", parser->csv.in->name,
                     parser->set->n);
}

/* Reads the header; whether there are events goes to *events. */
static int open_header(digi_parser *parser, const in_file *in, bool *events)
{
    static const digi_columns none;
    const digi_columns *given = parser->options->columns_given;
    digi_set *set = parser->set;
    int code = csv_open(&parser->csv, in, &parser->header);
    if (code == TOOL_GO_ON)
        code = digi_columns_find(&parser->csv, &parser->header, given ? given : &none, parser->kind,
                                 set->ignored, sizeof(set->ignored));
    if (code != TOOL_GO_ON)
        return code;
    for (int c = 0; c < parser->header.n_columns; c++)
        if (parser->kind[c] != COLUMN_IGNORED)
            parser->names[parser->kind[c]] = parser->header.name[c];
    *events = parser->names[COLUMN_EVENT] != NULL;
    set->no_charges = parser->names[COLUMN_ADC] == NULL;
    if (set->no_charges && parser->options->needs_charges)
        return tool_fail(TOOL_INPUT,
                         "%s:%zu: the header '%s' has no column for the charge, which --threshold, "
                         "--charge-cut, --duplicates max and --gain need",
                         parser->csv.in->name, parser->csv.line - 1, parser->header.text);
    return TOOL_GO_ON;
}

/* A field the fast way could not read. */
static int take_slowly(digi_parser *parser, int kind, const char *begin, const char *end)
{
    enum csv_number found = csv_whole(begin, end, &parser->field[kind]);
    if (kind == COLUMN_ADC && (found == CSV_NOT_A_NUMBER || found == CSV_TOO_LARGE)) {
        found = csv_real(begin, end, &parser->value);
        parser->whole = false;
    }
    if (found == CSV_GOOD)
        return TOOL_GO_ON;
    if (begin == end)
        return fail_field(parser, kind, begin, end, "is empty; a number was expected");
    if (found == CSV_NEGATIVE)
        return fail_field(parser, kind, begin, end, "is negative");
    if (found == CSV_TOO_LARGE)
        return fail_field(parser, kind, begin, end, "is too large");
    return fail_field(parser, kind, begin, end,
                      kind == COLUMN_ADC ? "is not a number" : "is not a whole number");
}

static int fail_count(const digi_parser *parser, int found)
{
    if (found > parser->header.n_columns)
        return tool_fail(TOOL_INPUT, "%s:%zu: more fields than the %d of the header",
                         parser->csv.in->name, parser->csv.line, parser->header.n_columns);
    return tool_fail(TOOL_INPUT, "%s:%zu: %d field%s, but the header has %d", parser->csv.in->name,
                     parser->csv.line, found, found == 1 ? "" : "s", parser->header.n_columns);
}

/* Reads the fields of the line at csv.at and moves behind it. */
static int take_fields(digi_parser *parser)
{
    const char *p = parser->csv.at, separator = parser->csv.separator;
    parser->whole = true;
    for (int c = 0; c < parser->header.n_columns; c++) {
        int kind = parser->kind[c];
        const char *stop =
            kind == COLUMN_IGNORED ? NULL : csv_digits(p, separator, &parser->field[kind]);
        if (stop && *stop == separator) {
            p = stop + 1;
            continue;
        }
        const char *begin, *end;
        p = csv_field(&parser->csv, p, &begin, &end);
        if (!stop && kind != COLUMN_IGNORED) {
            int code = take_slowly(parser, kind, begin, end);
            if (code != TOOL_GO_ON)
                return code;
        }
        if (!p) {
            while (*end != '\n')
                end++;
            parser->csv.at = end + 1;
            return c + 1 == parser->header.n_columns ? TOOL_GO_ON : fail_count(parser, c + 1);
        }
    }
    return fail_count(parser, parser->header.n_columns + 1);
}

static int check_place(digi_parser *parser, bool invalid)
{
    static const int kinds[] = {COLUMN_X, COLUMN_Y};
    const uint32_t sizes[] = {parser->options->rows, parser->options->columns};
    for (int i = 0; i < 2; i++) {
        uint64_t v = parser->field[kinds[i]];
        if (v < (sizes[i] && !invalid ? sizes[i] : 65536))
            continue;
        if (v > 65535)
            return tool_fail(TOOL_INPUT, "%s:%zu: %s = %llu is above 65535", parser->csv.in->name,
                             parser->csv.line, parser->names[kinds[i]], (unsigned long long)v);
        return tool_fail(TOOL_INPUT, "%s:%zu: %s = %llu is outside the module (--size %ux%u)",
                         parser->csv.in->name, parser->csv.line, parser->names[kinds[i]],
                         (unsigned long long)v, parser->options->rows, parser->options->columns);
    }
    if (invalid)
        return TOOL_GO_ON;
    parser->x_most = parser->field[COLUMN_X] > parser->x_most ? (uint32_t)parser->field[COLUMN_X]
                                                              : parser->x_most;
    parser->y_most = parser->field[COLUMN_Y] > parser->y_most ? (uint32_t)parser->field[COLUMN_Y]
                                                              : parser->y_most;
    return TOOL_GO_ON;
}

/* The row's charge as an integer in *adc where it is one; *fraction is set when values must be
 * kept.
 */
static int check_charge(digi_parser *parser, uint32_t *adc, bool *fraction)
{
    long double scale = parser->options->adc_scale;
    if (parser->whole)
        parser->value = (double)parser->field[COLUMN_ADC];
    long double scaled = scale > 0.0L ? roundl(scale * (long double)parser->value) : parser->value;
    if (scaled >= 4294967296.0L)
        return fail_line(
            parser, scale > 0.0L ? "the charge times --adc-scale is above 4294967295"
                                 : "the charge is above 4294967295; give --adc-scale S below 1");
    *fraction = scale > 0.0L || floorl(scaled) != scaled;
    *adc = (uint32_t)scaled;
    return TOOL_GO_ON;
}

static bool keep_event(digi_parser *parser)
{
    size_t n = parser->set->n;
    if (n == parser->event_reserved) {
        size_t count = n ? 2 * n : 4096;
        uint64_t *more = realloc(parser->event, count * sizeof(*more));
        if (!more)
            return false;
        parser->event = more;
        parser->event_reserved = count;
    }
    parser->event[n] = parser->field[COLUMN_EVENT];
    return true;
}

static int keep_row(digi_parser *parser, bool events)
{
    digi_set *set = parser->set;
    const digi_options *options = parser->options;
    uint32_t adc = 0;
    bool fraction = false;
    int code = check_charge(parser, &adc, &fraction);
    bool invalid = options->has_invalid && parser->field[COLUMN_MODULE] == options->invalid_module;
    if (code == TOOL_GO_ON)
        code = check_place(parser, invalid);
    if (code != TOOL_GO_ON)
        return code;
    if (set->n == UINT32_MAX)
        return fail_line(parser, "more than 4294967295 digis in one file");
    if (!digi_set_grow(set, fraction) || (events && !keep_event(parser)))
        return fail_memory(parser);
    size_t i = set->n++;
    set->module64[i] = parser->field[COLUMN_MODULE];
    set->x[i] = (uint16_t)parser->field[COLUMN_X];
    set->y[i] = (uint16_t)parser->field[COLUMN_Y];
    set->adc[i] = adc;
    if (set->value)
        set->value[i] = parser->value;
    return TOOL_GO_ON;
}

static int take_rows(digi_parser *parser, bool events)
{
    while (csv_next_line(&parser->csv)) {
        int code = take_fields(parser);
        if (code == TOOL_GO_ON)
            code = keep_row(parser, events);
        if (code != TOOL_GO_ON)
            return code;
        parser->csv.line++;
    }
    return TOOL_GO_ON;
}

static bool one_event(digi_set *set)
{
    set->event_offsets = calloc(2, sizeof(*set->event_offsets));
    if (!set->event_offsets)
        return false;
    set->n_events = 1;
    set->event_offsets[1] = set->n;
    return true;
}

static int finish(digi_parser *parser, bool events)
{
    digi_set *set = parser->set;
    const digi_options *options = parser->options;
    set->rows = options->rows ? options->rows : parser->x_most + 1;
    set->columns = options->columns ? options->columns : parser->y_most + 1;
    set->has_invalid = options->has_invalid;
    set->invalid_module = options->invalid_module;
    set->scale = (double)options->adc_scale;
    if (options->adc_scale == 0.0L)
        digi_scale_values(set, options);
    digi_count_losses(set);
    bool good = events ? digi_group_events(set, parser->event) : one_event(set);
    good = good && digi_number_modules(set, options->number_modules);
    set->bytes = parser->csv.in->taken;
    return good ? TOOL_DONE : fail_memory(parser);
}

int digi_csv_read(const in_file *in, const digi_options *options, digi_set *set)
{
    digi_parser parser = {.options = options, .set = set};
    *set = (digi_set){0};
    bool events = false;
    int code = open_header(&parser, in, &events);
    if (code == TOOL_GO_ON)
        code = take_rows(&parser, events);
    if (code == TOOL_GO_ON)
        code = finish(&parser, events);
    free(parser.event);
    if (code != TOOL_DONE)
        digi_set_free(set);
    return code;
}
