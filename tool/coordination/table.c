/* SPDX-License-Identifier: Apache-2.0 */
#include "table.h"

#include "../io/file_type.h"
#include "../io/text.h"
#include "../option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NPY_HEAD   128 /* bytes in front of an array */
#define FIELD_ROOM 480 /* of a number in the widest format */

static table_kind kind_of(const char *path)
{
    if (path && (tool_ends_with(path, ".csv") || tool_ends_with(path, ".csv.gz")))
        return TABLE_CSV;
    return path && tool_ends_with(path, ".npy") ? TABLE_NPY : TABLE_COLVAR;
}

int table_open(coordination_table *table, const char *path)
{
    table->kind = kind_of(path);
    if (path && tool_ends_with(path, ".npy.gz"))
        return tool_fail(TOOL_USAGE, "%s: arrays are not packed: write .npy, or .csv.gz", path);
    int code = output_refuse_foreign(path, true, "let the name end in .csv or .npy");
    if (code != TOOL_GO_ON)
        return code;
    code = table->whole ? out_open(path, &table->out) : out_open_part(path, &table->out);
    if (code != TOOL_DONE)
        return code;
    if (table->kind == TABLE_NPY && !table->whole && !out_can_begin_again(table->out))
        return tool_fail(TOOL_OUTPUT,
                         "%s: an array needs a regular file: its header is written last", path);
    return TOOL_GO_ON;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* Version 1.0 of the format, with the same length for any number of frames. */
static void write_npy_head(coordination_table *table,
                           void (*write)(out_file *, const void *, size_t))
{
    char head[NPY_HEAD + 1], shape[96];
    int used = snprintf(shape, sizeof(shape), "%llu", (unsigned long long)table->frames);
    for (int k = 0; k < 2 && table->shape[k]; k++)
        used += snprintf(shape + used, sizeof(shape) - (size_t)used, ", %zu", table->shape[k]);
    if (!table->shape[0])
        snprintf(shape + used, sizeof(shape) - (size_t)used, ",");
    static const char magic[] = "\x93NUMPY\x01\0\x76"; /* 118 bytes follow */
    memcpy(head, magic, 10);
    int length = snprintf(head + 10, sizeof(head) - 10,
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", shape);
    memset(head + 10 + length, ' ', (size_t)(NPY_HEAD - 10 - length));
    head[NPY_HEAD - 1] = '\n';
    write(table->out, head, NPY_HEAD);
}

static void write_npy_reals(out_file *out, const double *values, size_t count)
{
    const uint16_t probe = 1;
    unsigned char low;
    memcpy(&low, &probe, 1);
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[8], turned[8];
        memcpy(bytes, &values[i], 8);
        for (int k = 0; k < 8; k++)
            turned[k] = bytes[low ? k : 7 - k];
        out_bytes(out, turned, 8);
    }
}

void table_settle(coordination_table *table)
{
    if (table->kind == TABLE_NPY)
        write_npy_head(table, out_begin_again);
}

/* ---- lines ----------------------------------------------------------------------------------- */

void table_head(coordination_table *table, const char *names)
{
    if (table->kind == TABLE_NPY) {
        write_npy_head(table, out_bytes);
        return;
    }
    if (table->kind == TABLE_COLVAR)
        out_text(table->out, "#! FIELDS ");
    for (const char *p = names; *p; p++)
        out_bytes(table->out, *p == ' ' && table->kind == TABLE_CSV ? "," : p, 1);
    out_text(table->out, "\n");
}

void table_set(coordination_table *table, const char *name, const char *value)
{
    if (table->kind != TABLE_COLVAR)
        return;
    out_text(table->out, "#! SET ");
    out_text(table->out, name);
    out_text(table->out, " ");
    out_text(table->out, value);
    out_text(table->out, "\n");
}

/* Makes room for a field, after its separator. */
static char *begin_field(coordination_table *table)
{
    char *at = out_room(table->out, FIELD_ROOM);
    if (table->kind == TABLE_CSV && table->begun)
        *at++ = ',';
    else if (table->begun || table->padded)
        *at++ = ' ';
    table->begun = true;
    return at;
}

void table_whole(coordination_table *table, uint64_t value)
{
    if (table->kind != TABLE_NPY)
        out_used(table->out, text_whole(begin_field(table), value));
}

void table_word(coordination_table *table, const char *word)
{
    if (table->kind != TABLE_NPY)
        out_used(table->out, begin_field(table));
    if (table->kind != TABLE_NPY)
        out_text(table->out, word);
}

/* Writes a number without a minus sign before zeros. */
static char *write_real(const coordination_table *table, char *at, double value)
{
    if (!table->format)
        return text_exact(at, value + 0.0);
    int length = snprintf(at, FIELD_ROOM - 1, table->format, value + 0.0);
    return at + (length < FIELD_ROOM - 1 ? length : FIELD_ROOM - 2);
}

/* Writes a time with the fewest digits from which the same number is read. */
static char *write_time(char *at, double value)
{
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(at, TEXT_ROOM, "%.*g", digits, value + 0.0);
        if (strtod(at, NULL) == value)
            break;
    }
    return at + length;
}

void table_time(coordination_table *table, double time)
{
    if (table->kind == TABLE_NPY) {
        write_npy_reals(table->out, &time, 1);
        return;
    }
    char *at = begin_field(table);
    if (table->padded)
        at += snprintf(at, FIELD_ROOM - 1, "%f", time + 0.0);
    else
        at = write_time(at, time);
    out_used(table->out, at);
}

void table_reals(coordination_table *table, const double *values, size_t count)
{
    if (table->kind == TABLE_NPY) {
        write_npy_reals(table->out, values, count);
        return;
    }
    for (size_t i = 0; i < count; i++)
        out_used(table->out, write_real(table, begin_field(table), values[i]));
}

void table_end_line(coordination_table *table)
{
    if (table->kind != TABLE_NPY)
        out_text(table->out, "\n");
    table->begun = false;
}

void table_end_frame(coordination_table *table)
{
    table->frames++;
}
