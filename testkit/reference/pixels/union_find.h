/* SPDX-License-Identifier: Apache-2.0 */
/* Union-find for the oracles: a root is its own parent, and the lowest element of its set. */
#ifndef MOTE_TESTKIT_REFERENCE_PIXELS_UNION_FIND_H
#define MOTE_TESTKIT_REFERENCE_PIXELS_UNION_FIND_H

#include <stdint.h>

static inline uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Unites the sets of two elements. */
static inline void join(uint32_t *parent, uint32_t i, uint32_t j)
{
    uint32_t a = root_of(parent, i), b = root_of(parent, j);

    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

#endif
