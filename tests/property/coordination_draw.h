/* SPDX-License-Identifier: Apache-2.0 */
/* What property-coordination draws. */
#ifndef MOTE_TESTS_PROPERTY_COORDINATION_DRAW_H
#define MOTE_TESTS_PROPERTY_COORDINATION_DRAW_H

#include "cases/coordination/cases.h"
#include "property/property.h"

/* Draws that share what programs are built for. */
#define DRAWS_OF_A_KIND 32

/* What programs are built for. */
typedef struct draw_kinds {
    mote_switch function; /* kind, exponents, expression, no_stretch */
    int d_0;              /* its sign */
    bool ends;            /* finite d_max */
    mote_pbc pbc;
    mote_groups_kind groups;
    mote_coordination_how how;
} draw_kinds;

void draw_the_kinds(mote_rng *rng, draw_kinds *s);

/* Atoms, box and lengths; `large` receives how many times the size of the atoms' own box the box
 * is. False when out of memory, or where no lengths suit the function. */
bool draw_system(mote_rng *rng, const draw_kinds *kinds, mote_system *s, double *large);

/* Types of arrays and ways to call. */
void draw_how(mote_rng *rng, mote_coordination_how *how, const mote_system *s);

/* A text for MOTE_TUNE: a form, and in half of all cases some other keys. */
void draw_tune(mote_rng *rng, const char *form, char *text, size_t size);

#endif
