/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters hits in space and time. The sorts and the scan of `reduce/` are launched between these
 * kernels.
 *
 * time_pixels, time_low and time_high make the keys of a stable sort by (t, pixel), time_order and
 * time_gather make the order by (pixel, t), and time_starts finds where each pixel begins in this
 * order. time_link joins the hits that touch (time/link.clh), time_roots finds the root of each
 * hit, and time_flags flags the first hits of closed clusters. After a scan of these flags,
 * time_labels writes the labels and the results of clusters, and time_sums adds up the hits of each
 * cluster.
 *
 * Form: both.
 * Defines: WG, ID_T, ADC_T. Optional: CPU_FORM. */
#define NONE 0xffffffffu

#include "common/error.clh"
#include "common/sweep.clh"
#include "pixels/clusters/part.clh"
#include "pixels/time/link.clh"

/* The parameters that describe the detector and the pixels of the hits. */
#define PIXELS_PARAMETERS                                                                          \
    ulong n, uint n_modules, uint rows, uint columns, const __global ID_T *module_id,              \
        ulong module_id_at, const __global ushort *x, ulong x_at, const __global ushort *y,        \
        ulong y_at

/* Returns the number of a hit's pixel, or NONE if it is outside the detector. */
#define PIXEL_OF(i)                                                                                \
    pixel_of(module_id[module_id_at + (i)], x[x_at + (i)], y[y_at + (i)], n_modules, rows, columns)

inline uint pixel_of(uint module, uint x, uint y, uint n_modules, uint rows, uint columns)
{
    if (module >= n_modules || x >= rows || y >= columns)
        return NONE;
    return (module * columns + y) * rows + x;
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_pixels(
    PIXELS_PARAMETERS, __global uint *key, ulong key_at, volatile __global uint *error,
    ulong error_at)
{
    if (error)
        error += error_at;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint pixel = PIXEL_OF(s.at);
        key[key_at + s.at] = pixel;
        if (pixel == NONE)
            error_report(error,
                         module_id[module_id_at + s.at] >= n_modules ? MOTE_SLOT_MODULE
                                                                     : MOTE_SLOT_COORDINATE,
                         (uint)s.at);
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_low(
    ulong n, const __global long *t, ulong t_at, const __global uint *order, ulong order_at,
    __global uint *key, ulong key_at)
{
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step)
        key[key_at + s.at] = (uint)t[t_at + order[order_at + s.at]];
}

/* Makes the keys of the sort by the upper half of t. `before` is the order before the last sort,
 * and `index` is the permutation that this sort has computed. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_high(
    ulong n, const __global long *t, ulong t_at, const __global uint *before, ulong before_at,
    const __global uint *index, ulong index_at, __global uint *order, ulong order_at,
    __global uint *key, ulong key_at)
{
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint hit = before[before_at + index[index_at + s.at]];
        order[order_at + s.at] = hit;
        key[key_at + s.at] = (uint)((ulong)t[t_at + hit] >> 32) ^ 0x80000000u;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_order(
    PIXELS_PARAMETERS, const __global uint *before, ulong before_at, const __global uint *index,
    ulong index_at, __global uint *order, ulong order_at, __global uint *key, ulong key_at)
{
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint hit = before[before_at + index[index_at + s.at]];
        order[order_at + s.at] = hit;
        key[key_at + s.at] = PIXEL_OF(hit);
    }
}

/* Copies times into the order by (pixel, t), and makes each hit its own cluster. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_gather(
    ulong n, const __global long *t, ulong t_at, const __global uint *order, ulong order_at,
    const __global uint *rank, ulong rank_at, __global long *sorted_t, ulong sorted_t_at,
    __global uint *parent, ulong parent_at, __global uint *first, ulong first_at,
    __global uint *last, ulong last_at)
{
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint of = rank[rank_at + s.at];
        sorted_t[sorted_t_at + s.at] = t[t_at + order[order_at + of]];
        parent[parent_at + s.at] = (uint)s.at;
        first[first_at + s.at] = last[last_at + s.at] = of;
    }
}

/* Finds where the hits of pixel (k << shift) begin. The last start is the beginning of the hits
 * outside of the detector. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_starts(
    ulong n, const __global uint *pixel, ulong pixel_at, ulong count, uint shift,
    __global uint *starts, ulong starts_at)
{
    uint begin = 0;
    for (sweep s = sweep_of(count); s.at < s.end; s.at += s.step) {
        const uint first = s.at + 1 == count ? NONE : (uint)s.at << shift;
        begin = first_of_pixel(pixel + pixel_at, begin, (uint)n, first);
        starts[starts_at + s.at] = begin;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_link(
    ulong n, uint rows, uint columns, uint radius, ulong window, const __global uint *pixel,
    ulong pixel_at, const __global long *sorted_t, ulong sorted_t_at, const __global uint *starts,
    ulong starts_at, uint shift, volatile __global uint *parent, ulong parent_at)
{
    const hits h = {pixel + pixel_at,
                    sorted_t + sorted_t_at,
                    starts + starts_at,
                    parent + parent_at,
                    shift,
                    window};
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint a = (uint)s.at;
        uint b = a + 1;
#ifdef CPU_FORM
        while (b < s.end && h.pixel[b] == h.pixel[a])
            b++;
        s.at = b - 1;
#endif
        if (h.pixel[a] != NONE)
            link_hits(&h, a, b, rows, columns, radius);
    }
}

/* Finds the root of each hit, and the first and the last rank of the cluster of each root. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_roots(
    ulong n, volatile __global uint *parent, ulong parent_at, const __global uint *rank,
    ulong rank_at, __global uint *root, ulong root_at, volatile __global uint *first,
    ulong first_at, volatile __global uint *last, ulong last_at)
{
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint of = rank[rank_at + s.at], node = find_root(parent + parent_at, (uint)s.at);
        root[root_at + s.at] = node;
        if (node < s.at) {
            atomic_min(&first[first_at + node], of);
            atomic_max(&last[last_at + node], of);
        }
    }
}

/* Returns whether a cluster whose last hit has this time is open. */
inline bool is_open(long last, uint streaming, long complete, ulong window)
{
    return streaming && (last >= complete || (ulong)complete - (ulong)last <= window);
}

/* Writes in the order by (t, pixel): the first rank of each hit's cluster and, for the first hit of
 * a cluster, the last rank. Flags the first hits of closed clusters. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_flags(
    ulong n, const __global long *t, ulong t_at, const __global uint *order, ulong order_at,
    const __global uint *rank, ulong rank_at, const __global uint *root, ulong root_at,
    const __global uint *first, ulong first_at, const __global uint *last, ulong last_at,
    uint streaming, ulong complete, ulong window, __global uint *head, ulong head_at,
    __global uint *tail, ulong tail_at, __global uint *flag, ulong flag_at)
{
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint of = rank[rank_at + s.at], r = root[root_at + s.at];
        const uint begin = first[first_at + r];
        uint closed = 0;
        if (begin == of) {
            const uint end = last[last_at + r];
            tail[tail_at + of] = end;
            closed = !is_open(t[t_at + order[order_at + end]], streaming, (long)complete, window);
        }
        head[head_at + of] = begin;
        flag[flag_at + of] = closed;
    }
}

/* Writes the labels and the results of clusters. `number` has n + 1 elements: the number of closed
 * clusters before each rank. `capacity` is the capacity of the results, each of which may be
 * NULL. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_labels(
    ulong n, const __global ID_T *module_id, ulong module_id_at, const __global long *t, ulong t_at,
    const __global uint *order, ulong order_at, const __global uint *head, ulong head_at,
    const __global uint *tail, ulong tail_at, const __global uint *number, ulong number_at,
    __global int *cluster_id, ulong cluster_id_at, __global uint *n_clusters, ulong n_clusters_at,
    __global uint *records, ulong records_at, __global uint *cluster_module,
    ulong cluster_module_at, __global long *cluster_first, ulong cluster_first_at,
    __global long *cluster_last, ulong cluster_last_at, uint capacity,
    volatile __global uint *error, ulong error_at)
{
    number += number_at;
    if (get_global_id(0) == 0) {
        const uint total = number[n];
        n_clusters[n_clusters_at] = total;
        if ((records || cluster_module || cluster_first || cluster_last) && total > capacity &&
            error)
            error_report(error + error_at, MOTE_SLOT_CAPACITY, total);
    }
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint hit = order[order_at + s.at], begin = head[head_at + s.at], k = number[begin];
        const bool closed = number[begin + 1] != k;
        cluster_id[cluster_id_at + hit] = closed ? (int)k : -1;
        if (begin != s.at || !closed || k >= capacity)
            continue;
        if (records)
            for (uint word = 0; word < RECORD_WORDS; word++)
                records[(records_at + k) * RECORD_WORDS + word] = record_word_cleared(word);
        if (cluster_module)
            cluster_module[cluster_module_at + k] = module_id[module_id_at + hit];
        if (cluster_first)
            cluster_first[cluster_first_at + k] = t[t_at + hit];
        if (cluster_last)
            cluster_last[cluster_last_at + k] = t[t_at + order[order_at + tail[tail_at + s.at]]];
    }
}

/* Adds up the hits of each cluster. Each work-item processes `each` neighbouring hits, because hits
 * of one cluster often follow each other. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_sums(
    ulong n, const __global ushort *x, ulong x_at, const __global ushort *y, ulong y_at,
    const __global ADC_T *charge, ulong charge_at, const __global int *cluster_id,
    ulong cluster_id_at, __global mote_pixels_cluster_record *records, ulong records_at,
    uint capacity, ulong each)
{
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
