/* SPDX-License-Identifier: Apache-2.0 */
/* GRO: columns; the decimal points of a frame's first atom give their width. */
#include "tool/formats/trajectory/inner.h"

#include <stddef.h>
#include <string.h>

#define NAMES       20 /* columns before x: residue and atom */
#define NAME_BEGIN  10 /* first column of the atom's name */
#define NAME_END    15
#define BOX_NUMBERS 9

static bool find_width(mote_trajectory *t, mote_span line, size_t *width)
{
    const char *point[3] = {0};
    const char *p = line.begin + NAMES;
    int found = 0;
    for (; p < line.end && found < 3; p++)
        if (*p == '.')
            point[found++] = p;
    if (found == 3 && point[1] - point[0] == point[2] - point[1] &&
        point[1] - point[0] <= MOTE_TRAJECTORY_WIDEST &&
        point[0] - (line.begin + NAMES) < point[1] - point[0]) {
        *width = (size_t)(point[1] - point[0]);
        return true;
    }
    return mote_trajectory_fail(
        t,
        "frame %zu, atom 1: no three numbers in columns of one width behind "
        "column %d, as GRO has them",
        t->frames, NAMES);
}

static bool take_atom(mote_trajectory *t, size_t i, size_t *width)
{
    mote_span line;
    if (!mote_trajectory_atom(t, i, &line))
        return false;
    if (line.end - line.begin <= NAMES)
        return mote_trajectory_fail(t, "frame %zu, atom %zu: the line has %d columns, no position",
                                    t->frames, i + 1, (int)(line.end - line.begin));
    if (i == 0 && !find_width(t, line, width))
        return false;
    if ((size_t)(line.end - line.begin) < NAMES + 3 * *width)
        return mote_trajectory_fail(
            t,
            "frame %zu, atom %zu: the line has %d columns, but the position "
            "takes %zu",
            t->frames, i + 1, (int)(line.end - line.begin), NAMES + 3 * *width);
    mote_span name = {line.begin + NAME_BEGIN, line.begin + NAME_END}, word;
    if (t->rules.names && t->frames == 0 &&
        !mote_trajectory_name(t, i, mote_span_word(&name, &word) ? word : name))
        return false;
    for (int k = 0; k < 3; k++)
        if (!mote_trajectory_column(t, i, k, line.begin + NAMES + (size_t)k * *width, *width))
            return false;
    return true;
}

/* Reads the numbers of a line, separated by blanks. Returns their number, or -1 if the line
 * contains anything else. */
static int take_words(mote_span line, double *numbers)
{
    mote_span word;
    int count = 0;
    for (; mote_span_word(&line, &word); count++)
        if (count == BOX_NUMBERS || !mote_span_real(word, &numbers[count]))
            return -1;
    return count;
}

/* Like take_words(), for numbers without blanks between them, which GROMACS writes from 1000 nm on.
 * All numbers have as many decimals as the last one. */
static int take_touching(mote_span line, double *numbers)
{
    const char *p = line.begin, *end = line.end;
    ptrdiff_t decimals = 0;
    int count = 0;
    while (end > p && end[-1] == ' ')
        end--;
    while (end - decimals > p && end[-1 - decimals] >= '0' && end[-1 - decimals] <= '9')
        decimals++;
    for (; p < end; count++) {
        const char *point = memchr(p, '.', (size_t)(end - p));
        if (count == BOX_NUMBERS || !point || decimals == 0 || end - point <= decimals)
            return -1;
        mote_span word = {p, point + 1 + decimals};
        while (*word.begin == ' ')
            word.begin++;
        /* Zero-terminated, because the parser looks at the byte after a number. */
        char text[MOTE_TRAJECTORY_WIDEST + 1] = "";
        size_t length = (size_t)(word.end - word.begin);
        if (length >= sizeof(text))
            return -1;
        memcpy(text, word.begin, length);
        if (!mote_span_real((mote_span){text, text + length}, &numbers[count]))
            return -1;
        p = word.end;
    }
    return count;
}

/* In the order xx yy zz xy xz yx yz zx zy. */
static bool take_box(mote_trajectory *t, mote_span line)
{
    static const int place[BOX_NUMBERS] = {0, 4, 8, 1, 2, 3, 5, 6, 7};
    double numbers[BOX_NUMBERS] = {0}, box[9];
    if (mote_trajectory_no_box(t))
        return true;
    int count = take_words(line, numbers);
    if (count != 3 && count != BOX_NUMBERS)
        count = take_touching(line, numbers);
    if (count != 3 && count != BOX_NUMBERS)
        return mote_trajectory_fail(t, "frame %zu: the box '%s' is neither 3 nor 9 numbers",
                                    t->frames, mote_span_show(line).text);
    if (count == 3)
        return mote_trajectory_box(t, numbers, 3);
    for (int k = 0; k < BOX_NUMBERS; k++)
        box[place[k]] = numbers[k];
    return mote_trajectory_box(t, box, 9);
}

static bool is_whole(mote_span line)
{
    mote_span word, more;
    bool good = mote_span_word(&line, &word) && !mote_span_word(&line, &more);
    for (const char *p = word.begin; good && p < word.end; p++)
        good = *p >= '0' && *p <= '9';
    return good;
}

bool mote_trajectory_gro(mote_trajectory *t, mote_span first)
{
    mote_span line;
    size_t width = 0;
    bool good = true;
    t->unit = MOTE_TRAJECTORY_NM;
    if (t->blank && is_whole(first)) {
        line = first; /* the title was a blank line */
    } else {
        mote_trajectory_title(t, first);
        good = mote_trajectory_line(t, "the number of atoms", &line);
    }
    good = good && mote_trajectory_count(t, line);
    for (size_t i = 0; good && i < t->frame.n_atoms; i++)
        good = take_atom(t, i, &width);
    return good && mote_trajectory_line(t, "the box", &line) && take_box(t, line);
}
