/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the distances of pairs in bins on CPUs. Each work-item searches the cells around a range
 * of entries, and counts in a row of its own, which it clears first.
 *
 * Form: CPU.
 * Defines: DOUBLE (coordination/real.clh), CPU_FORM (common/sweep.clh). */
#include "common/sweep.clh"
#include "coordination/neighbours/distances.clh"
#include "coordination/neighbours/search.clh"

/* Counts the pairs of every entry. */
__kernel void distances_count(COUNT_PARAMETERS)
{
    SEARCH_MAKE;
    tally t = tally_of(&s, &d);
    t.counts = (__global ulong *)(sums + sums_at) + (ulong)get_global_id(0) * (t.bins + 1);
    for (uint bin = 0; bin <= t.bins; bin++)
        t.counts[bin] = 0;
    for (sweep k = sweep_of(p.n); k.at < k.end; k.at += k.step) {
        const around a = around_of(&s, (uint)k.at);
        search_rows(&s, &a, 0, 1, &t);
    }
}
