/* SPDX-License-Identifier: Apache-2.0 */
/* DCD of CHARMM, NAMD, OpenMM, LAMMPS: records of Fortran in either byte order, single precision,
 * lengths in Angstrom as a rule. A frame is a record of the cell, where there is one, and one each
 * for x, y and z. Atoms that do not move are in the first frame only. */
#include "formats/trajectory/inner.h"

#include <math.h>
#include <stdlib.h>

#define HEAD   84        /* bytes of the first record */
#define TITLE  80        /* bytes of a line of the title */
#define TIME   0.04888821 /* ps in CHARMM's unit of time */
#define RIGHT  90.0      /* degrees */

/* A record is its length, so many bytes, and its length again. */
static bool begin_record(mote_trajectory *t, size_t bytes, const char *what)
{
    const unsigned char *at;
    if (!mote_trajectory_bytes(t, 4, what, &at))
        return false;
    uint32_t found = mote_word(at, t->dcd.big);
    return found == bytes ||
           mote_trajectory_fail(t,
                                "frame %zu: a record of %zu bytes with %s was expected, not one "
                                "of %u",
                                t->frames, bytes, what, found);
}

static bool end_record(mote_trajectory *t, size_t bytes, const char *what, const unsigned char *at)
{
    return mote_word(at, t->dcd.big) == bytes ||
           mote_trajectory_fail(t,
                                "frame %zu: the record with %s ends with another length than it "
                                "begins",
                                t->frames, what);
}

/* The bytes between the two lengths of a record. */
static bool take_record(mote_trajectory *t, size_t bytes, const char *what,
                        const unsigned char **record)
{
    return begin_record(t, bytes, what) && mote_trajectory_bytes(t, bytes + 4, what, record) &&
           end_record(t, bytes, what, *record + bytes);
}

static bool pass_record(mote_trajectory *t, size_t bytes, const char *what)
{
    const unsigned char *at;
    return begin_record(t, bytes, what) && mote_trajectory_pass(t, bytes, what) &&
           mote_trajectory_bytes(t, 4, what, &at) && end_record(t, bytes, what, at);
}

/* The first record, which shows the byte order. */
static bool take_head(mote_trajectory *t, uint32_t *n_fixed)
{
    const unsigned char *at, *head;
    mote_dcd *dcd = &t->dcd;
    t->place = 0;
    if (mote_lines_peek(&t->lines, 8, &at) != MOTE_LINES_LINE)
        return mote_trajectory_bytes(t, 8, "the head", &at);
    dcd->big = mote_word(at, true) == HEAD;
    if ((!dcd->big && mote_word(at, false) != HEAD) || memcmp(at + 4, "CORD", 4) != 0)
        return mote_trajectory_fail(t, "this is no DCD file: it does not begin with a record of %d "
                                       "bytes and CORD",
                                    HEAD);
    if (!take_record(t, HEAD, "the head", &head))
        return false;
    head += 4; /* numbers 0 to 19 behind CORD */
    bool charmm = mote_word(head + 4 * 19, dcd->big) != 0;
    double delta = charmm ? (double)mote_float(head + 4 * 9, dcd->big)
                          : mote_double(head + 4 * 9, dcd->big);
    dcd->cell = charmm && mote_word(head + 4 * 10, dcd->big) != 0;
    dcd->fourth = charmm && mote_word(head + 4 * 11, dcd->big) != 0;
    dcd->first = (double)(int32_t)mote_word(head + 4, dcd->big) * delta * TIME;
    dcd->step = (double)(int32_t)mote_word(head + 8, dcd->big) * delta * TIME;
    *n_fixed = mote_word(head + 4 * 8, dcd->big);
    return true;
}

/* A text of any number of lines, which is passed over. */
static bool skip_title(mote_trajectory *t)
{
    const unsigned char *at;
    if (!mote_trajectory_bytes(t, 4, "the title", &at))
        return false;
    uint32_t bytes = mote_word(at, t->dcd.big);
    if (bytes < 4 || (bytes - 4) % TITLE != 0)
        return mote_trajectory_fail(t, "the record of %u bytes is no title: that has 4 bytes and a "
                                       "multiple of %d",
                                    bytes, TITLE);
    if (!mote_trajectory_bytes(t, (size_t)bytes + 4, "the title", &at))
        return false;
    return mote_word(at + bytes, t->dcd.big) == bytes ||
           mote_trajectory_fail(t, "the title ends with another length than it begins");
}

/* The numbers of the atoms that move, from 1. */
static bool take_free(mote_trajectory *t)
{
    const unsigned char *at;
    mote_dcd *dcd = &t->dcd;
    size_t n = dcd->n_free;
    if (!take_record(t, 4 * n, "the atoms that move", &at))
        return false;
    dcd->free_atoms = malloc((n + 1) * sizeof(*dcd->free_atoms));
    if (!dcd->free_atoms)
        return mote_trajectory_fail(t, "out of memory for the list of %zu atoms that move", n);
    for (size_t i = 0; i < n; i++) {
        dcd->free_atoms[i] = mote_word(at + 4 * i, dcd->big) - 1;
        if (dcd->free_atoms[i] >= t->frame.n_atoms)
            return mote_trajectory_fail(t, "atom %u is said to move; there are %zu",
                                        dcd->free_atoms[i] + 1, t->frame.n_atoms);
    }
    return true;
}

static bool take_file_head(mote_trajectory *t)
{
    const unsigned char *at;
    uint32_t n_fixed = 0;
    if (!take_head(t, &n_fixed) || !skip_title(t) ||
        !take_record(t, 4, "the number of atoms", &at) ||
        !mote_trajectory_atoms(t, mote_word(at, t->dcd.big)))
        return false;
    if (n_fixed > t->frame.n_atoms)
        return mote_trajectory_fail(t, "%u of %zu atoms are said not to move", n_fixed,
                                    t->frame.n_atoms);
    t->dcd.n_free = t->frame.n_atoms - n_fixed;
    t->dcd.known = true;
    return !n_fixed || take_free(t);
}

/* Lattice vectors of lengths and angles in degrees: a along x, b in the plane of x and y. */
static void make_box(const double *length, const double *angle, double *box)
{
    double cosine[3];
    for (int k = 0; k < 3; k++)
        cosine[k] = angle[k] == RIGHT ? 0.0 : cos(angle[k] * (acos(-1.0) / 180.0));
    double sine = angle[2] == RIGHT ? 1.0 : sqrt(1.0 - cosine[2] * cosine[2]);
    double across = (cosine[0] - cosine[1] * cosine[2]) / sine;
    const double rows[9] = {length[0],
                            0.0,
                            0.0,
                            length[1] * cosine[2],
                            length[1] * sine,
                            0.0,
                            length[2] * cosine[1],
                            length[2] * across,
                            length[2] * sqrt(1.0 - cosine[1] * cosine[1] - across * across)};
    memcpy(box, rows, sizeof(rows));
}

/* The cell as a, gamma, b, beta, alpha, c: angles in degrees, or, as NAMD writes them, their
 * cosines. */
static bool take_cell(mote_trajectory *t)
{
    const unsigned char *at;
    double number[6], box[9];
    if (!take_record(t, 48, "the cell", &at))
        return false;
    for (int k = 0; k < 6; k++)
        number[k] = mote_double(at + 8 * k, t->dcd.big);
    const double length[3] = {number[0], number[2], number[5]};
    double angle[3] = {number[4], number[3], number[1]};
    if (mote_trajectory_no_box(t) || (length[0] == 0.0 && length[1] == 0.0 && length[2] == 0.0))
        return true;
    bool cosines = true, degrees = true;
    for (int k = 0; k < 3; k++) {
        cosines = cosines && fabs(angle[k]) <= 1.0;
        degrees = degrees && angle[k] > 1.0 && angle[k] < 180.0;
    }
    if (!cosines && !degrees)
        return mote_trajectory_fail(t, "frame %zu: the angles of its cell (%g %g %g) are neither "
                                       "degrees nor cosines",
                                    t->frames, angle[0], angle[1], angle[2]);
    for (int k = 0; k < 3 && cosines; k++)
        angle[k] = angle[k] == 0.0 ? RIGHT : acos(angle[k]) * (180.0 / acos(-1.0));
    if (angle[0] == RIGHT && angle[1] == RIGHT && angle[2] == RIGHT)
        return mote_trajectory_box(t, length, 3);
    make_box(length, angle, box);
    return mote_trajectory_box(t, box, 9);
}

/* One coordinate of every atom, or of those that move. */
static bool take_coordinate(mote_trajectory *t, size_t k, size_t atoms)
{
    static const char *const names[] = {"x of all atoms", "y of all atoms", "z of all atoms"};
    const unsigned char *at;
    double scale = mote_trajectory_scale(t);
    const uint32_t *place = atoms < t->frame.n_atoms ? t->dcd.free_atoms : NULL;
    if (t->skip && (t->frames || !t->dcd.free_atoms))
        return pass_record(t, 4 * atoms, names[k]);
    if (!take_record(t, 4 * atoms, names[k], &at) || !mote_trajectory_reserve(t))
        return false;
    for (size_t i = 0; i < atoms; i++)
        t->frame.positions[3 * (place ? place[i] : i) + k] =
            scale * (double)mote_float(at + 4 * i, t->dcd.big);
    return true;
}

bool mote_trajectory_dcd(mote_trajectory *t, bool *ended)
{
    t->unit = MOTE_TRAJECTORY_ANGSTROM;
    if (!t->dcd.known && !take_file_head(t))
        return false;
    if (t->frames == 0) {
        if (!mote_trajectory_ended(t, ended))
            return false;
        if (*ended)
            return mote_trajectory_fail(t, "the file holds no frames");
    }
    if (t->dcd.cell && !take_cell(t))
        return false;
    size_t atoms = t->frames ? t->dcd.n_free : t->frame.n_atoms;
    for (size_t k = 0; k < 3; k++)
        if (!take_coordinate(t, k, atoms))
            return false;
    mote_trajectory_time(t, (float)(t->dcd.first + (double)t->frames * t->dcd.step));
    t->frame.has_time = t->frame.has_time && t->dcd.step > 0.0;
    return !t->dcd.fourth || pass_record(t, 4 * atoms, "the fourth dimension");
}
