/* SPDX-License-Identifier: Apache-2.0 */
/* Computes where the slice of each list begins and ends. Every list is checked; the slice of a bad
 * list is empty.
 *
 * Form: both.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/sweep.clh"
#include "jagged/lists.clh"

/* Returns the index in a list of this length for a place, which counts from the end if it is
 * negative. Places outside of the list are moved to its ends. */
inline long slice_place(long place, long length)
{
    return place < 0 ? max(place + length, (long)0) : min(place, length);
}

__kernel void slice_bounds(const __global INDEX *restrict offsets, ulong offsets_at, uint m,
                           ulong n, ulong start, ulong stop, __global INDEX *restrict starts,
                           ulong starts_at, __global INDEX *restrict stops, ulong stops_at,
                           volatile __global uint *error, ulong error_at)
{
    offsets += offsets_at;
    for (sweep s = sweep_of(m); s.at < s.end; s.at += s.step) {
        INDEX begin = offsets[s.at], end = offsets[s.at + 1];
        if (!list_check(error + error_at, (uint)s.at, begin, end, list_limit(0, n)))
            begin = end = 0;
        const long length = (long)(end - begin);
        const long first = slice_place((long)start, length);
        starts[starts_at + s.at] = begin + (INDEX)first;
        stops[stops_at + s.at] = begin + (INDEX)max(first, slice_place((long)stop, length));
    }
}
