/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the positions of values that are kept, for CPUs, in the launches of nonzero.cl. There are
 * few work-items, and each processes one long range.
 *
 * Form: CPU.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh).
 * Optional: VALUE, VALUE_FLOAT (jagged/nonzero/nonzero.clh), RUNS (jagged/nonzero/runs.clh), or
 * ELEMENT: uchar, ushort, uint or ulong. */
#include "jagged/nonzero/nonzero.clh"

#if INDEX_LONG
typedef ulong kept_t;
#else
typedef uint kept_t;
#endif

#ifdef VALUE

#ifdef RUNS
#define RUN_LOAD(p) vload8(0, p)
#include "jagged/nonzero/runs.clh"
#else
/* Returns the bits of eight values from `at` on. */
inline uint nonzero_eight(const __global VALUE *values, ulong at)
{
    if (sizeof(VALUE) == 1) {
        uchar8 v = vload8(0, (const __global uchar *)values + at);
        v = select((uchar8)(0), (uchar8)(1, 2, 4, 8, 16, 32, 64, 128), v != (uchar)0);
        uchar4 four = v.lo | v.hi;
        return four.x | four.y | four.z | four.w;
    }
    if (sizeof(VALUE) == 2) {
        ushort8 v = vload8(0, (const __global ushort *)values + at) << (ushort)VALUE_FLOAT;
        v = select((ushort8)(0), (ushort8)(1, 2, 4, 8, 16, 32, 64, 128), v != (ushort)0);
        ushort4 four = v.lo | v.hi;
        return four.x | four.y | four.z | four.w;
    }
    if (sizeof(VALUE) == 4) {
        uint8 v = vload8(0, (const __global uint *)values + at) << VALUE_FLOAT;
        v = select((uint8)(0), (uint8)(1, 2, 4, 8, 16, 32, 64, 128), v != 0);
        uint4 four = v.lo | v.hi;
        return four.x | four.y | four.z | four.w;
    }
    ulong8 v = vload8(0, (const __global ulong *)values + at) << VALUE_FLOAT;
    v = select((ulong8)(0), (ulong8)(1, 2, 4, 8, 16, 32, 64, 128), v != 0);
    ulong4 four = v.lo | v.hi;
    return (uint)(four.x | four.y | four.z | four.w);
}
#endif

__kernel void nonzero_mark(const __global INDEX *restrict offsets, ulong offsets_at, uint m,
                           const __global VALUE *restrict values, ulong values_at, ulong n,
                           ulong padded, ulong each, __global uchar *restrict marks, ulong marks_at,
                           __global kept_t *restrict sums, ulong sums_at, __global uint *error,
                           ulong error_at)
{
    const nonzero_range range = nonzero_range_of(offsets + offsets_at, m, n);
    ulong begin = min(each * get_global_id(0), padded), end = min(begin + each, padded);
    kept_t sum = 0;
    values += values_at;
    marks += marks_at;
    error_clear_word(error + error_at);
    for (ulong at = begin; at < end; at += 8) {
        uint bits = nonzero_inside(&range, at);
#ifdef RUNS
        if (bits)
            bits &= marks[at / 8] | (at + 8 <= n ? run_eight(values, at) : run_some(values, at, n));
#else
        if (bits)
            bits &= at + 8 <= n ? nonzero_eight(values, at) : nonzero_some(values, at, n);
#endif
        marks[at / 8] = (uchar)bits;
        sum += popcount(bits);
    }
    sums[sums_at + get_global_id(0)] = sum;
}

#endif

__kernel void nonzero_place(const __global ushort *restrict marks, ulong marks_at, ulong n,
                            ulong padded, ulong each, const __global kept_t *restrict sums,
                            ulong sums_at, __global kept_t *restrict blocks, ulong blocks_at,
                            __global INDEX *restrict positions, ulong positions_at, ulong capacity,
#ifdef ELEMENT
                            const __global ELEMENT *restrict elements, ulong elements_at,
                            __global ELEMENT *restrict filtered, ulong filtered_at,
                            ulong filtered_capacity,
#endif
                            ulong limit, volatile __global uint *error, ulong error_at)
{
    const uint item = get_global_id(0);
    ulong at = min(each * item, padded), end = min(at + each, padded);
    kept_t kept = 0;
    marks += marks_at;
    blocks += blocks_at;
    positions += positions_at;
#ifdef ELEMENT
    elements += elements_at;
    filtered += filtered_at;
#endif
    for (uint k = 0; k < item; k++)
        kept += sums[sums_at + k];
    /* The elements after these are written by other work-items. */
    const ulong own = min((ulong)kept + sums[sums_at + item], limit);
    for (; at < end; at += 16) {
        uint bits = marks[at / 16];
        if (at % NONZERO_BLOCK == 0)
            blocks[at / NONZERO_BLOCK] = kept;
        if ((ulong)kept + 16 <= own && at + 16 <= n) {
            /* No branch depends on the bits: the next kept value overwrites one that is not kept.
             */
            for (uint k = 0; k < 16; k++) {
                if (capacity)
                    positions[kept] = (INDEX)(at + k);
#ifdef ELEMENT
                filtered[kept] = elements[at + k];
#endif
                kept += bits >> k & 1;
            }
            continue;
        }
        for (; bits; bits &= bits - 1, kept++) {
            const ulong from = at + 31 - clz(bits & (0 - bits));
            if (kept < capacity)
                positions[kept] = (INDEX)from;
#ifdef ELEMENT
            if (kept < filtered_capacity)
                filtered[kept] = elements[from];
#endif
        }
    }
    if (item == get_global_size(0) - 1) {
        if (n % NONZERO_BLOCK == 0)
            blocks[n / NONZERO_BLOCK] = kept;
        if (kept > limit)
            error_report(error + error_at, MOTE_SLOT_CAPACITY,
                         (uint)min((ulong)kept, (ulong)0xfffffffe));
    }
}
