/* SPDX-License-Identifier: Apache-2.0 */
/* The first list of each thread in native code that divides elements evenly, for lists of any
 * lengths. */
#ifndef MOTE_BENCH_PEERS_BOUNDS_H
#define MOTE_BENCH_PEERS_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the first of m + 1 offsets that is at least `at`; m + 1 if there is none. */
static inline size_t lower_bound(const int32_t *offsets, size_t m, int32_t at)
{
    size_t low = 0, high = m + 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (offsets[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
