/* SPDX-License-Identifier: Apache-2.0 */
/* Spherical harmonics by recursion in the degree, with derivatives with respect to the vector. */
#ifndef MOTE_TESTKIT_REFERENCE_HARMONICS_H
#define MOTE_TESTKIT_REFERENCE_HARMONICS_H

#include <complex.h>

#define MOTE_HARMONICS 13 /* the largest number of harmonics of a degree */

/* A complex number, and its derivatives with respect to x, y and z. */
typedef struct mote_dual {
    double complex value, slope[3];
} mote_dual;

/* Computes Y_lm of the direction of a vector other than 0, for m from -l to l. */
void mote_oracle_harmonics(int l, const double *vector, mote_dual *harmonics);

#endif
