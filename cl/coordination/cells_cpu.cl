/* SPDX-License-Identifier: Apache-2.0 */
/* Cells for CPUs: each entry, in the order of the cells, against LANES at a time of those in the
 * rows of cells around it. Each pair is looked at from both sides, so that nobody adds to another
 * entry's sums.
 *
 * A frame has p.groups work-items, each of which takes every p.groups-th CHUNK of entries. Sums run
 * in reals for at most VECTORS vectors, then in acc. Coordinates come from
 * coordination/cells_place.cl.
 *
 * Defines: LANES (16, or 8 with DOUBLE), those of switch.clh, image.clh and totals.clh. */
#include "common/lanes.clh"
#include "coordination/cells.clh"
#include "coordination/switch.clh"
#include "coordination/totals.clh"

#define CHUNK   64
#define VECTORS 512

#define LOAD(at) JOIN(vload, LANES)(0, (at))

typedef struct planes {
    const __global coord *x, *y, *z, *atom;
} planes;

/* The entry whose partners are looked at, and its sums. */
typedef struct owned {
    coord4 at;
    VEC fx, fy, fz, s;
    acc sum[4];
} owned;

inline real lanes_sum(VEC v)
{
#if LANES == 16
    JOIN(REAL_NAME, 8) eight = v.lo + UPPER_8(JOIN(REAL_NAME, 8), v);
    JOIN(REAL_NAME, 4) four = eight.lo + eight.hi;
#else
    JOIN(REAL_NAME, 4) four = v.lo + v.hi;
#endif
    JOIN(REAL_NAME, 2) two = four.lo + four.hi;
    return two.lo + two.hi;
}

inline void flush_owned(owned *own)
{
    own->sum[3] = acc_plus(own->sum[3], lanes_sum(own->s));
    own->s = (VEC)(0);
#if FORCES
    own->sum[0] = acc_plus(own->sum[0], lanes_sum(own->fx));
    own->sum[1] = acc_plus(own->sum[1], lanes_sum(own->fy));
    own->sum[2] = acc_plus(own->sum[2], lanes_sum(own->fz));
    own->fx = own->fy = own->fz = (VEC)(0);
#endif
}

inline void flush_virial(virial *v, acc *totals)
{
#if VIRIAL
    totals[1] = acc_plus(totals[1], lanes_sum(v->xx));
    totals[2] = acc_plus(totals[2], lanes_sum(v->xy));
    totals[3] = acc_plus(totals[3], lanes_sum(v->xz));
    totals[4] = acc_plus(totals[4], lanes_sum(v->yy));
    totals[5] = acc_plus(totals[5], lanes_sum(v->yz));
    totals[6] = acc_plus(totals[6], lanes_sum(v->zz));
    v->xx = v->xy = v->xz = v->yy = v->yz = v->zz = (VEC)(0);
#endif
}

/* The LANES entries from j on, of which those before `end` count. */
inline void add_vector(owned *own, const planes *from, uint j, uint end, const cell *c,
                       const function *fn, virial *v)
{
    VEC dx, dy, dz, s, g;
    VEC square = nearest_image((COORDV)(own->at.x), (COORDV)(own->at.y), (COORDV)(own->at.z),
                               LOAD(from->x + j), LOAD(from->y + j), LOAD(from->z + j), c, &dx,
                               &dy, &dz);
    IVEC counts = switch_at(square, fn, &s, &g);
    IVEC atoms = LOAD((const __global imask *)(from->atom + j));
#if DOUBLE
    counts &= atoms != (IVEC)(as_long(own->at.w));
#elif defined(UNIT_IS_R_0)
    counts &= atoms != (IVEC)((int)own->at.w);
#else
    counts &= atoms != (IVEC)(as_int(own->at.w));
#endif
    counts &= JOIN(COUNT_, LANES) < (IVEC)((imask)(end - j));
    g = counts ? g : (VEC)(0);
    own->s += counts ? s : (VEC)(0);
    VEC gx = g * dx, gy = g * dy, gz = g * dz;
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

/* The entries from `begin` to `end`; *used vectors have been added since the last flush. */
inline void add_run(owned *own, const planes *from, uint begin, uint end, const cell *c,
                    const function *fn, virial *v, acc *totals, uint *used)
{
    uint first = begin;
    while (first < end) {
        uint last = end - first > VECTORS * LANES ? first + VECTORS * LANES : end;
        for (uint j = first; j < last; j += LANES)
            add_vector(own, from, j, last, c, fn, v);
        *used += (last - first) / LANES + 1;
        if (*used > VECTORS) {
            flush_owned(own);
            flush_virial(v, totals);
            *used = 0;
        }
        first = last;
    }
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void cells_cpu(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global ulong *grids, ulong grids_at, const __global uint *starts,
    ulong starts_at, const __global uint *order, ulong order_at, const __global coord *sorted,
    ulong sorted_at, __global real *partial, ulong partial_at, __global acc *totals,
    ulong totals_at, uint most)
{
    uint number = get_group_id(0) / p.groups, item = get_group_id(0) % p.groups;
    uint entries = p.n_a + p.n_b, two = p.flags & MOTE_COORDINATION_IS_TWO_LISTS;
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
    starts += starts_at + (ulong)number * (two ? 2 : 1) * most;
    uint base = number * entries, rows = g.rows[0] * g.rows[1], used = 0;
    __global real4 *out = REALS4(partial, partial_at) + base;
    virial v;
    v.xx = v.xy = v.xz = v.yy = v.yz = v.zz = (VEC)(0);
    acc own_totals[TOTALS];
    for (uint k = 0; k < TOTALS; k++)
        own_totals[k] = ACC_ZERO;
    for (ulong chunk = (ulong)item * CHUNK; chunk < entries; chunk += (ulong)p.groups * CHUNK) {
        uint chunk_end = min((uint)chunk + CHUNK, entries);
        for (uint k = (uint)chunk; k < chunk_end; k++) {
            owned own;
            own.at = (coord4)(from.x[base + k], from.y[base + k], from.z[base + k],
                              from.atom[base + k]);
            own.fx = own.fy = own.fz = own.s = (VEC)(0);
            own.sum[0] = own.sum[1] = own.sum[2] = own.sum[3] = ACC_ZERO;
            real tx, ty, tz;
            uint3 at = cell_of_entry(&g, own.at, &tx, &ty, &tz);
            const __global uint *others = starts + (two && k < p.n_a ? most : 0);
            for (uint row = 0; row < rows; row++) {
                runs r = find_runs(&g, row, at, tx, ty, tz, others);
                add_run(&own, &from, r.begin[0], r.end[0], &c, &fn, &v, own_totals, &used);
                add_run(&own, &from, r.begin[1], r.end[1], &c, &fn, &v, own_totals, &used);
            }
            flush_owned(&own);
            own_totals[0] = acc_join(own_totals[0], own.sum[3]);
#if PARTIALS
            out[order[order_at + base + k] - base] =
                (real4)(acc_value(own.sum[0]), acc_value(own.sum[1]), acc_value(own.sum[2]),
                        acc_value(own.sum[3]));
#endif
        }
        flush_virial(&v, own_totals);
        used = 0;
    }
    for (uint k = 0; k < TOTALS; k++)
        totals[totals_at + get_group_id(0) * TOTALS + k] = own_totals[k];
}
