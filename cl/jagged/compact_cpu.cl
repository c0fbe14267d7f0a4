/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of packed lists from their lengths, for CPUs: few work-items, each with one long chunk.
 *
 * Defines: WG = 1, CPU_FORM, INDEX.., LENGTH_OF, SCAN_LONG = 1, SCAN_SATURATE. */
#include "jagged/compact.clh"

/* The first of two launches; it clears the error word, too. */
__kernel void compact_sums(const __global INDEX *restrict a, ulong a_at,
                           const __global INDEX *restrict b, ulong b_at, ulong lists, ulong each,
                           __global ulong *restrict sums, ulong sums_at, __global uint *error,
                           ulong error_at)
{
    const scan_input in = compact_input(a + a_at, b + b_at, 0);
    ulong at = each * get_global_id(0), end = min(at + each, lists);
    ulong4 four = (ulong4)(0);
    error_clear_word(error + error_at);
    for (; at < end; at += 4)
        four = SCAN_ADD(four, scan_load(&in, at, end));
    ulong2 two = SCAN_ADD(four.lo, four.hi);
    sums[sums_at + get_global_id(0)] = SCAN_ADD(two.x, two.y);
}

/* The second, or the only one, which then clears the error word. */
__kernel void compact_chunks(const __global INDEX *restrict a, ulong a_at,
                             const __global INDEX *restrict b, ulong b_at, ulong lists, ulong each,
                             const __global ulong *restrict sums, ulong sums_at,
                             __global INDEX *restrict offsets, ulong offsets_at,
                             __global uint *error, ulong error_at)
{
    const scan_input in = compact_input(a + a_at, b + b_at, error + error_at);
    const scan_output out = compact_output(offsets + offsets_at, error + error_at);
    uint item = get_global_id(0);
    ulong at = each * item, end = min(at + each, lists), sum = 0;
    if (get_global_size(0) == 1)
        error_clear_word(error + error_at);
    for (uint k = 0; k < item; k++)
        sum = SCAN_ADD(sum, sums[sums_at + k]);
    for (; at < end; at += 4) {
        scan_four v = scan_load(&in, at, end);
        ulong two = SCAN_ADD(v.x, v.y), three = SCAN_ADD(two, v.z);
        scan_four inside = (scan_four)(0, v.x, two, three);
        scan_store(&out, at, end, v, SCAN_ADD(inside, (scan_four)(sum)));
        sum = SCAN_ADD(sum, SCAN_ADD(three, v.w));
    }
    if (item == get_global_size(0) - 1)
        scan_finish(&out, lists, sum);
}
