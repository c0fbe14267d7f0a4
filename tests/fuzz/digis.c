/* SPDX-License-Identifier: Apache-2.0 */
/* Files of events: CSV and PDIG. */
#include "fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases/pixels/pdig.h"
#include "tool/io/csv.h"
#include "tool/io/digis.h"

fuzz_target fuzz_csv, fuzz_pdig;

/* A message names the file and a line that it has. */
static void check_place(const in_file *in)
{
    size_t lines = 2; /* one may be empty, one stands behind the last */
    for (size_t i = 0; i < in->count; i++)
        lines += in->bytes[i] == '\n';
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

static void read_csv(const in_file *in, const digi_options *options)
{
    digi_set set;
    fuzz_forget();
    int code = digi_csv_read(in, options, &set);
    if (code == TOOL_DONE) {
        check_order(&set);
        check_digis(&set, options);
    } else {
        FUZZ_CHECK(code == TOOL_INPUT, "code %d", code);
        check_place(in);
    }
    digi_set_free(&set);
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
    in_file in = {.name = "events.csv", .bytes = fuzz_text(data, size), .count = size};
    in.bytes[size] = '\n';
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
        read_csv(&in, &ways[i]);
    free(in.bytes);
}

/* What was read makes the same file when it is written. */
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
