/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts a launch's entries by cell in one launch, after coordination/cells/key.cl has found each
 * entry's cell.
 *
 * A frame has `shares` groups, each with a share of the cells. A group reads the keys of all
 * entries of the frame. It counts the entries of lower cells, which gives the index of its first
 * entry, and in local memory the entries of each of its cells. Then it stores its entries in `any`,
 * in any order within a cell. Finally each entry counts how many entries of its cell precede it, so
 * that the order is always the same. No group needs results of another.
 *
 * Form: GPU.
 * Defines: WG, CELLS (at least what a share has), DOUBLE (coordination/real.clh), PBC
 * (coordination/image.clh). */
#include "coordination/image.clh"
#include "common/scan.clh"

#define AT_ONCE 4 /* keys of a work-item that are loaded together */
#define NO_CELL 0xffffffffu

/* Loads the keys of entries first, first + WG, .. */
inline void load_keys(const __global uint *key, uint first, uint entries, uint *some)
{
#pragma unroll
    for (uint m = 0; m < AT_ONCE; m++)
        some[m] = first + m * WG < entries ? key[first + m * WG] : NO_CELL;
}

/* Replaces each cell's number of entries by its beginning; the first one is at running[0]. Ends
 * with a barrier. */
inline void place_cells(__local uint *counts, uint cells, __local uint *scratch,
                        volatile __local uint *running, __global uint *starts, uint base)
{
    uint lid = get_local_id(0), rounds = (cells + WG - 1) / WG, total;
    for (uint r = 0; r < rounds; r++) {
        uint k = r * WG + lid, here = k < cells ? counts[k] : 0;
        uint place = scan_exclusive(here, scratch, &total) + running[r & 1];
        if (lid == WG - 1)
            running[(r + 1) & 1] = place + here;
        if (k < cells) {
            counts[k] = place;
            starts[k] = base + place;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void cells_sort(
    const __global uint *key, ulong key_at, __global uint *starts, ulong starts_at,
    __global uint *any, ulong any_at, const __global coord *loaded, ulong loaded_at,
    __global uint *order, ulong order_at, __global coord *sorted, ulong sorted_at, uint entries,
    uint bins, uint shares)
{
    __local uint counts[CELLS], scratch[SCAN_SCRATCH_WORDS], running[2], begin;
    uint lid = get_local_id(0), number = get_group_id(0) / shares;
    uint share = get_group_id(0) % shares, base = number * entries;
    uint each = (bins + shares - 1) / shares, low = min(share * each, bins);
    uint cells = min(low + each, bins) - low, first = number * bins + low, below = 0, total;
    key += key_at + base;
    for (uint k = lid; k < cells; k += WG)
        counts[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = lid; k < entries; k += AT_ONCE * WG) {
        uint some[AT_ONCE];
        load_keys(key, k, entries, some);
#pragma unroll
        for (uint m = 0; m < AT_ONCE; m++) {
            below += some[m] < first;
            if (some[m] - first < cells)
                atomic_inc(&counts[some[m] - first]);
        }
    }
    uint before = scan_exclusive(below, scratch, &total);
    if (lid == WG - 1)
        begin = running[0] = before + below;
    barrier(CLK_LOCAL_MEM_FENCE);
    place_cells(counts, cells, scratch, running, starts + starts_at + first, base);
    if (lid == 0 &&
        get_group_id(0) + 1 == get_num_groups(0)) /* the next frame's cells begin there */
        starts[starts_at + first + cells] = base + entries;
    any += any_at + base;
    for (uint k = lid; k < entries; k += AT_ONCE * WG) {
        uint some[AT_ONCE];
        load_keys(key, k, entries, some);
#pragma unroll
        for (uint m = 0; m < AT_ONCE; m++)
            if (some[m] - first < cells)
                any[atomic_inc(&counts[some[m] - first])] = k + m * WG;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    /* Counts are now the ends of the cells. */
    const __global coord4 *from = (const __global coord4 *)(loaded + loaded_at) + base;
    __global coord4 *to = (__global coord4 *)(sorted + sorted_at) + base;
    uint end = cells ? counts[cells - 1] : begin;
    for (uint p = begin + lid; p < end; p += WG) {
        uint entry = any[p], cell = key[entry] - first;
        uint place = cell ? counts[cell - 1] : begin, last = counts[cell];
        for (uint j = place; j < last; j++)
            place += any[j] < entry;
        order[order_at + base + place] = base + entry;
        to[place] = from[entry];
    }
}
