/* SPDX-License-Identifier: Apache-2.0 */
/* All pairs for GPUs, each looked at from both of its entries: what fills a device when entries are
 * few.
 *
 * A group owns a block of WG x OWN entries, OWN of a work-item, and one slice of the entries they
 * are paired with, which it takes through local memory in tiles. It leaves the slice's sums for
 * each of its entries in `partial` and its share of twice the totals; finish.cl adds these up.
 *
 * Defines: WG, OWN, TILE, LOADED (coordinates come from coordination/entries.cl), UNROLL (a hint),
 * and those of switch.clh, image.clh and totals.clh. */
#include "coordination/load.clh"
#include "coordination/switch.clh"
#include "coordination/totals.clh"

typedef struct owned {
    coord4 at;
    uint valid;
    real fx, fy, fz, s;
} owned;

inline void add_pair(owned *own, coord4 other, uint counts, const cell *c, const function *fn,
                     virial *v)
{
    real dx, dy, dz, s, g;
    real square = nearest_image(own->at.x, own->at.y, own->at.z, other.x, other.y, other.z, c, &dx, &dy,
                           &dz);
    counts &= switch_at(square, fn, &s, &g);
    own->s += counts ? s : 0;
    g = counts ? g : 0;
    real gx = g * dx, gy = g * dy, gz = g * dz;
#if FORCES
    own->fx += gx;
    own->fy += gy;
    own->fz += gz;
#endif
#if VIRIAL
    v->xx = fma(gx, dx, v->xx);
    v->xy = fma(gx, dy, v->xy);
    v->xz = fma(gx, dz, v->xz);
    v->yy = fma(gy, dy, v->yy);
    v->yz = fma(gy, dz, v->yz);
    v->zz = fma(gz, dz, v->zz);
#endif
}

/* `tests`: some pairs do not count. */
inline void add_tile(owned *own, const __local coord4 *tile, uint count, uint tests, const cell *c,
                     const function *fn, virial *v)
{
    if (tests) {
        for (uint j = 0; j < count; j++) {
            coord4 other = tile[j];
            for (uint k = 0; k < OWN; k++)
                add_pair(&own[k], other,
                         own[k].valid && ATOM_OF(own[k].at) != ATOM_OF(other), c, fn, v);
        }
    } else {
#if defined(MOTE_NVIDIA)
#pragma unroll UNROLL
#endif
        for (uint j = 0; j < count; j++) {
            coord4 other = tile[j];
            for (uint k = 0; k < OWN; k++)
                add_pair(&own[k], other, 1, c, fn, v);
        }
    }
}

__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void all_pairs_rows(
    mote_coordination_params p, mote_coordination_frame given,
    const __global uint *frames, ulong frames_at,
    const __global float *positions, ulong positions_at, const __global uint *atoms,
    const __global coord *loaded_mem, ulong loaded_at, __global real *partial, ulong partial_at,
    __global acc *totals, ulong totals_at, __global uint *bad, ulong bad_at)
{
    __local coord4 tile[TILE];
    __local real sums[TOTALS * WG];
    __local acc parts[WG];
    __local uint worst;
    uint lid = get_local_id(0), group = get_group_id(0) % p.groups;
    uint number = get_group_id(0) / p.groups, entries = p.n_a + p.n_b;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    /* Groups of A come first, slice by slice of each block. */
    uint groups_a = p.blocks_a * p.slices_a, of_b = group >= groups_a;
    uint in_list = of_b ? group - groups_a : group, slices = of_b ? p.slices_b : p.slices_a;
    uint block = in_list / slices, slice = in_list % slices;
    uint own_end = of_b ? entries : p.n_a, own_begin = (of_b ? p.n_a : 0) + block * (WG * OWN);
    uint two = p.flags & MOTE_COORDINATION_IS_TWO_LISTS;
    uint list_begin = two && !of_b ? p.n_a : 0, list_end = of_b ? p.n_a : entries;
    uint each = of_b ? p.each_b : p.each_a;
    uint begin = min(list_begin + slice * each, list_end), end = min(begin + each, list_end);
    cell c = cell_of(&frame, &p);
    function fn = function_of(&p);
#if LOADED
    const __global coord4 *loaded =
        (const __global coord4 *)(loaded_mem + loaded_at) + (ulong)number * entries;
#else
    source from = source_of(&p, &frame, positions, positions_at, atoms,
                            p.first_frame + number);
    uint worst_own = MOTE_COORDINATION_NO_ATOM, unused;
    if (lid == 0)
        worst = MOTE_COORDINATION_NO_ATOM;
#endif
    owned own[OWN];
    virial v = {0, 0, 0, 0, 0, 0};
    for (uint k = 0; k < OWN; k++) {
        uint entry = own_begin + k * WG + lid;
        own[k].valid = entry < own_end;
        entry = min(entry, own_end - 1);
#if LOADED
        own[k].at = loaded[entry];
#else
        own[k].at = load_entry(&from, entry, &worst_own);
#endif
        own[k].fx = own[k].fy = own[k].fz = own[k].s = 0;
    }
    uint own_last = own_begin + WG * OWN, tests = own_last > own_end;
    tests |= p.flags & MOTE_COORDINATION_IS_REPEATED;
    uint tiles = (each + TILE - 1) / TILE;
    for (uint t = 0; t < tiles; t++) {
        uint first = min(begin + t * TILE, end), last = min(first + TILE, end);
        for (uint j = first + lid; j < last; j += WG)
#if LOADED
            tile[j - first] = loaded[j];
#else
            tile[j - first] = load_entry(&from, j, &unused);
#endif
        barrier(CLK_LOCAL_MEM_FENCE);
        add_tile(own, tile, last - first, tests || (first < own_last && own_begin < last), &c, &fn,
                 &v);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    real s = 0;
    for (uint k = 0; k < OWN; k++) {
#if PARTIALS
        uint entry = own_begin + k * WG + lid;
        if (own[k].valid) {
            ulong row = of_b ? (ulong)p.slices_a * p.n_a + (ulong)slice * p.n_b + (entry - p.n_a)
                             : (ulong)slice * p.n_a + entry;
            ulong rows = (ulong)p.slices_a * p.n_a + (ulong)p.slices_b * p.n_b;
            REALS4(partial, partial_at)[number * rows + row] =
                (real4)(own[k].fx, own[k].fy, own[k].fz, own[k].s);
        }
#endif
        s += own[k].s;
    }
    write_totals(s, &v, sums, parts, totals + totals_at + (ulong)TOTALS * get_group_id(0));
#if !LOADED
    if (worst_own != MOTE_COORDINATION_NO_ATOM)
        atomic_min(&worst, worst_own);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        bad[bad_at + get_group_id(0)] = worst;
#endif
}
