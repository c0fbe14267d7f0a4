/* SPDX-License-Identifier: Apache-2.0 */
/* Copies the positions that label/cpu/sums.clh has computed to the output in the order of clusters,
 * CPU form. Work-items divide the clusters evenly, by whole modules.
 *
 * Form: CPU.
 * Defines: ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh). */
#include "pixels/clusters/own_cpu.clh"
#include "pixels/clusters/positions.clh"

/* Copies `count` words to out[at] and the following elements, at most `room`: words beyond the end
 * are overwritten later. */
inline void place(__global uint *out, ulong at, const __global uint *from, uint count, uint room)
{
    uint k = 0;
    if (!out)
        return;
    for (; k < count && k + 8 <= room; k += 8)
        vstore8(vload8(0, from + k), 0, out + at + k);
    for (; k < min(count, room); k++)
        out[at + k] = from[k];
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void positions_place(
    mote_pixels_params prm, const __global uint *cluster_start, ulong cluster_start_at,
    const __global uint *formed, ulong formed_at, const __global uint *first_formed,
    ulong first_formed_at, uint most_formed, uint capacity, POSITIONS_OUTPUTS,
    volatile __global uint *error, ulong error_at)
{
    cluster_start += cluster_start_at;
    own_range own = own_range_of(prm, cluster_start, capacity);
    if (get_global_id(0) == 0 && own.total > capacity && (prm.flags & MOTE_PIXELS_HAS_ERROR))
        error_report(error + error_at, MOTE_SLOT_CAPACITY, own.total);
    for (uint slot = own.first; slot < own.last; slot++) {
        uint at = cluster_start[slot], count = cluster_start[slot + 1] - at, room = own.end - at;
        if (count == 0 || at >= own.end)
            continue;
        uint first = first_formed[first_formed_at + slot];
        if (first >= most_formed || count >= most_formed - first) /* bad data */
            continue;
        const __global uint *from =
            formed + formed_at + (ulong)first * MOTE_PIXELS_POSITION_OUTPUTS;
        place((__global uint *)x_mean, x_mean_at + at, from, count, room);
        place((__global uint *)y_mean, y_mean_at + at, from + count, count, room);
        place((__global uint *)x_var, x_var_at + at, from + 2 * (ulong)count, count, room);
        place((__global uint *)y_var, y_var_at + at, from + 3 * (ulong)count, count, room);
        place((__global uint *)xy_cov, xy_cov_at + at, from + 4 * (ulong)count, count, room);
        place(charges, charges_at + at, from + 5 * (ulong)count, count, room);
        place(charge_min, charge_min_at + at, from + 6 * (ulong)count, count, room);
        place(charge_max, charge_max_at + at, from + 7 * (ulong)count, count, room);
        place(size, size_at + at, from + 8 * (ulong)count, count, room);
    }
}
