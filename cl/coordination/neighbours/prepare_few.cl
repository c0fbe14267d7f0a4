/* SPDX-License-Identifier: Apache-2.0 */
/* Does the work of prepare.cl and the sort between its kernels in one launch of one group, with the
 * same results. For few entries, the other launches take longer than their work.
 *
 * Form: GPU.
 * Defines: WG, CELLS (largest number of cells), DOUBLE (coordination/real.clh). */
#include "common/scan.clh"
#include "coordination/neighbours/prepare.clh"

/* Replaces the number of entries of each cell by its beginning. Ends with a barrier. */
inline void place_cells(__local uint *counts, uint cells, __local uint *scratch,
                        __global uint *starts)
{
    uint lid = get_local_id(0), each = scan_each(cells), first = min(lid * each, cells);
    uint end = min(first + each, cells), sum = 0, total;
    for (uint k = first; k < end; k++)
        sum += counts[k];
    uint place = scan_exclusive(sum, scratch, &total);
    for (uint k = first; k < end; k++) {
        uint here = counts[k];
        counts[k] = place;
        starts[k] = place;
        place += here;
    }
    if (lid == 0)
        starts[cells] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void neighbours_few(
    mote_neighbours_params p, const __global float *positions, ulong positions_at,
    const __global float *other, ulong other_at, __global real *extent, ulong extent_at,
    __global ulong *grids, ulong grids_at, __global uint *key, ulong key_at, __global int *boxes,
    ulong boxes_at, __global uint *any, ulong any_at, __global real *sorted, ulong sorted_at,
    uint cells, __global uint *starts, ulong starts_at, volatile __global uint *error,
    ulong error_at)
{
    __local real shared[WG];
    __local uint counts[CELLS], scratch[SCAN_SCRATCH_WORDS];
    const source s = {positions, other, positions_at, other_at};
    const uint count = p.n + p.n_two, lid = get_local_id(0);
    __global grid *g = GRIDS(grids, grids_at);
    bounds b;
    bounds_begin(&b);
    for (uint k = lid; k < count; k += WG)
        bounds_add(&b, &p, &s, k, error ? error + error_at : error);
    bounds_write(&b, shared, extent + extent_at);
    if (lid == 0)
        make_grid(&p, extent + extent_at, g);
    for (uint k = lid; k < cells; k += WG)
        counts[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    key += key_at;
    for (uint k = lid; k < count; k += WG) {
        key[k] = cell_of(&p, &s, g, k, boxes + boxes_at);
        atomic_inc(&counts[key[k]]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    place_cells(counts, cells, scratch, starts + starts_at);
    any += any_at;
    for (uint k = lid; k < count; k += WG)
        any[atomic_inc(&counts[key[k]])] = k;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    /* Counts are now the ends of the cells. Within a cell, entries have the order of their lists.
     */
    for (uint k = lid; k < count; k += WG) {
        uint entry = any[k], cell = key[entry];
        uint first = cell ? counts[cell - 1] : 0, last = counts[cell], place = first;
        for (uint j = first; j < last; j++)
            place += any[j] < entry;
        REALS4(sorted, sorted_at)[place] = within_box(&p, &s, entry);
    }
}
