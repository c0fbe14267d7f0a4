/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/neighbours_box.h"
#include "coordination/box.h"
#include "coordination/kernel_constants.h"
#include "core/fail.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define LATTICE_REAL double
#include "shared/lattice.h"

#define MOST_IMAGES 1048576.0

/* The rounding error of a coordinate, in units in the last place of the largest length. */
#define ERRORS 32.0

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double length_of(const double *a)
{
    return mote_box_length(a[0], a[1], a[2]);
}

/* Scales a vector to a length, unless the vector is 0. */
static void scale_to(double *a, double length)
{
    double old = length_of(a);
    for (int k = 0; k < 3 && old > 0.0; k++)
        a[k] = a[k] / old * length;
}

/* Sets c to a vector that is orthogonal to a and b and as long as a. If a and b are parallel, c
 * becomes a copy of a, which makes the box singular. */
static void set_normal(const double *a, const double *b, double *c)
{
    double unit_a[3], unit_b[3];
    memcpy(unit_a, a, sizeof(unit_a));
    memcpy(unit_b, b, sizeof(unit_b));
    scale_to(unit_a, 1.0);
    scale_to(unit_b, 1.0);
    mote_box_cross(unit_a, unit_b, c);
    if (length_of(c) < 1e-12)
        memcpy(c, a, 3 * sizeof(*c));
    else
        scale_to(c, length_of(a));
}

/* Sets b to a vector that is orthogonal to a, and to the axis that is farthest from the direction
 * of a. */
static void set_orthogonal(const double *a, double *b)
{
    double axis[3] = {0.0, 0.0, 0.0};
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(a[k]) < fabs(a[least]))
            least = k;
    axis[least] = 1.0;
    set_normal(a, axis, b);
}

/* Copies the vectors of axes that repeat, and completes the box with vectors orthogonal to them. */
static void complete_box(const mote_neighbours_range *a, double *box)
{
    const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    int first = 0;
    memcpy(box, a->pbc ? a->box : none, 9 * sizeof(*box));
    if (a->pbc == MOTE_NEIGHBOURS_X || a->pbc == MOTE_NEIGHBOURS_Y || a->pbc == MOTE_NEIGHBOURS_Z) {
        while (!(a->pbc >> first & 1))
            first++;
        set_orthogonal(box + 3 * first, box + (first + 1) % 3 * 3);
        set_normal(box + 3 * first, box + (first + 1) % 3 * 3, box + (first + 2) % 3 * 3);
        return;
    }
    for (int k = 0; k < 3 && a->pbc; k++)
        if (!(a->pbc >> k & 1))
            set_normal(box + (k + 1) % 3 * 3, box + (k + 2) % 3 * 3, box + 3 * k);
}

static mote_status check_cutoff(const mote_call *call, const mote_neighbours_range *a,
                                const mote_box_range *lengths)
{
    if (a->cutoff >= lengths->least && a->cutoff <= lengths->most)
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s is %g, but must be from %g to %g",
                     call->name, a->name, a->cutoff, lengths->least, lengths->most);
}

/* Sets the number of boxes that a pair can span along each axis, and the bits of these numbers. */
static mote_status count_images(const mote_call *call, const mote_neighbours_range *a,
                                const double *height, mote_neighbours_params *p)
{
    double most[3], images = 1.0;
    for (int k = 0; k < 3; k++) {
        most[k] = a->pbc >> k & 1 ? ceil(a->cutoff / height[k]) + 1.0 : 0.0;
        images *= 2.0 * most[k] + 1.0;
    }
    if (!(images <= MOST_IMAGES))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: the %s %g reaches %.3g images of the box, but at most 2^20 are "
                         "allowed: use a larger box or a smaller %s",
                         call->name, a->name, a->cutoff, images, a->name);
    for (int k = 0; k < 3; k++)
        p->images[k] = (uint32_t)most[k];
    for (int k = 0; k < 2; k++)
        while (p->images[k + 1] >> p->bits[k])
            p->bits[k]++;
    for (int k = 0; k < 2; k++)
        p->bits[k]++;
    return MOTE_SUCCESS;
}

mote_status mote_neighbours_box(const mote_call *call, const mote_neighbours_range *range,
                                bool as_double, mote_neighbours_params *p)
{
    const mote_box_range lengths = {as_double ? 1e-100 : 1e-15, as_double ? 1e100 : 1e15};
    const char *why = as_double ? "" : "on a device without double precision";
    double box[9], inverse[9], length[3], height[3], normal[3];
    mote_status st = check_cutoff(call, range, &lengths);
    if (!st && range->pbc > MOTE_NEIGHBOURS_XYZ)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: pbc is %u, but must be a sum of 1, 2 and 4, or 0", call->name,
                       (unsigned)range->pbc);
    if (!st && range->pbc && !range->box)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: pbc is %u, but box is NULL", call->name,
                       (unsigned)range->pbc);
    if (st)
        return st;
    complete_box(range, box);
    st = mote_box_check(call->name, MOTE_PBC_TRICLINIC, box, MOTE_BOX_ALONE);
    if (!st && mote_box_find_outside(MOTE_PBC_TRICLINIC, box, 1, &lengths) == 0)
        st = mote_box_fail_outside(call->name, MOTE_BOX_ALONE, box, &lengths, why);
    if (st)
        return st;
    mote_box_invert(MOTE_PBC_TRICLINIC, box, inverse);
    for (int k = 0; k < 3; k++) {
        length[k] = length_of(box + 3 * k);
        height[k] = 1.0 / mote_box_length(inverse[k], inverse[3 + k], inverse[6 + k]);
        mote_coordination_put(p->length + 2 * k, length[k], as_double);
        mote_coordination_put(p->height + 2 * k, height[k], as_double);
    }
    for (int k = 0; k < 9; k++) {
        bool used = range->pbc >> k / 3 & 1;
        mote_coordination_put(p->box + 2 * k, used ? box[k] : 0.0, as_double);
        mote_coordination_put(p->inverse + 2 * k, inverse[k], as_double);
    }
    mote_box_cross(box, box + 3, normal);
    double flat = length[0] * length[1] * length[2] / fabs(dot(normal, box + 6));
    double error = ERRORS * ((as_double ? DBL_EPSILON : (double)FLT_EPSILON) + DBL_EPSILON * flat);
    mote_coordination_put(p->cutoff, range->cutoff, as_double);
    mote_coordination_put(p->error, error, as_double);
    p->pbc = range->pbc;
    if (dot(box, box + 3) == 0.0 && dot(box, box + 6) == 0.0 && dot(box + 3, box + 6) == 0.0)
        p->flags |= MOTE_NEIGHBOURS_RIGHT;
    return count_images(call, range, height, p);
}

double mote_neighbours_reduce(const mote_neighbours_range *range, double *vectors)
{
    double box[9], longest = 0.0;
    int used = 0;
    lattice l;
    memset(vectors, 0, 9 * sizeof(*vectors));
    if (!range->pbc)
        return INFINITY;
    /* Vectors of the box that do not repeat become the longest ones. They are orthogonal to the
     * others, so reduction does not change them, and orders them last. */
    complete_box(range, box);
    for (int k = 0; k < 3; k++)
        longest = fmax(longest, length_of(box + 3 * k));
    for (int k = 0; k < 3; k++)
        if (range->pbc >> k & 1)
            used++;
        else
            scale_to(box + 3 * k, 4.0 * longest);
    lattice_make(&l, box);
    memcpy(vectors, l.vector, 3 * (size_t)used * sizeof(*vectors));
    return length_of(vectors);
}
