/* SPDX-License-Identifier: Apache-2.0 */
/* Exact sums of doubles: a fixed-point number with the range of double, so that nothing is rounded
 * before the end. */
#ifndef MOTE_TESTKIT_REFERENCE_REDUCE_EXACT_H
#define MOTE_TESTKIT_REFERENCE_REDUCE_EXACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOTE_EXACT_DIGITS 70 /* of 32 bits: 2^-1074 .. 2^1024, and room for 2^40 additions */

/* All zero is 0. */
typedef struct mote_exact {
    int64_t digit[MOTE_EXACT_DIGITS]; /* with weight 2^(32 k - 1088); may exceed 32 bits, with
                                         either sign */
    size_t since_carry;
    bool plus_infinity, minus_infinity, nan;
} mote_exact;

void mote_exact_add(mote_exact *sum, double value);

/* Returns the sum, rounded once to nearest; NaN and infinities follow IEEE 754. */
double mote_exact_value(const mote_exact *sum);

#endif
