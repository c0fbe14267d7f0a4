/* SPDX-License-Identifier: Apache-2.0 */
/* What is made of a frame once its positions are there: the unit that is asked for, a box that is
 * given, and long vectors along which nothing repeats.
 *
 * A frame that repeats along some lattice vectors only, a slab or a rod, gets vectors at right
 * angles to those, more than twice as long as the frame is that way. The nearest image of a pair is
 * then never across these directions. */
#include "tool/formats/trajectory/inner.h"

#include <math.h>

#define ROOM      2.125 /* lengths of the frame; above 2, so that rounding does not matter */
#define LEAST_SIN 1e-6  /* for two vectors that are not parallel */

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Computes the part of v perpendicular to `count` unit vectors, as a unit vector; returns false if
 * it is nearly zero. */
static bool straighten(const double *v, double (*unit)[3], int count, double *result)
{
    double part[3] = {v[0], v[1], v[2]}, length = sqrt(dot(v, v));
    for (int k = 0; k < count; k++) {
        double along = dot(part, unit[k]);
        for (int i = 0; i < 3; i++)
            part[i] -= along * unit[k][i];
    }
    double left = sqrt(dot(part, part));
    if (!(left > LEAST_SIN * length))
        return false;
    for (int i = 0; i < 3; i++)
        result[i] = part[i] / left;
    return true;
}

static double extent(const mote_trajectory_frame *frame, const double *unit)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < frame->n_atoms; i++) {
        double along = dot(frame->positions + 3 * i, unit);
        least = along < least ? along : least;
        most = along > most ? along : most;
    }
    return frame->n_atoms ? most - least : 0.0;
}

/* The first candidate is the axis with the vector's number, so that upright boxes stay upright. */
static void find_normal(int row, double (*unit)[3], int count, double *normal)
{
    static const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double best = 2.0;
    const double *axis = axes[row];
    for (int i = 0; i < 3; i++) {
        const double *a = axes[(row + i) % 3];
        double within = 0.0;
        for (int k = 0; k < count; k++)
            within += dot(a, unit[k]) * dot(a, unit[k]);
        if (within < best - 0.25) {
            best = within;
            axis = a;
        }
    }
    (void)straighten(axis, unit, count, normal);
}

static bool fill_up(mote_trajectory *t)
{
    mote_trajectory_frame *frame = &t->frame;
    double unit[3][3], longest = 0.0;
    int count = 0;
    for (int row = 0; row < 3; row++) {
        const double *v = frame->box + 3 * row;
        if (!(frame->periodic >> row & 1))
            continue;
        if (!straighten(v, unit, count, unit[count]))
            return mote_trajectory_fail(t,
                                        "frame %zu: the vectors (%g %g %g, %g %g %g, %g %g %g) of "
                                        "its box do not span the directions that are periodic",
                                        t->frames, frame->box[0], frame->box[1], frame->box[2],
                                        frame->box[3], frame->box[4], frame->box[5], frame->box[6],
                                        frame->box[7], frame->box[8]);
        longest = fmax(longest, sqrt(dot(v, v)));
        count++;
    }
    for (int row = 0; row < 3; row++) {
        if (frame->periodic >> row & 1)
            continue;
        find_normal(row, unit, count, unit[count]);
        double length = ROOM * extent(frame, unit[count]) + longest;
        for (int i = 0; i < 3; i++)
            frame->box[3 * row + i] = length * unit[count][i] + 0.0;
        count++;
    }
    frame->pbc = mote_trajectory_kind(frame->box);
    return true;
}

double mote_trajectory_scale(const mote_trajectory *t)
{
    return t->rules.unit > 0.0 && t->unit > 0.0 ? t->unit / t->rules.unit : 1.0;
}

/* DCD has converted its positions itself, because some of them stay from frame to frame. */
static bool change_unit(mote_trajectory *t)
{
    mote_trajectory_frame *frame = &t->frame;
    double scale = mote_trajectory_scale(t);
    if (scale == 1.0)
        return true;
    for (size_t i = 0; i < 3 * frame->n_atoms && t->format != MOTE_TRAJECTORY_DCD; i++)
        frame->positions[i] *= scale;
    for (int k = 0; k < 9; k++)
        frame->box[k] *= scale;
    return mote_trajectory_finite(t);
}

/* Applies the box of the rules, if there is one, and makes the frame repeat in its directions. */
static bool settle_box(mote_trajectory *t)
{
    const mote_trajectory_frame *frame = &t->frame;
    if (t->rules.box && !mote_trajectory_box(t, t->rules.box, t->rules.box_numbers))
        return false;
    if (frame->pbc == MOTE_PBC_NONE && t->rules.periodic)
        return mote_trajectory_fail(t,
                                    "frame %zu has no box, which --periodic needs: give --box, or "
                                    "leave out --periodic",
                                    t->frames);
    return frame->pbc == MOTE_PBC_NONE || frame->periodic == MOTE_TRAJECTORY_ALL || fill_up(t);
}

bool mote_trajectory_settle(mote_trajectory *t)
{
    if (!change_unit(t))
        return false;
    t->of_option = t->rules.box;
    if (!settle_box(t))
        return false;
    t->of_option = false;
    return true;
}

double mote_trajectory_height(const mote_trajectory_frame *frame)
{
    double least = INFINITY;
    for (int k = 0; k < 3 && frame->pbc != MOTE_PBC_NONE; k++) {
        const double *a = frame->box + 3 * k, *b = frame->box + 3 * ((k + 1) % 3),
                     *c = frame->box + 3 * ((k + 2) % 3);
        const double normal[3] = {b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2],
                                  b[0] * c[1] - b[1] * c[0]};
        if (frame->periodic >> k & 1)
            least = fmin(least, fabs(dot(a, normal)) / sqrt(dot(normal, normal)));
    }
    return least;
}
