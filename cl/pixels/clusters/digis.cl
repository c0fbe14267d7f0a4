/* SPDX-License-Identifier: Apache-2.0 */
/* Groups digis by cluster:
 *
 *     digis_clear   clears the sizes of clusters, and the error word
 *     digis_count   counts the digis of each cluster, and checks the labels
 *     digis_place   moves the digis to the lists of their clusters
 *     digis_order   writes the lists
 *
 * Between them, the host launches a prefix sum of the sizes after digis_count, and a sort inside
 * lists after digis_place. The order in which digis_count numbers the digis of a cluster therefore
 * does not matter.
 *
 * Form: both.
 * Defines: WG, ID_T, ADC_T, ORDER_ANY (pixels/input/input.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "pixels/clusters/cluster_of.clh"
#include "pixels/input/offsets.clh"
#include "common/sweep.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void digis_clear(
    __global uint *count, ulong count_at, uint capacity, __global uint *error, ulong error_at)
{
    error_clear_word(error ? error + error_at : 0);
    for (sweep s = sweep_of(capacity); s.at < s.end; s.at += s.step)
        count[count_at + s.at] = 0;
}

/* Stores the cluster of each digi, NONE for no cluster, and its number among the cluster's digis.
 */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void digis_count(
    mote_pixels_params prm, const __global ID_T *module_id, ulong module_id_at,
    const __global uint *events, ulong events_at, const __global uint *n_device, ulong n_device_at,
    const __global int *cluster_id, ulong cluster_id_at, const __global uint *cluster_start,
    ulong cluster_start_at, __global uint *cluster, ulong cluster_at, __global uint *place,
    ulong place_at, volatile __global uint *count, ulong count_at, uint capacity,
    volatile __global uint *error, ulong error_at)
{
    const uint n = input_length(prm, n_device + n_device_at);
    module_id += module_id_at;
    events += events_at;
    cluster_start += cluster_start_at;
    error = prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0;
    if (prm.flags & MOTE_PIXELS_HAS_EVENTS)
        offsets_check(events, prm.n_events, n, get_global_id(0), get_global_size(0), error);
    const uint total = cluster_start[prm.n_events * prm.n_modules];
    if (get_global_id(0) == 0 && total > capacity)
        error_report(error, MOTE_SLOT_CAPACITY, total);
    for (sweep s = sweep_of(prm.n); s.at < s.end; s.at += s.step) {
        uint of = NONE;
        if (s.at < n) {
            const uint id = module_id[s.at];
            uint key;
            bool wrong;
            of = cluster_of((uint)s.at, id, cluster_id[cluster_id_at + s.at], prm, events,
                            cluster_start, &key, &wrong);
            if (id >= prm.n_modules && id != prm.invalid_module)
                error_report(error, MOTE_SLOT_MODULE, (uint)s.at);
            if (wrong)
                error_report(error, MOTE_SLOT_CLUSTER_ID, (uint)s.at);
        }
        if (of >= capacity)
            of = NONE;
        cluster[cluster_at + s.at] = of;
        if (of != NONE)
            place[place_at + s.at] = atomic_inc(&count[count_at + of]);
    }
}

/* Writes y, x and index of each digi of a cluster, from the high bits down, and the cluster of each
 * position, if `owner` is given. `offsets` has capacity + 1 elements. Positions behind the last
 * list are cleared. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void digis_place(
    mote_pixels_params prm, const __global ushort *x, ulong x_at, const __global ushort *y,
    ulong y_at, const __global uint *cluster, ulong cluster_at, const __global uint *place,
    ulong place_at, const __global uint *offsets, ulong offsets_at, uint capacity,
    __global ulong *pixel, ulong pixel_at, __global uint *owner, ulong owner_at)
{
    offsets += offsets_at;
    const uint total = offsets[capacity];
    for (sweep s = sweep_of(prm.n); s.at < s.end; s.at += s.step) {
        const uint of = cluster[cluster_at + s.at];
        if (s.at >= total)
            pixel[pixel_at + s.at] = 0;
        if (of == NONE)
            continue;
        const uint to = offsets[of] + place[place_at + s.at];
        if (to >= total || to >= prm.n)
            continue;
        pixel[pixel_at + to] = (ulong)y[y_at + s.at] << 48 | (ulong)x[x_at + s.at] << 32 | s.at;
        if (owner)
            owner[owner_at + to] = of;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void digis_order(
    mote_pixels_params prm, const __global ulong *sorted, ulong sorted_at,
    const __global uint *offsets, ulong offsets_at, uint capacity, __global uint *digis,
    ulong digis_at)
{
    const uint total = min(offsets[offsets_at + capacity], prm.n);
    for (sweep s = sweep_of(total); s.at < s.end; s.at += s.step)
        digis[digis_at + s.at] = (uint)sorted[sorted_at + s.at];
}
