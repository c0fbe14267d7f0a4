/* SPDX-License-Identifier: Apache-2.0 */
#include "arrays_text.h"

#include "csv.h"
#include "in.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MOST_EMPTY 4000000 /* most lists without values, which need no bytes of CSV */
#define MOST_WORD  64

typedef union number {
    int64_t whole;
    double real;
} number;

typedef struct text {
    const char *name;
    size_t line;
    number *values;
    size_t n, reserved;
    bool real;    /* values are float64 */
    size_t width; /* width of rows; 1 = single values, 0 = unknown */
    bool lists;
    int64_t *offsets; /* in rows */
    size_t n_offsets, reserved_offsets;
} text;

static int fail(const text *t, const char *sentence)
{
    return tool_fail(TOOL_INPUT, "%s:%zu: %s", t->name, t->line, sentence);
}

/* Makes room for one more element of eight bytes; NULL if memory ran out. */
static void *grow(void *array, size_t n, size_t *reserved)
{
    if (n < *reserved)
        return array;
    size_t more = n ? 2 * n : 1024;
    void *grown = realloc(array, more * sizeof(number));
    if (grown)
        *reserved = more;
    return grown;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int add(text *t, number value, bool real)
{
    number *grown = grow(t->values, t->n, &t->reserved);
    if (!grown)
        return fail(t, "out of memory");
    t->values = grown;
    for (size_t i = 0; real && !t->real && i < t->n; i++)
        t->values[i].real = (double)t->values[i].whole;
    t->real = t->real || real;
    if (t->real && !real)
        value.real = (double)value.whole;
    t->values[t->n++] = value;
    return TOOL_GO_ON;
}

static int add_word(text *t, const char *begin, const char *end)
{
    static const char *const truths[] = {"false", "true"};
    char word[MOST_WORD + 1], *stop = word;
    size_t length = (size_t)(end - begin) < MOST_WORD ? (size_t)(end - begin) : MOST_WORD;
    memcpy(word, begin, length);
    word[length] = '\0';
    for (int k = 0; k < 2; k++)
        if (strcasecmp(word, truths[k]) == 0)
            return add(t, (number){.whole = k}, false);
    const char *digits = word + (*word == '-' || *word == '+');
    number value;
    errno = 0;
    if (*digits && strspn(digits, "0123456789") == strlen(digits)) {
        value.whole = strtoll(word, NULL, 10);
        if (errno != ERANGE)
            return add(t, value, false);
        return tool_fail(TOOL_INPUT, "%s:%zu: '%s' is outside of int64", t->name, t->line, word);
    }
    /* strtod() also reads hexadecimal numbers, and NaN with a text. */
    bool named = strcasecmp(digits, "nan") == 0 || strcasecmp(digits, "inf") == 0 ||
                 strcasecmp(digits, "infinity") == 0;
    if (named || strspn(word, "0123456789.eE+-") == length)
        value.real = strtod(word, &stop);
    if (stop == word || *stop)
        return tool_fail(TOOL_INPUT, "%s:%zu: '%s' is not a number", t->name, t->line, word);
    return add(t, value, true);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Appends the number of the current row to the offsets: a list begins there, or the last list
 * ends. */
static int add_offset(text *t)
{
    int64_t *grown = grow(t->offsets, t->n_offsets, &t->reserved_offsets);
    if (!grown)
        return fail(t, "out of memory");
    t->offsets = grown;
    t->offsets[t->n_offsets++] = (int64_t)(t->n / (t->width ? t->width : 1));
    return TOOL_GO_ON;
}

static int finish(text *t, int code, bool offsets, mote_npy *array)
{
    offsets = offsets && t->lists;
    size_t width = t->width ? t->width : 1, rows = offsets ? t->n_offsets : t->n / width;
    *array = (mote_npy){.type = t->real && !offsets ? MOTE_FLOAT64 : MOTE_INT64,
                        .n_dims = width > 1 && !offsets ? 2 : 1,
                        .shape = {rows, offsets ? 1 : width},
                        .count = offsets ? t->n_offsets : t->n,
                        .values = offsets ? (void *)t->offsets : (void *)t->values};
    free(offsets ? (void *)t->values : (void *)t->offsets);
    if (code == TOOL_GO_ON && !array->values)
        array->values = malloc(1); /* an empty array, which is not NULL either */
    if (code != TOOL_GO_ON)
        mote_npy_free(array);
    return code;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

/* Begins the lists up to the list of this line. */
static int take_list(text *t, const char *begin, const char *end)
{
    uint64_t list;
    if (csv_integer(begin, end, INT64_MAX, &list) != CSV_GOOD)
        return fail(t, "the number of the list is not a whole number from 0");
    if (list + 1 < t->n_offsets)
        return fail(t, "the number of the list is lower than in the line before");
    if (list > t->n / t->width + MOST_EMPTY)
        return fail(t, "more than 4000000 lists before this one have no line");
    int code = TOOL_GO_ON;
    while (code == TOOL_GO_ON && t->n_offsets <= list)
        code = add_offset(t);
    return code;
}

static int take_line(text *t, const csv_reader *csv, int columns)
{
    const char *at = csv->at, *begin, *end;
    int code = TOOL_GO_ON, c = 0;
    for (; at && c < columns && code == TOOL_GO_ON; c++) {
        at = csv_field(csv, at, &begin, &end);
        code = t->lists && c == 0 ? take_list(t, begin, end) : add_word(t, begin, end);
    }
    if (code == TOOL_GO_ON && (at || c < columns))
        return tool_fail(TOOL_INPUT, "%s:%zu: expected %d fields, as in the header", t->name,
                         t->line, columns);
    return code;
}

static int read_lines(text *t, in_lines *in)
{
    csv_reader csv;
    csv_header header;
    int code = csv_open(&csv, in, &header);
    t->line = csv.line;
    if (code == TOOL_GO_ON && strspn(header.name[0], "+-.0123456789") > 0)
        return fail(t, "expected a header, such as 'list,value', before the first number");
    t->lists = header.n_columns > 1 && strcasecmp(header.name[0], "list") == 0;
    t->width = (size_t)(header.n_columns - t->lists);
    while (code == TOOL_GO_ON && csv_next_line(&csv)) {
        t->line = csv.line;
        code = take_line(t, &csv, header.n_columns);
    }
    if (code == TOOL_GO_ON)
        code = csv.code;
    return code == TOOL_GO_ON ? add_offset(t) : code;
}

int arrays_read_csv(const char *path, bool offsets, mote_npy *array)
{
    in_lines in;
    int code = in_lines_open(path, -1, &in);
    text t = {.name = in.name};
    if (code == TOOL_GO_ON)
        code = read_lines(&t, &in);
    in_lines_close(&in);
    return finish(&t, code, offsets, array);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

typedef struct json {
    text text;
    int depth, numbers; /* brackets that are open, and those around numbers; 0 = no number yet */
    size_t row;         /* beginning of the row */
    bool fresh, value;  /* a bracket was opened just before; a value ended just before */
} json;

static int open_bracket(json *j)
{
    if (j->value || j->depth == 3 || (j->numbers && j->depth >= j->numbers))
        return fail(&j->text, "'[' is misplaced: expected numbers, lists, or lists of rows");
    j->fresh = true;
    j->row = j->text.n;
    j->text.lists = j->text.lists || j->depth == 1;
    return j->depth++ == 1 ? add_offset(&j->text) : TOOL_GO_ON;
}

static int close_bracket(json *j)
{
    size_t width = j->text.n - j->row;
    if (!j->depth || !(j->fresh || j->value))
        return fail(&j->text, "']' is misplaced");
    if (j->depth-- == 3 && (!width || (j->text.width && j->text.width != width)))
        return fail(&j->text, "rows of lists must have the same number of values");
    if (j->depth == 2)
        j->text.width = width;
    j->fresh = false;
    j->value = true;
    return TOOL_GO_ON;
}

static int take_word(json *j, const char **at)
{
    const char *begin = *at;
    if (*begin == '{')
        return fail(&j->text, "records are not read: write one field of them as lists of numbers");
    *at += strcspn(begin, "[], \t\r\n");
    if (!j->depth || j->value || (j->numbers && j->numbers != j->depth) ||
        (j->depth == 1 && j->text.lists))
        return fail(&j->text, j->depth ? "numbers and lists are mixed, or a comma is missing"
                                       : "expected '[' before the first number");
    j->numbers = j->depth;
    j->fresh = false;
    j->value = true;
    return add_word(&j->text, begin, *at);
}

static int take_token(json *j, const char **at)
{
    char c = **at;
    if (c == ',' && (!j->value || !j->depth))
        return fail(&j->text, "',' is misplaced");
    if (!strchr("[], \t\r\n", c) || !c)
        return take_word(j, at);
    ++*at;
    j->text.line += c == '\n';
    if (c == ',')
        j->value = false;
    return c == '[' ? open_bracket(j) : c == ']' ? close_bracket(j) : TOOL_GO_ON;
}

int arrays_read_json(const char *path, bool offsets, mote_npy *array)
{
    in_file in;
    int code = in_open(path, &in);
    if (code != TOOL_DONE)
        return code;
    json j = {.text = {.name = in.name, .line = 1}};
    const char *at = in.bytes, *end = in.bytes + in.count;
    code = TOOL_GO_ON;
    while (at < end && code == TOOL_GO_ON)
        code = take_token(&j, &at);
    if (code == TOOL_GO_ON && (j.depth || !j.value))
        code = fail(&j.text, "the file ends before the last ']'");
    if (code == TOOL_GO_ON)
        code = add_offset(&j.text);
    in_close(&in);
    return finish(&j.text, code, offsets, array);
}
