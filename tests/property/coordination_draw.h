/* SPDX-License-Identifier: Apache-2.0 */
/* Random systems, arguments and tuning for property-coordination. */
#ifndef MOTE_TESTS_PROPERTY_COORDINATION_DRAW_H
#define MOTE_TESTS_PROPERTY_COORDINATION_DRAW_H

#include "testkit/cases/coordination/cases.h"
#include "property/property.h"

/* Consecutive draws that share a draw_kinds, so that they share programs. */
#define DRAWS_OF_A_KIND 32

/* The properties of a call that select its programs. */
typedef struct draw_kinds {
    mote_switch function; /* its kind, exponents, expression and no_stretch */
    int d_0;              /* the sign of d_0 */
    bool ends;            /* d_max is finite */
    mote_pbc pbc;
    mote_groups_kind groups;
    mote_coordination_how how;
} draw_kinds;

void draw_the_kinds(mote_rng *rng, draw_kinds *s);

/* Draws atoms, a box and the lengths of the function. *large receives the factor by which the box
 * was scaled. Returns false if out of memory or if no lengths suit the function. */
bool draw_system(mote_rng *rng, const draw_kinds *kinds, mote_system *s, double *large);

/* Draws the types of arrays and the options of the call. */
void draw_how(mote_rng *rng, mote_coordination_how *how, const mote_system *s);

/* Draws a text for MOTE_TUNE: the form, and in half of all cases some other keys. */
void draw_tune(mote_rng *rng, const char *form, char *text, size_t size);

#endif
