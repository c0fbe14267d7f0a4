/* SPDX-License-Identifier: Apache-2.0 */
#include "modules.h"
#include "../io/digis_columns.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_FIELDS 3

/* A small table in CSV: columns by name, one row after the other. */
typedef struct table_reader {
    in_lines in;
    csv_reader csv;
    csv_header header;
    const char *const *names; /* MOST_FIELDS, the first one is the module */
    const int *kinds;         /* the kinds of columns of digis that have the same names */
    int place[MOST_FIELDS];
    const char *begin[MOST_FIELDS], *end[MOST_FIELDS]; /* of the row */
} table_reader;

static int fail_row(const table_reader *r, int field, const char *what)
{
    size_t length = (size_t)(r->end[field] - r->begin[field]);
    return tool_fail(TOOL_INPUT, "%s:%zu: %s '%.*s' %s", r->in.name, r->csv.line, r->names[field],
                     (int)(length < 40 ? length : 40), r->begin[field], what);
}

static int open_table(const char *path, const char *const *names, const int *kinds, table_reader *r)
{
    *r = (table_reader){.names = names, .kinds = kinds};
    int code = in_lines_open(path, -1, &r->in);
    if (code == TOOL_GO_ON)
        code = csv_open(&r->csv, &r->in, &r->header);
    if (code != TOOL_GO_ON)
        return code;
    for (int f = 0; f < MOST_FIELDS; f++) {
        r->place[f] = -1;
        for (int c = 0; c < r->header.n_columns; c++) {
            if (strcasecmp(r->header.name[c], names[f]) != 0 &&
                !digi_column_has_name(kinds[f], r->header.name[c]))
                continue;
            if (r->place[f] >= 0)
                return tool_fail(TOOL_INPUT, "%s:%zu: the header '%s' has %s twice", path,
                                 r->csv.line, r->header.text, names[f]);
            r->place[f] = c;
        }
        if (r->place[f] < 0)
            return tool_fail(TOOL_INPUT,
                             "%s:%zu: the header '%s' lacks %s; expected the columns "
                             "%s,%s,%s",
                             path, r->csv.line, r->header.text, names[f], names[0], names[1],
                             names[2]);
    }
    return TOOL_GO_ON;
}

/* Reads the next row: returns TOOL_GO_ON, TOOL_DONE at the end, or TOOL_INPUT after a message. */
static int next_row(table_reader *r)
{
    if (!csv_next_line(&r->csv))
        return r->csv.code == TOOL_GO_ON ? TOOL_DONE : r->csv.code;
    const char *p = r->csv.at, *begin = p, *end = p;
    int found = 0;
    for (; p; found++) {
        p = csv_field(&r->csv, p, &begin, &end);
        for (int f = 0; f < MOST_FIELDS; f++)
            if (r->place[f] == found) {
                r->begin[f] = begin;
                r->end[f] = end;
            }
    }
    if (found != r->header.n_columns)
        return tool_fail(TOOL_INPUT, "%s:%zu: %d field%s, but the header has %d", r->in.name,
                         r->csv.line, found, found == 1 ? "" : "s", r->header.n_columns);
    return TOOL_GO_ON;
}

static int take_whole(const table_reader *r, int field, uint64_t most, uint64_t *value)
{
    char fault[CSV_FAULT];
    enum csv_number found = csv_integer(r->begin[field], r->end[field], most, value);
    if (found == CSV_GOOD)
        return TOOL_GO_ON;
    csv_integer_fault(found, most, fault);
    return fail_row(r, field, fault);
}

static int take_real(const table_reader *r, int field, float *value)
{
    const char *begin = r->begin[field];
    bool negative = begin < r->end[field] && *begin == '-';
    double number;
    if (csv_real(begin + negative, r->end[field], &number) != CSV_GOOD || number > (double)FLT_MAX)
        return fail_row(r, field, "is not a number");
    *value = (float)(negative ? -number : number);
    return TOOL_GO_ON;
}

/* Makes room for one more element of `bytes` bytes. */
static bool grow(void *array, size_t count, size_t bytes)
{
    void **place = array;
    if (count & (count - 1) || (count && count < 64))
        return true;
    void *more = realloc(*place, (count ? 2 * count : 64) * bytes);
    if (more)
        *place = more;
    return more != NULL;
}

static int by_module(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b; /* module comes first in both */
    return p < q ? -1 : p > q;
}

static int read_mask(const digi_options *digis, modules_table *table)
{
    static const char *const names[MOST_FIELDS] = {"module_id", "x", "y"};
    static const int kinds[MOST_FIELDS] = {COLUMN_MODULE, COLUMN_X, COLUMN_Y};
    uint64_t x_most = digis->rows ? digis->rows - 1 : 65535;
    uint64_t y_most = digis->columns ? digis->columns - 1 : 65535;
    table_reader r;
    int code = open_table(table->mask_path, names, kinds, &r);
    while (code == TOOL_GO_ON && (code = next_row(&r)) == TOOL_GO_ON) {
        uint64_t module = 0, x = 0, y = 0;
        code = take_whole(&r, 0, UINT64_MAX, &module);
        code = code == TOOL_GO_ON ? take_whole(&r, 1, x_most, &x) : code;
        code = code == TOOL_GO_ON ? take_whole(&r, 2, y_most, &y) : code;
        if (code == TOOL_GO_ON && !grow(&table->dead, table->n_dead, sizeof(*table->dead)))
            code = tool_fail(TOOL_INPUT, "%s: out of memory", r.in.name);
        if (code == TOOL_GO_ON)
            table->dead[table->n_dead++] = (dead_pixel){module, (uint32_t)x, (uint32_t)y};
    }
    in_lines_close(&r.in);
    if (code == TOOL_DONE && table->n_dead)
        qsort(table->dead, table->n_dead, sizeof(*table->dead), by_module);
    return code == TOOL_DONE ? TOOL_GO_ON : code;
}

static int read_gain(modules_table *table)
{
    static const char *const names[MOST_FIELDS] = {"module_id", "gain", "pedestal"};
    static const int kinds[MOST_FIELDS] = {COLUMN_MODULE, COLUMN_IGNORED, COLUMN_IGNORED};
    table_reader r;
    int code = open_table(table->gain_path, names, kinds, &r);
    while (code == TOOL_GO_ON && (code = next_row(&r)) == TOOL_GO_ON) {
        charge_line line = {0};
        code = take_whole(&r, 0, UINT64_MAX, &line.module);
        code = code == TOOL_GO_ON ? take_real(&r, 1, &line.gain) : code;
        code = code == TOOL_GO_ON ? take_real(&r, 2, &line.pedestal) : code;
        if (code == TOOL_GO_ON && !grow(&table->lines, table->n_lines, sizeof(*table->lines)))
            code = tool_fail(TOOL_INPUT, "%s: out of memory", r.in.name);
        if (code == TOOL_GO_ON)
            table->lines[table->n_lines++] = line;
    }
    in_lines_close(&r.in);
    if (code != TOOL_DONE)
        return code;
    if (table->n_lines)
        qsort(table->lines, table->n_lines, sizeof(*table->lines), by_module);
    for (size_t k = 1; k < table->n_lines; k++)
        if (table->lines[k].module == table->lines[k - 1].module)
            return tool_fail(TOOL_INPUT, "%s: module %llu has two lines", table->gain_path,
                             (unsigned long long)table->lines[k].module);
    return TOOL_GO_ON;
}

static bool names_module(const char *begin, const char *end)
{
    char name[CSV_MOST_NAME];
    snprintf(name, sizeof(name), "%.*s", (int)(end - begin), begin);
    return digi_column_has_name(COLUMN_MODULE, name);
}

/* Reads the file of --morph, which has one module id in each line, and may have a header. */
static int read_morph(modules_table *table)
{
    static const char *const names[MOST_FIELDS] = {"module_id"};
    table_reader r = {.names = names};
    int code = in_lines_open(table->morph_path, -1, &r.in);
    r.csv = (csv_reader){.in = &r.in, .separator = ',', .code = code};
    for (bool first = true; code == TOOL_GO_ON && csv_next_line(&r.csv); first = false) {
        uint64_t module = 0;
        if (csv_field(&r.csv, r.csv.at, &r.begin[0], &r.end[0]))
            code = tool_fail(TOOL_INPUT, "%s:%zu: more than one field: a line has one module id",
                             r.in.name, r.csv.line);
        else if (first && names_module(r.begin[0], r.end[0]))
            continue;
        code = code == TOOL_GO_ON ? take_whole(&r, 0, UINT64_MAX, &module) : code;
        if (code == TOOL_GO_ON && !grow(&table->marked, table->n_marked, sizeof(*table->marked)))
            code = tool_fail(TOOL_INPUT, "%s: out of memory", r.in.name);
        if (code == TOOL_GO_ON)
            table->marked[table->n_marked++] = module;
    }
    in_lines_close(&r.in);
    return code == TOOL_GO_ON ? r.csv.code : code;
}

int modules_elements(const char *text, uint32_t elements[2])
{
    bool good = strlen(text) == 19 && text[9] == ',';
    elements[0] = elements[1] = 0;
    for (uint32_t k = 0; good && k < 19; k++) {
        if (k == 9)
            continue;
        good = text[k] == '0' || text[k] == '1';
        elements[k / 10] |= (uint32_t)(text[k] == '1') << k % 10;
    }
    if (good && elements[0] && elements[1])
        return TOOL_GO_ON;
    return tool_fail(TOOL_USAGE,
                     "--morph-elements: '%s' is not two times nine digits 0 and 1 with a comma "
                     "between them, each with a 1, such as 111111111,010111010",
                     text);
}

int modules_read(const char *mask_path, const char *gain_path, const char *morph_path,
                 const digi_options *digis, modules_table *table)
{
    *table =
        (modules_table){.mask_path = mask_path, .gain_path = gain_path, .morph_path = morph_path};
    int code = mask_path ? read_mask(digis, table) : TOOL_GO_ON;
    code = code == TOOL_GO_ON && gain_path ? read_gain(table) : code;
    return code == TOOL_GO_ON && morph_path ? read_morph(table) : code;
}

void modules_most(const modules_table *table, digi_options *digis)
{
    for (size_t k = 0; k < table->n_lines; k++) {
        digis->most_gain = fmax(digis->most_gain, fabs((double)table->lines[k].gain));
        digis->most_pedestal = fmax(digis->most_pedestal, fabs((double)table->lines[k].pedestal));
    }
}

void modules_free(modules_table *table)
{
    free(table->dead);
    free(table->lines);
    free(table->marked);
    *table = (modules_table){0};
}

/* Returns the number of a module in the set; n_modules if the set does not contain it. */
static size_t module_number(const digi_set *set, uint64_t id)
{
    size_t k = digi_modules_below(set, id);
    return k < set->n_modules && digi_module_at(set, k) == id ? k : set->n_modules;
}

static size_t column_words(const digi_set *set)
{
    return ((size_t)set->rows + 31) / 32;
}

/* Pixels outside the range of the input's digis need no bit. */
static bool arrange_mask(const modules_table *table, const digi_set *set, modules_arrays *arrays)
{
    size_t words = (size_t)set->n_modules * set->columns * column_words(set);
    arrays->mask = calloc(words + 1, sizeof(*arrays->mask));
    for (size_t d = 0; arrays->mask && d < table->n_dead; d++) {
        const dead_pixel *p = &table->dead[d];
        size_t module = module_number(set, p->module);
        if (module < set->n_modules && p->x < set->rows && p->y < set->columns)
            arrays->mask[(module * set->columns + p->y) * column_words(set) + p->x / 32] |=
                1u << p->x % 32;
    }
    return arrays->mask != NULL;
}

/* Charges of the set are scaled, so pedestals are scaled, too. */
static bool arrange_gain(const modules_table *table, const digi_set *set, modules_arrays *arrays)
{
    double scale = set->value ? set->scale : 1.0;
    size_t n = set->n_modules;
    arrays->gain = malloc((n + 1) * sizeof(float));
    arrays->pedestal = calloc(n + 1, sizeof(float));
    if (!arrays->gain || !arrays->pedestal)
        return false;
    for (size_t m = 0; m < n; m++)
        arrays->gain[m] = NAN;
    for (size_t k = 0; k < table->n_lines; k++) {
        size_t module = module_number(set, table->lines[k].module);
        if (module == n)
            continue;
        arrays->gain[module] = table->lines[k].gain;
        arrays->pedestal[module] = (float)((double)table->lines[k].pedestal * scale);
    }
    return true;
}

static bool arrange_morph(const modules_table *table, const digi_set *set, modules_arrays *arrays)
{
    arrays->morph = calloc((size_t)set->n_modules + 1, sizeof(*arrays->morph));
    for (size_t k = 0; arrays->morph && k < table->n_marked; k++)
        /* The number of a module that is not in the set is n_modules. */
        arrays->morph[module_number(set, table->marked[k])] = 1;
    return arrays->morph != NULL;
}

int modules_arrange(const modules_table *table, const digi_set *set, const char *input,
                    modules_arrays *arrays)
{
    bool good = true;
    if (table->mask_path)
        good = arrange_mask(table, set, arrays);
    if (good && table->gain_path)
        good = arrange_gain(table, set, arrays);
    if (good && table->morph_path)
        good = arrange_morph(table, set, arrays);
    if (!good)
        return tool_fail(TOOL_INPUT, "%s: out of memory for what is known of %u modules", input,
                         (unsigned)set->n_modules);
    for (size_t i = 0; arrays->gain && i < set->n; i++)
        if (!digi_is_invalid(set, i) && isnan(arrays->gain[set->module32[i]]))
            return tool_fail(TOOL_INPUT, "%s: module %llu has digis, but no line in %s", input,
                             (unsigned long long)digi_module(set, i), table->gain_path);
    for (size_t m = 0; arrays->gain && m < set->n_modules; m++)
        if (isnan(arrays->gain[m]))
            arrays->gain[m] = 1.0f;
    return TOOL_GO_ON;
}

void modules_arrays_free(modules_arrays *arrays)
{
    free(arrays->mask);
    free(arrays->gain);
    free(arrays->pedestal);
    free(arrays->morph);
    *arrays = (modules_arrays){0};
}

bool modules_dead(const modules_arrays *arrays, const digi_set *set, size_t i)
{
    if (!arrays->mask)
        return false;
    size_t column = (size_t)set->module32[i] * set->columns + set->y[i];
    return arrays->mask[column * column_words(set) + set->x[i] / 32] >> set->x[i] % 32 & 1;
}

/* Computes the charge as mote/pixels.h specifies. */
uint32_t modules_charge(const modules_arrays *arrays, const digi_set *set, size_t i)
{
    if (!arrays->gain)
        return set->adc[i];
    float gain = arrays->gain[set->module32[i]], pedestal = arrays->pedestal[set->module32[i]];
    gain = fabsf(gain) < FLT_MIN ? 0.0f : gain;
    pedestal = fabsf(pedestal) < FLT_MIN ? 0.0f : pedestal;
    float counts = (float)set->adc[i] - pedestal;
    float charge = gain * counts;
    return charge >= 0x1p32f ? UINT32_MAX : charge >= 1.0f ? (uint32_t)charge : 0;
}
