/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the offsets of neighbour lists from the number of neighbours of each entry. Each group
 * processes `each` consecutive entries.
 *
 * Form: both.
 * Defines: WG, SCAN_LONG (1: common/scan.clh). */
#include "common/error.clh"
#include "common/scan.clh"
#include "coordination/neighbours/index.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void neighbours_sums(
    const __global uint *counts, ulong counts_at, uint n, uint each, __global ulong *sums,
    ulong sums_at)
{
    __local scan_t scratch[SCAN_SCRATCH_WORDS];
    ulong first = (ulong)each * get_group_id(0), end = min(first + each, (ulong)n), total;
    ulong sum = 0;
    for (ulong k = first + get_local_id(0); k < end; k += WG)
        sum += counts[counts_at + k];
    ulong before = scan_exclusive(sum, scratch, &total);
    if (get_local_id(0) == WG - 1)
        sums[sums_at + get_group_id(0)] = before + sum;
}

/* Writes the offsets. They stop growing at `highest`, the largest number of their type; then an
 * error is reported. An error is also reported if there are more than `limit` neighbours. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void neighbours_offsets(
    const __global uint *counts, ulong counts_at, uint n, uint each, const __global ulong *sums,
    ulong sums_at, __global uint *offsets, ulong offsets_at, uint wide, ulong highest, ulong limit,
    volatile __global uint *error, ulong error_at)
{
    __local scan_t scratch[SCAN_SCRATCH_WORDS];
    __local ulong running;
    const uint lid = get_local_id(0), group = get_group_id(0);
    const ulong first = (ulong)each * group, end = min(first + each, (ulong)n);
    ulong sum = 0, total;
    for (uint k = lid; k < group; k += WG)
        sum += sums[sums_at + k];
    ulong before = scan_exclusive(sum, scratch, &total);
    if (lid == WG - 1)
        running = before + sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (ulong at = first; at < end; at += WG) {
        ulong k = at + lid, start = running;
        uint count = k < end ? counts[counts_at + k] : 0;
        start += scan_exclusive(count, scratch, &total);
        if (k < end) {
            index_write(offsets, offsets_at + k, wide, min(start, highest));
            if (start <= highest && start + count > highest)
                error_report(error ? error + error_at : error, MOTE_SLOT_OFFSETS_OUT_OF_RANGE,
                             (uint)k);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == WG - 1)
            running = start + count;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0 && end == n && (first < end || group == 0)) {
        index_write(offsets, offsets_at + n, wide, min(running, highest));
        if (running > limit && running <= highest)
            error_report(error ? error + error_at : error, MOTE_SLOT_CAPACITY,
                         (uint)min(running, (ulong)0xfffffffe));
    }
}
