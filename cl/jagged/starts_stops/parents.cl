/* SPDX-License-Identifier: Apache-2.0 */
/* Parents from starts and stops, for GPUs, for lists of any lengths of which any number share
 * elements.
 *
 * The elements are the leaves of a tree in which every node has 16 children. A list marks the
 * fewest nodes that cover it, at most 30 at each level; then each element reads the nodes above it.
 * If several lists mark a node, the one with the largest code is kept: the highest list, or, to
 * find lists that share elements, the lowest. In the latter case the nodes then get the largest
 * code below them, and each list tests whether a lower list is among its nodes.
 *
 * Level 0 is a separate array, which is the output itself if its elements have 32 bits.
 *
 * Form: GPU.
 * Defines: INDEX, INDEX_SIGNED, INDEX_LONG (jagged/lists.clh). */
#include "jagged/starts_stops/starts_stops.clh"
#include "common/sweep.clh"

#define WIDTH MOTE_SPANS_WIDTH

/* No list has code 0. */
inline uint code_of(uint k, uint lowest)
{
    return lowest ? ~k : k + 1;
}

inline INDEX label_of(uint code, uint lowest)
{
    return code == 0 ? (INDEX)(-1) : (INDEX)(lowest ? ~code : code - 1);
}

inline uint code_of_label(INDEX label, uint lowest)
{
    return label == (INDEX)(-1) ? 0 : code_of((uint)label, lowest);
}

__kernel void span_clear(__global uint *restrict leaves, ulong leaves_at, ulong n,
                         __global uint *restrict tree, ulong tree_at, ulong nodes)
{
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step)
        leaves[leaves_at + s.at] = 0;
    for (sweep s = sweep_of(nodes); s.at < s.end; s.at += s.step)
        tree[tree_at + s.at] = 0;
}

inline void span_mark(volatile __global uint *level, ulong lo, ulong hi, uint code)
{
    for (; lo < hi; lo++)
        atomic_max(&level[lo], code);
}

/* Goes through the levels: marks the nodes at both ends that do not fill a node of the next level,
 * then continues with the nodes between them. */
__kernel void span_paint(const __global INDEX *restrict starts, ulong starts_at,
                         const __global INDEX *restrict stops, ulong stops_at,
                         volatile __global uint *error, ulong error_at, uint m, ulong n,
                         uint levels, uint lowest, volatile __global uint *leaves, ulong leaves_at,
                         volatile __global uint *tree, ulong tree_at)
{
    error = error ? error + error_at : error;
    for (sweep s = sweep_of(m); s.at < s.end; s.at += s.step) {
        INDEX start = starts[starts_at + s.at], stop = stops[stops_at + s.at];
        if (!span_check(error, (uint)s.at, start, stop, n) || start == stop)
            continue;
        ulong lo = (position_t)start, hi = (position_t)stop, count = n;
        uint code = code_of((uint)s.at, lowest);
        volatile __global uint *level = leaves + leaves_at;
        for (uint l = 0; l + 1 < levels && lo < hi; l++) {
            ulong first = min((lo + WIDTH - 1) / WIDTH * WIDTH, hi);
            ulong last = max(hi / WIDTH * WIDTH, first);
            span_mark(level, lo, first, code);
            span_mark(level, last, hi, code);
            lo = first / WIDTH;
            hi = last / WIDTH;
            level = l == 0 ? tree + tree_at : level + count;
            count = (count + WIDTH - 1) / WIDTH;
        }
        span_mark(level, lo, hi, code);
    }
}

/* Finds the largest code at or above each element. */
__kernel void span_resolve(const __global uint *leaves, ulong leaves_at, ulong n, uint levels,
                           uint lowest, const __global uint *restrict tree, ulong tree_at,
                           __global INDEX *parents, ulong parents_at)
{
    for (sweep s = sweep_of(n); s.at < s.end; s.at += s.step) {
        const __global uint *level = tree + tree_at;
        uint code = leaves[leaves_at + s.at];
        ulong at = s.at, count = n;
        for (uint l = 1; l < levels; l++) {
            at /= WIDTH;
            count = (count + WIDTH - 1) / WIDTH;
            code = max(code, level[at]);
            level += count;
        }
        parents[parents_at + s.at] = label_of(code, lowest);
    }
}

/* Finds the largest code below each node of one level, which begins at `to` of the tree; the level
 * below it has `count` nodes and begins at `from`, or consists of the elements themselves. */
__kernel void span_raise(const __global INDEX *restrict parents, ulong parents_at, uint leaves,
                         __global uint *tree, ulong tree_at, ulong from, ulong count, ulong to)
{
    tree += tree_at;
    for (sweep s = sweep_of((count + WIDTH - 1) / WIDTH); s.at < s.end; s.at += s.step) {
        ulong end = min(WIDTH * (s.at + 1), count);
        uint code = 0;
        for (ulong i = WIDTH * s.at; i < end; i++)
            code = max(code, leaves ? code_of_label(parents[parents_at + i], 1) : tree[from + i]);
        tree[to + s.at] = code;
    }
}

inline uint span_look(const __global INDEX *parents, const __global uint *level, ulong lo, ulong hi,
                      uint code)
{
    for (; lo < hi; lo++)
        code = max(code, parents ? code_of_label(parents[lo], 1) : level[lo]);
    return code;
}

/* Reports every list that shares an element with a lower one. */
__kernel void span_overlap(const __global INDEX *restrict starts, ulong starts_at,
                           const __global INDEX *restrict stops, ulong stops_at,
                           volatile __global uint *error, ulong error_at, uint m, ulong n,
                           uint levels, const __global INDEX *restrict parents, ulong parents_at,
                           const __global uint *restrict tree, ulong tree_at)
{
    error = error ? error + error_at : error;
    for (sweep s = sweep_of(m); s.at < s.end; s.at += s.step) {
        INDEX start = starts[starts_at + s.at], stop = stops[stops_at + s.at];
        if (!span_check(0, (uint)s.at, start, stop, n) || start == stop)
            continue;
        ulong lo = (position_t)start, hi = (position_t)stop, count = n;
        uint own = code_of((uint)s.at, 1), code = own;
        const __global INDEX *labels = parents + parents_at;
        const __global uint *level = tree + tree_at;
        for (uint l = 0; l + 1 < levels && lo < hi && code == own; l++) {
            ulong first = min((lo + WIDTH - 1) / WIDTH * WIDTH, hi);
            ulong last = max(hi / WIDTH * WIDTH, first);
            code = span_look(labels, level, lo, first, code);
            code = span_look(labels, level, last, hi, code);
            lo = first / WIDTH;
            hi = last / WIDTH;
            level = l == 0 ? level : level + count;
            labels = 0;
            count = (count + WIDTH - 1) / WIDTH;
        }
        if (code == own)
            code = span_look(labels, level, lo, hi, code);
        if (code > own)
            error_report(error, MOTE_SLOT_OVERLAP, (uint)s.at);
    }
}
