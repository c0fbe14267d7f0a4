/* SPDX-License-Identifier: Apache-2.0 */
#include "tool/formats/trajectory/inner.h"

#include "tool/formats/trajectory/decimal.h"

#include <math.h>

static bool is_end(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Reads numbers in the usual notation, separated by one or more blanks; a line that contains
 * anything else is read again, word by word. */
static bool take_quickly(const char *at, const char *end, double *x)
{
    for (int k = 0; k < 3; k++) {
        while (*at == ' ')
            at++;
        at = mote_decimal(at, end, &x[k]);
        if (!at || !is_end(*at) || !isfinite(x[k]))
            return false;
    }
    return at <= end;
}

static bool take_slowly(mote_trajectory *t, size_t i, mote_span line, int column)
{
    mote_span word;
    for (int k = 0; k < 3; k++) {
        if (!mote_span_word(&line, &word))
            return mote_trajectory_fail(
                t, "frame %zu, atom %zu: column %d is missing, where %c was expected", t->frames,
                i + 1, column + k + 1, "xyz"[k]);
        if (!mote_trajectory_coordinate(t, i, k, word))
            return false;
    }
    return true;
}

/* A line with too few columns is rejected when its positions are read. */
static bool take_name(mote_trajectory *t, size_t i, mote_span line, int column)
{
    mote_span word = {line.end, line.end};
    for (int k = 0; k <= column; k++)
        if (!mote_span_word(&line, &word))
            break;
    return mote_trajectory_name(t, i, word);
}

/* Without this, a line that ends early could pass with a part of its last number. */
static bool has_all(mote_trajectory *t, size_t i, mote_span line, int all)
{
    mote_span word;
    int count = 0;
    while (count < all && mote_span_word(&line, &word))
        count++;
    return count == all ||
           mote_trajectory_fail(t,
                                "frame %zu, atom %zu: the line has %d column%s, but Properties= "
                                "names %d",
                                t->frames, i + 1, count, count == 1 ? "" : "s", all);
}

static bool take_atom(mote_trajectory *t, size_t i, const mote_xyz_columns *columns)
{
    mote_span line, all, word;
    int column = columns->x;
    if (!mote_trajectory_atom(t, i, &line))
        return false;
    all = line;
    if (t->rules.names && t->frames == 0 && columns->name >= 0 &&
        !take_name(t, i, line, columns->name))
        return false;
    for (int k = 0; k < column; k++)
        if (!mote_span_word(&line, &word))
            return mote_trajectory_fail(
                t,
                "frame %zu, atom %zu: the line has %d column%s, but x, y, z were expected in %d "
                "to %d",
                t->frames, i + 1, k, k == 1 ? "" : "s", column + 1, column + 3);
    return (take_quickly(line.begin, line.end, t->frame.positions + 3 * i) ||
            take_slowly(t, i, line, column)) &&
           has_all(t, i, all, columns->all);
}

bool mote_trajectory_xyz(mote_trajectory *t, mote_span first)
{
    mote_span line;
    mote_xyz_columns columns = {.x = 1, .name = 0};
    bool good = mote_trajectory_count(t, first) &&
                mote_trajectory_line(t, "a comment line with the box", &line) &&
                mote_trajectory_comment(t, line, &columns);
    for (size_t i = 0; good && i < t->frame.n_atoms; i++)
        good = take_atom(t, i, &columns);
    return good;
}
