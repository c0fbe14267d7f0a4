/* SPDX-License-Identifier: Apache-2.0 */
/* The length of each list, for GPUs: every work-item processes four neighbours at a time.
 *
 * Form: GPU.
 * Defines: LENGTH_OF (jagged/lengths/lengths.clh), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh). */
#include "common/sweep.clh"
#include "jagged/lengths/lengths.clh"

__kernel void counts(const __global INDEX *restrict a, ulong a_at, const __global INDEX *restrict b,
                     ulong b_at, ulong lists, __global INDEX *restrict counts, ulong counts_at,
                     volatile __global uint *error, ulong error_at)
{
    const length_input in = length_input_make(a + a_at, b + b_at, error + error_at);
    counts += counts_at;
    bool fast = four_aligned(counts);
    for (sweep s = sweep_of((lists + 3) / 4); s.at < s.end; s.at += s.step)
        four_store(counts, 4 * s.at, lists, fast,
                   FOUR_OF_ULONG(lengths_load(&in, 4 * s.at, lists)));
}
