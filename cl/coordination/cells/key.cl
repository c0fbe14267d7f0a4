/* SPDX-License-Identifier: Apache-2.0 */
/* Computes each frame's grid of cells, and finds the cell of every entry.
 *
 * A frame has p.bad_each groups, as in coordination/entries/entries.cl. All groups compute the
 * grid; the first one stores it. A key is a cell's number; the keys of the next frame follow those
 * of both lists.
 *
 * Form: both.
 * Defines: WG, LOAD (1: turns positions into coordinates first, as coordination/entries/entries.cl
 * does, for which there must be a box), LINK (1: for coordination/cells/lists.cl, `tally` receives
 * how many entries each of `bins` cells has, then 1 + one of them, from which `link` leads to all
 * others, in any order), DOUBLE (coordination/real.clh), PBC (coordination/image.clh). */
#include "coordination/cells/grid.clh"
#include "coordination/entries/load.clh"

#if PBC == MOTE_COORDINATION_NONE
/* Combines the corners that coordination/entries/entries.cl found, by the whole group; low[0] and
 * high[0] are the result. */
inline void find_corners(const __global real4 *extents, uint count, __local real4 *low,
                         __local real4 *high)
{
    uint lid = get_local_id(0);
    real4 least = (real4)(HUGE_LENGTH), most = (real4)(-HUGE_LENGTH);
    for (uint k = lid; k < count; k += WG) {
        least = fmin(least, extents[2 * k]);
        most = fmax(most, extents[2 * k + 1]);
    }
    low[lid] = least;
    high[lid] = most;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint step = 1; step < WG; step *= 2) {
        if (lid % (2 * step) == 0 && lid + step < WG) {
            low[lid] = fmin(low[lid], low[lid + step]);
            high[lid] = fmax(high[lid], high[lid + step]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void cells_key(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global float *positions, ulong positions_at,
    const __global uint *atoms, __global uint *bad, ulong bad_at, const __global real *extents,
    ulong extents_at, __global coord *loaded, ulong loaded_at, __global ulong *grids,
    ulong grids_at, __global uint *key, ulong key_at, __global uint *link, ulong link_at,
    volatile __global uint *tally, ulong tally_at, uint each, uint most, uint fine, uint across,
    uint bins)
{
#if PBC == MOTE_COORDINATION_NONE
    __local real4 low[WG], high[WG];
#endif
    __local grid shared;
#if LOAD
    __local uint worst;
#endif
    uint lid = get_local_id(0), group = get_group_id(0) % p.bad_each;
    uint number = get_group_id(0) / p.bad_each, entries = p.n_a + p.n_b;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
#if PBC == MOTE_COORDINATION_NONE
    find_corners((const __global real4 *)(extents + extents_at) + (ulong)number * 2 * p.bad_each,
                 p.bad_each, low, high);
#endif
    if (lid == 0) {
        shape s = {most, fine, across};
        grid made;
#if PBC == MOTE_COORDINATION_NONE
        make_grid(&made, &p, &frame, &s, low[0], high[0]);
#else
        make_grid(&made, &p, &frame, &s, (coord4)(0), (coord4)(0));
#endif
        shared = made;
        if (group == 0)
            GRIDS(grids, grids_at)[number] = made;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    grid g = shared;
    __global coord4 *coordinates = (__global coord4 *)(loaded + loaded_at);
    ulong base = (ulong)number * entries;
    uint lists = p.flags & MOTE_COORDINATION_IS_TWO_LISTS ? 2 : 1, first = number * lists * most;
    uint begin = min(group * each, entries), end = min(begin + each, entries);
#if LOAD
    source from = source_of(&p, &frame, positions, positions_at, atoms, p.first_frame + number);
#endif
    uint own_worst = MOTE_COORDINATION_NO_ATOM;
    for (uint k = begin + lid; k < end; k += WG) {
#if LOAD
        coord4 c = load_entry(&from, k, &own_worst);
        coordinates[base + k] = c;
#else
        coord4 c = coordinates[base + k];
#endif
        uint cell = first + number_of_cell(&g, c, k >= p.n_a, most);
        key[key_at + base + k] = cell;
#if LINK
        atomic_inc(&tally[tally_at + cell]);
        link[link_at + base + k] =
            atomic_xchg(&tally[tally_at + bins + cell], (uint)(base + k) + 1);
#endif
    }
#if LOAD
    write_worst(own_worst, &worst, bad + bad_at + get_group_id(0));
#endif
}
