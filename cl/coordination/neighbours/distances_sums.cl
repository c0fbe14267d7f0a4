/* SPDX-License-Identifier: Apache-2.0 */
/* Clears the sums of a histogram of distances, and adds their rows.
 *
 * Form: both.
 * Defines: none.
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/sweep.clh"

/* Clears the sums. */
__kernel void distances_clear(__global uint *sums, ulong sums_at, ulong words)
{
    for (sweep k = sweep_of(words); k.at < k.end; k.at += k.step)
        sums[sums_at + k.at] = 0;
}

/* Adds up the sums of each bin over all rows; consecutive rows are `each` sums apart. Stores
 * `factor` times the total as the bin's count, or, if `adds` is set, adds it to the count. */
__kernel void distances_finish(const __global uint *sums, ulong sums_at, uint bins, uint rows,
                               uint each, uint factor, uint adds, __global ulong *counts,
                               ulong counts_at)
{
    for (sweep k = sweep_of(bins); k.at < k.end; k.at += k.step) {
        ulong count = 0;
        for (uint row = 0; row < rows; row++) {
            const __global uint *sum = sums + sums_at + 2 * ((ulong)row * each + k.at);
            count += (ulong)sum[1] << 32 | sum[0];
        }
        counts[counts_at + k.at] = count * factor + (adds ? counts[counts_at + k.at] : 0);
    }
}
