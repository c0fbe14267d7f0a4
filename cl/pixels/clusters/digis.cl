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

/* The arrays of digis_count. */
typedef struct digi_labels {
    const __global ID_T *module_id;
    const __global int *cluster_id;
    const __global uint *events, *start;
    volatile __global uint *error;
    uint n, capacity;
} digi_labels;

/* Returns the cluster of a digi; NONE for no cluster, and for one that has no list. */
inline uint checked_cluster(const digi_labels *in, mote_pixels_params prm, ulong i)
{
    if (i >= in->n)
        return NONE;
    const uint id = in->module_id[i];
    uint key;
    bool wrong;
    const uint of =
        cluster_of((uint)i, id, in->cluster_id[i], prm, in->events, in->start, &key, &wrong);
    if (id >= prm.n_modules && id != prm.invalid_module)
        error_report(in->error, MOTE_SLOT_MODULE, (uint)i);
    if (wrong)
        error_report(in->error, MOTE_SLOT_CLUSTER_ID, (uint)i);
    return of < in->capacity ? of : NONE;
}

#ifndef CPU_FORM

/* Numbers of a group's digis in their clusters. A slot counts the digis of one cluster, so that a
 * large cluster needs few atomics in global memory. */
typedef struct count_slots {
    uint of[WG], number[WG], before[WG];
} count_slots;

/* Returns the number of a digi among the digis of cluster `of`, which may be NONE. All work-items
 * of the group call this function. */
inline uint count_together(uint of, volatile __global uint *count,
                           volatile __local count_slots *slots)
{
    const uint me = get_local_id(0), slot = of % WG;
    slots->of[me] = NONE;
    slots->number[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint number = 0, holder = NONE;
    if (of != NONE) {
        holder = atomic_cmpxchg(&slots->of[slot], NONE, of);
        if (holder == NONE)
            holder = of;
        if (holder == of)
            number = atomic_inc(&slots->number[slot]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slots->number[me])
        slots->before[me] = atomic_add(&count[slots->of[me]], slots->number[me]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (of != NONE)
        number = holder == of ? slots->before[slot] + number : atomic_inc(&count[of]);
    barrier(CLK_LOCAL_MEM_FENCE);
    return number;
}

#endif

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
    const digi_labels in = {module_id + module_id_at,
                            cluster_id + cluster_id_at,
                            events + events_at,
                            cluster_start + cluster_start_at,
                            prm.flags & MOTE_PIXELS_HAS_ERROR ? error + error_at : 0,
                            input_length(prm, n_device + n_device_at),
                            capacity};
    count += count_at;
    if (prm.flags & MOTE_PIXELS_HAS_EVENTS)
        offsets_check(in.events, prm.n_events, in.n, get_global_id(0), get_global_size(0),
                      in.error);
    const uint total = in.start[prm.n_events * prm.n_modules];
    if (get_global_id(0) == 0 && total > capacity)
        error_report(in.error, MOTE_SLOT_CAPACITY, total);
#ifdef CPU_FORM
    for (sweep s = sweep_of(prm.n); s.at < s.end; s.at += s.step) {
        const uint of = checked_cluster(&in, prm, s.at);
        cluster[cluster_at + s.at] = of;
        if (of != NONE)
            place[place_at + s.at] = atomic_inc(&count[of]);
    }
#else
    __local count_slots slots;
    for (ulong first = get_group_id(0) * WG; first < prm.n; first += get_global_size(0)) {
        const ulong i = first + get_local_id(0);
        const uint of = checked_cluster(&in, prm, i);
        const uint number = count_together(of, count, &slots);
        if (i < prm.n)
            cluster[cluster_at + i] = of;
        if (of != NONE)
            place[place_at + i] = number;
    }
#endif
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
