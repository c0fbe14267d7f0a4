/* SPDX-License-Identifier: Apache-2.0 */
/* Switching functions that are expressions. */
#ifndef MOTE_COORDINATION_SWITCH_CUSTOM_H
#define MOTE_COORDINATION_SWITCH_CUSTOM_H

#include <stdbool.h>

#include "coordination/switch_kinds.h"

/* The functions in the row of CUSTOM in the table of kinds. The range is checked only if r_0 and
 * d_max are valid. */
mote_status mote_switch_custom_complete(const char *caller, mote_switch *function);
/* Rejects a completed CUSTOM whose steps exceed the range of single precision. */
mote_status mote_switch_custom_check_narrow(const char *caller, const mote_switch *function);
mote_switch_point mote_switch_custom_value(const mote_switch *function, double x);
mote_switch_square mote_switch_custom_square(const mote_switch *function);
bool mote_switch_custom_misses_one(const mote_switch *function, double least);

/* Returns whether it is an expression in x2 alone: then s(0) is its value. */
bool mote_switch_is_of_square(const mote_switch *function);

/* Writes the kernels' define CUSTOM; see mote_expression_print(). */
void mote_switch_custom_print(const mote_switch *function, bool as_double, char *text, size_t size);

#endif
