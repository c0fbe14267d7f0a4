/* SPDX-License-Identifier: Apache-2.0 */
/* The charge cut on given labels, in four launches with a prefix sum of n_clusters after the first:
 *
 *     clear     charges and the error word
 *     add       charges of the clusters, checking the labels
 *     number    the clusters that are kept, module by module
 *     relabel   the digis
 *
 * `start` bounds every access, whatever the labels are. There is room for prm.n clusters, which
 * suffices if every cluster has a digi.
 *
 * Form: both.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "pixels/clusters/cluster_of.clh"
#include "pixels/input/offsets.clh"
#include "common/sweep.clh"

/* charge: the low words of prm.n clusters, then the high words. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void charge_cut_clear(
    mote_pixels_params prm, __global uint *charge, ulong charge_at, __global uint *error,
    ulong error_at)
{
    charge += charge_at;
    if (get_global_id(0) == 0 && (prm.flags & MOTE_PIXELS_HAS_ERROR))
        for (uint slot = 0; slot < MOTE_ERROR_SLOTS; slot++)
            error[error_at + slot] = MOTE_ERROR_SLOT_CLEAR;
    for (sweep s = sweep_of(2 * (ulong)prm.n); s.at < s.end; s.at += s.step)
        charge[s.at] = 0;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void charge_cut_add(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global ADC_T *adc, ulong adc_at, const __global uint *events, ulong events_at,
    const __global int *cluster_id, ulong cluster_id_at, const __global uint *start, ulong start_at,
    volatile __global uint *charge, ulong charge_at, volatile __global uint *error, ulong error_at)
{
    module_id += module_id_at;
    events += events_at;
    start += start_at;
    charge += charge_at;
    error = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0;
    if (prm.flags & MOTE_PIXELS_HAS_EVENTS)
        offsets_check(events, prm.n_events, prm.n, get_global_id(0), get_global_size(0), error);
    for (sweep s = sweep_of(prm.n); s.at < s.end; s.at += s.step) {
        uint id = module_id[s.at], key;
        bool wrong;
        uint cluster = cluster_of((uint)s.at, id, cluster_id[cluster_id_at + s.at], prm, events,
                                  start, &key, &wrong);
        if (id >= prm.n_modules && id != prm.invalid_module)
            error_report(error, MOTE_SLOT_MODULE, (uint)s.at);
        if (wrong)
            error_report(error, MOTE_SLOT_CLUSTER_ID, (uint)s.at);
        if (cluster != NONE && adc) {
            uint q = adc[adc_at + s.at], old = atomic_add(&charge[cluster], q);
            if (old + q < old)
                atomic_inc(&charge[prm.n + cluster]);
        }
    }
}

inline ulong cut_of(mote_pixels_params prm, const __global uint *charge_cuts, uint module)
{
    if (prm.flags & MOTE_PIXELS_HAS_CUTS)
        return charge_cuts[module];
    if (module < prm.inner_modules)
        return (ulong)prm.inner_cut_high << 32 | prm.inner_cut_low;
    return (ulong)prm.cut_high << 32 | prm.cut_low;
}

/* The low word of a cluster's charge becomes its new number; NONE = dropped. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void charge_cut_number(
    mote_pixels_params prm, const __global uint *charge_cuts, ulong charge_cuts_at,
    const __global uint *start, ulong start_at, __global uint *charge, ulong charge_at,
    __global uint *n_clusters, ulong n_clusters_at)
{
    start += start_at;
    charge += charge_at;
    for (sweep s = sweep_of(prm.n_events * prm.n_modules); s.at < s.end; s.at += s.step) {
        ulong cut = cut_of(prm, charge_cuts + charge_cuts_at, (uint)s.at % prm.n_modules);
        uint kept = 0, end = min(start[s.at + 1], prm.n);
        for (uint cluster = start[s.at]; cluster < end; cluster++) {
            bool keep = ((ulong)charge[prm.n + cluster] << 32 | charge[cluster]) >= cut;
            charge[cluster] = keep ? kept : NONE;
            kept += keep;
        }
        n_clusters[n_clusters_at + s.at] = kept;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void charge_cut_relabel(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global uint *events, ulong events_at, __global int *cluster_id, ulong cluster_id_at,
    const __global uint *start, ulong start_at, const __global uint *number, ulong number_at,
    __global ID_T *module_id_out, ulong module_id_out_at)
{
    module_id += module_id_at;
    cluster_id += cluster_id_at;
    for (sweep s = sweep_of(prm.n); s.at < s.end; s.at += s.step) {
        ID_T id = module_id[s.at];
        uint key, label = NONE;
        bool wrong;
        uint cluster = cluster_of((uint)s.at, id, cluster_id[s.at], prm, events + events_at,
                                  start + start_at, &key, &wrong);
        if (cluster != NONE)
            label = number[number_at + cluster];
        cluster_id[s.at] = (int)(label == NONE ? prm.invalid_cluster : label);
        if (module_id_out)
            module_id_out[module_id_out_at + s.at] = label == NONE ? (ID_T)prm.invalid_module : id;
    }
}
