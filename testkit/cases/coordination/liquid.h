/* SPDX-License-Identifier: Apache-2.0 */
/* The benchmark system: 33.4 atoms per unit volume, uniform in a cube, one coordinate after
 * another, the same numbers on every machine. */
#ifndef MOTE_TESTKIT_CASES_COORDINATION_LIQUID_H
#define MOTE_TESTKIT_CASES_COORDINATION_LIQUID_H

#include <stddef.h>
#include <stdint.h>

typedef struct mote_liquid {
    uint64_t state;
    double side; /* of the cube */
} mote_liquid;

/* The benchmark system of n atoms has the seed n. */
mote_liquid mote_liquid_begin(size_t n_atoms, uint64_t seed);

/* Returns the next coordinate: x, y, z atom by atom. */
double mote_liquid_next(mote_liquid *liquid);

#endif
