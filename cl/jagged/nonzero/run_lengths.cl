/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the length of each run. A run ends where the next one begins, because no element lies
 * between two lists. If there are more runs than `capacity`, the length of the last run that has
 * room is unspecified.
 *
 * Form: both.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/sweep.clh"
#include "jagged/lists.clh"

__kernel void run_lengths(const __global INDEX *restrict offsets, ulong offsets_at, uint m, ulong n,
                          const __global INDEX *restrict out, ulong out_at,
                          const __global INDEX *restrict positions, ulong positions_at,
                          __global INDEX *restrict lengths, ulong lengths_at, ulong capacity)
{
    const ulong runs = min((ulong)(position_t)out[out_at + m], capacity);
    const INDEX end = (INDEX)min((ulong)(position_t)offsets[offsets_at + m], n);
    positions += positions_at;
    lengths += lengths_at;
    for (sweep s = sweep_of(runs); s.at < s.end; s.at += s.step)
        lengths[s.at] = (s.at + 1 < runs ? positions[s.at + 1] : end) - positions[s.at];
}
