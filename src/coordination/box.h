/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes that the host passes. */
#ifndef MOTE_COORDINATION_BOX_H
#define MOTE_COORDINATION_BOX_H

#include <stdbool.h>

#include "mote/coordination.h"

/* A range of lengths in the unit of the positions. */
typedef struct mote_box_range {
    double least, most;
} mote_box_range;

/* The number of frames, or the index of a frame, for a single box in a call that has no frames. */
#define MOTE_BOX_ALONE SIZE_MAX

/* Checks the boxes of `frames` frames (9 numbers each). The first invalid box fails with
 * MOTE_ERROR_BOX and a sentence that names the frame and the numbers: a box with a number that is
 * not finite, a vector of length 0, or three vectors in a plane. Without periodicity all boxes are
 * valid. */
mote_status mote_box_check(const char *caller, mote_pbc pbc, const double *box, size_t frames);

/* Returns the number of the first box that has a vector (orthorhombic: a side) whose length is
 * outside of the range, or `frames` if there is none. */
size_t mote_box_find_outside(mote_pbc pbc, const double *box, size_t frames,
                             const mote_box_range *range);

/* Returns the length of the shortest vector (orthorhombic: side) of a box. */
double mote_box_shortest(mote_pbc pbc, const double *box);

/* Fails with MOTE_ERROR_BOX for such a box; `why` ends the sentence. */
mote_status mote_box_fail_outside(const char *caller, size_t frame, const double *box,
                                  const mote_box_range *range, const char *why);

/* Returns the length of a vector, even if its squares overflow or underflow. hypot() of glibc 2.35
 * would require a newer C library than all other functions do. */
double mote_box_length(double x, double y, double z);

/* Computes the vector product of two vectors. `out` is neither of them. */
void mote_box_cross(const double *a, const double *b, double *out);

/* Computes the inverse of a valid box: fractional coordinates are the row vector x times the
 * inverse. Orthorhombic: the inverse of its diagonal. */
void mote_box_invert(mote_pbc pbc, const double *box, double *inverse);

#endif
