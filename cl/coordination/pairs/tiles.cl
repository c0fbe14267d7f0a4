/* SPDX-License-Identifier: Apache-2.0 */
/* All pairs for GPUs, each evaluated once.
 *
 * Lists are divided into blocks of BLOCKS x WG x OWN entries, and a group processes a pair of
 * blocks: in one list every unordered pair, including a block with itself, in two lists a block of
 * A with one of B. The entries of the own block are in registers, OWN per work-item; the entries of
 * the other block pass through local memory, WG at a time, together with their sums. In each of
 * BAND steps, each work-item of a band handles a different partner, so that no two update the same
 * sum; then the bands exchange their partners. The sums of a block with another block are stored in
 * the row of the other block in `partial`. A block is evaluated with itself from both sides.
 *
 * p.each_a is BLOCKS, and p.blocks_a is the number of blocks of the list.
 *
 * Form: GPU.
 * Defines: WG, LOADED (1: coordinates come from coordination/entries/entries.cl), OWN, SKIP
 * (coordination/pairs/owned.clh), DOUBLE (coordination/real.clh), PBC (coordination/image.clh),
 * FORM, SQUARE, NN, SHIFTED, CUTOFF, STRETCHED (coordination/switch/switch.clh), FORCES,
 * VIRIAL, NUMBERS (coordination/sums/totals.clh).
 * Optional: CUSTOM (coordination/switch/switch.clh), WEIGHTED (coordination/sums/totals.clh). */
#include "coordination/entries/load.clh"
#include "coordination/pairs/owned.clh"
#include "coordination/pairs/width.clh"

#if WG % 32 == 0
#define BAND 32
#else
#define BAND WG
#endif

/* Stands between two steps of a band, whose work-items run in lockstep here. */
#if defined(MOTE_NVIDIA) && BAND == 32
#define STEP_BARRIER() __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#else
#define STEP_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#endif

/* Blocks `own` and `other` of a group, the bounds of their entries, and the index of the first
 * entry of their lists in a row of partial sums. */
typedef struct block_pair {
    uint own, own_begin, own_end, other, other_begin, other_end, same;
    ulong own_rows, other_rows;
    uint own_count, other_count; /* of the lists */
} block_pair;

/* In one list, block k is evaluated with blocks k, k + 1, .. of all blocks in a circle, half way
 * round. */
inline block_pair find_blocks(const mote_coordination_params *p, uint group)
{
    block_pair b;
    uint size = p->each_a * WG * OWN, turn = group / p->blocks_a;
    uint two = p->flags & MOTE_COORDINATION_IS_TWO_LISTS;
    uint own_b = p->flags & MOTE_COORDINATION_IS_SWAPPED, other_b = two && !own_b;
    ulong rows_b = (ulong)p->slices_a * p->n_a;
    b.own = group % p->blocks_a;
    b.other = two ? turn : (b.own + turn) % p->blocks_a;
    b.same = !two && turn == 0;
    b.own_count = own_b ? p->n_b : p->n_a;
    b.other_count = other_b ? p->n_b : p->n_a;
    b.own_begin = (own_b ? p->n_a : 0) + b.own * size;
    b.own_end = min(b.own_begin + size, own_b ? p->n_a + p->n_b : p->n_a);
    b.other_begin = (other_b ? p->n_a : 0) + b.other * size;
    b.other_end = min(b.other_begin + size, other_b ? p->n_a + p->n_b : p->n_a);
    b.own_rows = own_b ? rows_b - p->n_a : 0;
    b.other_rows = other_b ? rows_b - p->n_a : 0;
    return b;
}

/* Evaluates the work-item's entries with a tile of `count` entries; with `same`, the sums of the
 * tile are not accumulated. Every work-item must call this function, which ends with a barrier. */
inline void meet_tile(owned *own, const __local coord4 *tile, const __local real *tile_weights,
                      __local real4 *shares, uint count, uint tests, uint same, const cell *c,
                      const function *fn, virial *v)
{
    uint band = get_local_id(0) / BAND, lane = get_local_id(0) % BAND;
    for (uint stage = 0; stage < WG / BAND; stage++) {
        uint base = (band + stage) % (WG / BAND) * BAND;
        ROLLED
        for (uint step = 0; step < BAND; step++) {
            uint j = base + (lane + step) % BAND;
            real4 share = shares[j];
            meet(own, tile[j], WEIGHT_AT(tile_weights, j), j < count, tests, c, fn, v, &share);
#if PARTIALS
            if (!same)
                shares[j] = share;
#endif
            STEP_BARRIER();
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Stores the sums of the work-item's entries; `out` is the place of the first entry of all
 * work-items. */
inline void write_own(const owned *own, __global real4 *out)
{
    UNROLLED
    for (uint k = 0; k < OWN; k++)
        if (own[k].valid)
            out[k * WG + get_local_id(0)] = (real4)(own[k].fx, own[k].fy, own[k].fz, own[k].s);
}

inline real total_of(const owned *own)
{
    real s = 0;
    UNROLLED
    for (uint k = 0; k < OWN; k++)
        s += own[k].s;
    return s;
}

__kernel REAL_WIDTH __attribute__((reqd_work_group_size(WG, 1, 1))) void all_pairs_tiles(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global float *positions, ulong positions_at,
    const __global uint *atoms, const __global coord *loaded, ulong loaded_at,
    __global real *partial, ulong partial_at, __global acc *totals, ulong totals_at,
    __global uint *bad, ulong bad_at WEIGHTS_ARGUMENT)
{
    __local coord4 tile[WG];
    WEIGHTS_LOCAL(tile_weights, WG);
    __local real4 shares[WG];
    __local acc columns[COLUMNS * WG], parts[WG];
#if !LOADED
    __local uint worst;
#endif
    uint lid = get_local_id(0), number = get_group_id(0) / p.groups;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    block_pair b = find_blocks(&p, get_group_id(0) % p.groups);
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
#if PARTIALS
    __global real4 *rows = REALS4(partial, partial_at) +
                           number * ((ulong)p.slices_a * p.n_a + (ulong)p.slices_b * p.n_b);
    __global real4 *own_row = rows + b.own_rows + (ulong)b.other * b.own_count;
    __global real4 *other_row = rows + b.other_rows + (ulong)b.own * b.other_count;
#endif
    const __global real *entry_weights = WEIGHTS_FROM((ulong)number * (p.n_a + p.n_b));
    clear_columns(columns);
    uint subs = (b.own_end - b.own_begin + WG * OWN - 1) / (WG * OWN);
    uint tiles = (b.other_end - b.other_begin + WG - 1) / WG;
    for (uint sub = 0; sub < subs; sub++) {
        owned own[OWN];
        virial v;
        clear_virial(&v);
        uint first = b.own_begin + sub * (WG * OWN);
        UNROLLED
        for (uint k = 0; k < OWN; k++) {
            uint entry = first + k * WG + lid;
            uint there = min(entry, b.own_end - 1);
            own_entry(&own[k], LOAD(there), entry < b.own_end, WEIGHT_AT(entry_weights, there));
        }
        uint own_tests = b.same || first + WG * OWN > b.own_end;
        own_tests |= p.flags & MOTE_COORDINATION_IS_REPEATED;
        for (uint t = 0; t < tiles; t++) {
            uint begin = b.other_begin + t * WG, tests = own_tests || begin + WG > b.other_end;
            uint there = min(begin + lid, b.other_end - 1);
            tile[lid] = LOAD(there);
            WEIGHT_COPY(tile_weights, lid, entry_weights, there);
            shares[lid] = (real4)(0);
            barrier(CLK_LOCAL_MEM_FENCE);
            meet_tile(own, tile, tile_weights, shares, b.other_end - begin, tests, b.same, &c, &fn,
                      &v);
#if PARTIALS
            if (!b.same && begin + lid < b.other_end)
                other_row[begin + lid] = sub ? other_row[begin + lid] + shares[lid] : shares[lid];
#endif
        }
#if PARTIALS
        write_own(own, own_row + first);
#endif
        add_to_columns(columns, total_of(own), &v);
    }
    write_totals(columns, parts, b.same ? (wide)0.5f : (wide)1,
                 totals + totals_at + (ulong)TOTALS * get_group_id(0));
#if !LOADED
    write_worst(own_worst, &worst, bad + bad_at + get_group_id(0));
#endif
}
