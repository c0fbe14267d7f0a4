/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a CSV file of digis. */
#include "digis_csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reading this number of digis takes many times longer than a device needs to start its work. */
#define PART_DIGIS ((size_t)1 << 15)
#define EVENT_TEXT 96 /* bytes of an event in a message */

static int fail_memory(const digi_csv *csv)
{
    return tool_fail(TOOL_INPUT, "%s: out of memory after line %zu", csv->csv.in->name,
                     csv->csv.line);
}

int digi_csv_open(in_lines *in, const digi_options *options, digi_csv *csv)
{
    static const digi_columns none;
    const digi_columns *given = options->columns_given ? options->columns_given : &none;
    *csv = (digi_csv){.options = options, .part_digis = PART_DIGIS};
    int code = csv_open(&csv->csv, in, &csv->header);
    if (code == TOOL_GO_ON)
        code = digi_columns_find(&csv->csv, &csv->header, given, csv->kind, csv->ignored,
                                 sizeof(csv->ignored));
    if (code != TOOL_GO_ON)
        return code;
    for (int c = 0; c < csv->header.n_columns; c++)
        if (csv->kind[c] != COLUMN_IGNORED)
            csv->names[csv->kind[c]] = csv->header.name[c];
    if (!csv->names[COLUMN_ADC] && options->needs_charges)
        return tool_fail(TOOL_INPUT,
                         "%s:%zu: the header '%s' has no column for the charge, which --threshold, "
                         "--charge-cut, --duplicates max and --gain need",
                         in->name, csv->csv.line, csv->header.text);
    return TOOL_GO_ON;
}

void digi_csv_close(digi_csv *csv)
{
    free(csv->stretches);
    csv->stretches = NULL;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static digi_event event_of(const digi_csv *csv)
{
    digi_event event;
    memcpy(event.key, csv->field + COLUMN_RUN, sizeof(event.key));
    return event;
}

/* Adds the row to the last stretch if that has the same event, else to a new one. */
static bool keep_event(digi_csv *csv)
{
    digi_event event = event_of(csv);
    size_t n = csv->n_stretches;
    if (n && digi_event_compare(&event, &csv->stretches[n - 1].event) == 0) {
        csv->stretches[n - 1].count++;
        return true;
    }
    if (n == csv->stretches_reserved) {
        size_t count = n ? 2 * n : 256;
        digi_stretch *more = realloc(csv->stretches, count * sizeof(*more));
        if (!more)
            return false;
        csv->stretches = more;
        csv->stretches_reserved = count;
    }
    csv->stretches[csv->n_stretches++] = (digi_stretch){event, (uint32_t)csv->set->n, 1};
    return true;
}

/* Writes the event with its run and luminosity block, if the file has them, for a message. */
static const char *event_text(const digi_csv *csv, const digi_event *event, char text[EVENT_TEXT])
{
    static const char *const words[EVENT_KEYS] = {"run", "lumi", "event"};
    size_t used = 0;
    for (int k = 0; k < EVENT_KEYS; k++)
        if (csv->names[COLUMN_RUN + k])
            used += (size_t)snprintf(text + used, EVENT_TEXT - used, "%s%s %llu", used ? ", " : "",
                                     words[k], (unsigned long long)event->key[k]);
    return text;
}

/* After a part, this cannot be corrected: its events may already be written, and its charges were
 * read unscaled. */
static int check_order(digi_csv *csv, bool fraction)
{
    char text[400], this[EVENT_TEXT], last[EVENT_TEXT];
    digi_event event = event_of(csv);
    bool falls = (csv->set->n || csv->given) && digi_event_compare(&event, &csv->last_event) < 0;
    bool late = fraction && csv->given && csv->options->adc_scale == 0.0L;
    if (csv->path && ((falls && csv->given) || late)) /* it has been surveyed */
        return digi_row_fail(csv, "the file has changed while it was read");
    if (falls && csv->given) {
        snprintf(text, sizeof(text),
                 "%s comes behind %s: the events of a long input that can be read "
                 "only once must ascend; sort it by event, or give it as a file",
                 event_text(csv, &event, this), event_text(csv, &csv->last_event, last));
        return digi_row_fail(csv, text);
    }
    if (late)
        return digi_row_fail(csv, "this charge is the first one that is not a whole number, in a "
                                  "long input that can be read only once: give --adc-scale S, or "
                                  "give it as a file");
    csv->mixed = csv->mixed || falls;
    csv->last_event = event;
    return TOOL_GO_ON;
}

static int keep_row(digi_csv *csv)
{
    digi_set *set = csv->set;
    bool events = csv->names[COLUMN_EVENT] != NULL, fraction = false;
    uint32_t adc = 0;
    int code = digi_row_check(csv, &adc, &fraction);
    if (code == TOOL_GO_ON && events)
        code = check_order(csv, fraction);
    if (code != TOOL_GO_ON)
        return code;
    if (set->n == UINT32_MAX)
        return digi_row_fail(csv, "more than 4294967295 digis that must be read at once");
    if (!digi_set_grow(set, fraction) || (events && !keep_event(csv)))
        return fail_memory(csv);
    size_t i = set->n++;
    set->module64[i] = csv->field[COLUMN_MODULE];
    set->x[i] = (uint16_t)csv->field[COLUMN_X];
    set->y[i] = (uint16_t)csv->field[COLUMN_Y];
    set->adc[i] = adc;
    if (set->value)
        set->value[i] = csv->value;
    return TOOL_GO_ON;
}

/* ---- parts ----------------------------------------------------------------------------------- */

/* Decides whether the file can be divided, from the part that was read, or by a survey. */
static int find_parts(digi_csv *csv)
{
    digi_survey survey = {.ascending = true, .whole = true};
    bool scaled = csv->options->adc_scale > 0.0L;
    int code = TOOL_GO_ON;
    if (csv->mixed || (csv->set->value && !scaled))
        csv->parts = PARTS_NONE;
    if (csv->parts != PARTS_UNKNOWN)
        return code;
    if (csv->path)
        code = digi_csv_survey(csv->path, csv->options, &survey);
    csv->parts = survey.ascending && (survey.whole || scaled) ? PARTS_MANY : PARTS_NONE;
    return code;
}

/* Returns whether the row begins a new part. */
static int look_for_end(digi_csv *csv)
{
    digi_event event = event_of(csv);
    bool may = csv->names[COLUMN_EVENT] && csv->set->n >= csv->part_digis &&
               digi_event_compare(&event, &csv->last_event) > 0;
    int code = may ? find_parts(csv) : TOOL_GO_ON;
    csv->pending = may && csv->parts == PARTS_MANY;
    return code;
}

static int take_rows(digi_csv *csv)
{
    int code = TOOL_GO_ON;
    bool pending = csv->pending;
    csv->pending = false;
    while (code == TOOL_GO_ON && !csv->pending && (pending || csv_next_line(&csv->csv))) {
        if (!pending)
            code = digi_row_take(csv);
        if (code == TOOL_GO_ON)
            code = look_for_end(csv);
        if (code == TOOL_GO_ON && !csv->pending)
            code = keep_row(csv);
        pending = false;
    }
    csv->ended = !csv->pending;
    return code == TOOL_GO_ON ? csv->csv.code : code;
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

static int finish(digi_csv *csv)
{
    digi_set *set = csv->set;
    const digi_options *options = csv->options;
    size_t taken = in_lines_taken(csv->csv.in);
    set->rows = options->rows ? options->rows : csv->x_most + 1;
    set->columns = options->columns ? options->columns : csv->y_most + 1;
    set->has_invalid = options->has_invalid;
    set->invalid_module = options->invalid_module;
    set->no_charges = csv->names[COLUMN_ADC] == NULL;
    memcpy(set->ignored, csv->ignored, sizeof(set->ignored));
    set->scale = (double)options->adc_scale;
    if (options->adc_scale == 0.0L)
        digi_scale_values(set, options);
    digi_count_losses(set);
    bool numbers = !csv->names[COLUMN_RUN] && !csv->names[COLUMN_LUMI];
    bool good = csv->names[COLUMN_EVENT]
                    ? digi_group_events(set, csv->stretches, csv->n_stretches, numbers)
                    : one_event(set);
    good = good && digi_number_modules(set, options->number_modules);
    set->bytes = taken - csv->taken;
    csv->taken = taken;
    csv->given = true;
    return good ? TOOL_GO_ON : fail_memory(csv);
}

int digi_csv_next(digi_csv *csv, digi_set *set)
{
    *set = (digi_set){0};
    if (csv->ended)
        return TOOL_DONE;
    csv->set = set;
    csv->n_stretches = 0;
    int code = take_rows(csv);
    if (code == TOOL_GO_ON)
        code = finish(csv);
    if (code != TOOL_GO_ON)
        digi_set_free(set);
    return code;
}
