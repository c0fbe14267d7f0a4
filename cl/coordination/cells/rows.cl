/* SPDX-License-Identifier: Apache-2.0 */
/* Cells for GPUs: one work-item for each entry, in the order of the cells, and for each of
 * p.slices_a shares of the rows of cells around it. Neighbouring work-items own neighbouring
 * entries and read neighbouring partners. Each pair is evaluated from both sides.
 *
 * A work-item first finds the runs of entries that can be near in some rows, then processes all of
 * them in one loop: for neighbouring entries, the lengths of single runs differ much but their sums
 * differ little, so the work-items of a band finish together.
 *
 * A group stores its entries' sums in `partial`, slice by slice, and its share of twice the totals;
 * finish.cl adds these up. About PIECE pairs are summed as reals, and these sums as acc.
 * Coordinates come from coordination/cells/sort.cl or lists.cl.
 *
 * Form: GPU.
 * Defines: WG, OWN (1), SKIP (coordination/pairs/owned.clh), DOUBLE (coordination/real.clh), PBC
 * (coordination/image.clh), FORM, SQUARE, NN, SHIFTED, CUTOFF, STRETCHED
 * (coordination/switch/switch.clh), FORCES, VIRIAL, NUMBERS (coordination/sums/totals.clh).
 * Optional: CUSTOM (coordination/switch/switch.clh), WEIGHTED (coordination/sums/totals.clh). */
#include "common/width.clh"
#include "coordination/cells/cells.clh"
#include "coordination/cells/flush.clh"

#define PIECE     250 /* about as many pairs as single precision can sum without loss */
#define MOST_RUNS 10  /* runs of a work-item at a time */

/* Entries that are loaded together. */
#if DOUBLE && STRETCHED && FEW_REGISTERS
#define AT_ONCE 1
#else
#define AT_ONCE 4
#endif

/* Every n-th of the rows of cells around an entry, from one row on. */
typedef struct walk {
    uint y, z, step;
    uint3 at;
    real tx, ty, tz;
    const __global uint *layer; /* of starts, at z */
    real left;                  /* d_max^2 minus the square of the layer's distance */
} walk;

inline void enter_layer(walk *next, const grid *g, const __global uint *starts)
{
    real gap;
    uint z = next->z < g->rows[1] ? find_row(g, 2, next->z, next->at.z, next->tz, &gap) : g->n[2];
    next->left = z < g->n[2] ? (real)1 - gap * gap : (real)-1;
    next->layer = starts + z * g->n[1] * g->n[0];
}

/* Finds the runs of the next rows and stores them in `found`, with a stride of WG; returns their
 * number of entries. */
inline uint find_next(walk *next, const grid *g, const __global uint *starts, __local uint2 *found)
{
    uint used = 0, total = 0;
    while (next->z < g->rows[1] && used + 2 <= MOST_RUNS) {
        real gap;
        uint y = find_row(g, 1, next->y, next->at.y, next->ty, &gap);
        real left = next->left - gap * gap;
        if (left >= 0 && y < g->n[1]) {
            runs r = find_in_row(g, next->layer + y * g->n[0], left, next->tx);
            UNROLLED
            for (uint k = 0; k < 2; k++)
                if (r.begin[k] < r.end[k]) {
                    found[used++ * WG] = (uint2)(r.begin[k], r.end[k]);
                    total += r.end[k] - r.begin[k];
                }
        }
        next->y += next->step;
        if (next->y >= g->rows[0]) {
            next->z += next->y / g->rows[0];
            next->y %= g->rows[0];
            enter_layer(next, g, starts);
        }
    }
    return total;
}

/* The index of the next entry of the runs. */
inline uint next_place(uint *j, uint *end, const __local uint2 **found)
{
    if (*j == *end) {
        *j = (*found)->x;
        *end = (*found)->y;
        *found += WG;
    }
    return (*j)++;
}

/* Evaluates the `total` entries of the runs. Several entries are loaded before any is evaluated,
 * because memory takes longer than a pair. */
inline void add_runs(sums *sum, const __global coord4 *sorted, const __global real *weights,
                     const __local uint2 *found, uint total, const cell *c, const function *fn,
                     __local acc *columns)
{
    real4 unused = (real4)(0);
    uint j = 0, end = 0;
    for (; total >= AT_ONCE; total -= AT_ONCE) {
        coord4 some[AT_ONCE];
        real weight[AT_ONCE];
        UNROLLED
        for (uint m = 0; m < AT_ONCE; m++) {
            uint place = next_place(&j, &end, &found);
            some[m] = sorted[place];
            weight[m] = WEIGHT_AT(weights, place);
        }
        /* The loop always processes the first element, for the reason that own_take() in
         * jagged/reduce/own.clh gives. */
        UNROLLED
        for (uint m = 0; m < AT_ONCE; m++) {
            meet_one(&sum->own, some[0], weight[0], 1, 1, c, fn, &sum->v, &unused);
            UNROLLED
            for (uint n = 1; n < AT_ONCE; n++) {
                some[n - 1] = some[n];
                weight[n - 1] = weight[n];
            }
        }
        sum->used += AT_ONCE;
        if (sum->used >= PIECE)
            flush(sum, columns);
    }
    for (sum->used += total; total > 0; total--) {
        uint place = next_place(&j, &end, &found);
        meet_one(&sum->own, sorted[place], WEIGHT_AT(weights, place), 1, 1, c, fn, &sum->v,
                 &unused);
    }
}

__kernel NARROW __attribute__((reqd_work_group_size(WG, 1, 1))) void cells_rows(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global ulong *grids, ulong grids_at, const __global uint *starts,
    ulong starts_at, const __global uint *order, ulong order_at, const __global coord *sorted,
    ulong sorted_at, __global real *partial, ulong partial_at, __global acc *totals,
    ulong totals_at, uint most WEIGHTS_ARGUMENT)
{
    __local acc columns[COLUMNS * WG], parts[WG];
    __local uint2 found[MOST_RUNS * WG];
    uint number = get_group_id(0) / p.groups, group = get_group_id(0) % p.groups;
    uint slice = group % p.slices_a, k = group / p.slices_a * WG + get_local_id(0);
    uint entries = p.n_a + p.n_b, two = p.flags & MOTE_COORDINATION_IS_TWO_LISTS;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    cell c = cell_of(&frame, &p);
    function fn = function_of(&p);
    grid g = GRIDS(grids, grids_at)[number];
    const __global coord4 *coordinates = (const __global coord4 *)(sorted + sorted_at);
    ulong base = (ulong)number * entries;
    const __global real *entry_weights = WEIGHTS_FROM(0);
    clear_columns(columns);
    if (k < entries) {
        sums sum;
        own_entry(&sum.own, coordinates[base + k], 1, WEIGHT_AT(entry_weights, base + k));
        clear_virial(&sum.v);
        sum.x = sum.y = sum.z = sum.s = ACC_ZERO;
        sum.used = 0;
        uint of_b = k >= p.n_a;
        const __global uint *others =
            starts + starts_at + ((ulong)number * (two ? 2 : 1) + (two && !of_b)) * most;
        walk next = {slice % g.rows[0], slice / g.rows[0], p.slices_a};
        next.at = cell_of_entry(&g, sum.own.at, &next.tx, &next.ty, &next.tz);
        enter_layer(&next, &g, others);
        while (next.z < g.rows[1]) {
            uint total = find_next(&next, &g, others, found + get_local_id(0));
            add_runs(&sum, coordinates, entry_weights, found + get_local_id(0), total, &c, &fn,
                     columns);
        }
        flush(&sum, columns);
#if PARTIALS
        ulong entry = order[order_at + base + k] - base, slices = p.slices_a;
        ulong place = of_b ? slices * p.n_a + (ulong)slice * p.n_b + (entry - p.n_a)
                           : (ulong)slice * p.n_a + entry;
        REALS4(partial, partial_at)
        [base * slices + place] =
            (real4)(acc_value(sum.x), acc_value(sum.y), acc_value(sum.z), acc_value(sum.s));
#endif
    }
    write_totals(columns, parts, 1, totals + totals_at + (ulong)TOTALS * get_group_id(0));
}
