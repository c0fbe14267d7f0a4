/* SPDX-License-Identifier: Apache-2.0 */
/* Mode pair: evaluates entry k of list A with entry k of list B.
 *
 * Form: both.
 * Defines: WG, OWN (1), SKIP (0), DOUBLE (coordination/real.clh), PBC (coordination/image.clh),
 * FORM, SQUARE, NN, SHIFTED, CUTOFF, STRETCHED (coordination/switch/switch.clh), FORCES,
 * VIRIAL, NUMBERS (coordination/sums/totals.clh).
 * Optional: CUSTOM (coordination/switch/switch.clh), WEIGHTED (coordination/sums/totals.clh). */
#include "coordination/entries/load.clh"
#include "coordination/pairs/owned.clh"

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void listed_pairs(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global float *positions, ulong positions_at,
    const __global uint *atoms, __global real *partial, ulong partial_at, __global acc *totals,
    ulong totals_at, __global uint *bad, ulong bad_at WEIGHTS_ARGUMENT)
{
    __local acc columns[COLUMNS * WG], parts[WG];
    __local uint worst;
    uint lid = get_local_id(0), group = get_group_id(0) % p.groups;
    uint number = get_group_id(0) / p.groups;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    cell c = cell_of(&frame, &p);
    function fn = function_of(&p);
    source from = source_of(&p, &frame, positions, positions_at, atoms, p.first_frame + number);
    uint own_worst = MOTE_COORDINATION_NO_ATOM;
    const __global real *entry_weights = WEIGHTS_FROM(2 * (ulong)number * p.n_a);
    clear_columns(columns);
    for (uint k = group * WG + lid; k < p.n_a; k += p.groups * WG) {
        owned a;
        virial v;
        clear_virial(&v);
        own_entry(&a, load_entry(&from, k, &own_worst), 1, WEIGHT_AT(entry_weights, k));
        coord4 b = load_entry(&from, p.n_a + k, &own_worst);
        real4 share = (real4)(0);
        meet(&a, b, WEIGHT_AT(entry_weights, p.n_a + k), 1, 1, &c, &fn, &v, &share);
        add_to_columns(columns, a.s, &v);
#if PARTIALS
        __global real4 *out = REALS4(partial, partial_at) + number * 2 * (ulong)p.n_a + k;
        out[0] = (real4)(-share.x, -share.y, -share.z, share.w);
        out[p.n_a] = share;
#endif
    }
    write_totals(columns, parts, 1, totals + totals_at + (ulong)TOTALS * get_group_id(0));
    write_worst(own_worst, &worst, bad + bad_at + get_group_id(0));
}
