/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/rng.h"

static uint64_t rotate(uint64_t value, unsigned by)
{
    return (value << by) | (value >> (64u - by));
}

/* SplitMix64: spreads a seed over the state, so that no seed gives the all-zero state. */
static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

void mote_rng_seed(mote_rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        rng->s[i] = split_mix(&seed);
}

uint64_t mote_rng_next(mote_rng *rng)
{
    uint64_t *s = rng->s;
    uint64_t result = rotate(s[1] * 5u, 7) * 9u;
    uint64_t shifted = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate(s[3], 45);
    return result;
}

uint32_t mote_rng_below(mote_rng *rng, uint32_t n)
{
    if (n == 0)
        return 0;
    /* The high half of a product is even only when the low half is not in the short last stretch.
     */
    uint32_t remainder = (uint32_t)(-n) % n;
    uint64_t product;

    do
        product = (mote_rng_next(rng) >> 32) * (uint64_t)n;
    while ((uint32_t)product < remainder);
    return (uint32_t)(product >> 32);
}

int64_t mote_rng_between(mote_rng *rng, int64_t least, int64_t most)
{
    if (most <= least)
        return least;
    return least + (int64_t)mote_rng_below(rng, (uint32_t)(most - least + 1));
}
