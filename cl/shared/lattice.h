/* SPDX-License-Identifier: Apache-2.0 */
/* Reduction of boxes, in the common part of C and OpenCL C: the host includes this file as well.
 *
 * The including file defines LATTICE_REAL, the floating type, first. */
#ifndef MOTE_SHARED_LATTICE_H
#define MOTE_SHARED_LATTICE_H

#define LATTICE_STEPS 1000 /* each step but the last makes a vector shorter, usually by half */

/* Limits within which reduction, which forms products of four lengths, neither overflows nor
 * underflows: the longest vector of a box is from LEAST to MOST long, and the shortest is at least
 * LEAST_PART times as long as the longest. Names with _F are limits for float, the others for
 * double. */
#define LATTICE_LEAST        1e-300
#define LATTICE_MOST         1e300
#define LATTICE_LEAST_PART   1e-70
#define LATTICE_LEAST_F      1e-30f
#define LATTICE_MOST_F       1e30f
#define LATTICE_LEAST_PART_F 1e-9f

typedef LATTICE_REAL lattice_real;

typedef struct lattice {
    lattice_real vector[9];   /* reduced; rows */
    lattice_real cell[6];     /* the box as a lower triangle: a_x, b_x, b_y, c_x, c_y, c_z */
    lattice_real rotation[9]; /* its axes; rows */
    lattice_real inverse[9];  /* row x inverse: fractional coordinates */
} lattice;

static inline lattice_real lattice_dot(const lattice_real *a, const lattice_real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void lattice_add(lattice_real *a, lattice_real factor, const lattice_real *b)
{
    for (int k = 0; k < 3; k++)
        a[k] += factor * b[k];
}

static inline void lattice_order(lattice_real *a, lattice_real *b)
{
    if (lattice_dot(b, b) < lattice_dot(a, a))
        for (int k = 0; k < 3; k++) {
            lattice_real t = a[k];
            a[k] = b[k];
            b[k] = t;
        }
}

/* Replaces c by the shortest of the vectors that differ from it by multiples of a and b, a reduced
 * pair; returns 0 if c is already the shortest. The shortest vector is in the row nearest in b's
 * direction or in the next one. */
static inline int lattice_shorten(const lattice_real *a, const lattice_real *b, lattice_real *c)
{
    lattice_real aa = lattice_dot(a, a), ab = lattice_dot(a, b), bb = lattice_dot(b, b);
    lattice_real q = (lattice_dot(c, b) * aa - lattice_dot(c, a) * ab) / (aa * bb - ab * ab);
    lattice_real row = rint(q), best[3], least = lattice_dot(c, c);
    int found = 0;
    /* A smaller gain is a rounding error, and might repeat forever. */
    least -= least * (lattice_real)1e-6f;
    for (int k = 0; k < 2; k++) {
        lattice_real trial[3] = {c[0], c[1], c[2]};
        lattice_add(trial, -row, b);
        lattice_add(trial, -rint(lattice_dot(trial, a) / aa), a);
        if (lattice_dot(trial, trial) < least) {
            least = lattice_dot(trial, trial);
            for (int m = 0; m < 3; m++)
                best[m] = trial[m];
            found = 1;
        }
        row += q < row ? (lattice_real)-1 : (lattice_real)1;
    }
    for (int m = 0; found && m < 3; m++)
        c[m] = best[m];
    return found;
}

/* Reduces three vectors: |a| <= |b| <= |c|, and no multiple of the others makes a vector shorter.
 */
static inline void lattice_reduce(lattice_real *v)
{
    for (int step = 0; step < LATTICE_STEPS; step++) {
        lattice_real *a = v, *b = v + 3, *c = v + 6;
        lattice_order(a, b);
        lattice_order(b, c);
        lattice_order(a, b);
        lattice_real t = rint(lattice_dot(a, b) / lattice_dot(a, a));
        if (t != 0)
            lattice_add(b, -t, a);
        else if (!lattice_shorten(a, b, c))
            break;
    }
}

static inline lattice_real lattice_unit(lattice_real *a)
{
    lattice_real length = sqrt(lattice_dot(a, a));
    for (int k = 0; k < 3; k++)
        a[k] /= length;
    return length;
}

/* Returns the longest component of a box. */
static inline lattice_real lattice_longest(const lattice_real *box)
{
    lattice_real longest = 0;
    for (int k = 0; k < 9; k++)
        longest = fmax(longest, fabs(box[k]));
    return longest;
}

/* Returns the power of two that scales the longest component to between 1 and 2: squares of lengths
 * and volumes then neither overflow nor underflow, and scaling rounds no number. */
static inline lattice_real lattice_scale(const lattice_real *box)
{
    return ldexp((lattice_real)1, -ilogb(lattice_longest(box)));
}

/* Makes a lattice from a box whose rows are not in one plane. */
static inline void lattice_make(lattice *l, const lattice_real *box)
{
    lattice_real *v = l->vector, *e = l->rotation, *c = l->cell, t[9], scale = lattice_scale(box);
    for (int k = 0; k < 9; k++)
        v[k] = box[k] * scale;
    lattice_reduce(v);
    for (int k = 0; k < 9; k++)
        e[k] = v[k];
    c[0] = lattice_unit(e);
    c[1] = lattice_dot(v + 3, e);
    lattice_add(e + 3, -c[1], e);
    c[2] = lattice_unit(e + 3);
    c[3] = lattice_dot(v + 6, e);
    c[4] = lattice_dot(v + 6, e + 3);
    lattice_add(e + 6, -c[3], e);
    lattice_add(e + 6, -c[4], e + 3);
    c[5] = lattice_unit(e + 6);
    t[0] = 1 / c[0];
    t[1] = t[2] = t[5] = 0;
    t[3] = -c[1] / (c[0] * c[2]);
    t[4] = 1 / c[2];
    t[6] = (c[1] * c[4] - c[3] * c[2]) / (c[0] * c[2] * c[5]);
    t[7] = -c[4] / (c[2] * c[5]);
    t[8] = 1 / c[5];
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < 3; m++)
            l->inverse[3 * k + m] =
                (e[k] * t[m] + e[3 + k] * t[3 + m] + e[6 + k] * t[6 + m]) * scale;
    for (int k = 0; k < 6; k++)
        c[k] /= scale;
    for (int k = 0; k < 9; k++)
        v[k] /= scale;
}

/* Makes a lattice from a box that is a positive diagonal, whose order does not change. */
static inline void lattice_keep(lattice *l, const lattice_real *box)
{
    for (int k = 0; k < 9; k++) {
        l->vector[k] = box[k];
        l->rotation[k] = k % 4 == 0 ? 1 : 0;
        l->inverse[k] = k % 4 == 0 ? 1 / box[k] : 0;
    }
    l->cell[0] = box[0];
    l->cell[2] = box[4];
    l->cell[5] = box[8];
    l->cell[1] = l->cell[3] = l->cell[4] = 0;
}

/* Returns whether every image within d_max of another atom is the first one tested, at the nearest
 * corner. */
static inline int lattice_is_wide(const lattice *l, lattice_real d_max)
{
    return d_max * (lattice_real)2.00001f < fmin(l->cell[0], fmin(l->cell[2], l->cell[5]));
}

#endif
