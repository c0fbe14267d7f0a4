/* SPDX-License-Identifier: Apache-2.0 */
/* Parents from starts and stops, for CPUs: each work-item owns one range of elements and processes
 * all lists in order, so that the highest list wins without atomics, and the first list that finds
 * an assigned element is the lowest one that shares an element with a lower list.
 *
 * Form: CPU.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/starts_stops/starts_stops.clh"

inline void span_fill(__global INDEX *out, ulong lo, ulong hi, INDEX value)
{
    for (; lo + 16 <= hi; lo += 16)
        vstore16((index16_t)(value), 0, out + lo);
    for (; lo < hi; lo++)
        out[lo] = value;
}

/* Returns whether no element has a list. */
inline bool span_free(const __global INDEX *out, ulong lo, ulong hi)
{
    bool taken = false;
    for (; lo + 16 <= hi && !taken; lo += 16)
        taken = any(vload16(0, out + lo) != (index16_t)(-1));
    for (; lo < hi && !taken; lo++)
        taken = out[lo] != (INDEX)(-1);
    return !taken;
}

__kernel void span_all(const __global INDEX *restrict starts, ulong starts_at,
                       const __global INDEX *restrict stops, ulong stops_at,
                       volatile __global uint *error, ulong error_at, uint m, ulong n, uint check,
                       __global INDEX *restrict out, ulong out_at)
{
    uint items = get_global_size(0), item = get_global_id(0);
    ulong begin = n / items * item + n % items * item / items;
    ulong end = n / items * (item + 1) + n % items * (item + 1) / items;
    uint first = (ulong)m * item / items, last = (ulong)m * (item + 1) / items;
    bool go_on = true;
    error = error ? error + error_at : error;
    starts += starts_at;
    stops += stops_at;
    out += out_at;
    span_fill(out, begin, end, (INDEX)(-1));
    for (uint k = 0; k < m && go_on; k++) {
        INDEX start = starts[k], stop = stops[k];
        bool mine = k >= first && k < last;
        if (!span_check(mine ? error : 0, k, start, stop, n))
            continue;
        ulong lo = max((ulong)(position_t)start, begin), hi = min((ulong)(position_t)stop, end);
        if (lo >= hi)
            continue;
        go_on = !check || span_free(out, lo, hi);
        if (!go_on)
            error_report(error, MOTE_SLOT_OVERLAP, k);
        span_fill(out, lo, hi, (INDEX)k);
    }
}
