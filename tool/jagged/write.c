/* SPDX-License-Identifier: Apache-2.0 */
#include "write.h"

#include "../io/file_type.h"
#include "../io/refuse_overwrite.h"
#include "../io/text.h"
#include "../option.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "testkit/cases/jagged/lists.h"
#include "testkit/cases/jagged/values.h"

#define SHOWN_LINES 20 /* number of lists, or values, on a terminal */
#define SHOWN_ROWS  10 /* number of values of a list on a terminal */

/* Determines the format of an output by its name; NULL is standard output. */
static int format_of(const char *option, const char *output, bool lines, jagged_format *format)
{
    static const char *const endings[] = {".npy", ".csv", ".json"};
    for (int k = 0; output && k < 3; k++)
        if (input_ends_with(output, endings[k])) {
            *format = (jagged_format)k;
            return TOOL_GO_ON;
        }
    bool standard = !output || strcmp(output, "/dev/stdout") == 0;
    *format = lines ? JAGGED_LINES : JAGGED_NPY;
    if (!lines && standard && isatty(STDOUT_FILENO))
        *format = JAGGED_SHOWN;
    if (lines || standard || input_is_stream(output))
        return TOOL_GO_ON;
    return tool_fail(TOOL_USAGE, "%s %s: the name must end in .npy, .csv or .json", option, output);
}

int jagged_open(const tool_common *common, const jagged_extra extras[JAGGED_EXTRAS], bool lines,
                char *const *inputs, size_t n_inputs, jagged_outputs *to)
{
    const char *names[JAGGED_OUTPUTS + 1] = {common->output};
    for (size_t k = 1; k < JAGGED_OUTPUTS; k++) {
        names[k] = extras[k - 1].path;
        if (names[k] && !names[0]) /* outputs cannot share standard output */
            names[0] = "/dev/stdout";
    }
    names[JAGGED_OUTPUTS] = common->trace;
    int code = same_refuse(inputs, n_inputs, names, JAGGED_OUTPUTS + 1);
    for (size_t k = 0; k < JAGGED_OUTPUTS && code == TOOL_GO_ON; k++)
        if (k > 0 && names[k] && !extras[k - 1].columns)
            to->formats[k] = JAGGED_SVG;
        else if (k == 0 || names[k])
            code = format_of(k ? extras[k - 1].option : "-o", names[k], lines && k == 0,
                             &to->formats[k]);
    for (size_t k = 0; k < JAGGED_OUTPUTS && code == TOOL_GO_ON; k++)
        if (k == 0 || names[k])
            code = out_open(names[k], &to->outs[k]) == TOOL_DONE ? TOOL_GO_ON : TOOL_OUTPUT;
    return code;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static char *put_word(char *at, const char *word)
{
    size_t length = strlen(word);
    memcpy(at, word, length);
    return at + length;
}

/* Values that JSON cannot represent are written in Python's notation. */
static char *put_real(char *at, double value, jagged_format format, bool exact)
{
    bool json = format == JAGGED_JSON;
    if (isnan(value)) /* printf may print a sign for NaN */
        return put_word(at, json ? "NaN" : "nan");
    if (isinf(value) && json)
        return put_word(at, value < 0 ? "-Infinity" : "Infinity");
    return exact ? text_exact(at, value) : text_real(at, value);
}

static char *put_number(char *at, const mote_npy *array, size_t i, jagged_format format)
{
    const void *values = array->values;
    switch (array->type) {
    case MOTE_INT64:
        return text_signed(at, ((const int64_t *)values)[i]);
    case MOTE_UINT64:
        return text_whole(at, ((const uint64_t *)values)[i]);
    case MOTE_FLOAT16:
    case MOTE_FLOAT32:
    case MOTE_FLOAT64:
        /* Plain lines have the same number of digits for each type. */
        return put_real(at, mote_jagged_value(values, array->type, i), format,
                        array->type == MOTE_FLOAT64 || format == JAGGED_LINES);
    default:
        return text_signed(at, (int64_t)mote_jagged_value(values, array->type, i));
    }
}

/* Writes the numbers of the row, those of its bin's edges, and the number beside it, in brackets if
 * there are several. */
static void write_row(out_file *out, jagged_format format, const mote_npy *array,
                      const jagged_table *table, size_t row)
{
    size_t width = array->n_dims == 2 ? array->shape[1] : 1;
    size_t stop = format == JAGGED_SHOWN && width > SHOWN_ROWS ? SHOWN_ROWS : width;
    bool csv = format == JAGGED_CSV;
    bool brackets = !csv && (array->n_dims == 2 || table->edges || table->beside);
    const char *comma = csv ? "," : ", ";
    if (brackets)
        out_text(out, "[");
    for (size_t k = 0; table->edges && k < 2; k++) {
        char *at = out_room(out, 2 * TEXT_ROOM);
        at = put_real(at, table->edges[row + k], format, true);
        out_used(out, put_word(at, comma));
    }
    for (size_t k = 0; k < stop; k++) {
        char *at = out_room(out, 2 * TEXT_ROOM);
        at = put_number(at, array, row * width + k, format);
        out_used(out, k + 1 < stop ? put_word(at, comma) : at);
    }
    if (stop < width)
        out_print(out, ", ... %zu more", width - stop);
    if (table->beside) {
        char *at = put_word(out_room(out, 2 * TEXT_ROOM), comma);
        out_used(out, put_number(at, table->beside, row, format));
    }
    if (brackets)
        out_text(out, "]");
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* The rows of list k begin at *begin and end before the returned one. The call that created the
 * table has checked the offsets. */
static size_t rows_of(const jagged_table *table, size_t k, size_t *begin)
{
    const mote_npy *offsets = table->offsets;
    int64_t base = table->relative ? mote_index_get(offsets->values, offsets->type, 0) : 0;
    *begin = (size_t)(mote_index_get(offsets->values, offsets->type, k) - base);
    return (size_t)(mote_index_get(offsets->values, offsets->type, k + 1) - base);
}

static void write_csv_line(out_file *out, const mote_npy *array, const jagged_table *table,
                           size_t list, size_t row)
{
    if (strncmp(table->columns, "list", 4) == 0) {
        char *at = text_whole(out_room(out, TEXT_ROOM), list);
        if (table->columns[4])
            *at++ = ',';
        out_used(out, at);
    }
    write_row(out, JAGGED_CSV, array, table, row);
    out_text(out, "\n");
}

static void write_csv(out_file *out, const mote_npy *array, const jagged_table *table)
{
    size_t lists = table->offsets ? table->offsets->count - 1 : array->shape[0];
    out_text(out, table->columns);
    out_text(out, "\n");
    for (size_t k = 0; k < lists && !out_is_closed(out); k++) {
        size_t row = k, end = table->offsets ? rows_of(table, k, &row) : k + 1;
        for (; row < end && !out_is_closed(out); row++)
            write_csv_line(out, array, table, k, row);
    }
}

static void write_list(out_file *out, jagged_format format, const mote_npy *array,
                       const jagged_table *table, size_t k)
{
    size_t row, end = rows_of(table, k, &row);
    size_t stop = format == JAGGED_SHOWN && end - row > SHOWN_ROWS ? row + SHOWN_ROWS : end;
    out_text(out, "[");
    for (size_t at = row; at < stop && !out_is_closed(out); at++) {
        if (at > row)
            out_text(out, ", ");
        write_row(out, format, array, table, at);
    }
    if (stop < end)
        out_print(out, ", ... %zu more", end - stop);
    out_text(out, "]");
}

/* Writes each list, or row, on a line of its own. */
static void write_lines(out_file *out, jagged_format format, const mote_npy *array,
                        const jagged_table *table)
{
    bool json = format == JAGGED_JSON;
    size_t lines = table->offsets ? table->offsets->count - 1 : array->shape[0];
    size_t stop = format == JAGGED_SHOWN && lines > SHOWN_LINES ? SHOWN_LINES : lines;
    out_text(out, json ? "[" : "");
    for (size_t k = 0; k < stop && !out_is_closed(out); k++) {
        if (table->offsets)
            write_list(out, format, array, table, k);
        else
            write_row(out, format, array, table, k);
        out_text(out, json && k + 1 < stop ? ",\n" : json ? "" : "\n");
    }
    out_text(out, json ? "]\n" : "");
    if (stop < lines)
        out_print(out, "... %zu more%s\n", lines - stop, table->offsets ? " lists" : "");
}

void jagged_write(out_file *out, jagged_format format, const mote_npy *array,
                  const jagged_table *table)
{
    if (format == JAGGED_NPY)
        array_write(out, array);
    else if (format == JAGGED_CSV)
        write_csv(out, array, table);
    else
        write_lines(out, format, array, table);
}
