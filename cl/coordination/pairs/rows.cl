/* SPDX-License-Identifier: Apache-2.0 */
/* All pairs for GPUs, each evaluated from both of its entries: this fills a device if there are few
 * entries.
 *
 * A group owns a block of ITEMS x OWN entries and one slice of their partners, which pass through
 * local memory in tiles. ITEMS work-items have OWN entries each; there are SPLIT teams of
 * work-items, and a team evaluates every SPLIT-th entry of a tile. The group stores in `partial`
 * the slice's sums for each of its entries and its part of twice the totals; finish.cl adds them
 * up.
 *
 * Form: GPU.
 * Defines: WG, SPLIT (divides WG), TILE, LOADED (1: coordinates come from
 * coordination/entries/entries.cl), OWN, SKIP (coordination/pairs/owned.clh), DOUBLE
 * (coordination/real.clh), PBC (coordination/image.clh), FORM, SQUARE, NN, SHIFTED, CUTOFF,
 * STRETCHED (coordination/switch/switch.clh), FORCES, VIRIAL, NUMBERS
 * (coordination/sums/totals.clh). Optional: CUSTOM (coordination/switch/switch.clh), WEIGHTED
 * (coordination/sums/totals.clh). */
#include "coordination/entries/load.clh"
#include "coordination/pairs/owned.clh"
#include "coordination/pairs/width.clh"

#define ITEMS (WG / SPLIT)

/* Partners that a work-item evaluates at once: enough pairs to hide the latency of one. */
#if DOUBLE && FEW_REGISTERS
#define AT_ONCE 1
#else
#define AT_ONCE (OWN < 4 ? 4 / OWN : 1)
#endif

/* A group's entries, and the slice of their partners. */
typedef struct place {
    uint own_begin, own_end; /* indices in the list's entries, from the block on */
    uint begin, end;
    uint tiles;
    ulong row; /* beginning of the block's partial sums */
} place;

/* Groups of list A come first, slice by slice of each block. */
inline place find_place(const mote_coordination_params *p, uint group)
{
    place at;
    uint groups_a = p->blocks_a * p->slices_a, of_b = group >= groups_a;
    uint two = p->flags & MOTE_COORDINATION_IS_TWO_LISTS, entries = p->n_a + p->n_b;
    uint in_list = of_b ? group - groups_a : group, slices = of_b ? p->slices_b : p->slices_a;
    uint first = in_list / slices * (ITEMS * OWN), slice = in_list % slices;
    uint each = of_b ? p->each_b : p->each_a, list_end = of_b ? p->n_a : entries;
    at.own_begin = (of_b ? p->n_a : 0) + first;
    at.own_end = of_b ? entries : p->n_a;
    at.begin = min((two && !of_b ? p->n_a : 0) + slice * each, list_end);
    at.end = min(at.begin + each, list_end);
    at.tiles = (each + TILE - 1) / TILE;
    at.row = (of_b ? (ulong)p->slices_a * p->n_a + (ulong)slice * p->n_b : (ulong)slice * p->n_a) +
             first;
    return at;
}

/* `tests`: some pairs do not count. */
inline void add_tile(owned *own, const __local coord4 *tile, const __local real *tile_weights,
                     uint count, uint tests, const cell *c, const function *fn, virial *v)
{
    uint team = get_local_id(0) / ITEMS;
    real4 unused = (real4)(0);
    uint j = team;
    if (!tests)
        for (; j + (AT_ONCE - 1) * SPLIT < count; j += AT_ONCE * SPLIT) {
            UNROLLED
            for (uint m = 0; m < AT_ONCE; m++)
                meet_one(own, tile[j + m * SPLIT], WEIGHT_AT(tile_weights, j + m * SPLIT), 1, 0, c,
                         fn, v, &unused);
        }
    for (; j < count; j += SPLIT)
        meet(own, tile[j], WEIGHT_AT(tile_weights, j), 1, tests, c, fn, v, &unused);
}

/* Adds up the teams' sums and stores them; every work-item must call this function. `sums` has WG
 * elements. */
inline void write_own(const owned *own, uint k, __local real4 *sums, __global real4 *out)
{
    uint lid = get_local_id(0);
    real4 sum = (real4)(own->fx, own->fy, own->fz, own->s);
#if SPLIT > 1
    sums[lid] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < ITEMS)
        for (uint team = 1; team < SPLIT; team++)
            sum += sums[team * ITEMS + lid];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (lid < ITEMS && own->valid)
        out[k * ITEMS + lid] = sum;
}

__kernel REAL_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void all_pairs_rows(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global float *positions, ulong positions_at,
    const __global uint *atoms, const __global coord *loaded, ulong loaded_at,
    __global real *partial, ulong partial_at, __global acc *totals, ulong totals_at,
    __global uint *bad, ulong bad_at WEIGHTS_ARGUMENT)
{
    __local coord4 tile[TILE];
    WEIGHTS_LOCAL(tile_weights, TILE);
#if PARTIALS && SPLIT > 1
    __local real4 team_sums[WG];
#else
    __local real4 *team_sums = 0;
#endif
    __local acc columns[COLUMNS * WG], parts[WG];
#if !LOADED
    __local uint worst;
#endif
    uint lid = get_local_id(0), number = get_group_id(0) / p.groups;
    place at = find_place(&p, get_group_id(0) % p.groups);
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    cell c = cell_of(&frame, &p);
    function fn = function_of(&p);
    uint own_worst = MOTE_COORDINATION_NO_ATOM;
#if LOADED
    const __global coord4 *from =
        (const __global coord4 *)(loaded + loaded_at) + (ulong)number * (p.n_a + p.n_b);
#define LOAD(entry) from[entry]
#else
    source from = source_of(&p, &frame, positions, positions_at, atoms, p.first_frame + number);
#define LOAD(entry) load_entry(&from, entry, &own_worst)
#endif
    const __global real *entry_weights = WEIGHTS_FROM((ulong)number * (p.n_a + p.n_b));
    owned own[OWN];
    virial v;
    clear_virial(&v);
    clear_columns(columns);
    UNROLLED
    for (uint k = 0; k < OWN; k++) {
        uint entry = at.own_begin + k * ITEMS + lid % ITEMS;
        uint there = min(entry, at.own_end - 1);
        own_entry(&own[k], LOAD(there), entry < at.own_end, WEIGHT_AT(entry_weights, there));
    }
    uint own_last = at.own_begin + ITEMS * OWN, tests = own_last > at.own_end;
    tests |= p.flags & MOTE_COORDINATION_IS_REPEATED;
    for (uint t = 0; t < at.tiles; t++) {
        uint first = min(at.begin + t * TILE, at.end), last = min(first + TILE, at.end);
        for (uint j = first + lid; j < last; j += WG) {
            tile[j - first] = LOAD(j);
            WEIGHT_COPY(tile_weights, j - first, entry_weights, j);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        add_tile(own, tile, tile_weights, last - first,
                 tests || (first < own_last && at.own_begin < last), &c, &fn, &v);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    real s = 0;
    UNROLLED
    for (uint k = 0; k < OWN; k++)
        s += own[k].s;
    add_to_columns(columns, s, &v);
#if PARTIALS
    __global real4 *out = REALS4(partial, partial_at) +
                          number * ((ulong)p.slices_a * p.n_a + (ulong)p.slices_b * p.n_b) + at.row;
    UNROLLED
    for (uint k = 0; k < OWN; k++)
        write_own(&own[k], k, team_sums, out);
#endif
    write_totals(columns, parts, 1, totals + totals_at + (ulong)TOTALS * get_group_id(0));
#if !LOADED
    write_worst(own_worst, &worst, bad + bad_at + get_group_id(0));
#endif
}
