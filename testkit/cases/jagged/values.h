/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of lists. */
#ifndef MOTE_TESTKIT_CASES_JAGGED_VALUES_H
#define MOTE_TESTKIT_CASES_JAGGED_VALUES_H

#include "testkit/reference/jagged/reduce_oracle.h"

/* Values for which reductions can fail in different ways. */
typedef enum mote_jagged_values {
    MOTE_VALUES_PLAIN,
    MOTE_VALUES_TIES,    /* few distinct values, zeros of both signs */
    MOTE_VALUES_SPECIAL, /* NaN, infinities and the types' extremes among others */
    MOTE_VALUES_ROUNDED, /* sums and products of two or more floats are rounded but finite */
    MOTE_VALUES_KINDS
} mote_jagged_values;

/* Fills `n` values for a reduction of lists described by offsets. */
void mote_jagged_values_fill(const mote_case_lists *lists, const mote_jagged_reduce_what *what,
                             mote_jagged_values kind, size_t n, mote_rng *rng, void *values);

/* Fills `n` values with random bits. Some values are 0, and some of these are -0. */
void mote_jagged_values_bits(mote_type type, size_t n, mote_rng *rng, void *values);

/* Element k of an array of any type, as a double. */
double mote_jagged_value(const void *values, mote_type type, size_t k);

#endif
