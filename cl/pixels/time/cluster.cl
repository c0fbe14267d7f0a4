/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters hits in space and time. Between these kernels, the host launches a counting sort and a
 * scan of `reduce/`, and two sorts of `jagged/sort/`.
 *
 * time_pixels makes the keys of a stable sort by pixel, and time_starts finds where every
 * 2^shift-th pixel begins in this order. time_gather makes a list of each pixel's times. After a
 * sort of these lists, time_order makes the order by (pixel, t). time_link joins the hits that
 * touch (time/link.clh), time_roots finds the root of each hit and the first and the last hit of
 * each cluster, and time_flags flags the first hits of closed clusters. After a scan of these
 * flags, time_compact makes a list of the times of these hits. After a sort of this list,
 * time_numbers numbers the clusters, time_clusters writes their results, and time_labels writes the
 * labels.
 *
 * If its guard is 0, each kernel except the first does nothing, because the hits are clustered in
 * the order of their times (slice_sort.cl).
 *
 * Form: both.
 * Defines: WG, ID_T. Optional: CPU_FORM. */
#include "common/guard.clh"
#include "common/sweep.clh"
#include "pixels/time/link.clh"
#include "pixels/time/pixel.clh"
#include "pixels/clusters/part.clh" /* needs NONE */

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_pixels(
    ulong n, uint n_modules, uint rows, uint columns, const __global ID_T *module_id,
    ulong module_id_at, const __global ushort *x, ulong x_at, const __global ushort *y, ulong y_at,
    __global uint *key, ulong key_at, volatile __global uint *error, ulong error_at)
{
    if (error)
        error += error_at;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step)
        key[key_at + s.at] = pixel_of((uint)s.at, module_id[module_id_at + s.at], x[x_at + s.at],
                                      y[y_at + s.at], n_modules, rows, columns, 0, error);
}

/* Finds where the hits of pixel (k << shift) begin. The last start is the beginning of the hits
 * outside of the detector. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_starts(
    ulong n, const __global uint *pixel, ulong pixel_at, ulong count, uint shift,
    __global uint *starts, ulong starts_at, const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    uint begin = 0;
    for (sweep s = sweep_of(count); s.at < s.end; s.at += s.step) {
        const uint first = s.at + 1 == count ? NONE : (uint)s.at << shift;
        begin = first_of_pixel(pixel + pixel_at, begin, (uint)n, first);
        starts[starts_at + s.at] = begin;
    }
}

/* Copies times into the order by pixel, and makes n lists of them: `head` has n + 1 offsets. If
 * position i is the last hit of a pixel, list i contains all hits of this pixel; otherwise, it is
 * empty. index[i] is the hit at position i of the order by pixel. `starts` has `count` elements. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_gather(
    ulong n, const __global long *t, ulong t_at, const __global uint *pixel, ulong pixel_at,
    const __global uint *index, ulong index_at, const __global uint *starts, ulong starts_at,
    ulong count, uint shift, __global long *times, ulong times_at, __global uint *head,
    ulong head_at, const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    pixel += pixel_at;
    if (get_global_id(0) == 0)
        head[head_at + n] = (uint)n;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint mine = pixel[s.at];
        const uint begin = starts[starts_at + min((ulong)(mine >> shift), count - 1)];
        times[times_at + s.at] = t[t_at + index[index_at + s.at]];
        head[head_at + s.at] =
            pixel[begin] == mine ? begin : first_of_pixel(pixel, begin + 1, (uint)s.at, mine);
    }
}

/* Finds the hit at each position of the order by (pixel, t), and makes each hit its own cluster.
 * When the kernel starts, first[i] is the position that element i of the sorted lists had in its
 * list before the sort; the kernel overwrites this position. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_order(
    ulong n, const __global uint *index, ulong index_at, const __global uint *head, ulong head_at,
    __global uint *order, ulong order_at, __global uint *parent, ulong parent_at,
    __global uint *first, ulong first_at, __global uint *last, ulong last_at,
    const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        order[order_at + s.at] = index[index_at + head[head_at + s.at] + first[first_at + s.at]];
        parent[parent_at + s.at] = first[first_at + s.at] = last[last_at + s.at] = (uint)s.at;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_link(
    ulong n, uint rows, uint columns, uint radius, ulong window, const __global uint *pixel,
    ulong pixel_at, const __global long *sorted_t, ulong sorted_t_at, const __global uint *starts,
    ulong starts_at, uint shift, volatile __global uint *parent, ulong parent_at,
    const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    const hits h = {pixel + pixel_at,
                    sorted_t + sorted_t_at,
                    starts + starts_at,
                    parent + parent_at,
                    shift,
                    radius,
                    window};
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step)
        if (h.pixel[s.at] != NONE)
            link_hit(&h, (uint)s.at, rows, columns);
}

/* Stores hit i as the first hit of its cluster if it is before all others by (t, pixel). The root
 * is stored at first, so hits that are not before it need no atomic. Each failed exchange returns
 * an earlier hit, so the loop ends. */
inline void lower_first(const __global long *sorted_t, volatile __global uint *first, uint root,
                        uint i)
{
    const long t = sorted_t[i];
    uint seen = root;
    while (t < sorted_t[seen] || (t == sorted_t[seen] && i < seen)) {
        const uint found = atomic_cmpxchg(&first[root], seen, i);
        if (found == seen)
            break;
        seen = found;
    }
}

/* Stores hit i as the last hit of its cluster if it is later than all others. */
inline void raise_last(const __global long *sorted_t, volatile __global uint *last, uint root,
                       uint i)
{
    const long t = sorted_t[i];
    uint seen = root;
    while (t > sorted_t[seen]) {
        const uint found = atomic_cmpxchg(&last[root], seen, i);
        if (found == seen)
            break;
        seen = found;
    }
}

/* Finds the root of each hit. Also finds the first and the last hit of each cluster, and stores
 * them at its root. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_roots(
    ulong n, const __global long *sorted_t, ulong sorted_t_at, volatile __global uint *parent,
    ulong parent_at, __global uint *root, ulong root_at, volatile __global uint *first,
    ulong first_at, volatile __global uint *last, ulong last_at, const __global uint *guard,
    ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    sorted_t += sorted_t_at;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint i = (uint)s.at, node = find_root(parent + parent_at, i);
        root[root_at + i] = node;
        if (node < i) {
            lower_first(sorted_t, first + first_at, node, i);
            raise_last(sorted_t, last + last_at, node, i);
        }
    }
}

/* Flags the first hits of closed clusters. For an open cluster, stores the label of its hits, -1,
 * in place of its last hit. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_flags(
    ulong n, const __global long *sorted_t, ulong sorted_t_at, const __global uint *root,
    ulong root_at, const __global uint *first, ulong first_at, __global uint *last, ulong last_at,
    uint streaming, ulong complete, ulong window, __global uint *flag, ulong flag_at,
    const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    last += last_at;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint r = root[root_at + s.at];
        uint closed = 0;
        if (first[first_at + r] == s.at) {
            closed = !is_open(sorted_t[sorted_t_at + last[r]], streaming, (long)complete, window);
            if (!closed)
                last[r] = NONE;
        }
        flag[flag_at + s.at] = closed;
    }
}

/* Copies the times of the flagged hits. `number` has n + 1 elements: the number of closed clusters
 * before each hit. `list` receives the two offsets of the list of times. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_compact(
    ulong n, const __global long *sorted_t, ulong sorted_t_at, const __global uint *number,
    ulong number_at, __global long *times, ulong times_at, __global uint *list, ulong list_at,
    const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    number += number_at;
    if (get_global_id(0) == 0) {
        list[list_at] = 0;
        list[list_at + 1] = number[n];
    }
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint k = number[s.at];
        if (number[s.at + 1] != k)
            times[times_at + k] = sorted_t[sorted_t_at + s.at];
    }
}

/* Numbers the closed clusters. `times` contains their first times in ascending order, and from[k]
 * is the index of cluster k in the list of time_compact. The kernel stores k in to[from[k]].
 * `capacity` is the capacity of the results of clusters, each of which may be NULL. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_numbers(
    ulong n, const __global uint *number, ulong number_at, const __global long *times,
    ulong times_at, const __global uint *from, ulong from_at, __global uint *to, ulong to_at,
    __global uint *n_clusters, ulong n_clusters_at, uint has_results, __global uint *records,
    ulong records_at, __global long *cluster_first, ulong cluster_first_at, uint capacity,
    volatile __global uint *error, ulong error_at, const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    const uint total = number[number_at + n];
    if (get_global_id(0) == 0) {
        n_clusters[n_clusters_at] = total;
        if (has_results && total > capacity && error)
            error_report(error + error_at, MOTE_SLOT_CAPACITY, total);
    }
    for (sweep s = sweep_of(total); s.at < s.end; s.at += s.step) {
        to[to_at + from[from_at + s.at]] = (uint)s.at;
        if (cluster_first && s.at < capacity)
            cluster_first[cluster_first_at + s.at] = times[times_at + s.at];
    }
    const ulong words = records ? (ulong)min(total, capacity) * RECORD_WORDS : 0;
    for (sweep s = sweep_of(words); s.at < s.end; s.at += s.step)
        records[records_at * RECORD_WORDS + s.at] =
            record_word_cleared((uint)(s.at % RECORD_WORDS));
}

/* Writes the other results of clusters, and replaces the last hit of each closed cluster by the
 * cluster's number. to[k] is the number of the k-th closed cluster in the order by (pixel, t) of
 * their first hits, and `module_pixels` is the number of pixels in a module. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_clusters(
    ulong n, const __global uint *pixel, ulong pixel_at, const __global long *sorted_t,
    ulong sorted_t_at, const __global uint *root, ulong root_at, const __global uint *number,
    ulong number_at, const __global uint *to, ulong to_at, uint module_pixels, __global uint *last,
    ulong last_at, __global uint *cluster_module, ulong cluster_module_at,
    __global long *cluster_last, ulong cluster_last_at, uint capacity, const __global uint *guard,
    ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    number += number_at;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const uint closed = number[s.at];
        if (number[s.at + 1] == closed)
            continue;
        const uint k = to[to_at + closed], r = root[root_at + s.at], end = last[last_at + r];
        last[last_at + r] = k;
        if (cluster_module && k < capacity)
            cluster_module[cluster_module_at + k] = pixel[pixel_at + s.at] / module_pixels;
        if (cluster_last && k < capacity)
            cluster_last[cluster_last_at + k] = sorted_t[sorted_t_at + end];
    }
}

/* Writes the labels. `label` contains the label of each root. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void time_labels(
    ulong n, const __global uint *order, ulong order_at, const __global uint *root, ulong root_at,
    const __global uint *label, ulong label_at, __global int *cluster_id, ulong cluster_id_at,
    const __global uint *guard, ulong guard_at)
{
    if (guard_stops(guard, guard_at))
        return;
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step)
        cluster_id[cluster_id_at + order[order_at + s.at]] =
            (int)label[label_at + root[root_at + s.at]];
}
