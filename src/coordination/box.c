/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/box.h"
#include "core/fail.h"

#include <math.h>
#include <stdio.h>

#define LATTICE_REAL double
#include "shared/lattice.h"

/* A volume that is smaller than this part of the product of the sides is a rounding error. */
#define LEAST_VOLUME 1e-12

static mote_status fail(const char *caller, size_t frame, const double *box, const char *what)
{
    char of_frame[40] = "";
    if (frame != MOTE_BOX_ALONE)
        snprintf(of_frame, sizeof(of_frame), "frame %zu: ", frame);
    return mote_fail(MOTE_ERROR_BOX, "%s: %sthe box (%g %g %g, %g %g %g, %g %g %g) %s", caller,
                     of_frame, box[0], box[1], box[2], box[3], box[4], box[5], box[6], box[7],
                     box[8], what);
}

void mote_box_cross(const double *a, const double *b, double *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

double mote_box_length(double x, double y, double z)
{
    double most = fmax(fmax(fabs(x), fabs(y)), fabs(z));
    if (most == 0.0)
        return 0.0;
    x /= most;
    y /= most;
    z /= most;
    return most * sqrt(x * x + y * y + z * z);
}

/* Divides a vector by its length, and returns the length. */
static double normalize(const double *a, double *unit)
{
    double length = mote_box_length(a[0], a[1], a[2]);
    for (int k = 0; k < 3; k++)
        unit[k] = a[k] / length;
    return length;
}

/* Returns what is wrong with a box; NULL for a valid box. */
static const char *find_fault(mote_pbc pbc, const double *box)
{
    int step = pbc == MOTE_PBC_ORTHORHOMBIC ? 4 : 1;
    double unit[9], normal[3], shortest = INFINITY, longest = 0.0;
    for (int k = 0; k < 9; k += step)
        if (!isfinite(box[k]))
            return "is not finite";
    for (int k = 0; k < 9; k += 4)
        if (step == 4 && box[k] == 0.0)
            return "has a side of length 0";
    if (step == 4) {
        double least = fmin(fabs(box[0]), fmin(fabs(box[4]), fabs(box[8])));
        double most = fmax(fabs(box[0]), fmax(fabs(box[4]), fabs(box[8])));
        return most > LATTICE_MOST     ? "is too large: its sides must be at most 1e300 long"
               : least < LATTICE_LEAST ? "is too small: its sides must be at least 1e-300 long"
                                       : NULL;
    }
    for (int i = 0; i < 9; i += 3) {
        double length = normalize(box + i, unit + i);
        if (length == 0.0)
            return "has a vector of length 0";
        shortest = fmin(shortest, length);
        longest = fmax(longest, length);
    }
    if (!(longest <= LATTICE_MOST))
        return "is too large: its vectors must be at most 1e300 long";
    if (longest < LATTICE_LEAST)
        return "is too small: one of its vectors must be at least 1e-300 long";
    if (shortest < LATTICE_LEAST_PART * longest)
        return "is too thin: its vectors must be of lengths within a factor of 1e70";
    mote_box_cross(unit, unit + 3, normal);
    double volume = normal[0] * unit[6] + normal[1] * unit[7] + normal[2] * unit[8];
    return fabs(volume) > LEAST_VOLUME
               ? NULL
               : "is singular: its three vectors lie in a plane, or nearly so";
}

mote_status mote_box_check(const char *caller, mote_pbc pbc, const double *box, size_t frames)
{
    if (pbc == MOTE_PBC_NONE)
        return MOTE_SUCCESS;
    for (size_t f = 0; f < (frames == MOTE_BOX_ALONE ? 1 : frames); f++) {
        const char *fault = find_fault(pbc, box + 9 * f);
        if (fault)
            return fail(caller, frames == MOTE_BOX_ALONE ? frames : f, box + 9 * f, fault);
    }
    return MOTE_SUCCESS;
}

/* Returns the length of vector k of an array of boxes. */
static double vector_length(mote_pbc pbc, const double *box, size_t k)
{
    const double *v = box + 3 * k;
    return pbc == MOTE_PBC_ORTHORHOMBIC ? fabs(v[k % 3]) : mote_box_length(v[0], v[1], v[2]);
}

size_t mote_box_find_outside(mote_pbc pbc, const double *box, size_t frames,
                             const mote_box_range *range)
{
    size_t count = pbc == MOTE_PBC_NONE ? 0 : 3 * frames;
    for (size_t k = 0; k < count; k++) {
        double length = vector_length(pbc, box, k);
        if (!(length >= range->least && length <= range->most))
            return k / 3;
    }
    return frames;
}

double mote_box_shortest(mote_pbc pbc, const double *box)
{
    return fmin(vector_length(pbc, box, 0),
                fmin(vector_length(pbc, box, 1), vector_length(pbc, box, 2)));
}

mote_status mote_box_fail_outside(const char *caller, size_t frame, const double *box,
                                  const mote_box_range *range, const char *why)
{
    char what[200];
    snprintf(what, sizeof(what), "must have vectors from %.3g to %.3g long %s", range->least,
             range->most, why);
    return fail(caller, frame, box, what);
}

void mote_box_invert(mote_pbc pbc, const double *box, double *inverse)
{
    double unit[9], length[3], columns[9];
    if (pbc == MOTE_PBC_ORTHORHOMBIC) {
        for (int k = 0; k < 9; k++)
            inverse[k] = k % 4 == 0 ? 1.0 / box[k] : 0.0;
        return;
    }
    for (int i = 0; i < 3; i++)
        length[i] = normalize(box + 3 * i, unit + 3 * i);
    for (int i = 0; i < 3; i++) {
        const double *a = unit + (i + 1) % 3 * 3, *b = unit + (i + 2) % 3 * 3, *c = unit + 3 * i;
        double *column = columns + 3 * i;
        mote_box_cross(a, b, column);
        double volume = column[0] * c[0] + column[1] * c[1] + column[2] * c[2];
        for (int k = 0; k < 3; k++)
            inverse[3 * k + i] = column[k] / volume / length[i];
    }
}
