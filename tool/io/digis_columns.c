/* SPDX-License-Identifier: Apache-2.0 */
#include "digis_columns.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MOST_NAMES 8

static const char *const words[] = {"module", "x",    "y",     "adc",      "run",  "lumi", "event",
                                    "t",      "ftoa", "pixel", "overflow", "none", NULL};

/* Those of Acts and traccc, of plain digis, and of CMS, TrackML and Timepix. Case is ignored. */
static const char *const names[COLUMN_KINDS][MOST_NAMES] = {
    [COLUMN_MODULE] = {"geometry_id", "module_id", "module", "moduleid", "detid", "chipid",
                       "chip_id"},
    [COLUMN_X] = {"channel0", "x", "row", "xx", "ch0", NULL},
    [COLUMN_Y] = {"channel1", "y", "column", "col", "yy", "ch1", NULL},
    [COLUMN_ADC] = {"value", "adc", "charge", "tot", NULL},
    [COLUMN_EVENT] = {"event", "event_id", "eventid", "eventnumber", "event_number", NULL},
    [COLUMN_RUN] = {"run", "run_id", "runid", "run_number", "runnumber", NULL},
    [COLUMN_LUMI] = {"lumi", "lumi_block", "lumiblock", "luminosity_block", "luminosityblock",
                     "lumisection", "subrun", NULL},
    [COLUMN_TIME] = {"t", "toa", "time", "timestamp", "time_of_arrival", NULL},
    [COLUMN_FINE] = {"ftoa", "fine_toa", NULL},
    [COLUMN_PIXEL] = {"matrix index", "matrix_index", "pixel_index", "pixel", NULL},
    [COLUMN_OVERFLOW] = {"overflow", NULL},
};

/* Columns of cells of Acts and TrackML that may be ignored without a message. */
static const char *const known[] = {"measurement_id", "hit_id", "timestamp", NULL};

/* If TrackML has them, its module_id counts the modules of each layer. */
static const char *const layers[] = {"volume_id", "layer_id", NULL};

/* Parts of names that may denote a module, an event, a run or a charge. */
static const char *const modules[] = {"module", "chip",   "sensor",   "detector", "detid",
                                      "det_id", "rawid",  "raw_id",   "layer",    "volume",
                                      "plane",  "ladder", "geometry", NULL};
static const char *const events[] = {"event", "evt",   "bunch", "trigger",
                                     "frame", "entry", "orbit", NULL};
static const char *const runs[] = {"run", "lumi", NULL};
static const char *const charges[] = {"adc",       "charge",    "tot",  "energy", "signal", "value",
                                      "amplitude", "electrons", "edep", "pulse",  NULL};

typedef int (*name_compare)(const char *a, const char *b);

static bool is_one_of(const char *name, const char *const *list, size_t most, name_compare compare)
{
    for (size_t i = 0; i < most && list[i]; i++)
        if (compare(name, list[i]) == 0)
            return true;
    return false;
}

static bool holds_one_of(const char *name, const char *const *list)
{
    char small[CSV_MOST_NAME];
    size_t n = 0;
    for (; name[n]; n++)
        small[n] = (char)tolower((unsigned char)name[n]);
    small[n] = '\0';
    for (; *list; list++)
        if (strstr(small, *list))
            return true;
    return false;
}

bool digi_column_has_name(int kind, const char *name)
{
    return kind != COLUMN_IGNORED && is_one_of(name, names[kind], MOST_NAMES, strcasecmp);
}

static int take_pair(const char *pair, size_t length, digi_columns *columns)
{
    const char *equals = memchr(pair, '=', length);
    size_t word = equals ? (size_t)(equals - pair) : 0, rest = equals ? length - word - 1 : 0;
    for (int k = 0; words[k] && equals; k++) {
        if (strlen(words[k]) != word || memcmp(words[k], pair, word) != 0)
            continue;
        if (rest == 0 || rest >= CSV_MOST_NAME)
            break;
        bool none = k == COLUMN_KINDS;
        if (none && columns->n_left_out == CSV_MOST_COLUMNS)
            break;
        char *name = none ? columns->left_out[columns->n_left_out++] : columns->name[k];
        memcpy(name, equals + 1, rest);
        name[rest] = '\0';
        return TOOL_GO_ON;
    }
    return tool_fail(
        TOOL_USAGE,
        "--columns: '%.*s' is not module=NAME, x=NAME, y=NAME, adc=NAME, event=NAME, run=NAME, "
        "lumi=NAME or none=NAME (of hits in time also t=NAME, ftoa=NAME, pixel=NAME or "
        "overflow=NAME)",
        (int)(length < 200 ? length : 200), pair);
}

int digi_columns_parse(const char *text, digi_columns *columns)
{
    for (;;) {
        size_t length = strcspn(text, ",");
        int code = take_pair(text, length, columns);
        if (code != TOOL_GO_ON || !text[length])
            return code;
        text += length + 1;
    }
}

static int kinds_of(const digi_columns *given)
{
    return given->time ? COLUMN_KINDS : COLUMN_TIME;
}

static int kind_of(const char *name, const digi_columns *given, name_compare compare)
{
    for (int k = 0; k < kinds_of(given); k++)
        if (given->name[k][0] && strcmp(given->name[k], name) == 0)
            return k;
    for (size_t i = 0; i < given->n_left_out; i++)
        if (strcmp(given->left_out[i], name) == 0)
            return COLUMN_IGNORED;
    for (int k = 0; k < kinds_of(given); k++)
        if (!given->name[k][0] && is_one_of(name, names[k], MOST_NAMES, compare))
            return k;
    return COLUMN_IGNORED;
}

static int fail_header(const csv_reader *csv, const char *format, const char *first,
                       const char *second)
{
    char sentence[400];
    snprintf(sentence, sizeof(sentence), format, first, second);
    return tool_fail(TOOL_INPUT, "%s:%zu: %s", csv->in->name, csv->line, sentence);
}

static bool has_column(const csv_header *header, int kind)
{
    for (int c = 0; c < header->n_columns; c++)
        if (digi_column_has_name(kind, header->name[c]))
            return true;
    return false;
}

static int fail_missing(const csv_reader *csv, const csv_header *header, const digi_columns *given,
                        const char *missing)
{
    if (isdigit((unsigned char)header->text[0]))
        return tool_fail(TOOL_INPUT,
                         "%s:%zu: the first line '%s' has no names of columns: put a header line "
                         "before it, such as module_id,x,y,adc",
                         csv->in->name, csv->line, header->text);
    if (given->time)
        return tool_fail(TOOL_INPUT,
                         "%s:%zu: the header '%s' has no column for %s; expected the columns "
                         "[module_id,]x,y,t[,adc], or those of Timepix programs, or give --columns "
                         "x=NAME,y=NAME,t=NAME,...",
                         csv->in->name, csv->line, header->text, missing);
    if (has_column(header, COLUMN_PIXEL) && has_column(header, COLUMN_TIME))
        return tool_fail(
            TOOL_INPUT, "%s:%zu: the header '%s' is that of hits in time: give --time-window TICKS",
            csv->in->name, csv->line, header->text);
    return tool_fail(TOOL_INPUT,
                     "%s:%zu: the header '%s' has no column for %s; expected the columns "
                     "geometry_id,channel0,channel1,value or [module_id,]x,y,adc[,event], or "
                     "give --columns x=NAME,y=NAME,...",
                     csv->in->name, csv->line, header->text, missing);
}

static int check_missing(const csv_reader *csv, const csv_header *header, const digi_columns *given,
                         const int *place)
{
    char missing[2 * CSV_MOST_NAME + 16] = "";
    bool by_index = place[COLUMN_PIXEL] >= 0;
    int run = given->name[COLUMN_RUN][0] ? COLUMN_RUN : COLUMN_LUMI;
    size_t used = 0;
    for (int k = 0; k < COLUMN_KINDS; k++) {
        if (place[k] < 0 && given->name[k][0])
            return fail_header(csv, "the header has no column '%s', which --columns names%s",
                               given->name[k], "");
        bool needed = k == COLUMN_X || k == COLUMN_Y ? !by_index : given->time && k == COLUMN_TIME;
        if (place[k] < 0 && needed)
            used += (size_t)snprintf(missing + used, sizeof(missing) - used, "%s%s",
                                     used ? ", " : "", words[k]);
    }
    if (by_index && (place[COLUMN_X] >= 0 || place[COLUMN_Y] >= 0))
        return fail_header(csv,
                           "column '%s' has the whole pixel, so that %s is not needed: leave "
                           "it out by --columns none=NAME",
                           header->name[place[COLUMN_PIXEL]],
                           header->name[place[COLUMN_X] >= 0 ? place[COLUMN_X] : place[COLUMN_Y]]);
    if (used)
        return fail_missing(csv, header, given, missing);
    if (given->name[run][0] && place[COLUMN_EVENT] < 0)
        return fail_header(csv,
                           "--columns names '%s', but the header has no column for event: give "
                           "--columns event=NAME, too%s",
                           given->name[run], "");
    return TOOL_GO_ON;
}

static bool is_left_out(const char *name, const digi_columns *given)
{
    for (size_t i = 0; i < given->n_left_out; i++)
        if (strcmp(given->left_out[i], name) == 0)
            return true;
    return is_one_of(name, known, sizeof(known) / sizeof(known[0]), strcasecmp);
}

/* A module, an event, a run or a charge that is not read would change every result without a
 * message, and so would modules of several layers with one number. */
static int check_ignored(const csv_reader *csv, const csv_header *header, const digi_columns *given,
                         const char *name, const int *place)
{
    bool one = place[COLUMN_MODULE] < 0;
    if (one && holds_one_of(name, modules))
        return fail_header(csv,
                           "column '%s' looks like the number of a module, but is not known: give "
                           "--columns module=%s, or none=NAME if all digis are of one module",
                           name, name);
    bool counts = !one && strcasecmp(header->name[place[COLUMN_MODULE]], "module_id") == 0;
    if (counts && !given->name[COLUMN_MODULE][0] && is_one_of(name, layers, 2, strcasecmp))
        return fail_header(csv,
                           "beside column '%s', %s may be the same for several modules: give "
                           "--columns module=NAME for a column of unique numbers, or "
                           "module=module_id if they are unique",
                           name, "module_id");
    if (place[COLUMN_EVENT] < 0 && holds_one_of(name, events))
        return fail_header(csv,
                           "column '%s' looks like the number of an event, but is not known: give "
                           "--columns event=%s, or none=NAME to leave it out",
                           name, name);
    if (place[COLUMN_EVENT] >= 0 && holds_one_of(name, runs))
        return fail_header(csv,
                           "column '%s' looks like the number of a run or luminosity block, but is "
                           "not known: give --columns run=%s or lumi=NAME, or none=NAME if event "
                           "numbers are unique without it",
                           name, name);
    if (place[COLUMN_ADC] < 0 && holds_one_of(name, charges))
        return fail_header(csv,
                           "column '%s' looks like a charge, but is not known: give --columns "
                           "adc=%s, or none=NAME to leave it out",
                           name, name);
    return TOOL_GO_ON;
}

/* Finds what a column is by its name. Case is ignored, unless another column has the exact name. */
static int find_kind(const csv_header *header, int column, const digi_columns *given)
{
    const char *name = header->name[column];
    int kind = kind_of(name, given, strcmp), folded = kind_of(name, given, strcasecmp);
    for (int c = 0; c < header->n_columns && kind == COLUMN_IGNORED; c++)
        if (kind_of(header->name[c], given, strcmp) == folded)
            return COLUMN_IGNORED;
    return kind == COLUMN_IGNORED ? folded : kind;
}

int digi_columns_find(const csv_reader *csv, const csv_header *header, const digi_columns *given,
                      uint8_t *kind, char *ignored, size_t size)
{
    int place[COLUMN_KINDS + 1];
    size_t used = 0;
    for (int k = 0; k < COLUMN_KINDS; k++)
        place[k] = -1;
    ignored[0] = '\0';
    for (int c = 0; c < header->n_columns; c++) {
        int k = find_kind(header, c, given);
        kind[c] = (uint8_t)k;
        if (k != COLUMN_IGNORED && place[k] >= 0 &&
            strcmp(header->name[c], header->name[place[k]]) == 0)
            return fail_header(csv, "column '%s' appears twice in the header%s", header->name[c],
                               "");
        if (k != COLUMN_IGNORED && place[k] >= 0)
            return fail_header(csv, "columns '%s' and '%s' mean the same: choose one by --columns",
                               header->name[place[k]], header->name[c]);
        place[k] = c;
    }
    for (int c = 0; c < header->n_columns && place[COLUMN_EVENT] < 0; c++)
        if (kind[c] == COLUMN_RUN || kind[c] == COLUMN_LUMI)
            kind[c] = COLUMN_IGNORED;
    int code = check_missing(csv, header, given, place);
    for (int c = 0; c < header->n_columns && code == TOOL_GO_ON; c++) {
        const char *name = header->name[c];
        if (kind[c] != COLUMN_IGNORED || is_left_out(name, given))
            continue;
        code = check_ignored(csv, header, given, name, place);
        if (used < size)
            used += (size_t)snprintf(ignored + used, size - used, "%s%s%s", used ? ", " : "", name,
                                     digi_column_has_name(COLUMN_TIME, name) && !given->time
                                         ? " (times, which --time-window reads)"
                                         : "");
    }
    return code;
}
