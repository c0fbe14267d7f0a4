/* SPDX-License-Identifier: Apache-2.0 */
/* Cells for GPUs: a work-item for each entry, in the order of the cells, and each of p.slices_a
 * shares of the rows of cells around it. Neighbouring work-items own neighbouring entries and read
 * neighbouring partners. Each pair is looked at from both sides.
 *
 * A group leaves its entries' sums in `partial`, slice by slice, and its share of twice the totals;
 * finish.cl adds these up. Sums of at most 2 PIECE pairs run in reals, then in acc. Coordinates
 * come from coordination/cells_place.cl.
 *
 * Defines: WG, OWN 1, those of owned.clh, switch.clh, image.clh and totals.clh. */
#include "coordination/cells.clh"
#include "coordination/owned.clh"

#define PIECE 128

/* An entry's sums: what is added up since the last flush, and before. */
typedef struct sums {
    owned own;
    virial v;
    uint used; /* pairs since the last flush */
    acc x, y, z, s;
} sums;

inline void flush(sums *sum, __local acc *columns)
{
    add_to_columns(columns, sum->own.s, &sum->v);
#if PARTIALS
    sum->x = acc_plus(sum->x, sum->own.fx);
    sum->y = acc_plus(sum->y, sum->own.fy);
    sum->z = acc_plus(sum->z, sum->own.fz);
    sum->s = acc_plus(sum->s, sum->own.s);
#endif
    own_entry(&sum->own, sum->own.at, 1);
    clear_virial(&sum->v);
    sum->used = 0;
}

inline void add_run(sums *sum, const __global coord4 *sorted, uint begin, uint end, const cell *c,
                    const function *fn, __local acc *columns)
{
    real4 unused = (real4)(0);
    uint first = begin;
    while (first < end) {
        uint last = end - first > PIECE ? first + PIECE : end;
#if defined(MOTE_NVIDIA)
#pragma unroll 2
#endif
        for (uint j = first; j < last; j++)
            meet_one(&sum->own, sorted[j], 1, 1, c, fn, &sum->v, &unused);
        sum->used += last - first;
        if (sum->used >= PIECE)
            flush(sum, columns);
        first = last;
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void cells_rows(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global ulong *grids, ulong grids_at, const __global uint *starts,
    ulong starts_at, const __global uint *order, ulong order_at, const __global coord *sorted_mem,
    ulong sorted_at, __global real *partial, ulong partial_at, __global acc *totals,
    ulong totals_at, uint most)
{
    __local acc columns[COLUMNS * WG], parts[WG];
    uint number = get_group_id(0) / p.groups, group = get_group_id(0) % p.groups;
    uint slice = group % p.slices_a, k = group / p.slices_a * WG + get_local_id(0);
    uint entries = p.n_a + p.n_b, two = p.flags & MOTE_COORDINATION_IS_TWO_LISTS;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    cell c = cell_of(&frame, &p);
    function fn = function_of(&p);
    grid g = GRIDS(grids, grids_at)[number];
    const __global coord4 *sorted = (const __global coord4 *)(sorted_mem + sorted_at);
    ulong base = (ulong)number * entries;
    clear_columns(columns);
    if (k < entries) {
        sums sum;
        real tx, ty, tz;
        own_entry(&sum.own, sorted[base + k], 1);
        clear_virial(&sum.v);
        sum.x = sum.y = sum.z = sum.s = ACC_ZERO;
        sum.used = 0;
        uint3 at = cell_of_entry(&g, sum.own.at, &tx, &ty, &tz);
        uint of_b = k >= p.n_a, rows = g.rows[0] * g.rows[1];
        const __global uint *others =
            starts + starts_at + ((ulong)number * (two ? 2 : 1) + (two && !of_b)) * most;
        for (uint row = slice; row < rows; row += p.slices_a) {
            runs r = find_runs(&g, row, at, tx, ty, tz, others);
            add_run(&sum, sorted, r.begin[0], r.end[0], &c, &fn, columns);
            add_run(&sum, sorted, r.begin[1], r.end[1], &c, &fn, columns);
        }
        flush(&sum, columns);
#if PARTIALS
        ulong entry = order[order_at + base + k] - base, slices = p.slices_a;
        ulong place = of_b ? slices * p.n_a + (ulong)slice * p.n_b + (entry - p.n_a)
                           : (ulong)slice * p.n_a + entry;
        REALS4(partial, partial_at)[base * slices + place] =
            (real4)(acc_value(sum.x), acc_value(sum.y), acc_value(sum.z), acc_value(sum.s));
#endif
    }
    write_totals(columns, parts, 1, totals + totals_at + (ulong)TOTALS * get_group_id(0));
}
