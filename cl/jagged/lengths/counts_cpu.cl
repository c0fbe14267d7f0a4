/* SPDX-License-Identifier: Apache-2.0 */
/* The length of each list, for CPUs: every work-item processes one long range.
 *
 * Form: CPU.
 * Defines: CPU_FORM, LENGTH_OF (jagged/lengths/lengths.clh), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh). */
#include "common/sweep.clh"
#include "jagged/lengths/lengths_cpu.clh"

#define STRETCH 1024 /* lists between two checks for bad ones */

/* Reads the lists again to report errors. */
inline void report(const length_input *in, ulong at, ulong end)
{
    for (; at < end; at += 4)
        lengths_load(in, at, end);
}

/* Processes lists from `at` on as long as sixteen more follow; returns where it stops. A list ends
 * where the next one begins, which is already in a register: reads across cache lines are the
 * slowest part here. */
inline ulong in_order(const length_input *in, ulong at, ulong end, __global INDEX *counts,
                      sixteen_bad *bad)
{
#if LENGTH_OF == MOTE_LENGTH_OF_OFFSETS
    if (at + 32 > end)
        return at;
    index16_t begin = vload16(0, in->a + at);
    for (; at + 32 <= end; at += 16) {
        index16_t next = vload16(0, in->a + at + 16);
        /* Elements are named one by one, because Oclgrind 21.10 treats elements of 16-element
         * swizzles as uninitialised. */
        index16_t stop = (index16_t)(begin.s1, begin.s2, begin.s3, begin.s4, begin.s5, begin.s6,
                                     begin.s7, begin.s8, begin.s9, begin.sa, begin.sb, begin.sc,
                                     begin.sd, begin.se, begin.sf, next.s0);
        sixteen_bounds bounds = {begin, stop};
        *bad |= sixteen_faults(bounds);
        vstore16(stop - begin, 0, counts + at);
        begin = next;
    }
#endif
    return at;
}

__kernel void counts(const __global INDEX *restrict a, ulong a_at, const __global INDEX *restrict b,
                     ulong b_at, ulong lists, __global INDEX *restrict counts, ulong counts_at,
                     volatile __global uint *error, ulong error_at)
{
    const length_input in = length_input_make(a + a_at, b + b_at, error + error_at);
    sweep s = sweep_of(lists);
    counts += counts_at;
    while (s.at < s.end) {
        ulong at = s.at, end = min(s.at + STRETCH, s.end);
        sixteen_bad bad = (sixteen_bad)(0);
        long bad_one = 0;
        at = in_order(&in, at, end, counts, &bad);
        for (; at + 16 <= end; at += 16) {
            sixteen_bounds bounds = sixteen_load(&in, at);
            bad |= sixteen_faults(bounds);
            vstore16(bounds.end - bounds.begin, 0, counts + at);
        }
        for (; at < end; at++)
            counts[at] = length_one(&in, at, &bad_one);
        if (bad_one < 0 || sixteen_any(bad))
            report(&in, s.at, end);
        s.at = end;
    }
}
