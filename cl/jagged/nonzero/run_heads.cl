/* SPDX-License-Identifier: Apache-2.0 */
/* Marks the first element of each list by one bit, in marks as nonzero.clh describes them. These
 * elements begin runs whatever their values are. run_clear is launched first.
 *
 * Form: both.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/sweep.clh"
#include "jagged/nonzero/nonzero.clh"

__kernel void run_clear(__global uint4 *restrict marks, ulong marks_at, ulong blocks)
{
    for (sweep s = sweep_of(blocks); s.at < s.end; s.at += s.step)
        marks[marks_at / 4 + s.at] = (uint4)(0);
}

__kernel void run_heads(const __global INDEX *restrict offsets, ulong offsets_at, uint m, ulong n,
                        volatile __global uint *restrict marks, ulong marks_at)
{
    ulong word = 0;
    uint bits = 0;
    offsets += offsets_at;
    marks += marks_at;
    for (sweep s = sweep_of(m); s.at < s.end; s.at += s.step) {
        const ulong at = (ulong)(position_t)offsets[s.at];
        if (at >= n || offsets[s.at + 1] == offsets[s.at])
            continue;
        if (bits && at / 32 != word) {
            atomic_or(marks + word, bits);
            bits = 0;
        }
        word = at / 32;
        bits |= 1u << at % 32;
    }
    if (bits)
        atomic_or(marks + word, bits);
}
