/* SPDX-License-Identifier: Apache-2.0 */
/* Dumps of LAMMPS in text: sections that begin with a line ITEM: NAME. The sections of a frame end
 * with its atoms, which are sorted by their ids, because LAMMPS writes them in any order. */
#include "tool/formats/trajectory/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 1000

/* Columns of the lines of atoms, from 0; -1 = none. */
typedef struct columns {
    int x[3], id, name, all;
    bool scaled; /* positions are fractions of the box */
} columns;

/* The cell of a frame; rows of box are its vectors. */
typedef struct cell {
    bool known;
    double box[9], origin[3];
    unsigned periodic;
} cell;

static bool is_word(mote_span span, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(span.end - span.begin) == n && memcmp(span.begin, word, n) == 0;
}

/* Skips `word` if it is the next word of the line. */
static bool take(mote_span *line, const char *word)
{
    mote_span rest = *line, found;
    if (!mote_span_word(&rest, &found) || !is_word(found, word))
        return false;
    *line = rest;
    return true;
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Boundaries such as "pp ff ss"; without words, the box is periodic. */
static bool take_boundaries(mote_trajectory *t, mote_span line, unsigned *periodic)
{
    mote_span word;
    int k = 0;
    *periodic = 0;
    for (; mote_span_word(&line, &word) && k < 3; k++)
        *periodic |= (unsigned)is_word(word, "pp") << k;
    if (k == 0)
        *periodic = MOTE_TRAJECTORY_ALL;
    return k == 0 || k == 3 ||
           mote_trajectory_fail(t, "frame %zu: the box has %d boundaries, not three", t->frames, k);
}

static bool take_numbers(mote_trajectory *t, double *numbers, int count)
{
    mote_span line, word, rest;
    if (!mote_trajectory_line(t, "a line of the box", &line))
        return false;
    rest = line;
    for (int k = 0; k < count; k++)
        if (!mote_span_word(&rest, &word) || !mote_span_real(word, &numbers[k]))
            return mote_trajectory_fail(t, "frame %zu: '%s' is not %d numbers of the box",
                                        t->frames, mote_span_show(line).text, count);
    return true;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* The bounds of a tilted box are those of the orthogonal box around it. */
static void tilt(cell *c, double rows[3][4])
{
    double xy = rows[0][2], xz = rows[1][2], yz = rows[2][2];
    double low[3] = {rows[0][0] - least(least(0.0, xy), least(xz, xy + xz)),
                     rows[1][0] - least(0.0, yz), rows[2][0]};
    double high[3] = {rows[0][1] + least(least(0.0, -xy), least(-xz, -xy - xz)),
                      rows[1][1] + least(0.0, -yz), rows[2][1]};
    const double box[9] = {high[0] - low[0], 0.0, 0.0, xy, high[1] - low[1], 0.0, xz, yz,
                           high[2] - low[2]};
    memcpy(c->box, box, sizeof(box));
    memcpy(c->origin, low, sizeof(low));
}

static bool take_cell(mote_trajectory *t, mote_span line, cell *c)
{
    double rows[3][4] = {{0}};
    bool general = take(&line, "abc") && take(&line, "origin");
    bool tilted = !general && take(&line, "xy") && take(&line, "xz") && take(&line, "yz");
    if (!take_boundaries(t, line, &c->periodic))
        return false;
    for (int k = 0; k < 3; k++)
        if (!take_numbers(t, rows[k], general ? 4 : tilted ? 3 : 2))
            return false;
    tilt(c, rows);
    for (int k = 0; k < 3 && general; k++) {
        memcpy(c->box + 3 * k, rows[k], 3 * sizeof(double));
        c->origin[k] = rows[k][3];
    }
    c->known = true;
    if (t->rules.ignore_boxes || !c->periodic)
        return true;
    if (!t->rules.periodic)
        t->frame.periodic = c->periodic;
    return t->rules.box || mote_trajectory_box(t, c->box, 9);
}

/* ---- atoms ----------------------------------------------------------------------------------- */

/* Positions in the order of preference: in the box, unwrapped, and fractions of the box. */
static bool find_columns(mote_trajectory *t, mote_span line, columns *c)
{
    enum { KINDS = 4, ID = 3 * KINDS, ELEMENT, TYPE, WORDS };
    static const char *const words[WORDS] = {"x",   "y",   "z",  "xu",      "yu",
                                             "zu",  "xs",  "ys", "zs",      "xsu",
                                             "ysu", "zsu", "id", "element", "type"};
    int place[WORDS], kind = 0;
    mote_span rest = line, word;
    memset(place, -1, sizeof(place));
    *c = (columns){.all = 0};
    for (; mote_span_word(&rest, &word) && c->all < MOST_COLUMNS; c->all++)
        for (int k = 0; k < WORDS; k++)
            if (is_word(word, words[k]))
                place[k] = c->all;
    while (kind < KINDS &&
           (place[3 * kind] < 0 || place[3 * kind + 1] < 0 || place[3 * kind + 2] < 0))
        kind++;
    if (kind == KINDS)
        return mote_trajectory_fail(t,
                                    "frame %zu: no columns x y z, xu yu zu, xs ys zs or xsu ysu "
                                    "zsu among '%s'",
                                    t->frames, mote_span_show(line).text);
    memcpy(c->x, place + 3 * kind, sizeof(c->x));
    c->scaled = kind >= 2;
    c->id = place[ID];
    c->name = place[ELEMENT] >= 0 ? place[ELEMENT] : place[TYPE];
    return true;
}

static bool take_id(mote_trajectory *t, size_t i, mote_span word)
{
    uint64_t id = 0;
    for (const char *p = word.begin; p < word.end; p++) {
        unsigned digit = (unsigned char)(*p - '0');
        if (digit > 9 || id > ((uint64_t)INT64_MAX - digit) / 10)
            return mote_trajectory_fail(t, "frame %zu: '%s' is not the id of an atom", t->frames,
                                        mote_span_show(word).text);
        id = 10 * id + digit;
    }
    t->lammps.order[i] = (mote_lammps_atom){id, i};
    return true;
}

/* Makes room for the data of atom i besides its position. */
static bool make_room(mote_trajectory *t)
{
    mote_lammps *l = &t->lammps;
    size_t atoms = t->reserved;
    if (atoms <= l->reserved)
        return true;
    mote_lammps_atom *order = realloc(l->order, atoms * sizeof(*order));
    l->order = order ? order : l->order;
    uint64_t *ids = realloc(l->ids, atoms * sizeof(*ids));
    l->ids = ids ? ids : l->ids;
    double *spare = realloc(l->spare, 3 * atoms * sizeof(*spare));
    l->spare = spare ? spare : l->spare;
    if (!order || !ids || !spare)
        return mote_trajectory_fail(t, "out of memory for %zu atoms", atoms);
    l->reserved = atoms;
    return true;
}

static bool take_word(mote_trajectory *t, size_t i, int column, const columns *c, mote_span word)
{
    for (int k = 0; k < 3; k++)
        if (column == c->x[k] && !mote_trajectory_coordinate(t, i, k, word))
            return false;
    if (column == c->id && !take_id(t, i, word))
        return false;
    return column != c->name || !t->rules.names || t->frames > 0 ||
           mote_trajectory_name(t, i, word);
}

static bool take_atom(mote_trajectory *t, size_t i, const columns *c, const cell *in)
{
    mote_span line, word;
    if (!mote_trajectory_atom(t, i, &line) || !make_room(t))
        return false;
    for (int column = 0; column < c->all; column++) {
        if (!mote_span_word(&line, &word))
            return mote_trajectory_fail(t,
                                        "frame %zu, atom %zu: the line has %d column%s, but ITEM: "
                                        "ATOMS names %d",
                                        t->frames, i + 1, column, column == 1 ? "" : "s", c->all);
        if (!take_word(t, i, column, c, word))
            return false;
    }
    double *x = t->frame.positions + 3 * i, s[3] = {x[0], x[1], x[2]};
    for (int k = 0; k < 3 && c->scaled; k++)
        x[k] = in->origin[k] + s[0] * in->box[k] + s[1] * in->box[3 + k] + s[2] * in->box[6 + k];
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    uint64_t x = ((const mote_lammps_atom *)a)->id, y = ((const mote_lammps_atom *)b)->id;
    return (x > y) - (x < y);
}

/* Sorts the names of the first frame's atoms, which were read in another order. */
static bool order_names(mote_trajectory *t)
{
    size_t n = t->frame.n_atoms;
    mote_trajectory_name_text *names = malloc(t->names_reserved * sizeof(*names));
    if (!names)
        return mote_trajectory_fail(t, "out of memory for the names of %zu atoms", n);
    for (size_t i = 0; i < n; i++)
        memcpy(names[i], t->names[t->lammps.order[i].at], sizeof(names[i]));
    free(t->names);
    t->names = names;
    return true;
}

/* Each frame must have the atoms of the first one, each exactly once. */
static bool order_atoms(mote_trajectory *t)
{
    mote_lammps *l = &t->lammps;
    double *positions = t->frame.positions;
    size_t n = t->frame.n_atoms;
    if (n == 0)
        return true;
    qsort(l->order, n, sizeof(*l->order), compare_ids);
    for (size_t i = 0; i < n; i++) {
        uint64_t id = l->order[i].id;
        if (i > 0 && l->order[i - 1].id == id)
            return mote_trajectory_fail(t, "frame %zu: two atoms have the id %llu", t->frames,
                                        (unsigned long long)id);
        if (t->frames > 0 && l->ids[i] != id)
            return mote_trajectory_fail(
                t,
                "frame %zu has an atom with the id %llu, which frame 0 does not have: all "
                "frames must have the same atoms",
                t->frames, (unsigned long long)(l->ids[i] < id ? id : l->order[i].id));
        l->ids[i] = id;
        memcpy(l->spare + 3 * i, positions + 3 * l->order[i].at, 3 * sizeof(double));
    }
    memcpy(positions, l->spare, 3 * n * sizeof(double));
    return t->frames > 0 || !t->names || order_names(t);
}

static bool take_atoms(mote_trajectory *t, mote_span line, const cell *in)
{
    columns c;
    if (!find_columns(t, line, &c))
        return false;
    if (c.scaled && !in->known)
        return mote_trajectory_fail(t,
                                    "frame %zu: positions are fractions of a box, but the frame "
                                    "has none",
                                    t->frames);
    for (size_t i = 0; i < t->frame.n_atoms; i++)
        if (!take_atom(t, i, &c, in))
            return false;
    if (c.id < 0 && t->frames == 1)
        snprintf(t->note, sizeof(t->note),
                 "the dump has no column id: the order of atoms is taken to be the same in all "
                 "frames");
    return c.id < 0 || order_atoms(t);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Lengths in the style `lj` have no unit. Lengths of other unit styles cannot be converted. */
static bool take_unit(mote_trajectory *t, mote_span line)
{
    static const struct {
        const char *name;
        double unit;
    } styles[] = {{"real", MOTE_TRAJECTORY_ANGSTROM},
                  {"metal", MOTE_TRAJECTORY_ANGSTROM},
                  {"nano", MOTE_TRAJECTORY_NM},
                  {"lj", 0.0}};
    mote_span rest = line;
    for (size_t k = 0; k < sizeof(styles) / sizeof(styles[0]); k++)
        if (take(&rest, styles[k].name)) {
            t->unit = styles[k].unit;
            return true;
        }
    return t->rules.unit <= 0.0 ||
           mote_trajectory_fail(t,
                                "frame %zu: lengths in units of the style '%s' cannot be converted",
                                t->frames, mote_span_show(line).text);
}

static bool take_time(mote_trajectory *t, mote_span line)
{
    mote_span rest = line, word;
    t->frame.has_time = mote_span_word(&rest, &word) && mote_span_real(word, &t->frame.time);
    return t->frame.has_time || mote_trajectory_fail(t, "frame %zu: '%s' is not a time", t->frames,
                                                     mote_span_show(line).text);
}

typedef enum section { TIMESTEP, TIME, UNITS, COUNT, BOX, ATOMS, SECTIONS } section;

/* Returns the section that begins with this line, or SECTIONS if none does. Sets *rest to the text
 * after the section's name. */
static section section_of(mote_span line, mote_span *rest)
{
    static const char *const names[SECTIONS][3] = {
        [TIMESTEP] = {"TIMESTEP"},           [TIME] = {"TIME"},         [UNITS] = {"UNITS"},
        [COUNT] = {"NUMBER", "OF", "ATOMS"}, [BOX] = {"BOX", "BOUNDS"}, [ATOMS] = {"ATOMS"}};
    for (int k = 0; k < SECTIONS; k++) {
        *rest = line;
        bool good = take(rest, "ITEM:");
        for (int i = 0; i < 3 && names[k][i]; i++)
            good = good && take(rest, names[k][i]);
        if (good)
            return (section)k;
    }
    return SECTIONS;
}

static bool take_value(mote_trajectory *t, section is, mote_span value)
{
    if (is == TIME)
        return take_time(t, value);
    if (is == UNITS)
        return take_unit(t, value);
    return is != COUNT || mote_trajectory_count(t, value);
}

bool mote_trajectory_lammps(mote_trajectory *t, mote_span first)
{
    mote_span line = first, rest;
    bool counted = false, good = true;
    cell in = {0};
    while (good) {
        section is = section_of(line, &rest);
        if (is == SECTIONS)
            return mote_trajectory_fail(t, "'%s' begins no section of a dump of atoms",
                                        mote_span_show(line).text);
        if (is == ATOMS)
            return counted ? take_atoms(t, rest, &in)
                           : mote_trajectory_fail(t, "ITEM: ATOMS stands before ITEM: NUMBER OF "
                                                     "ATOMS");
        counted = counted || is == COUNT;
        good = is == BOX ? take_cell(t, rest, &in)
                         : mote_trajectory_line(t, "the value of a section", &line) &&
                               take_value(t, is, line);
        good = good && mote_trajectory_line(t, "ITEM: ATOMS", &line);
    }
    return false;
}
