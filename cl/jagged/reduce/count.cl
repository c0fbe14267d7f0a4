/* SPDX-License-Identifier: Apache-2.0 */
/* The number of elements of each list.
 *
 * Form: both.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/sweep.clh"
#include "jagged/lists.clh"

__kernel void reduce_count(const __global INDEX *restrict offsets, ulong offsets_at, uint count,
                           ulong length, uint base_first, __global INDEX *restrict result,
                           ulong result_at, volatile __global uint *restrict error, ulong error_at)
{
    position_t limit = list_limit(base_first ? (position_t)offsets[offsets_at] : 0, length);
    for (sweep s = sweep_of(count); s.at < s.end; s.at += s.step) {
        INDEX begin = offsets[offsets_at + s.at], end = offsets[offsets_at + s.at + 1];
        if (error)
            list_check(error + error_at, (uint)s.at, begin, end, limit);
        result[result_at + s.at] = end - begin;
    }
}
