/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of CUSTOM, interpreted as they are read, in long double with dual numbers. */
#ifndef MOTE_TESTKIT_REFERENCE_COORDINATION_ORACLE_CUSTOM_H
#define MOTE_TESTKIT_REFERENCE_COORDINATION_ORACLE_CUSTOM_H

#include <stdbool.h>

/* The value for one x, whose square is x2, and the derivative with respect to x. text: valid. */
long double mote_oracle_custom(const char *text, long double x, long double *slope);

/* The variable is x2 alone. */
bool mote_oracle_custom_is_square(const char *text);

#endif
