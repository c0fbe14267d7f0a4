/* SPDX-License-Identifier: Apache-2.0 */
/* Positions in float32 near the origin, for devices that have no double precision. */
#ifndef MOTE_COORDINATION_RECENTRE_H
#define MOTE_COORDINATION_RECENTRE_H

#include "mote/coordination.h"

/* A frame on the host. */
typedef struct mote_recentre_frame {
    const double *positions; /* 3 an atom */
    const double *box;       /* valid; NULL without periodicity */
    mote_pbc pbc;
    size_t n_atoms;
    const uint32_t *atoms; /* numbers of the atoms that count, `count` of them; NULL: all */
    size_t count;
} mote_recentre_frame;

/* Moves the atoms that count into the cell around the first of them or, without a box, so that
 * their centre becomes the origin. Computes in double and rounds the results; all other atoms
 * become 0. Returns the lowest atom that is not finite, or SIZE_MAX if there is none. */
size_t mote_recentre(const mote_recentre_frame *frame, float *positions);

#endif
