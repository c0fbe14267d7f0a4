/* SPDX-License-Identifier: Apache-2.0 */
/* PDB (format 3.3 of the wwPDB): records in columns, lengths in Angstrom. A frame ends with ENDMDL
 * or END, or where the next model or the end of the file follows. A record CRYST1 sets the box
 * of all frames up to the next such record. An atom with alternative positions counts once for
 * each. */
#include "tool/formats/trajectory/inner.h"

#include <math.h>
#include <string.h>

#define RECORD     6  /* columns of the name of a record */
#define NAME_BEGIN 12 /* columns before the name of an atom */
#define NAME_END   16
#define POSITION   30 /* columns before x */
#define WIDTH      8  /* of x, y and z */
#define CELL       6  /* numbers: three lengths and three angles */

typedef enum record { OTHER, ATOM, BOX, BEGINS, ENDS, TITLE } record;

static record record_of(mote_span line)
{
    static const struct {
        const char *name;
        record is;
    } names[] = {{"ATOM", ATOM},   {"HETATM", ATOM}, {"CRYST1", BOX}, {"MODEL", BEGINS},
                 {"ENDMDL", ENDS}, {"END", ENDS},    {"TITLE", TITLE}};
    mote_span word;
    if (line.end - line.begin > RECORD)
        line.end = line.begin + RECORD;
    if (*line.begin == ' ' || !mote_span_word(&line, &word))
        return OTHER;
    size_t length = (size_t)(word.end - word.begin);
    for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++)
        if (strlen(names[k].name) == length && memcmp(names[k].name, word.begin, length) == 0)
            return names[k].is;
    return OTHER;
}

static bool take_atom(mote_trajectory *t, size_t i, mote_span line)
{
    size_t columns = (size_t)(line.end - line.begin);
    if (columns < POSITION + 3 * WIDTH)
        return mote_trajectory_fail(
            t, "frame %zu, atom %zu: the line has %zu columns, but the position takes %d",
            t->frames, i + 1, columns, POSITION + 3 * WIDTH);
    if (i >= MOTE_TRAJECTORY_MOST_ATOMS)
        return mote_trajectory_atoms(t, (uint64_t)i + 1);
    if (!mote_trajectory_room(t, i, MOTE_TRAJECTORY_MOST_ATOMS))
        return false;
    mote_span name = {line.begin + NAME_BEGIN, line.begin + NAME_END}, word;
    if (t->rules.names && t->frames == 0 &&
        !mote_trajectory_name(t, i, mote_span_word(&name, &word) ? word : name))
        return false;
    for (int k = 0; k < 3; k++)
        if (!mote_trajectory_column(t, i, k, line.begin + POSITION + WIDTH * k, WIDTH))
            return false;
    return true;
}

/* Reads a number from columns. The columns of the next number may follow without a blank. */
static bool take_number(const char *at, size_t width, double *number)
{
    char text[MOTE_TRAJECTORY_WIDEST + 1] = "";
    memcpy(text, at, width);
    mote_span span = {text, text + width}, word, more;
    return mote_span_word(&span, &word) && !mote_span_word(&span, &more) &&
           mote_span_real(word, number);
}

static bool take_columns(mote_span line, double *numbers)
{
    static const size_t widths[CELL] = {9, 9, 9, 7, 7, 7};
    const char *at = line.begin + RECORD;
    for (int k = 0; k < CELL; at += widths[k++])
        if (line.end - at < (ptrdiff_t)widths[k] || !take_number(at, widths[k], &numbers[k]))
            return false;
    return true;
}

static bool take_words(mote_span line, double *numbers)
{
    mote_span word;
    line.begin += RECORD;
    for (int k = 0; k < CELL; k++)
        if (!mote_span_word(&line, &word) || !mote_span_real(word, &numbers[k]))
            return false;
    return true;
}

/* Programs write a cell of 1 by 1 by 1, or of zeros, if there is no box. */
static bool is_none(const double *numbers)
{
    const double none[CELL] = {1.0, 1.0, 1.0, 90.0, 90.0, 90.0};
    return memcmp(numbers, none, sizeof(none)) == 0 ||
           (numbers[0] == 0.0 && numbers[1] == 0.0 && numbers[2] == 0.0);
}

static bool take_cell(mote_trajectory *t, mote_span line)
{
    double numbers[CELL], cosine[3], sum = 0.0;
    if (mote_trajectory_no_box(t))
        return true;
    if (!take_columns(line, numbers) && !take_words(line, numbers))
        return mote_trajectory_fail(t, "frame %zu: '%s' has no three lengths and three angles",
                                    t->frames, mote_span_show(line).text);
    memset(t->cell, 0, sizeof(t->cell));
    t->frame.pbc = MOTE_PBC_NONE;
    memset(t->frame.box, 0, sizeof(t->frame.box));
    if (is_none(numbers))
        return true;
    for (int k = 0; k < 3; k++)
        cosine[k] = numbers[3 + k] == 90.0 ? 0.0 : cos(numbers[3 + k] * (acos(-1.0) / 180.0));
    mote_trajectory_cell_box(numbers, cosine, t->cell);
    for (int k = 0; k < 9; k++)
        sum += t->cell[k];
    for (int k = 0; k < 3; k++)
        if (!(numbers[k] > 0.0 && numbers[3 + k] > 0.0 && numbers[3 + k] < 180.0 && isfinite(sum)))
            return mote_trajectory_fail(
                t, "frame %zu: no box has the lengths %g %g %g and the angles %g %g %g", t->frames,
                numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    return mote_trajectory_box(t, t->cell, 9);
}

bool mote_trajectory_pdb(mote_trajectory *t, mote_span line, bool *ended)
{
    size_t atoms = 0;
    mote_lines_status status = MOTE_LINES_LINE;
    t->unit = MOTE_TRAJECTORY_ANGSTROM;
    if (!mote_trajectory_no_box(t) && !mote_trajectory_box(t, t->cell, 9))
        return false;
    for (; status == MOTE_LINES_LINE; status = mote_lines_next(&t->lines, &line.begin, &line.end)) {
        record is = record_of(line);
        if (is == ATOM && !take_atom(t, atoms++, line))
            return false;
        if (is == BOX && !take_cell(t, line))
            return false;
        if (is == TITLE)
            mote_trajectory_title(t, line);
        if (atoms && (is == BEGINS || is == ENDS))
            return mote_trajectory_atoms(t, atoms);
    }
    if (status != MOTE_LINES_END)
        return mote_trajectory_fail_lines(t, status, "");
    if (atoms)
        return mote_trajectory_atoms(t, atoms);
    *ended = t->frames > 0;
    return *ended ||
           mote_trajectory_fail(t, "the file has no line that begins with ATOM or HETATM");
}
