/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters hits in space and time in the order of their times.
 *
 * Each work-item processes a range of hits. table_sort sorts its range by (t, pixel), and launches
 * of table_merge merge neighbouring ranges. Both move only the hits that are out of order, of which
 * a stream has few. table_link joins each hit with the last hit before it in its pixel and in each
 * neighbouring pixel, which it finds in a table of pixels. If an even earlier hit of such a pixel
 * touches the hit, it also touches the last hit of its pixel, because the time of the last hit is
 * between their times. After the first launch of table_link, which joins the hits of each range, a
 * second launch joins the hits of different ranges. The kernels of order.cl do the rest of the
 * work.
 *
 * Modules in the table have a margin of `radius` pixels on each side, which stay empty.
 *
 * Form: CPU.
 * Defines: WG, ID_T. Optional: CPU_FORM. */
#include "common/sweep.clh"
#include "pixels/time/hit.clh"

#define ARENA    __global
#define FN(name) name
/* A word is read in one access, and an earlier parent of a node is in the same cluster or is being
 * joined to it. */
#define READ_PARENT(parent) (*(parent))
#include "pixels/label/join.clh"

#define SORTED 16 /* hits that are sorted by insertion */

inline bool is_before(hit a, hit b)
{
    return a.t < b.t || (a.t == b.t && a.pixel < b.pixel);
}

inline void insert_hits(__global hit *hits, ulong begin, ulong end)
{
    for (ulong k = begin + 1; k < end; k++) {
        const hit h = hits[k];
        ulong to = k;
        for (; to > begin && is_before(h, hits[to - 1]); to--)
            hits[to] = hits[to - 1];
        hits[to] = h;
    }
}

/* Merges the sorted hits begin .. middle - 1 and middle .. end - 1. `spare` has as many elements as
 * `hits`. */
inline void merge_hits(__global hit *hits, __global hit *spare, ulong begin, ulong middle,
                       ulong end)
{
    const hit right = hits[middle], left = hits[middle - 1];
    if (!is_before(right, left))
        return;
    ulong high = middle - 1;
    while (begin < high) { /* the first hit that comes after the first hit of the right range */
        const ulong mid = (begin + high) / 2;
        if (is_before(right, hits[mid]))
            high = mid;
        else
            begin = mid + 1;
    }
    ulong low = middle + 1;
    while (low < end) { /* the first hit that does not come before the last hit of the left range */
        const ulong mid = (low + end) / 2;
        if (is_before(hits[mid], left))
            low = mid + 1;
        else
            end = mid;
    }
    for (ulong k = begin; k < middle; k++)
        spare[k] = hits[k];
    ulong to = begin, k = begin, r = middle;
    while (r < end) {
        const hit a = spare[k], b = hits[r];
        const bool second = is_before(b, a);
        hits[to++] = second ? b : a;
        r += second;
        k += !second;
    }
    while (k < middle)
        hits[to++] = spare[k++];
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void table_sort(
    ulong n, uint n_modules, uint rows, uint columns, uint radius, const __global ID_T *module_id,
    ulong module_id_at, const __global ushort *x, ulong x_at, const __global ushort *y, ulong y_at,
    const __global long *t, ulong t_at, __global uint *hits, ulong hits_at, __global uint *spare,
    ulong spare_at, volatile __global uint *error, ulong error_at)
{
    __global hit *h = (__global hit *)(hits + hits_at);
    const sweep s = sweep_of(n);
    if (error)
        error += error_at;
    for (ulong i = s.at; i < s.end; i++) {
        const uint pixel = pixel_of((uint)i, module_id[module_id_at + i], x[x_at + i], y[y_at + i],
                                    n_modules, rows, columns, radius, error);
        h[i].t = t[t_at + i];
        h[i].pixel = pixel == NONE ? radius * (rows + 2 * radius) + radius : pixel;
        h[i].index = (uint)i;
    }
    for (ulong i = s.at; i < s.end; i += SORTED)
        insert_hits(h, i, min(i + SORTED, s.end));
    for (ulong width = SORTED; width < s.end - s.at; width *= 2)
        for (ulong i = s.at; i + width < s.end; i += 2 * width)
            merge_hits(h, (__global hit *)(spare + spare_at), i, i + width,
                       min(i + 2 * width, s.end));
}

/* Merges pairs of sorted ranges of `width` hits. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void table_merge(
    ulong n, ulong width, __global uint *hits, ulong hits_at, __global uint *spare, ulong spare_at)
{
    for (sweep s = sweep_of((n + width - 1) / (2 * width)); s.at < s.end; s.at++) {
        const ulong begin = s.at * 2 * width;
        merge_hits((__global hit *)(hits + hits_at), (__global hit *)(spare + spare_at), begin,
                   begin + width, min(begin + 2 * width, n));
    }
}

/* Joins hit p, whose root is `root`, with hit q of the same range, and returns the root of both. No
 * other work-item changes the parents of these hits. */
inline uint join_own(__global uint *parent, uint root, uint q)
{
    uint up = parent[q];
    while (up != q) {
        parent[q] = parent[up];
        q = up;
        up = parent[q];
    }
    if (q < root)
        parent[root] = q;
    else if (root < q)
        parent[q] = root;
    return min(q, root);
}

/* The hits low .. low + count - 1, with 1 added as in the table, are the hits that may be joined.
 */
typedef struct candidates {
    uint low, count;
} candidates;

/* Joins hit p with the candidates among the `width` entries of a row of the table. */
inline uint link_row(__global uint *parent, const __global uint *row, uint width, candidates c,
                     uint p, uint root, uint across)
{
    for (uint k = 0; k < width; k++) {
        if (row[k] - c.low >= c.count)
            continue;
        if (across)
            join(parent, p, row[k] - 1);
        else
            root = join_own(parent, root, row[k] - 1);
    }
    return root;
}

/* Joins the hits of each range. With `across`, joins hits of the range with hits before it. An
 * entry of the table is 1 more than the last hit of the pixel. The second launch ignores entries of
 * later hits, which the first one has left. `row` is the number of entries of a row, and `window`
 * is the largest difference of times. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void table_link(
    ulong n, uint radius, uint row, ulong window, const __global uint *hits, ulong hits_at,
    __global uint *table, ulong table_at, ulong entries, __global uint *parent, ulong parent_at,
    __global uint *last, ulong last_at, uint across)
{
    const __global hit *h = (const __global hit *)(hits + hits_at);
    const sweep s = sweep_of(n);
    const uint begin = (uint)s.at, end = (uint)s.end, width = 2 * radius + 1;
    uint oldest = begin; /* the first hit within the window */
    if (begin >= end)
        return;
    table += table_at + get_global_id(0) * entries;
    parent += parent_at;
    last += last_at;
    if (!across)
        for (ulong k = 0; k < entries; k++)
            table[k] = 0;
    if (across) {
        uint high = begin;
        for (oldest = 0; oldest < high;) {
            const uint mid = (oldest + high) / 2;
            if ((ulong)h[begin].t - (ulong)h[mid].t > window)
                oldest = mid + 1;
            else
                high = mid;
        }
        for (uint k = oldest; k < begin; k++)
            table[h[k].pixel] = k + 1;
    }
    for (uint p = begin; p < end; p++) {
        const hit own = h[p];
        while ((ulong)own.t - (ulong)h[oldest].t > window)
            oldest++;
        if (across && oldest >= begin)
            break;
        candidates c = {max(oldest, begin) + 1, 0};
        c.count = p + 1 - c.low;
        if (across) {
            c.low = oldest + 1;
            c.count = begin - oldest;
        } else {
            parent[p] = last[p] = p;
        }
        __global uint *centre = table + own.pixel;
        const __global uint *at = centre - (ulong)radius * row - radius;
        uint root = p;
        for (uint k = 0; k < width; k++, at += row)
            root = link_row(parent, at, width, c, p, root, across);
        *centre = p + 1;
    }
}
