/* SPDX-License-Identifier: Apache-2.0 */
/* Nearest images, by trying every image that could be one. */
#ifndef MOTE_TESTKIT_REFERENCE_COORDINATION_NEAREST_H
#define MOTE_TESTKIT_REFERENCE_COORDINATION_NEAREST_H

#include <stdbool.h>

#include "mote/coordination.h"

typedef struct mote_nearest {
    mote_pbc pbc;
    long double vector[3][3];  /* vectors of the lattice, shortened where that is easy */
    long double inverse[3][3]; /* d inverse = fractional coordinates, as rows */
    long double reach[3];      /* lengths of the columns of inverse */
} mote_nearest;

/* box: 9 numbers, not singular unless pbc is MOTE_PBC_NONE. */
void mote_nearest_make(mote_nearest *n, mote_pbc pbc, const double *box);

/* Replaces d by its nearest image. Returns true if another image is as near, within `blur`, and not
 * the same vector. */
bool mote_nearest_image(const mote_nearest *n, long double *d, long double blur);

#endif
