/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares the search for neighbours: computes the extent of all entries and the grid, finds the
 * cell of each entry, and writes the entries in the order of their cells.
 *
 * Form: both.
 * Defines: WG, DOUBLE (coordination/real.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/sweep.clh"
#include "coordination/neighbours/prepare.clh"

/* Computes the bounds of the fractions of `each` entries for each group. Entries with bad positions
 * are reported and left out. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void neighbours_bounds(
    mote_neighbours_params p, const __global float *positions, ulong positions_at,
    const __global float *other, ulong other_at, uint each, __global real *out, ulong out_at,
    volatile __global uint *error, ulong error_at)
{
    __local real shared[WG];
    const source s = {positions, other, positions_at, other_at};
    const uint count = p.n + p.n_two;
    ulong first = (ulong)each * get_group_id(0), end = min(first + each, (ulong)count);
    bounds b;
    bounds_begin(&b);
    for (ulong k = first + get_local_id(0); k < end; k += WG)
        bounds_add(&b, &p, &s, (uint)k, error ? error + error_at : error);
    bounds_write(&b, shared, out + out_at + BOUNDS * get_group_id(0));
}

/* Makes the grid from the bounds of all groups. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void neighbours_grid(
    mote_neighbours_params p, const __global real *in, ulong in_at, uint groups, __global real *out,
    ulong out_at, __global ulong *grids, ulong grids_at)
{
    __local real shared[WG];
    bounds b;
    bounds_begin(&b);
    for (uint k = get_local_id(0); k < groups; k += WG)
        for (uint axis = 0; axis < 3; axis++)
            bounds_extend(&b, axis, in[in_at + BOUNDS * k + axis],
                          in[in_at + BOUNDS * k + 3 + axis]);
    bounds_write(&b, shared, out + out_at);
    if (get_local_id(0) == 0)
        make_grid(&p, out + out_at, GRIDS(grids, grids_at));
}

/* Finds the cell and the box of each entry. */
__kernel void neighbours_key(mote_neighbours_params p, const __global float *positions,
                             ulong positions_at, const __global float *other, ulong other_at,
                             const __global ulong *grids, ulong grids_at, __global uint *key,
                             ulong key_at, __global int *boxes, ulong boxes_at)
{
    const source s = {positions, other, positions_at, other_at};
    const __global grid *g = (const __global grid *)(grids + grids_at);
    for (sweep i = sweep_of((ulong)p.n + p.n_two); i.at < i.end; i.at += i.step)
        key[key_at + i.at] = cell_of(&p, &s, g, (uint)i.at, boxes + boxes_at);
}

/* Writes the entries in the order of their cells: the position of each entry within its box, and
 * the number of the entry in its list. */
__kernel void neighbours_place(mote_neighbours_params p, const __global float *positions,
                               ulong positions_at, const __global float *other, ulong other_at,
                               const __global uint *order, ulong order_at, __global real *sorted,
                               ulong sorted_at)
{
    const source s = {positions, other, positions_at, other_at};
    for (sweep i = sweep_of((ulong)p.n + p.n_two); i.at < i.end; i.at += i.step) {
        uint entry = min(order[order_at + i.at], p.n + p.n_two - 1);
        REALS4(sorted, sorted_at)[i.at] = within_box(&p, &s, entry);
    }
}

/* Returns how many of `count` sorted keys are less than a key. */
inline uint keys_below(const __global uint *keys, uint count, uint key)
{
    uint low = 0, high = count;
    while (low < high) {
        uint middle = low + (high - low) / 2;
        if (keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Finds the first entry of each of `cells` cells, and writes the number of all entries after the
 * last cell. */
__kernel void neighbours_starts(mote_neighbours_params p, const __global uint *keys, ulong keys_at,
                                uint cells, __global uint *starts, ulong starts_at)
{
    const uint count = p.n + p.n_two;
    keys += keys_at;
    starts += starts_at;
    sweep i = sweep_of((ulong)cells + 1);
#ifdef CPU_FORM
    uint at = keys_below(keys, count, (uint)i.at);
    for (; i.at < i.end; i.at++) {
        while (at < count && keys[at] < i.at)
            at++;
        starts[i.at] = at;
    }
#else
    for (; i.at < i.end; i.at += i.step)
        starts[i.at] = keys_below(keys, count, (uint)i.at);
#endif
}
