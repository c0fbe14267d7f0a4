/* SPDX-License-Identifier: Apache-2.0 */
/* Cells for CPUs: a frame has p.groups work-items, each with an equal number of entries of each
 * list, consecutive in the order of the cells. coordination/cells/near_cpu.clh defines which
 * work-item evaluates a pair.
 *
 * Sums of entries are accumulated as reals over a block's partners, and then added as acc to the
 * planes of `sum`. If each work-item has its own planes, they hold sums of all entries, otherwise
 * only sums of the work-item's own entries. Coordinates come from coordination/cells/place_cpu.cl.
 *
 * Form: CPU.
 * Defines: LANES (16, or 8 with DOUBLE), DOUBLE (coordination/real.clh), PBC
 * (coordination/image.clh), FORM, SQUARE, NN, SHIFTED, CUTOFF, STRETCHED
 * (coordination/switch/switch.clh), FORCES, VIRIAL, NUMBERS (coordination/sums/totals.clh).
 * Optional: CUSTOM (coordination/switch/switch.clh), WEIGHTED (coordination/sums/totals.clh). */
#include "coordination/cells/block_cpu.clh"

#define BLOCK 8 /* entries at most */

/* Blocks are at most this long, in d_max, unless all entries are in one cell. */
#define LONGEST 1.0f

/* The entries of one list that a work-item owns: an equal part. */
inline uint part_of(uint count, uint item, uint items)
{
    return (uint)((ulong)count * item / items);
}

/* Extends the corners by entry k if they stay small enough, or if `anyway` is set; *y and *z are
 * its row. */
inline bool take_corner(corners *c, const grid *g, const planes *from, uint k, bool anyway, uint *y,
                        uint *z)
{
    real tx, ty, tz;
    cell_along(g, 0, from->x[k], &tx);
    *y = cell_along(g, 1, from->y[k], &ty);
    *z = cell_along(g, 2, from->z[k], &tz);
    float low = fmin(c->low[0], (float)tx), high = fmax(c->high[0], (float)tx);
    if (!anyway && high - low > LONGEST * (float)g->width)
        return false;
    c->low[0] = low;
    c->high[0] = high;
    c->low[1] = fmin(c->low[1], (float)ty);
    c->high[1] = fmax(c->high[1], (float)ty);
    c->low[2] = fmin(c->low[2], (float)tz);
    c->high[2] = fmax(c->high[2], (float)tz);
    return true;
}

/* Finds the next block, from `first` on; *y and *z are its row. */
inline uint next_block(corners *c, const grid *g, const task *t, const planes *from, uint first,
                       uint end, uint *y, uint *z)
{
    for (uint axis = 0; axis < 3; axis++) {
        c->low[axis] = INFINITY;
        c->high[axis] = -INFINITY;
    }
    take_corner(c, g, from, first, true, y, z);
    uint row_end = min(t->own_starts[(*z * g->n[1] + *y + 1) * g->n[0]], end), count = 1;
    uint most = min(row_end - first, (uint)BLOCK), other_y, other_z;
    while (count < most && take_corner(c, g, from, first + count, false, &other_y, &other_z))
        count++;
    return count;
}

/* Evaluates the block with partners of one kind. */
inline void meet_all(partners *p, const pieces *near, const planes *from, uint first, uint owned,
                     uint kind, bool one_list, bool repeated, const cell *c, const function *fn,
                     const sums *to, strip *t)
{
    cursor at = {0, near->begin[0]};
    while (at.piece < near->count) {
        cursor before = at;
        gather(p, near, &at, from, repeated);
        bool itself = kind == ONCE && one_list && before.piece == 0 && before.at == first;
        if (t->used > VECTORS)
            flush_strip(t);
        t->used += owned * (p->count / LANES + 1);
        meet(p, from, first, owned, kind, itself, repeated, c, fn, to, t);
#if PARTIALS
        if (kind == ONCE)
            scatter(p, near, before, to);
#endif
    }
}

/* Evaluates the entries from begin to end with all of their partners. */
inline void run_task(const task *t, const grid *g, const planes *from, uint begin, uint end,
                     bool repeated, const cell *c, const function *fn, const sums *to, strip *s)
{
    rows looked;
    pieces near[KINDS];
    partners p;
    corners box;
    uint count, y, z;
    looked.own_y = looked.own_z = NO_LATER;
    for (uint k = 0; k < MOST_ROWS; k++)
        looked.y[k] = looked.z[k] = 0.0f;
    for (uint k = begin; k < end; k += count) {
        count = next_block(&box, g, t, from, k, end, &y, &z);
        if (y != looked.own_y || z != looked.own_z)
            find_rows(&looked, g, t, y, z);
        find_near(near, g, t, &looked, &box, k, count);
        meet_all(&p, &near[ONCE], from, k, count, ONCE, t->one_list, repeated, c, fn, to, s);
#if PARTIALS
        meet_all(&p, &near[FIRST], from, k, count, FIRST, t->one_list, repeated, c, fn, to, s);
        meet_all(&p, &near[SECOND], from, k, count, SECOND, t->one_list, repeated, c, fn, to, s);
#endif
    }
}

/* Copies sums in the order of cells to a slice in the order of entries. */
inline void put_sums(const sums *from, const __global uint *order, uint begin, uint end,
                     __global real4 *out)
{
    for (uint k = begin; k < end; k++)
        out[order[k]] = (real4)(acc_value(from->x[k]), acc_value(from->y[k]), acc_value(from->z[k]),
                                acc_value(from->s[k]));
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void cells_cpu(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global ulong *grids, ulong grids_at, const __global uint *starts,
    ulong starts_at, const __global uint *order, ulong order_at, const __global coord *sorted,
    ulong sorted_at, __global acc *sum, ulong sum_at, __global real *partial, ulong partial_at,
    __global acc *totals, ulong totals_at, uint most WEIGHTS_ARGUMENT)
{
    uint number = get_group_id(0) / p.groups, item = get_group_id(0) % p.groups;
    uint entries = p.n_a + p.n_b, two = p.flags & MOTE_COORDINATION_IS_TWO_LISTS;
    bool repeated = p.flags & MOTE_COORDINATION_IS_REPEATED;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    cell c = cell_of(&frame, &p);
    function fn = function_of(&p);
    grid g = GRIDS(grids, grids_at)[number];
    planes from;
    from.x = sorted + sorted_at;
    from.y = from.x + p.plane;
    from.z = from.y + p.plane;
    from.atom = from.z + p.plane;
#if defined(WEIGHTED)
    from.weight = WEIGHTS_FROM(0);
#endif
    starts += starts_at + (ulong)number * (two ? 2 : 1) * most;
    /* Each work-item has sums of all entries, or of its own entries. */
    bool apart = p.slices_a > 1;
    uint base = number * entries, begin[2], end[2], first[2], last[2];
    sums to;
    to.x = sum + sum_at + (apart ? 4 * (ulong)p.plane * item : 0);
    to.y = to.x + p.plane;
    to.z = to.y + p.plane;
    to.s = to.z + p.plane;
    for (uint k = 0; k < 2; k++) {
        uint list = k ? p.n_b : p.n_a, before = base + (k ? p.n_a : 0);
        begin[k] = before + part_of(list, item, p.groups);
        end[k] = before + part_of(list, item + 1, p.groups);
        first[k] = apart ? before : begin[k];
        last[k] = apart ? before + list : end[k];
#if PARTIALS
        for (uint m = first[k]; m < last[k]; m++)
            to.x[m] = to.y[m] = to.z[m] = to.s[m] = ACC_ZERO;
#endif
    }
    strip all;
    all.s = all.v.xx = all.v.xy = all.v.xz = all.v.yy = all.v.yz = all.v.zz = (VEC)(0);
    all.used = 0;
    for (uint k = 0; k < TOTALS; k++)
        all.totals[k] = ACC_ZERO;
    for (uint k = 0; k < (two && PARTIALS && !apart ? 2 : 1); k++) {
        uint other = two ? 1 - k : 0;
        task t = {starts + (k ? most : 0),
                  starts + (other ? most : 0),
                  first[other],
                  last[other],
                  !two,
                  k == 0};
        run_task(&t, &g, &from, begin[k], end[k], repeated, &c, &fn, &to, &all);
    }
    flush_strip(&all);
#if PARTIALS
    /* Slices of a frame: those of list A, then those of list B; orders count from the launch's
     * first entry. */
    __global real4 *out = REALS4(partial, partial_at) + (ulong)base * p.slices_a;
    for (uint k = 0; k < 2; k++) {
        uint slice = apart ? item : 0, list = k ? p.n_b : p.n_a, before = k ? p.n_a : 0;
        put_sums(&to, order + order_at, first[k], last[k],
                 out + (ulong)before * p.slices_a + (ulong)slice * list - before - base);
    }
#endif
    for (uint k = 0; k < TOTALS; k++)
        totals[totals_at + get_group_id(0) * TOTALS + k] = all.totals[k];
}
