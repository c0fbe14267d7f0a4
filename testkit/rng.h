/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers that are the same for a seed on every machine: integers only. */
#ifndef MOTE_TESTKIT_RNG_H
#define MOTE_TESTKIT_RNG_H

#include <stdint.h>

/* State of xoshiro256** (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number
 * generators", ACM TOMS 47 (2021) 36). */
typedef struct mote_rng {
    uint64_t s[4];
} mote_rng;

/* Starts a sequence; any seed is good. */
void mote_rng_seed(mote_rng *rng, uint64_t seed);

/* 64 random bits. */
uint64_t mote_rng_next(mote_rng *rng);

/* Returns a number in [0, n), without bias; 0 for n = 0. */
uint32_t mote_rng_below(mote_rng *rng, uint32_t n);

/* Returns a number in [least, most]. */
int64_t mote_rng_between(mote_rng *rng, int64_t least, int64_t most);

#endif
