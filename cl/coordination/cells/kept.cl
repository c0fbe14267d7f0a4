/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over lists of partners that a plan with a skin keeps from call to call: one work-item for
 * each entry and slice. A slice has every p.slices_a-th entry of the partners' list.
 *
 * If coordination/entries/entries.cl has marked the call, a work-item first makes its list: of all
 * partners within d_max and the skin, by their numbers. Partners are summed in this order, and
 * those beyond d_max are left out, so that results do not depend on the call that made the lists.
 * If a list has too few elements for all partners, all entries of the slice are tested in the same
 * order.
 *
 * PIECE pairs are summed as reals, and these sums as acc. Sums are stored as by
 * coordination/cells/rows.cl. The loop is compiled more than once, so that the compiler may not
 * fuse additions and multiplications by its own choice.
 *
 * Form: GPU.
 * Defines: WG, CAPACITY (elements of a list), OWN (1), SKIP (coordination/pairs/owned.clh), DOUBLE
 * (coordination/real.clh), PBC (coordination/image.clh), FORM, SQUARE, NN, SHIFTED, CUTOFF,
 * STRETCHED (coordination/switch/switch.clh), FORCES, VIRIAL, NUMBERS
 * (coordination/sums/totals.clh). Optional: CUSTOM (coordination/switch/switch.clh), WEIGHTED
 * (coordination/sums/totals.clh). */
#pragma OPENCL FP_CONTRACT OFF
#include "common/width.clh"
#include "coordination/cells/kept.clh"
#include "coordination/cells/flush.clh"

#define PIECE   256 /* at least as many as a list has elements */
#define AT_ONCE 4   /* partners that are loaded together */

/* The entries of a slice, and a work-item's list with a stride. */
typedef struct slice {
    uint first, step, count, last;
    __global uint *list;
    uint stride;
} slice;

/* Lists the partners within a distance, and returns their number, which may exceed CAPACITY. */
inline uint make_list(const slice *all, coord4 own, const __global coord4 *coordinates, real near_2,
                      const cell *c)
{
    uint found = 0;
    for (uint m = 0; m < all->count; m += AT_ONCE) {
        coord4 some[AT_ONCE];
        UNROLLED
        for (uint u = 0; u < AT_ONCE; u++)
            some[u] = coordinates[min(all->first + (m + u) * all->step, all->last)];
        UNROLLED
        for (uint u = 0; u < AT_ONCE; u++) {
            real dx, dy, dz;
            real square = nearest_image(own.x, own.y, own.z, some[u].x, some[u].y, some[u].z, c,
                                        &dx, &dy, &dz);
            if (m + u < all->count && square <= near_2 && ATOM_OF(own) != ATOM_OF(some[u])) {
                if (found < CAPACITY)
                    all->list[(ulong)found * all->stride] = all->first + (m + u) * all->step;
                found++;
            }
        }
    }
    return found;
}

/* Evaluates `listed` elements of the list, or if they are too many all entries of the slice. */
inline void add_partners(sums *sum, const slice *all, uint listed,
                         const __global coord4 *coordinates, const __global real *weights,
                         const cell *c, const function *fn, __local acc *columns)
{
    real4 unused = (real4)(0);
    uint total = listed <= CAPACITY ? listed : all->count;
    for (uint m = 0; m < total; m += AT_ONCE) {
        coord4 some[AT_ONCE];
        uint entry[AT_ONCE];
        UNROLLED
        for (uint u = 0; u < AT_ONCE; u++) {
            uint at = min(m + u, total - 1);
            entry[u] = listed <= CAPACITY ? all->list[(ulong)at * all->stride]
                                          : all->first + at * all->step;
            /* Overlapping calls, which are not allowed, could leave a list incomplete. */
            entry[u] = min(entry[u], all->last);
        }
        UNROLLED
        for (uint u = 0; u < AT_ONCE; u++)
            some[u] = coordinates[entry[u]];
        UNROLLED
        for (uint u = 0; u < AT_ONCE; u++) {
            real dx, dy, dz;
            real square = nearest_image(sum->own.at.x, sum->own.at.y, sum->own.at.z, some[u].x,
                                        some[u].y, some[u].z, c, &dx, &dy, &dz);
            if (m + u < total && square <= fn->d_max_2 && is_pair(&sum->own, some[u])) {
                add_pair(&sum->own, dx, dy, dz, square, 1, WEIGHT_AT(weights, entry[u]), fn,
                         &sum->v, &unused);
                if (++sum->used == PIECE)
                    flush(sum, columns);
            }
        }
    }
}

__kernel NARROW __attribute__((reqd_work_group_size(WG, 1, 1))) void cells_kept(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global coord *loaded, ulong loaded_at, volatile __global uint *state,
    __global coord *reference, __global uint *counts, __global uint *lists, kept_limits limits,
    uint call, __global real *partial, ulong partial_at, __global acc *totals,
    ulong totals_at WEIGHTS_ARGUMENT)
{
    __local acc columns[COLUMNS * WG], parts[WG];
    uint slices = p.slices_a, number = get_group_id(0) % slices;
    uint k = get_group_id(0) / slices * WG + get_local_id(0), entries = p.n_a + p.n_b;
    uint of_b = k >= p.n_a, from_b = (p.flags & MOTE_COORDINATION_IS_TWO_LISTS) && !of_b;
    bool made = state[KEPT_MOVED] == call;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame];
    cell c = cell_of(&frame, &p);
    function fn = function_of(&p);
    const __global coord4 *coordinates = (const __global coord4 *)(loaded + loaded_at);
    const __global real *entry_weights = WEIGHTS_FROM(0);
    clear_columns(columns);
    if (k < entries) {
        ulong row = (ulong)number * entries + k;
        uint first = from_b ? p.n_a : 0, others = from_b ? p.n_b : p.n_a, listed = counts[row];
        slice all = {first + number, slices, (others + slices - 1 - number) / slices};
        all.last = first + others - 1;
        all.list = lists + (ulong)number * CAPACITY * entries + k;
        all.stride = entries;
        sums sum;
        own_entry(&sum.own, coordinates[k], 1, WEIGHT_AT(entry_weights, k));
        clear_virial(&sum.v);
        sum.x = sum.y = sum.z = sum.s = ACC_ZERO;
        sum.used = 0;
        if (made) {
            listed = make_list(&all, sum.own.at, coordinates, REAL_OF(limits.near_2), &c);
            counts[row] = listed;
            if (number == 0)
                ((__global coord4 *)reference)[k] = sum.own.at;
        }
        add_partners(&sum, &all, listed, coordinates, entry_weights, &c, &fn, columns);
        flush(&sum, columns);
#if PARTIALS
        ulong place = of_b ? (ulong)slices * p.n_a + (ulong)number * p.n_b + (k - p.n_a)
                           : (ulong)number * p.n_a + k;
        REALS4(partial, partial_at)
        [place] = (real4)(acc_value(sum.x), acc_value(sum.y), acc_value(sum.z), acc_value(sum.s));
#endif
    }
    if (get_global_id(0) == 0) {
        state[KEPT_MADE] = call;
#if PBC != MOTE_COORDINATION_NONE
        if (made)
            *(volatile __global mote_coordination_frame *)(state + KEPT_FRAME) = frame;
#endif
    }
    write_totals(columns, parts, 1, totals + totals_at + (ulong)TOTALS * get_group_id(0));
}
