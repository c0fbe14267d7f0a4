/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose stretching is a difference of two nearly equal values. */
#ifndef MOTE_COORDINATION_SWITCH_STRETCHED_H
#define MOTE_COORDINATION_SWITCH_STRETCHED_H

#include "coordination/switch_kinds.h"

/* Returns the stretched form of a function; NULL for a kind that is always stretched by the
 * definition. */
const mote_switch_form *mote_switch_stretched_form(const mote_switch *function);

/* Decides whether f stretch + shift would lose more than a few bits for a completed function with a
 * finite d_max; if so, sets the numbers to those of its stretched form. Returns false for a
 * function that has the same value at 0 and at d_max, or is negligible at both. */
bool mote_switch_stretch_far(const mote_switch *function, mote_switch_numbers *numbers);

#endif
