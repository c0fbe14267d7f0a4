/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up the digis of each cluster by their labels, for GPUs and calls that have only large
 * modules. pixels/clusters/positions_finish.cl computes positions from these sums.
 *
 * A work-item processes `each` neighbouring digis and first adds up in private memory those of one
 * cluster that follow each other.
 *
 * Form: GPU.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh), CALIBRATED (pixels/input/decode.clh). */
#include "pixels/clusters/positions_part.clh"
#include "common/sweep.clh"
#include "common/width.clh"

/* Clears the sums in use, and reports an error if there is no room for all clusters. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void positions_clear(
    mote_pixels_params prm, const __global uint *cluster_start, ulong cluster_start_at,
    __global uint *sums, ulong sums_at, uint capacity, volatile __global uint *error,
    ulong error_at)
{
    uint total = cluster_start[cluster_start_at + prm.n_events * prm.n_modules];
    sums += sums_at;
    for (sweep s = sweep_of((ulong)min(total, capacity) * MOTE_PIXELS_SUMS_WORDS); s.at < s.end;
         s.at += s.step)
        sums[s.at] = s.at % MOTE_PIXELS_SUMS_WORDS == 1 ? NONE : 0; /* charge_min */
    if (get_global_id(0) == 0 && total > capacity && (prm.flags & MOTE_PIXELS_HAS_ERROR))
        error_report(error + error_at, MOTE_SLOT_CAPACITY, total);
}

__kernel NARROW __attribute__((reqd_work_group_size(WG, 1, 1))) void positions_add(
    SUMS_ARGUMENTS, __global uint *sums, ulong sums_at, uint each DECODE_ARGUMENTS)
{
    SUMS_BIND;
    DECODE_OPEN;
    __global mote_pixels_sums *all = (__global mote_pixels_sums *)(sums + sums_at);
    uint begin = min((ulong)get_global_id(0) * each, (ulong)n), end = begin + min(each, n - begin);
    uint event = 0, event_end = n;
    part sum;
    part_begin(&sum, NONE);
    if ((prm.flags & MOTE_PIXELS_HAS_EVENTS) && begin < end) {
        event = event_of(events, begin, 0, prm.n_events - 1);
        event_end = events[event + 1];
    }
    for (uint i = begin; i < end; i++) {
        while (i >= event_end && event + 1 < prm.n_events)
            event_end = events[++event + 1];
        uint id = module_id[i];
        int label = cluster_id[i];
        if (label < 0 || !module_valid(id, prm))
            continue;
        uint record = cluster_start[event * prm.n_modules + id] + (uint)label;
        if (record >= capacity)
            continue;
        if (record != sum.record) {
            part_end(&sum, all);
            part_begin(&sum, record);
        }
        uint charge = DECODE_CHARGE(decode, id, adc ? (uint)adc[i] : 0);
        part_add(&sum, digi_share_of(charge, counted, value, i, options), x[i], y[i]);
    }
    part_end(&sum, all);
}
