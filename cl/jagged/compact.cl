/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of packed lists from their lengths, for GPUs: see reduce/scan_body.clh.
 *
 * Form: GPU.
 * Defines: WG, LENGTH_OF (jagged/lengths.clh), SCAN_LONG (1), SCAN_SATURATE (common/scan.clh),
 * INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/compact.clh"
#include "jagged/width.clh"
#include "reduce/scan_body.clh"

/* The first of two launches; it clears the error word, too. */
__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void compact_sums(
    const __global INDEX *restrict a, ulong a_at, const __global INDEX *restrict b, ulong b_at,
    ulong lists, ulong each, __global ulong *restrict sums, ulong sums_at, __global uint *error,
    ulong error_at)
{
    __local ulong scratch[SCAN_SCRATCH_WORDS];
    const scan_input in = length_input_make(a + a_at, b + b_at, 0);
    error_clear_word(error + error_at);
    scan_sums_body(&in, lists, each, sums + sums_at, scratch);
}

/* The second, or the only one, which then clears the error word. */
__kernel INDEX_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void compact_chunks(
    const __global INDEX *restrict a, ulong a_at, const __global INDEX *restrict b, ulong b_at,
    ulong lists, ulong each, const __global ulong *restrict sums, ulong sums_at,
    __global INDEX *restrict offsets, ulong offsets_at, __global uint *error, ulong error_at)
{
    __local ulong scratch[SCAN_SCRATCH_WORDS];
    __local ulong running[2];
    const scan_input in = length_input_make(a + a_at, b + b_at, error + error_at);
    const scan_output out = compact_output(offsets + offsets_at, error + error_at);
    if (get_num_groups(0) == 1)
        error_clear_word(error + error_at);
    barrier(CLK_GLOBAL_MEM_FENCE);
    scan_chunks_body(&in, lists, each, sums + sums_at, &out, scratch, running);
}
