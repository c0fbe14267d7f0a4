/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes that come from the host. */
#ifndef MOTE_COORDINATION_BOX_H
#define MOTE_COORDINATION_BOX_H

#include <stdbool.h>

#include "mote/coordination.h"

/* A range of lengths in the unit of the positions. */
typedef struct mote_box_range {
    double least, most;
} mote_box_range;

/* The first box, of those of `frames` frames (9 numbers each), that cannot be used fails with
 * MOTE_ERROR_BOX and a sentence that names the frame and the numbers: one that is not finite, has a
 * vector of length 0, or three vectors in a plane. Without periodicity all are good. */
mote_status mote_box_check(const char *caller, mote_pbc pbc, const double *box, size_t frames);

/* Returns the number of the first box that has a vector (orthorhombic: a side) whose length is
 * outside of the range, or `frames` if there is none. */
size_t mote_box_find_outside(mote_pbc pbc, const double *box, size_t frames,
                             const mote_box_range *range);

/* The length of the shortest vector (orthorhombic: side) of a box. */
double mote_box_shortest(mote_pbc pbc, const double *box);

/* Fails with MOTE_ERROR_BOX for such a box; `why` ends the sentence. */
mote_status mote_box_fail_outside(const char *caller, size_t frame, const double *box,
                                  const mote_box_range *range, const char *why);

/* The length of a vector, whose squares may overflow or vanish. hypot() of glibc 2.35 would ask
 * programs for a newer C library than everything else does. */
double mote_box_length(double x, double y, double z);

/* The inverse of a box that is good: the fractional coordinates of x are the row x times it.
 * Orthorhombic: of its diagonal. */
void mote_box_invert(mote_pbc pbc, const double *box, double *inverse);

#endif
