/* SPDX-License-Identifier: Apache-2.0 */
/* Computes positions of clusters from their exact sums in global memory, one work-item for each
 * cluster.
 *
 * Form: both.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "pixels/clusters/positions_form.clh"
#include "common/sweep.clh"
#include "common/width.clh"

__kernel NARROW __attribute__((reqd_work_group_size(WG, 1, 1))) void positions_finish(
    mote_pixels_params prm, const __global uint *cluster_start, ulong cluster_start_at,
    const __global uint *sums, ulong sums_at, uint capacity, uint options, POSITIONS_GEOMETRY,
    POSITIONS_OUTPUTS)
{
    const __global mote_pixels_sums *all = (const __global mote_pixels_sums *)(sums + sums_at);
    position_output out;
    cluster_start += cluster_start_at;
    POSITIONS_BIND(out);
    uint total = min(cluster_start[prm.n_events * prm.n_modules], capacity);
    for (sweep w = sweep_of(total); w.at < w.end; w.at += w.step) {
        part s;
        part_read(&s, all + w.at);
        position_store(&out, &s, (uint)w.at, prm, options);
    }
}
