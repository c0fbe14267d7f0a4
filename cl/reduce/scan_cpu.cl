/* SPDX-License-Identifier: Apache-2.0 */
/* Exclusive prefix sums of a long array, for CPUs: few work-items, each with one long chunk.
 *
 * Form: CPU.
 * Defines: none. */
#include "common/lanes_cpu.clh"

__kernel void scan_sums(const __global uint *restrict in, ulong in_at, ulong count, ulong each,
                        __global uint *restrict sums, ulong sums_at)
{
    const __global uint *input = in + in_at;
    ulong at = each * get_global_id(0), end = min(at + each, count);
    uint16 wide = (uint16)(0);
    for (; at + 16 <= end; at += 16)
        wide += vload16(0, input + at);
    uint8 eight = wide.lo + UPPER_8(uint8, wide);
    uint4 four = eight.lo + eight.hi;
    uint sum = four.x + four.y + four.z + four.w;
    for (; at < end; at++)
        sum += input[at];
    sums[sums_at + get_global_id(0)] = sum;
}

__kernel void scan_chunks(const __global uint *restrict in, ulong in_at, ulong count, ulong each,
                          const __global uint *restrict sums, ulong sums_at,
                          __global uint *restrict out, ulong out_at)
{
    const __global uint *input = in + in_at;
    __global uint *output = out + out_at;
    uint item = get_global_id(0), sum = 0;
    ulong at = each * item, end = min(at + each, count);
    for (uint k = 0; k < item; k++)
        sum += sums[sums_at + k];
    for (; at < end; at++) {
        uint value = input[at];
        output[at] = sum;
        sum += value;
    }
    if (item == get_global_size(0) - 1)
        output[count] = sum;
}
