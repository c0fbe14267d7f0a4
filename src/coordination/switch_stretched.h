/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose stretching is a difference of two values that are as good as equal. */
#ifndef MOTE_COORDINATION_SWITCH_STRETCHED_H
#define MOTE_COORDINATION_SWITCH_STRETCHED_H

#include "coordination/switch_kinds.h"

/* The stretched form of a function; NULL for a kind that is stretched by the definition alone. */
const mote_switch_form *mote_switch_stretched_form(const mote_switch *function);

/* Decides whether f stretch + shift would lose more than a few bits of a completed function with a
 * finite d_max, and sets the numbers to those of its stretched form then. False for a function that
 * has the same value at 0 and at d_max, or none to speak of at either. */
bool mote_switch_stretch_far(const mote_switch *function, mote_switch_numbers *numbers);

#endif
