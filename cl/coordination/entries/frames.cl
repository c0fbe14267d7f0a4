/* SPDX-License-Identifier: Apache-2.0 */
/* Converts boxes to the form that the other kernels read.
 *
 * Form: both.
 * Defines: DOUBLE (coordination/real.clh), PBC (coordination/image.clh). */
#include "common/width.clh"
#include "coordination/real.clh"

/* The host does the same for a single frame, and must compute the same bits. */
#pragma OPENCL FP_CONTRACT OFF

#define LATTICE_REAL wide
#include "shared/lattice.h"

/* Boxes passed by value have NUMBERS numbers each, every EVERY-th of the matrix: the diagonal of an
 * orthorhombic box, else all. */
#define GIVEN_NUMBERS MOTE_COORDINATION_GIVEN_NUMBERS
#if PBC == MOTE_COORDINATION_ORTHORHOMBIC
#define NUMBERS 3
#define EVERY   4
#else
#define NUMBERS 9
#define EVERY   1
#endif
#define GIVEN (GIVEN_NUMBERS / NUMBERS)

typedef struct given_boxes {
    uint words[2 * GIVEN_NUMBERS];
} given_boxes;

/* The shortest and the longest length that a vector of a box may have, in two words each. */
typedef struct box_range {
    uint words[4];
} box_range;

#if defined(MOTE_FP64)
#define LEAST_VOLUME 1e-12
#define LEAST_PART   LATTICE_LEAST_PART
#else
#define LEAST_VOLUME 1e-6f
#define LEAST_PART   LATTICE_LEAST_PART_F
#endif

inline void put(uint *words, wide x)
{
#if defined(MOTE_FP64)
    uint2 both = as_uint2(x);
    words[0] = both.x;
    words[1] = both.y;
#else
    words[0] = as_uint(x);
    words[1] = 0;
#endif
}

/* Returns whether a box is bad: a number is not finite, a vector is shorter than `least` or longer
 * than `most`, or the vectors are in a plane. */
inline uint is_bad(const wide *box, wide least, wide most)
{
    for (uint k = 0; k < 9; k++)
        if (!isfinite(box[k]))
            return 1;
    wide longest = lattice_longest(box), u[9];
    if (!(longest >= least && longest <= most))
        return 1;
    if (PBC == MOTE_COORDINATION_ORTHORHOMBIC)
        return !(fmin(box[0], fmin(box[4], box[8])) >= least);
    wide scale = lattice_scale(box);
    for (uint k = 0; k < 9; k++)
        u[k] = box[k] * scale;
    for (uint k = 0; k < 9; k += 3) {
        wide part = lattice_unit(u + k);
        if (!(part > LEAST_PART && part / scale >= least && part / scale <= most))
            return 1;
    }
    wide volume = u[0] * (u[4] * u[8] - u[5] * u[7]) + u[1] * (u[5] * u[6] - u[3] * u[8]) +
                  u[2] * (u[3] * u[7] - u[4] * u[6]);
    return !(fabs(volume) > LEAST_VOLUME);
}

/* Number k of box `number` in memory. */
inline wide number_of(const __global float *boxes, uint is_double, ulong at)
{
#if defined(MOTE_FP64)
    if (is_double)
        return ((const __global double *)boxes)[at];
#endif
    return boxes[at];
}

/* Computes `count` frames from number `first` on, one for each work-item. Boxes come from `boxes`,
 * or by value from `given` if `boxes` is 0. A box that is bad, or that has a vector whose length is
 * outside of `range`, is marked and replaced by a unit cube. */
__kernel NARROW void frames_make(mote_coordination_params p, given_boxes given, box_range range,
                                 const __global float *boxes, ulong boxes_at, uint is_double,
                                 uint first, uint count, __global uint *frames, ulong frames_at)
{
    uint number = get_global_id(0);
    if (number >= count)
        return;
    wide box[9];
    for (uint k = 0; k < 9; k++) {
        /* All boxes passed by value are read, because Mesa's llvmpipe assumes that an index into an
         * argument is the same in all work-items. */
        box[k] = 0;
        for (uint f = 0; f < GIVEN && k % EVERY == 0; f++) {
            wide one = WIDE_OF(given.words + 2 * (NUMBERS * f + k / EVERY));
            box[k] = f == number ? one : box[k];
        }
        if (boxes)
            box[k] = number_of(boxes, is_double, boxes_at + 9 * (ulong)number + k);
        if (PBC == MOTE_COORDINATION_ORTHORHOMBIC)
            box[k] = k % 4 ? 0 : fabs(box[k]);
    }
    mote_coordination_frame frame;
    lattice l;
    frame.bad = is_bad(box, WIDE_OF(range.words), WIDE_OF(range.words + 2));
    if (frame.bad)
        for (uint k = 0; k < 9; k++)
            box[k] = k % 4 ? 0 : 1;
    if (PBC == MOTE_COORDINATION_ORTHORHOMBIC)
        lattice_keep(&l, box);
    else
        lattice_make(&l, box);
    for (uint k = 0; k < 9; k++) {
        put(frame.inverse + 2 * k, l.inverse[k]);
        put(frame.rotation + 2 * k, l.rotation[k]);
    }
    for (uint k = 0; k < 6; k++)
        put(frame.cell + 2 * k, l.cell[k]);
    wide d_max = sqrt((wide)REAL_OF(p.d_max_2));
    if (!DOUBLE) /* in units of r_0 */
        d_max /= (wide)REAL_OF(p.inverse_r_0);
    frame.near_only = lattice_is_wide(&l, d_max);
    ((__global mote_coordination_frame *)(frames + frames_at))[first + number] = frame;
}
