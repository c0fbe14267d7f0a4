/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes of frames: their kind, and their possible errors. */
#include "tool/formats/trajectory/inner.h"

#include <math.h>
#include <string.h>

/* A volume that is smaller than this part of the product of the sides is a rounding error. */
#define LEAST_VOLUME 1e-12

static bool all_zero(const double *numbers, int count)
{
    for (int k = 0; k < count; k++)
        if (numbers[k] != 0.0)
            return false;
    return true;
}

/* Volume of the box of unit vectors along the three vectors; NaN if one has length 0. */
static double unit_volume(const double *box)
{
    double unit[9];
    for (int i = 0; i < 9; i += 3) {
        double most = fmax(fmax(fabs(box[i]), fabs(box[i + 1])), fabs(box[i + 2])), square = 0.0;
        for (int k = 0; k < 3; k++) {
            unit[i + k] = box[i + k] / most; /* so that no square overflows or underflows */
            square += unit[i + k] * unit[i + k];
        }
        for (int k = 0; k < 3; k++)
            unit[i + k] /= sqrt(square);
    }
    double volume = 0.0;
    for (int k = 0; k < 3; k++) {
        int y = (k + 1) % 3, z = (k + 2) % 3;
        volume += unit[k] * (unit[3 + y] * unit[6 + z] - unit[3 + z] * unit[6 + y]);
    }
    return volume;
}

static const char *find_fault(const double *numbers, int count, unsigned periodic)
{
    for (int k = 0; k < count; k++)
        if (!isfinite(numbers[k]))
            return "holds a number that is not finite";
    for (int k = 0; k < count && count == 3; k++) {
        if (numbers[k] == 0.0 && periodic >> k & 1)
            return "has a length of 0 (--periodic xy is for slabs)";
        if (numbers[k] < 0.0)
            return "has a negative length";
    }
    if (count == 9 && periodic == MOTE_TRAJECTORY_ALL &&
        !(fabs(unit_volume(numbers)) > LEAST_VOLUME))
        return "is singular: its three vectors lie in a plane, or nearly so";
    return NULL;
}

mote_pbc mote_trajectory_kind(const double *box)
{
    for (int k = 0; k < 9; k++)
        if (k % 4 && box[k] != 0.0)
            return MOTE_PBC_TRICLINIC;
    return MOTE_PBC_ORTHORHOMBIC;
}

bool mote_trajectory_box(mote_trajectory *t, const double *numbers, int count)
{
    mote_trajectory_frame *f = &t->frame;
    if (all_zero(numbers, count))
        return true;
    const char *fault = find_fault(numbers, count, f->periodic);
    if (fault && count == 3)
        return mote_trajectory_fail(t, "frame %zu: the box (%g %g %g) %s", t->frames, numbers[0],
                                    numbers[1], numbers[2], fault);
    if (fault)
        return mote_trajectory_fail(t, "frame %zu: the box (%g %g %g, %g %g %g, %g %g %g) %s",
                                    t->frames, numbers[0], numbers[1], numbers[2], numbers[3],
                                    numbers[4], numbers[5], numbers[6], numbers[7], numbers[8],
                                    fault);
    for (int k = 0; k < 9; k++)
        f->box[k] = count == 9 ? numbers[k] : k % 4 == 0 ? numbers[k / 4] : 0.0;
    f->pbc = mote_trajectory_kind(f->box);
    return true;
}
