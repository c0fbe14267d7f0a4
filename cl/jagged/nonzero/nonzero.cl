/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the positions of values that are kept, for GPUs. The first launch marks and counts these
 * values, the second launch writes their positions; no value is read twice. If RUNS is defined, the
 * values that begin runs are kept: values that differ from the value before them, and values that
 * are already marked. Each group processes `each` consecutive values. If ELEMENT is defined, the
 * program has only the kernel that places elements.
 *
 * Form: GPU.
 * Defines: WG, SCAN_LONG (as INDEX_LONG: common/scan.clh), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh).
 * Optional: VALUE, VALUE_FLOAT (jagged/nonzero/nonzero.clh), RUNS (jagged/nonzero/runs.clh), or
 * ELEMENT: uchar, ushort, uint or ulong. */
#include "common/scan.clh"
#include "jagged/nonzero/nonzero.clh"

#define ITEM MOTE_NONZERO_ITEM /* values of a work-item when positions are written */

#ifdef VALUE

#ifdef RUNS
#define RUN_LOAD(p) (*(const __global value8_t *)(p)) /* used only if fast_values() is true */
#include "jagged/nonzero/runs.clh"

inline bool fast_values(const __global VALUE *values)
{
    return ((size_t)values & (8 * sizeof(VALUE) - 1)) == 0;
}
#else
inline bool fast_values(const __global VALUE *values)
{
    return ((size_t)values & (sizeof(VALUE) == 1 ? 7 : 15)) == 0;
}

/* Returns the bits of eight values from `at` on; the address must allow wide loads. */
inline uint nonzero_eight(const __global VALUE *values, ulong at)
{
    uint bits = 0;
    if (sizeof(VALUE) == 1) {
        uint2 v = *(const __global uint2 *)(values + at);
        for (uint k = 0; k < 4; k++) {
            bits |= (v.x >> 8 * k & 0xff ? 1u : 0u) << k;
            bits |= (v.y >> 8 * k & 0xff ? 1u : 0u) << (k + 4);
        }
    } else if (sizeof(VALUE) == 2) {
        uint4 v = *(const __global uint4 *)(values + at);
        uint4 low = v << VALUE_FLOAT & 0xffff, high = v >> 16 << VALUE_FLOAT & 0xffff;
        v = select((uint4)(0), (uint4)(1, 4, 16, 64), low != 0);
        v |= select((uint4)(0), (uint4)(2, 8, 32, 128), high != 0);
        bits = v.x | v.y | v.z | v.w;
    } else if (sizeof(VALUE) == 4) {
        uint4 lo = *(const __global uint4 *)(values + at) << VALUE_FLOAT;
        uint4 hi = *(const __global uint4 *)(values + at + 4) << VALUE_FLOAT;
        uint4 v = select((uint4)(0), (uint4)(1, 2, 4, 8), lo != 0);
        v |= select((uint4)(0), (uint4)(16, 32, 64, 128), hi != 0);
        bits = v.x | v.y | v.z | v.w;
    } else {
        for (uint k = 0; k < 8; k += 2) {
            ulong2 v = *(const __global ulong2 *)(values + at + k) << VALUE_FLOAT;
            bits |= (v.x ? 1u : 0u) << k | (v.y ? 2u : 0u) << k;
        }
    }
    return bits;
}
#endif

/* Marks the kept values, counts them for each group, and clears the error word. `padded`: n rounded
 * up to a whole block. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void nonzero_mark(
    const __global INDEX *restrict offsets, ulong offsets_at, uint m,
    const __global VALUE *restrict values, ulong values_at, ulong n, ulong padded, ulong each,
    __global uchar *restrict marks, ulong marks_at, __global scan_t *restrict sums, ulong sums_at,
    __global uint *error, ulong error_at)
{
    __local scan_t scratch[SCAN_SCRATCH_WORDS];
    const nonzero_range range = nonzero_range_of(offsets + offsets_at, m, n);
    ulong begin = min(each * get_group_id(0), padded), end = min(begin + each, padded);
    scan_t sum = 0, total;
    values += values_at;
    marks += marks_at;
    const bool fast = fast_values(values);
    error_clear_word(error + error_at);
    for (ulong at = begin + 8 * get_local_id(0); at < end; at += 8 * WG) {
        uint bits = nonzero_inside(&range, at);
#ifdef RUNS
        if (bits)
            bits &= marks[at / 8] |
                    (fast && at + 8 <= n ? run_eight(values, at) : run_some(values, at, n));
#else
        if (bits)
            bits &= fast && at + 8 <= n ? nonzero_eight(values, at) : nonzero_some(values, at, n);
#endif
        marks[at / 8] = (uchar)bits;
        sum += popcount(bits);
    }
    scan_t before = scan_exclusive(sum, scratch, &total);
    if (get_local_id(0) == WG - 1)
        sums[sums_at + get_group_id(0)] = before + sum;
}

#endif

/* Writes the positions of marked values, and the number of marked values before each block. The
 * error is reported if they exceed `limit`, the least capacity of an output. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void nonzero_place(
    const __global ushort *restrict marks, ulong marks_at, ulong n, ulong padded, ulong each,
    const __global scan_t *restrict sums, ulong sums_at, __global scan_t *restrict blocks,
    ulong blocks_at, __global INDEX *restrict positions, ulong positions_at, ulong capacity,
#ifdef ELEMENT
    const __global ELEMENT *restrict elements, ulong elements_at,
    __global ELEMENT *restrict filtered, ulong filtered_at, ulong filtered_capacity,
#endif
    ulong limit, volatile __global uint *error, ulong error_at)
{
    __local scan_t scratch[SCAN_SCRATCH_WORDS];
    __local scan_t running[2]; /* the number kept before tile t, at t % 2 */
    __local uint kept[2];      /* in tile t at t % 2 */
    __local ushort inside[ITEM * WG];
    const uint lid = get_local_id(0), group = get_group_id(0);
    const ulong begin = min(each * group, padded), end = min(begin + each, padded);
    scan_t sum = 0, total;
    marks += marks_at;
    blocks += blocks_at;
    positions += positions_at;
    for (uint k = lid; k < group; k += WG)
        sum += sums[sums_at + k];
    scan_t before = scan_exclusive(sum, scratch, &total);
    if (lid == WG - 1)
        running[0] = before + sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tiles = (uint)((end - begin + ITEM * WG - 1) / (ITEM * WG));
    for (uint t = 0; t < tiles; t++) {
        const ulong first = begin + (ulong)t * (ITEM * WG), at = first + ITEM * lid;
        uint bits = at < end ? marks[at / ITEM] : 0;
        sum = popcount(bits);
        before = scan_exclusive(sum, scratch, &total);
        if (at < end && at % NONZERO_BLOCK == 0)
            blocks[at / NONZERO_BLOCK] = running[t & 1] + before;
        if (lid == WG - 1) {
            running[(t + 1) & 1] = running[t & 1] + before + sum;
            kept[t & 1] = (uint)(before + sum);
        }
        for (uint k = (uint)before; bits; k++) {
            inside[k] = (ushort)(ITEM * lid + 31 - clz(bits & (0 - bits)));
            bits &= bits - 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint count = kept[t & 1];
        for (uint k = lid; k < count; k += WG) {
            const ulong to = running[t & 1] + k, from = first + inside[k];
            if (to < capacity)
                positions[to] = (INDEX)from;
#ifdef ELEMENT
            if (to < filtered_capacity)
                filtered[filtered_at + to] = elements[elements_at + from];
#endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0 && group == get_num_groups(0) - 1) {
        total = running[tiles & 1];
        if (n % NONZERO_BLOCK == 0)
            blocks[n / NONZERO_BLOCK] = total;
        if (total > limit)
            error_report(error + error_at, MOTE_SLOT_CAPACITY,
                         (uint)min((ulong)total, (ulong)0xfffffffe));
    }
}
