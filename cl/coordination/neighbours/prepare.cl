/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares the search for neighbours: computes the extent of all entries and the grid, finds the
 * cell of each entry, and writes the entries in the order of their cells.
 *
 * Form: both.
 * Defines: WG, DOUBLE (coordination/real.clh).
 * Optional: CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/error.clh"
#include "common/sweep.clh"
#include "coordination/neighbours/grid.clh"

#define BOUNDS MOTE_NEIGHBOURS_BOUNDS
#ifdef CPU_FORM
#define IN_A_ROW 28 /* long runs of entries, whose distances are computed by vectors */
#else
#define IN_A_ROW 6
#endif

typedef struct bounds {
    real low[3], high[3];
} bounds;

inline void bounds_begin(bounds *b)
{
    for (uint k = 0; k < 3; k++) {
        b->low[k] = INFINITY;
        b->high[k] = -INFINITY;
    }
}

inline void bounds_extend(bounds *b, uint axis, real low, real high)
{
    b->low[axis] = fmin(b->low[axis], low);
    b->high[axis] = fmax(b->high[axis], high);
}

/* Combines the bounds of a group's work-items and writes the result. Every work-item of the group
 * must call this function. */
inline void bounds_write(const bounds *own, __local real *shared, __global real *out)
{
    uint lid = get_local_id(0);
    for (uint k = 0; k < BOUNDS; k++) {
        real value = k < 3 ? own->low[k] : -own->high[k - 3];
        shared[lid] = value;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint left = WG; left > 1;) {
            uint next = (left + 1) / 2;
            if (lid + next < left)
                shared[lid] = fmin(shared[lid], shared[lid + next]);
            left = next;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (lid == 0)
            out[k] = k < 3 ? shared[0] : -shared[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

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
    for (ulong k = first + get_local_id(0); k < end; k += WG) {
        bool bad;
        real3 f = fractions_of(&p, position_of(&s, &p, (uint)k), &bad);
        if (bad) {
            error_report(error ? error + error_at : error, MOTE_SLOT_POSITION, (uint)k);
        } else {
            bounds_extend(&b, 0, f.x, f.x);
            bounds_extend(&b, 1, f.y, f.y);
            bounds_extend(&b, 2, f.z, f.z);
        }
    }
    bounds_write(&b, shared, out + out_at + BOUNDS * get_group_id(0));
}

/* Halves the largest number of cells along an axis repeatedly, until there are at most `most`
 * cells. */
inline void limit_cells(uint *n, uint most)
{
    for (uint k = 0; k < 96 && (float)n[0] * (float)n[1] * (float)n[2] > (float)most; k++) {
        uint axis = n[0] >= n[1] && n[0] >= n[2] ? 0 : n[1] >= n[2] ? 1 : 2;
        n[axis] = max(n[axis] / 2, 1u);
    }
}

/* Returns into how many cells the cutoff is divided along the second and the third axis, such that
 * a row of cells as long as the cutoff contains IN_A_ROW entries or more, if they are spread
 * evenly. `cubes` is the number of cubes with sides of the cutoff. */
inline real division_of(const mote_neighbours_params *p, real cubes)
{
    const real each =
        (real)(p->flags & MOTE_NEIGHBOURS_TWO ? p->n_two : p->n) / fmax(cubes, (real)1);
    return p->flags & MOTE_NEIGHBOURS_FINE ? clamp(floor(sqrt(each / IN_A_ROW)), (real)1, (real)4)
                                           : 1;
}

inline void make_grid(const mote_neighbours_params *p, const __global real *b, __global grid *g)
{
    const real cutoff = REAL_OF(p->cutoff);
    real extent[3], sides[3], far = cutoff;
    uint n[3];
    for (uint k = 0; k < 3; k++) {
        bool any = b[3 + k] >= b[k];
        extent[k] = repeats(p, k) ? 1 : any ? b[3 + k] - b[k] : 0;
        sides[k] = extent[k] * REAL_OF(p->height + 2 * k) / cutoff;
    }
    const real division = division_of(p, sides[0] * sides[1] * sides[2]);
    for (uint k = 0; k < 3; k++) {
        real low = b[k], high = b[3 + k], cells = sides[k] * (k ? division : FINE);
        bool any = high >= low;
        g->origin[k] = repeats(p, k) || !any ? 0 : low;
        n[k] = cells >= 1 ? (uint)fmin(cells, (real)p->most) : 1;
        far += REAL_OF(p->length + 2 * k) *
               ((any ? fmax(fabs(low), fabs(high)) : 0) + (real)p->images[k]);
    }
    limit_cells(n, p->most);
    const real slack = far * REAL_OF(p->error), reach = cutoff + slack;
    for (uint k = 0; k < 3; k++) {
        g->n[k] = n[k];
        g->scale[k] = repeats(p, k) ? (real)n[k] : n[k] > 1 ? (real)n[k] / extent[k] : 0;
        g->reach[k] = reach * g->scale[k] / REAL_OF(p->height + 2 * k);
        if (k > 0)
            g->side[k - 1] = p->flags & MOTE_NEIGHBOURS_RIGHT && g->scale[k] > 0
                                 ? REAL_OF(p->height + 2 * k) / g->scale[k]
                                 : 0;
    }
    g->nearest = slack < cutoff ? (cutoff - slack) * (cutoff - slack) : 0;
    g->farthest = reach * reach;
    g->along = g->scale[0] / REAL_OF(p->height);
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
    for (sweep i = sweep_of((ulong)p.n + p.n_two); i.at < i.end; i.at += i.step) {
        bool bad;
        real3 f = fractions_of(&p, position_of(&s, &p, (uint)i.at), &bad), box = box_of(&p, f);
        f -= box;
        uint x = cell_along(g, 0, grid_coordinate(g, 0, f.x));
        uint y = cell_along(g, 1, grid_coordinate(g, 1, f.y));
        uint z = cell_along(g, 2, grid_coordinate(g, 2, f.z));
        key[key_at + i.at] = (z * g->n[1] + y) * g->n[0] + x + (i.at < p.n ? 0 : p.most);
        boxes[boxes_at + 3 * i.at] = (int)box.x;
        boxes[boxes_at + 3 * i.at + 1] = (int)box.y;
        boxes[boxes_at + 3 * i.at + 2] = (int)box.z;
    }
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
        bool bad;
        uint entry = min(order[order_at + i.at], p.n + p.n_two - 1);
        real3 x = position_of(&s, &p, entry);
        real3 f = fractions_of(&p, x, &bad);
        x -= times_rows(box_of(&p, f), p.box);
#if DOUBLE
        real number = as_double((ulong)(entry < p.n ? entry : entry - p.n));
#else
        real number = as_float(entry < p.n ? entry : entry - p.n);
#endif
        REALS4(sorted, sorted_at)[i.at] = (real4)(x, number);
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
