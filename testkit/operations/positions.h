/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the boxes and positions of calls that search for pairs. */
#ifndef MOTE_TESTKIT_OPERATIONS_POSITIONS_H
#define MOTE_TESTKIT_OPERATIONS_POSITIONS_H

#include "testkit/operation.h"

#define POSITIONS_PAIRS 60000 /* largest number of pairs that a call with room for them finds */

enum { POSITIONS, OTHER }; /* the first fields of a call */

/* Sizes near the squares of the numbers of entries that a group or a work-item processes. */
extern const size_t positions_borders[];

/* Returns whether double precision is available, which MOTE_TUNE may disable. */
bool positions_fp64(mote_context *ctx);

/* Draws the kind of positions and the lengths of both lists, which are equal if there is one list.
 */
size_t positions_numbers(trial_call *c, bool two, size_t *m);

/* Draws a box of about one unit: a cuboid, or a triclinic box, right- or left-handed, which may be
 * flat. Vectors of axes that do not repeat may be 0. Returns the axes that repeat. */
uint32_t positions_box(trial_call *c, double *box);

/* Draws a cutoff. Entries usually have a few neighbours, and in one of six calls many, but never
 * more than the oracle can list. */
double positions_cutoff(trial_call *c, const double *box, uint32_t pbc, size_t n, size_t m);

/* Fills an array with positions. */
void positions_draw(trial_call *c, const double *box, const trial_array *to);

/* Makes positions invalid, and sets the error that must be reported. */
void positions_spoil(trial_call *c, uint32_t pbc);

/* Returns the positions as doubles, or NULL if memory runs out. */
double *positions_widened(const trial_array *from);

#endif
