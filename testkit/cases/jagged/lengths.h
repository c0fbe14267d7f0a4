/* SPDX-License-Identifier: Apache-2.0 */
/* The lengths of the lists of a jagged array: distributions that are easy or hard for an algorithm.
 *
 * Only integers and exact steps of floating point are used, so a seed gives the same lengths on
 * every machine. */
#ifndef MOTE_TESTKIT_CASES_JAGGED_LENGTHS_H
#define MOTE_TESTKIT_CASES_JAGGED_LENGTHS_H

#include <stdbool.h>

#include "testkit/rng.h"
#include "mote/buffer.h"

typedef enum mote_length_kind {
    MOTE_LENGTH_CONSTANT, /* each `mean` */
    MOTE_LENGTH_POISSON,  /* around `mean` */
    MOTE_LENGTH_POWER, /* longer than x with a probability proportional to 1 / x, up to 5000 means
                        */
    MOTE_LENGTH_ONE_HUGE,  /* as POWER, the middle list has `size` */
    MOTE_LENGTH_FILLED,    /* one element with probability `mean`, else none */
    MOTE_LENGTH_TWO_HUGE,  /* none, but the first and the last list have `size` */
    MOTE_LENGTH_ALTERNATE, /* `mean`, 0, `mean`, 0, ... */
    MOTE_LENGTH_BOUNDARY,  /* 0, 1, or within one of `size` or of twice `size` */
    MOTE_LENGTH_PRIMES,    /* 2, 3, 5, 7, ... up to `size`, repeatedly */
    MOTE_LENGTH_LEAD,      /* `size` lists without elements, then as POISSON */
    MOTE_LENGTH_TRAIL,     /* as POISSON, then `size` lists without elements */
    MOTE_LENGTH_ENDS,      /* `size` lists without elements at both ends */
    MOTE_LENGTH_SEED,      /* 3, 2, 3, over and over */
    MOTE_LENGTH_EVEN,      /* `size` elements in all, as evenly as possible */
    MOTE_LENGTH_LAYOUT,    /* any mote_layout_length() with up to `size` blocks before the last */
} mote_length_kind;

typedef struct mote_lengths {
    mote_length_kind kind;
    size_t lists;
    double mean; /* at least 0 */
    int64_t size;
    uint64_t seed;
} mote_lengths;

/* Returns number `k` of the lengths within MOTE_LAYOUT_NEAR of a border of the layout of sums
 * (mote/jagged.h). The first MOTE_LAYOUT_LENGTHS are lengths of lists of one block, the next ones
 * have one whole block before the last block, the next ones two, and so on. */
#define MOTE_LAYOUT_NEAR    33
#define MOTE_LAYOUT_BORDERS 6
#define MOTE_LAYOUT_LENGTHS ((size_t)MOTE_LAYOUT_BORDERS * (2 * MOTE_LAYOUT_NEAR + 1))
int64_t mote_layout_length(size_t k);

#define MOTE_LENGTHS_MOST 4 /* largest number of elements of a combination */

/* Sums over all lists: the number of elements and, for each n from 2 on, the number of combinations
 * of n elements of one list (`chosen`), and of one element of each of n arrays (`product`). The n
 * arrays are alternately this array and the other one. */
typedef struct mote_lengths_sums {
    double elements, chosen[MOTE_LENGTHS_MOST + 1], product[MOTE_LENGTHS_MOST + 1];
} mote_lengths_sums;

/* The other array has as many lists. */
mote_lengths_sums mote_lengths_add(const mote_lengths *how, const mote_lengths *other);

/* Writes lists + 1 offsets of `type` (int32, uint32 or int64), the first one `first`. Returns false
 * if the type cannot hold them or memory ran out. */
bool mote_lengths_fill(const mote_lengths *how, mote_type type, int64_t first, void *offsets);

#endif
