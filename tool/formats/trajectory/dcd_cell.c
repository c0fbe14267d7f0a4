/* SPDX-License-Identifier: Apache-2.0 */
/* The cell of a DCD frame: six numbers that programs write in three conventions.
 *
 *     degrees    a, gamma, b, beta, alpha, c       OpenMM, NAMD up to 2.5
 *     cosines    the same with cosines of angles   NAMD, VMD, LAMMPS, MDAnalysis
 *     shape      S11, S21, S22, S31, S32, S33      CHARMM from version 22 on, cpptraj
 *
 * The shape matrix is symmetric and positive definite, and its rows are the lattice vectors in the
 * coordinate system of the positions. The head of the file holds a version of CHARMM, to which the
 * other programs write 24. A file is assumed to keep one convention. It is chosen at the first
 * frame for which the conventions give different cells. */
#include "tool/formats/trajectory/inner.h"

#include <math.h>
#include <stdio.h>

#define RIGHT     90.0 /* in degrees */
#define LEAST_SIN 1e-6 /* least volume of a cell of unit vectors */
#define ROUNDING  1e-9 /* tolerance relative to the largest entry of a cell */
/* The cosine of 20 degrees: cells of simulations have angles from 20 to 160 degrees. */
#define MOST_COSINE 0.9397

/* How plausible the six numbers are in one convention. */
enum { IMPOSSIBLE, POSSIBLE, LIKELY, CERTAIN };

/* The cell according to one convention; the rows of the box are lattice vectors. */
typedef struct reading {
    double box[9];
    int fit;
} reading;

/* Returns the squared volume of a cell of unit vectors, given the cosines of its three angles. */
static double square_volume(const double *cosine)
{
    return 1.0 - cosine[0] * cosine[0] - cosine[1] * cosine[1] - cosine[2] * cosine[2] +
           2.0 * cosine[0] * cosine[1] * cosine[2];
}

static int fit_of(const double *cosine)
{
    bool likely = true;
    for (int k = 0; k < 3; k++)
        likely = likely && fabs(cosine[k]) <= MOST_COSINE;
    if (!(square_volume(cosine) > LEAST_SIN * LEAST_SIN))
        return IMPOSSIBLE;
    return likely ? LIKELY : POSSIBLE;
}

void mote_trajectory_cell_box(const double *length, const double *cosine, double *box)
{
    double sine = sqrt(1.0 - cosine[2] * cosine[2]);
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

static void read_angles(const double *number, bool degrees, reading *r)
{
    const double length[3] = {number[0], number[2], number[5]};
    double cosine[3] = {number[4], number[3], number[1]};
    bool right = false;
    *r = (reading){.fit = IMPOSSIBLE};
    for (int k = 0; k < 3; k++) {
        bool good = degrees ? cosine[k] > 1.0 && cosine[k] < 180.0 : fabs(cosine[k]) < 1.0;
        if (!good || !(length[k] >= 0.0))
            return;
        right = right || (degrees && cosine[k] == RIGHT);
        if (degrees)
            cosine[k] = cosine[k] == RIGHT ? 0.0 : cos(cosine[k] * (acos(-1.0) / 180.0));
    }
    r->fit = fit_of(cosine);
    if (r->fit == LIKELY && right) /* a shape matrix is unlikely to have an entry of exactly 90 */
        r->fit = CERTAIN;
    mote_trajectory_cell_box(length, cosine, r->box);
}

static void read_shape(const double *number, reading *r)
{
    const double s[9] = {number[0], number[1], number[3], number[1], number[2],
                         number[4], number[3], number[4], number[5]};
    double cosine[3], length[3];
    memcpy(r->box, s, sizeof(s));
    for (int k = 0; k < 3; k++)
        length[k] = sqrt(s[3 * k] * s[3 * k] + s[3 * k + 1] * s[3 * k + 1] +
                         s[3 * k + 2] * s[3 * k + 2]); /* hypot() would require glibc 2.35 */
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        cosine[k] =
            (s[3 * i] * s[3 * j] + s[3 * i + 1] * s[3 * j + 1] + s[3 * i + 2] * s[3 * j + 2]) /
            (length[i] * length[j]);
    }
    double minor = s[0] * s[4] - s[1] * s[1];
    double whole = s[0] * (s[4] * s[8] - s[5] * s[5]) - s[1] * (s[1] * s[8] - s[5] * s[2]) +
                   s[2] * (s[1] * s[5] - s[4] * s[2]);
    bool definite = s[0] > 0.0 && minor > 0.0 && whole > 0.0;
    r->fit = definite ? fit_of(cosine) : IMPOSSIBLE;
}

/* True if two conventions give the same cell up to rounding. This happens for orthorhombic cells,
 * where the cosine of a right angle may be a rounding error instead of 0. */
static bool are_alike(const reading *a, const reading *b)
{
    double most = 0.0;
    for (int k = 0; k < 9; k++)
        most = fmax(most, fmax(fabs(a->box[k]), fabs(b->box[k])));
    for (int k = 0; k < 9; k++)
        if (!(fabs(a->box[k] - b->box[k]) <= ROUNDING * most))
            return false;
    return true;
}

static mote_dcd_cell expected_cell(const mote_dcd *dcd, const reading *readings)
{
    bool by_others = dcd->version < 22 || dcd->version == 24;
    if (!by_others || dcd->writer == MOTE_DCD_CELL_SHAPE)
        return MOTE_DCD_CELL_SHAPE;
    return readings[MOTE_DCD_CELL_COSINES].fit != IMPOSSIBLE ? MOTE_DCD_CELL_COSINES
                                                             : MOTE_DCD_CELL_DEGREES;
}

static const char *const names[] = {"auto", "shape", "cosines", "degrees"};

const char *mote_dcd_cell_name(mote_dcd_cell cell)
{
    return (unsigned)cell < MOTE_DCD_CELLS ? names[cell] : NULL;
}

/* Writes a note that two conventions are equally plausible, unless the head of the file shows which
 * program wrote it. */
static void note_doubt(mote_trajectory *t, mote_dcd_cell taken, mote_dcd_cell other)
{
    if (t->dcd.version <= 24 && t->dcd.writer == MOTE_DCD_CELL_AUTO)
        snprintf(t->note, sizeof(t->note),
                 "%.200s: frame %zu: the cell is read as %s, but could also be %s: give --dcd-cell",
                 t->name, t->frames, names[taken], names[other]);
}

/* Chooses the most plausible convention. Among equally plausible ones, the convention that the head
 * of the file suggests wins. */
static mote_dcd_cell choose(mote_trajectory *t, const reading *readings)
{
    mote_dcd_cell best = expected_cell(&t->dcd, readings), second = MOTE_DCD_CELL_AUTO;
    for (int k = MOTE_DCD_CELL_SHAPE; k < MOTE_DCD_CELLS; k++)
        if (readings[k].fit > readings[best].fit)
            best = (mote_dcd_cell)k;
    for (int k = MOTE_DCD_CELL_SHAPE; k < MOTE_DCD_CELLS; k++)
        if (readings[k].fit == readings[best].fit && !are_alike(&readings[k], &readings[best]))
            second = (mote_dcd_cell)k;
    if (readings[best].fit == IMPOSSIBLE)
        return MOTE_DCD_CELL_AUTO;
    bool doubtful = second != MOTE_DCD_CELL_AUTO;
    if (doubtful || !are_alike(&readings[MOTE_DCD_CELL_SHAPE], &readings[MOTE_DCD_CELL_COSINES]))
        t->dcd.kind = best;
    if (doubtful)
        note_doubt(t, best, second);
    return best;
}

static bool fail_cell(mote_trajectory *t, const double *number)
{
    mote_dcd_cell kind = t->dcd.kind;
    if (kind == MOTE_DCD_CELL_AUTO)
        return mote_trajectory_fail(t,
                                    "frame %zu: its cell (%g %g %g %g %g %g) is neither a shape "
                                    "matrix nor lengths and angles in degrees or cosines",
                                    t->frames, number[0], number[1], number[2], number[3],
                                    number[4], number[5]);
    return mote_trajectory_fail(
        t, "frame %zu: its cell (%g %g %g %g %g %g) is none in %s, as %s: --dcd-cell decides",
        t->frames, number[0], number[1], number[2], number[3], number[4], number[5], names[kind],
        t->rules.dcd_cell == kind ? "is asked for" : "those of frames before it are");
}

bool mote_trajectory_cell(mote_trajectory *t, const double *number)
{
    reading readings[MOTE_DCD_CELLS] = {{.fit = IMPOSSIBLE}};
    const double length[3] = {number[0], number[2], number[5]};
    bool upright = true;
    if (mote_trajectory_no_box(t) || (length[0] == 0.0 && length[1] == 0.0 && length[2] == 0.0))
        return true;
    if (t->rules.dcd_cell != MOTE_DCD_CELL_AUTO)
        t->dcd.kind = t->rules.dcd_cell;
    read_shape(number, &readings[MOTE_DCD_CELL_SHAPE]);
    read_angles(number, false, &readings[MOTE_DCD_CELL_COSINES]);
    read_angles(number, true, &readings[MOTE_DCD_CELL_DEGREES]);
    mote_dcd_cell kind = t->dcd.kind == MOTE_DCD_CELL_AUTO ? choose(t, readings) : t->dcd.kind;
    const reading *taken = &readings[kind];
    if (taken->fit == IMPOSSIBLE)
        return fail_cell(t, number);
    for (int k = 0; k < 9; k++)
        upright = upright && (k % 4 == 0 || taken->box[k] == 0.0);
    return upright ? mote_trajectory_box(t, length, 3) : mote_trajectory_box(t, taken->box, 9);
}
