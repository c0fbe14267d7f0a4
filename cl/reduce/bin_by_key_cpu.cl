/* SPDX-License-Identifier: Apache-2.0 */
/* One pass of a stable counting sort, for CPUs: few work-items, each with `each` neighbouring
 * elements and its own row of `stride` counters (a multiple of 16) in `counts` and in `starts`.
 *
 * Form: CPU.
 * Defines: none. */
#include "common/guard.clh"
#include "reduce/bin_digit.clh"

__kernel void bin_count(const __global uint *restrict key, ulong key_at, uint n, uint each,
                        uint n_bins, uint shift, uint mask, uint stride,
                        __global uint *restrict counts, ulong counts_at, const __global uint *guard,
                        ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    const __global uint *keys = key + key_at;
    __global uint *row = counts + counts_at + (size_t)get_global_id(0) * stride;
    uint begin = each * get_global_id(0), end = min(begin + each, n);
    uint last = 0, run = 0;
    for (uint b = 0; b < stride; b += 16)
        vstore16((uint16)(0), 0, row + b);
    /* A run of one bin is counted in a register, because each increment of its counter in memory
     * would wait for the previous one. */
    for (uint i = begin; i < end; i++) {
        uint bin = bin_digit(keys[i], n_bins, shift, mask);
        if (bin != last) {
            row[last] += run;
            last = bin;
            run = 0;
        }
        run++;
    }
    row[last] += run;
}

/* Computes where the elements of each bin of this work-item begin. */
inline void bin_starts(const __global uint *counts, uint stride, __global uint *start)
{
    uint before = 0;
    for (uint b = 0; b < stride; b += 16) {
        uint16 total = (uint16)(0), earlier = (uint16)(0);
        for (uint k = 0; k < get_global_size(0); k++) {
            if (k == get_global_id(0))
                earlier = total;
            total += vload16(0, counts + (size_t)k * stride + b);
        }
        vstore16(earlier, 0, start + b);
        uint sums[16];
        vstore16(total, 0, sums);
        for (uint k = 0; k < 16; k++) {
            start[b + k] += before;
            before += sums[k];
        }
    }
}

__kernel void bin_place(const __global uint *restrict key, ulong key_at, uint n, uint each,
                        uint n_bins, uint shift, uint mask, uint stride,
                        const __global uint *restrict counts, ulong counts_at,
                        __global uint *restrict starts, ulong starts_at,
                        const __global uint *restrict from, ulong from_at,
                        __global uint *restrict sorted_key, ulong sorted_key_at,
                        __global uint *restrict index, ulong index_at, const __global uint *guard,
                        ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    const __global uint *keys = key + key_at;
    __global uint *start = starts + starts_at + (size_t)get_global_id(0) * stride;
    uint begin = each * get_global_id(0), end = min(begin + each, n);
    bin_starts(counts + counts_at, stride, start);
    uint last = 0, place = start[0];
    for (uint i = begin; i < end; i++) {
        uint bin = bin_digit(keys[i], n_bins, shift, mask);
        if (bin != last) {
            start[last] = place;
            last = bin;
            place = start[bin];
        }
        sorted_key[sorted_key_at + place] = keys[i];
        index[index_at + place] = from ? from[from_at + i] : i;
        place++;
    }
}
