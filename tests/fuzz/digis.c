/* SPDX-License-Identifier: Apache-2.0 */
/* Files of events: CSV and PDIG. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/pdig.h"
#include "tool/io/digis_csv.h"

fuzz_target fuzz_csv, fuzz_pdig;

/* Checks that a message names the file and an existing line. */
static void check_place(const uint8_t *data, size_t size)
{
    size_t lines = 2; /* one line may be empty, and one follows the last */
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    const char *text = fuzz_message();
    unsigned long long line = 0;
    FUZZ_CHECK(sscanf(text, "events.csv:%llu: ", &line) == 1, "no place: %s", text);
    FUZZ_CHECK(line >= 1 && line <= lines, "no such line: %s", text);
}

static void check_order(const digi_set *set)
{
    FUZZ_CHECK(set->event_offsets[0] == 0 && set->event_offsets[set->n_events] == set->n,
               "%zu events do not cover %zu digis", set->n_events, set->n);
    for (size_t e = 0; e < set->n_events; e++)
        FUZZ_CHECK(set->event_offsets[e] <= set->event_offsets[e + 1], "event %zu ends early", e);
    uint8_t *seen = calloc(set->n + 1, 1);
    FUZZ_CHECK(seen, "no memory");
    for (size_t i = 0; set->place && i < set->n; i++) {
        FUZZ_CHECK(set->place[i] < set->n && !seen[set->place[i]], "row %zu has no place", i);
        seen[set->place[i]] = 1;
    }
    free(seen);
}

static void check_digis(const digi_set *set, const digi_options *options)
{
    for (size_t i = 0; i < set->n; i++) {
        bool invalid = digi_is_invalid(set, i);
        FUZZ_CHECK(invalid || (set->x[i] < set->rows && set->y[i] < set->columns),
                   "digi %zu lies outside the module", i);
        FUZZ_CHECK(invalid || !set->module32 || set->module32[i] < set->n_modules,
                   "digi %zu has no module", i);
        FUZZ_CHECK(invalid == (set->has_invalid && digi_module(set, i) == set->invalid_module),
                   "digi %zu changed its module", i);
        if (set->value && options->adc_scale == 0.0L)
            FUZZ_CHECK(fabs(set->value[i] * set->scale - set->adc[i]) <= 0.5,
                       "the charge of digi %zu is %.17g * %.17g, not %u", i, set->value[i],
                       set->scale, (unsigned)set->adc[i]);
    }
    FUZZ_CHECK(set->rows >= 1 && set->rows <= 65536 && set->columns >= 1 && set->columns <= 65536,
               "a module of %u x %u", (unsigned)set->rows, (unsigned)set->columns);
}

typedef struct csv_reading {
    int code;
    size_t digis, events;
    bool mixed, whole; /* events do not ascend; all charges are whole numbers */
} csv_reading;

static in_lines lines_of(mote_lines_text *text)
{
    return (in_lines){
        .name = "events.csv", .wake = -1, .lines = {.source = mote_lines_from_text, .user = text}};
}

/* Reads in parts of at least this number of digis, from pieces of this number of bytes; 0 = of any
 * length. */
static csv_reading read_csv(const uint8_t *data, size_t size, const digi_options *options,
                            size_t part, size_t piece)
{
    mote_lines_text text = {(const char *)data, size, piece};
    in_lines in = lines_of(&text);
    csv_reading done = {.whole = true};
    digi_csv csv;
    digi_set set;
    uint64_t last = 0;
    fuzz_forget();
    int code = digi_csv_open(&in, options, &csv);
    csv.part_digis = part ? part : SIZE_MAX;
    while (code == TOOL_GO_ON && (code = digi_csv_next(&csv, &set)) == TOOL_GO_ON) {
        check_order(&set);
        check_digis(&set, options);
        if (set.event_number && set.n_events) {
            FUZZ_CHECK(!done.digis || set.event_number[0] > last, "an event was cut");
            last = set.event_number[set.n_events - 1];
        }
        done.digis += set.n;
        done.events += set.n_events;
        done.mixed = done.mixed || set.place;
        done.whole = done.whole && !set.value;
        digi_set_free(&set);
    }
    FUZZ_CHECK(code == TOOL_DONE || code == TOOL_INPUT, "code %d", code);
    if (code == TOOL_INPUT)
        check_place(data, size);
    digi_csv_close(&csv);
    mote_lines_free(&in.lines);
    done.code = code;
    return done;
}

/* The survey of a text must agree with the digis that are read. */
static digi_survey check_survey(const uint8_t *data, size_t size, const digi_options *options,
                                const csv_reading *read)
{
    mote_lines_text text = {(const char *)data, size, 0};
    in_lines in = lines_of(&text);
    digi_csv csv;
    digi_survey survey = {0};
    fuzz_forget();
    int code = digi_csv_open(&in, options, &csv);
    if (code == TOOL_GO_ON)
        code = digi_csv_look(&csv, &survey);
    bool events = csv.names[COLUMN_EVENT] != NULL;
    digi_csv_close(&csv);
    mote_lines_free(&in.lines);
    if (read->code != TOOL_DONE)
        return survey;
    FUZZ_CHECK(code == TOOL_GO_ON, "readable, but the survey says: %s", fuzz_message());
    FUZZ_CHECK(survey.readable, "the survey cannot read a row");
    FUZZ_CHECK(survey.ascending == !read->mixed, "events ascend: %d", survey.ascending);
    FUZZ_CHECK(read->mixed || survey.events == read->events, "%llu events, but %zu are there",
               (unsigned long long)survey.events, read->events);
    FUZZ_CHECK(read->mixed || !events || options->adc_scale > 0.0L || survey.whole == read->whole,
               "all charges are whole: %d", survey.whole);
    return survey;
}

void fuzz_csv(const uint8_t *data, size_t size)
{
    static const digi_options ways[] = {
        {0},
        {.rows = 160,
         .columns = 416,
         .adc_scale = 0.5L,
         .has_invalid = true,
         .invalid_module = 65535},
        {.leave_room = true, .has_invalid = true},
    };
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        csv_reading whole = read_csv(data, size, &ways[i], 0, 0);
        csv_reading parts = read_csv(data, size, &ways[i], 1 + i, 7);
        digi_survey survey = check_survey(data, size, &ways[i], &whole);
        bool cut = survey.ascending && (survey.whole || ways[i].adc_scale > 0.0L);
        FUZZ_CHECK(parts.code == whole.code || (parts.code == TOOL_INPUT && !cut),
                   "code %d, but %d in parts: %s", whole.code, parts.code, fuzz_message());
        FUZZ_CHECK(parts.code != TOOL_DONE || parts.digis == whole.digis,
                   "%zu digis, but %zu in parts", whole.digis, parts.digis);
    }
}

/* The digis must give the same file when they are written. */
static void write_pdig(const mote_digis *digis, const uint8_t *data, size_t size)
{
    char text[300] = "", *copy = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&copy, &length);
    FUZZ_CHECK(file, "no memory");
    mote_pdig_status status = mote_pdig_write(file, digis, text, sizeof(text));
    fclose(file);
    FUZZ_CHECK(status == MOTE_PDIG_OK, "cannot be written: %s", text);
    FUZZ_CHECK(length == size && memcmp(copy, data, size) == 0, "written otherwise");
    free(copy);
}

void fuzz_pdig(const uint8_t *data, size_t size)
{
    char first[300] = "", second[300] = "";
    mote_digis digis, again;
    FILE *file = fuzz_file(data, size);
    mote_pdig_status status = mote_pdig_parse(data, size, &digis, first, sizeof(first));
    FUZZ_CHECK(mote_pdig_read(file, &again, second, sizeof(second)) == status, "%s, but %s", first,
               second);
    fclose(file);
    FUZZ_CHECK((status == MOTE_PDIG_OK) == !*first, "status %d says %s", (int)status, first);
    FUZZ_CHECK(strcmp(first, second) == 0, "%s, but %s", first, second);
    FUZZ_CHECK(digis.n == again.n && digis.n_events == again.n_events, "two readings differ");
    if (status == MOTE_PDIG_OK)
        write_pdig(&digis, data, size);
    mote_digis_free(&digis);
    mote_digis_free(&again);
}
