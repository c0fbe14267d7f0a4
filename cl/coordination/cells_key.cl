/* SPDX-License-Identifier: Apache-2.0 */
/* Makes each frame's grid of cells, and finds the cell of every entry.
 *
 * A frame has p.bad_each groups, as in coordination/entries.cl. All of them make the grid, the
 * first keeps it. A key is a cell's number; those of list B come `most` later, those of the next
 * frame after both.
 *
 * Defines: WG, COUNT (entries of each cell are counted, in `counts`, and told apart, in any
 * order, by `slot`), those of image.clh. */
#include "coordination/cells.clh"

/* What the host says about cells. */
typedef struct shape {
    uint most;   /* cells of a grid */
    uint fine;   /* cells in d_max along x */
    uint across; /* and along y and z */
} shape;

/* Leaves no more than `most` cells: first wider ones along x, down to two in d_max, then larger
 * ones. */
inline void limit_cells(uint *n, const shape *s)
{
    ulong most = s->most, all = (ulong)n[0] * n[1] * n[2];
    if (all > most) {
        ulong fewer = (ulong)n[0] * most / all;
        n[0] = max((uint)fewer, max(min(n[0], n[0] * 2 / s->fine), 1u));
        all = (ulong)n[0] * n[1] * n[2];
    }
    if (all > most) {
        wide shrink = exp(log((wide)most / (wide)all) / 3);
        for (uint k = 0; k < 3; k++)
            n[k] = max((uint)((wide)n[k] * shrink), 1u);
    }
    /* An axis that cannot be cut any more leaves it to the others. */
    for (uint pass = 0; pass < 3; pass++) {
        all = (ulong)n[0] * n[1] * n[2];
        uint k = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;
        if (all > most)
            n[k] = max((uint)((ulong)n[k] * most / all), 1u);
    }
}

/* share: d_max in each of the heights of the box. */
inline void set_reach(grid *g, const wide *share)
{
    for (uint k = 1; k < 3; k++) {
        uint n = g->n[k], reach = (uint)fmin(ceil(share[k] * (wide)n), (wide)n);
        uint all = 2 * reach + 1 >= n;
        g->rows[k - 1] = all ? n : 2 * reach + 1;
        g->reach[k - 1] = all ? 0 : reach;
        /* Of a row that is near on both sides, or askew, the nearer place is not known. */
        uint told = PBC == MOTE_COORDINATION_NONE;
        told |= PBC == MOTE_COORDINATION_ORTHORHOMBIC && !all;
        g->edge[k - 1] = told ? (real)(1 / (share[k] * (wide)n)) : 0;
    }
    g->width = (real)(share[0] * (wide)g->n[0]);
}

inline void make_grid(grid *g, const mote_coordination_params *p,
                      const mote_coordination_frame *frame, const shape *s, coord4 low,
                      coord4 high)
{
    wide d_max = sqrt((wide)REAL_OF(p->d_max_2)) * (wide)MARGIN, share[3], height[3];
#if defined(UNIT_IS_R_0)
    d_max /= (wide)REAL_OF(p->inverse_r_0);
#endif
#if PBC == MOTE_COORDINATION_NONE
    height[0] = (wide)high.x - (wide)low.x;
    height[1] = (wide)high.y - (wide)low.y;
    height[2] = (wide)high.z - (wide)low.z;
#else
    for (uint k = 0; k < 3; k++) {
        wide x = WIDE_OF(frame->inverse + 2 * k), y = WIDE_OF(frame->inverse + 2 * k + 6);
        wide z = WIDE_OF(frame->inverse + 2 * k + 12);
        height[k] = 1 / sqrt(x * x + y * y + z * z);
    }
#endif
    for (uint k = 0; k < 3; k++) {
        wide wanted = (wide)(k ? s->across : s->fine);
        share[k] = height[k] > d_max * (wide)1e-3f ? d_max / height[k] : (wide)1e3f;
        g->n[k] = (uint)fmin(fmax(floor(wanted / share[k]), (wide)1), (wide)MOST_ALONG);
    }
    limit_cells(g->n, s);
    set_reach(g, share);
    g->reserved = 0;
    g->unused = 0;
    for (uint k = 0; k < 3; k++) {
        wide n = (wide)g->n[k];
#if PBC == MOTE_COORDINATION_NONE
        g->origin[k] = k == 0 ? low.x : k == 1 ? low.y : low.z;
        g->scale[k] = height[k] > 0 ? (real)(n / height[k]) : 0;
#elif PBC == MOTE_COORDINATION_ORTHORHOMBIC && DOUBLE
        wide side = WIDE_OF(frame->cell + (k == 0 ? 0 : k == 1 ? 4 : 10));
        g->origin[k] = -side / 2;
        g->scale[k] = n / side;
#else
        g->origin[k] = (real)-0.5f;
        g->scale[k] = (real)n;
#endif
    }
}

/* Adds up what coordination/entries.cl found, by the whole group; low[0] and high[0] are the
 * corners. */
inline void find_corners(const __global real4 *extents, uint count, __local real4 *low,
                         __local real4 *high)
{
#if PBC == MOTE_COORDINATION_NONE
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
#endif
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void cells_key(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global real *extents, ulong extents_at,
    const __global coord *loaded_mem, ulong loaded_at, __global ulong *grids, ulong grids_at,
    __global uint *key, ulong key_at, __global uint *slot, ulong slot_at,
    volatile __global uint *counts, ulong counts_at, uint each, uint most, uint fine, uint across)
{
    __local real4 low[WG], high[WG];
    __local grid shared;
    uint lid = get_local_id(0), group = get_group_id(0) % p.bad_each;
    uint number = get_group_id(0) / p.bad_each, entries = p.n_a + p.n_b;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    find_corners((const __global real4 *)(extents + extents_at) + (ulong)number * 2 * p.bad_each,
                 p.bad_each, low, high);
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
    const __global coord4 *loaded = (const __global coord4 *)(loaded_mem + loaded_at);
    ulong base = (ulong)number * entries;
    uint lists = p.flags & MOTE_COORDINATION_IS_TWO_LISTS ? 2 : 1, bins = number * lists * most;
    uint begin = min(group * each, entries), end = min(begin + each, entries);
    for (uint k = begin + lid; k < end; k += WG) {
        real tx, ty, tz;
        uint3 at = cell_of_entry(&g, loaded[base + k], &tx, &ty, &tz);
        uint cell = (at.z * g.n[1] + at.y) * g.n[0] + at.x;
        cell += bins + (k < p.n_a ? 0 : most);
        key[key_at + base + k] = cell;
#if COUNT
        slot[slot_at + base + k] = atomic_inc(&counts[counts_at + cell]);
#endif
    }
}
