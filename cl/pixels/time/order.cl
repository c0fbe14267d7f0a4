/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the results of clusters of hits that were sorted by (t, pixel) and joined, by table_cpu.cl
 * or by slice_link.cl.
 *
 * order_roots finds the root of each hit, which is the first hit of its cluster, and the last hit
 * of each cluster. order_flags flags the roots of closed clusters. After a scan of these flags,
 * order_labels writes labels and the results of clusters. On GPUs, these kernels do nothing if
 * MOTE_TIME_PIXELS is set. order_sums adds up the hits of each cluster, in any order of hits.
 *
 * Form: both.
 * Defines: WG, ADC_T. Optional: CPU_FORM. */
#include "common/guard.clh"
#include "common/sweep.clh"
#include "pixels/time/hit.clh"
#include "pixels/clusters/part.clh" /* needs NONE */

#define ARENA    __global
#define FN(name) name
#if defined(CPU_FORM) || defined(MOTE_NVIDIA)
#define READ_PARENT(parent) (*(parent)) /* as in link.clh */
#endif
#include "pixels/label/join.clh"

/* Finds the root of each hit, and the last hit of each cluster, which it stores at the root. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void order_roots(
    ulong n, volatile __global uint *parent, ulong parent_at, __global uint *root, ulong root_at,
    volatile __global uint *last, ulong last_at, const __global uint *state, ulong state_at)
{
    if (state_is_set(state, state_at, MOTE_TIME_PIXELS))
        return;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint r = find_root(parent + parent_at, (uint)s.at);
        root[root_at + s.at] = r;
        if (r != s.at)
            atomic_max(&last[last_at + r], (uint)s.at);
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void order_flags(
    ulong n, const __global uint *hits, ulong hits_at, const __global uint *root, ulong root_at,
    const __global uint *last, ulong last_at, uint streaming, ulong complete, ulong window,
    __global uint *flag, ulong flag_at, const __global uint *state, ulong state_at)
{
    if (state_is_set(state, state_at, MOTE_TIME_PIXELS))
        return;
    const __global hit *h = (const __global hit *)(hits + hits_at);
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step)
        flag[flag_at + s.at] =
            root[root_at + s.at] == s.at &&
            !is_open(h[last[last_at + s.at]].t, streaming, (long)complete, window);
}

/* Writes the label of each hit and the results of clusters, which have `capacity` elements.
 * `number` has n + 1 elements: the number of closed clusters before each hit. The
 * numbers of pixels of a module are `module_pixels` apart. Clears the records; with `slice`, only
 * those of clusters whose hits are in several slices of this many hits. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void order_labels(
    ulong n, const __global uint *hits, ulong hits_at, const __global uint *root, ulong root_at,
    const __global uint *last, ulong last_at, const __global uint *number, ulong number_at,
    uint module_pixels, __global int *cluster_id, ulong cluster_id_at, __global uint *n_clusters,
    ulong n_clusters_at, uint has_results, __global uint *records, ulong records_at,
    __global uint *cluster_module, ulong cluster_module_at, __global long *cluster_first,
    ulong cluster_first_at, __global long *cluster_last, ulong cluster_last_at, uint capacity,
    uint slice, volatile __global uint *error, ulong error_at, const __global uint *state,
    ulong state_at)
{
    if (state_is_set(state, state_at, MOTE_TIME_PIXELS))
        return;
    const __global hit *h = (const __global hit *)(hits + hits_at);
    const uint total = number[number_at + n];
    number += number_at;
    if (get_global_id(0) == 0) {
        n_clusters[n_clusters_at] = total;
        if (has_results && total > capacity && error)
            error_report(error + error_at, MOTE_SLOT_CAPACITY, total);
    }
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const hit own = h[s.at];
        const uint r = root[root_at + s.at], k = number[r];
        const bool closed = number[r + 1] != k;
        cluster_id[cluster_id_at + own.index] = closed ? (int)k : -1;
        if (r != s.at || !closed || k >= capacity)
            continue;
        if (cluster_module)
            cluster_module[cluster_module_at + k] = own.pixel / module_pixels;
        if (cluster_first)
            cluster_first[cluster_first_at + k] = own.t;
        if (cluster_last)
            cluster_last[cluster_last_at + k] = h[last[last_at + r]].t;
        if (records && slice && r / slice != last[last_at + r] / slice)
            for (uint word = 0; word < RECORD_WORDS; word++)
                records[(records_at + k) * RECORD_WORDS + word] = record_word_cleared(word);
    }
    const ulong words = records && !slice ? (ulong)min(total, capacity) * RECORD_WORDS : 0;
    for (sweep s = sweep_of(words); s.at < s.end; s.at += s.step)
        records[records_at * RECORD_WORDS + s.at] =
            record_word_cleared((uint)(s.at % RECORD_WORDS));
}

/* Adds up the hits of each cluster. Each work-item processes `each` neighbouring hits, because hits
 * of one cluster often follow each other. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void order_sums(
    ulong n, const __global ushort *x, ulong x_at, const __global ushort *y, ulong y_at,
    const __global ADC_T *charge, ulong charge_at, const __global int *cluster_id,
    ulong cluster_id_at, __global mote_pixels_cluster_record *records, ulong records_at,
    uint capacity, ulong each, const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    const ulong begin = min((ulong)get_global_id(0) * each, n), end = min(begin + each, n);
    part sum;
    part_begin(&sum, NONE);
    for (ulong i = begin; i < end; i++) {
        const uint k = (uint)cluster_id[cluster_id_at + i]; /* -1 is not below any capacity */
        if (k >= capacity)
            continue;
        if (k != sum.record) {
            part_end(&sum, records + records_at);
            part_begin(&sum, k);
        }
        part_add(&sum, x[x_at + i], y[y_at + i], charge ? (uint)charge[charge_at + i] : 0, 1,
                 (uint)i);
    }
    part_end(&sum, records + records_at);
}
