/* SPDX-License-Identifier: Apache-2.0 */
/* Values to sum, of every kind that causes errors somewhere. */
#ifndef MOTE_TESTKIT_CASES_REDUCE_DATA_H
#define MOTE_TESTKIT_CASES_REDUCE_DATA_H

#include <stddef.h>

#include "testkit/rng.h"
#include "mote/buffer.h"

typedef enum mote_reduce_kind {
    MOTE_SUM_UNIT,       /* uniform in [-1, 1); integers: of all sizes, so that sums wrap */
    MOTE_SUM_POSITIVE,   /* even in [0, 1); integers: 0 .. 999 */
    MOTE_SUM_SCALES,     /* exponents in a range of forty decades */
    MOTE_SUM_ILL,        /* large values that cancel, small ones that remain */
    MOTE_SUM_CANCEL,     /* each value and its negative: the sum is exactly 0 */
    MOTE_SUM_TENTH,      /* 0.1 everywhere */
    MOTE_SUM_HUGE,       /* runs of the type's largest values of one sign, then of the other */
    MOTE_SUM_TINY,       /* denormal */
    MOTE_SUM_MINUS_ZERO, /* -0 everywhere, integers 0 */
    MOTE_SUM_ZEROS,      /* -0 and +0 */
    MOTE_SUM_INFINITY,   /* a few infinities of one sign */
    MOTE_SUM_INFINITIES, /* of both signs */
    MOTE_SUM_NAN,        /* a few NaN, of both signs */
    MOTE_SUM_ALL_NAN,
    MOTE_SUM_KINDS
} mote_reduce_kind;

/* Writes `count` values of a type of mote_reduce(). Kinds that integers cannot have are treated as
 * UNIT.
 */
void mote_reduce_fill(mote_reduce_kind kind, mote_type type, size_t count, mote_rng *rng,
                      void *values);

/* Returns the number that these bits represent in IEEE 754 binary16. */
double mote_half_number(uint16_t bits);

/* Returns the bits of a number that binary16 can represent, or of the quiet NaN. */
uint16_t mote_half_bits(double x);

#endif
