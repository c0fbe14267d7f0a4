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
#include "coordination/cells.clh"
#include "coordination/lanes_sums.clh"
#include "coordination/switch.clh"

#define CHUNK   64
#define VECTORS 512

#define ROWS_AT_ONCE 16
#define MOST_ROWS    96 /* that the host's shape of cells allows, in whole vectors */

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

/* Which rows of cells are looked at: the first by each entry's own and `reach`. */
typedef struct table {
    int y[MOST_ROWS], z[MOST_ROWS];
} table;

/* Runs of entries, and how many there are. */
typedef struct list {
    uint begin[2 * MOST_ROWS], end[2 * MOST_ROWS], count;
} list;

inline void make_table(table *rows, const grid *g)
{
    for (uint k = 0; k < MOST_ROWS; k++) {
        rows->y[k] = (int)(k % g->rows[0]) - (int)g->reach[0];
        rows->z[k] = (int)(k / g->rows[0]) - (int)g->reach[1];
    }
}

/* find_row() of cells.clh for ROWS_AT_ONCE; those that are none become less than 0. */
inline int16 find_rows(const grid *g, uint axis, int16 offset, uint at, real t, float16 *gap)
{
    int16 n = (int16)((int)g->n[axis]), place = offset + (int)(g->reach[axis - 1] ? at : 0);
    float16 low = convert_float16(place), own = (float16)((float)t);
    float16 beyond = fmax(low - own, own - (low + 1.0f)) - (float)SLACK;
    *gap = fmax(beyond, (float16)(0.0f)) * (float)g->edge[axis - 1];
#if PBC == MOTE_COORDINATION_NONE
    return place < n ? place : (int16)(-1);
#else
    place += place < (int16)(0) ? n : (int16)(0);
    return place - (place >= n ? n : (int16)(0));
#endif
}

inline void add_to_list(list *l, const __global uint *starts, int from, int to)
{
    l->begin[l->count] = starts[from];
    l->end[l->count] = starts[to];
    l->count += l->begin[l->count] < l->end[l->count] ? 1 : 0;
}

/* find_runs() of cells.clh for ROWS_AT_ONCE rows from `first` on. */
inline void list_runs(const grid *g, const table *rows, uint first, uint last, uint3 at, real tx,
                      real ty, real tz, const __global uint *starts, list *l)
{
    float16 gap_y, gap_z;
    int cells = (int)g->n[0], low[ROWS_AT_ONCE], high[ROWS_AT_ONCE], from[ROWS_AT_ONCE];
    int16 y = find_rows(g, 1, vload16(0, rows->y + first), at.y, ty, &gap_y);
    int16 z = find_rows(g, 2, vload16(0, rows->z + first), at.z, tz, &gap_z);
    float16 left = (float16)(1.0f) - gap_y * gap_y - gap_z * gap_z;
    int16 none = left < (float16)(0.0f) | y < (int16)(0) | z < (int16)(0);
    float16 reach = sqrt(fmax(left, (float16)(0.0f))) * (float)g->width + (float)SLACK;
    float16 x_low = floor((float16)((float)tx) - reach), x_high = floor((float16)((float)tx) + reach);
    float16 most = (float16)((float)(cells - 1));
#if PBC == MOTE_COORDINATION_NONE
    x_low = fmax(x_low, (float16)(0.0f));
    x_high = fmin(x_high, most);
#else
    int16 all = x_high - x_low >= most;
    x_low = all ? (float16)(0.0f) : x_low;
    x_high = all ? most : x_high;
#endif
    vstore16(convert_int16(x_low), 0, low);
    vstore16(convert_int16(x_high), 0, high);
    vstore16(none ? (int16)(-1) : (z * (int)g->n[1] + y) * cells, 0, from);
    for (uint k = 0; k < last - first; k++)
        if (from[k] >= 0) {
            int before = low[k] < 0 ? cells : 0, after = high[k] >= cells ? cells : 0;
            int split = before || after;
            add_to_list(l, starts, from[k] + low[k] + before,
                        from[k] + (split ? cells : high[k] + 1));
            if (split)
                add_to_list(l, starts, from[k], from[k] + high[k] - after + 1);
        }
}

/* All runs of the list. *used vectors have been added since the last flush. The loop's sums are its
 * own, so that they stay in registers. */
inline void add_list(owned *own, const planes *from, const list *l, const cell *c,
                     const function *fn, virial *v, acc *totals, uint *used)
{
    owned here = *own;
    virial w = *v;
    for (uint k = 0; k < l->count; k++) {
        uint first = l->begin[k], end = l->end[k];
        while (first < end) {
            uint last = end - first > VECTORS * LANES ? first + VECTORS * LANES : end;
            for (uint j = first; j < last; j += LANES)
                add_vector(&here, from, j, last, c, fn, &w);
            *used += (last - first) / LANES + 1;
            if (*used > VECTORS) {
                *own = here;
                *v = w;
                flush_owned(own);
                flush_virial(v, totals);
                here = *own;
                w = *v;
                *used = 0;
            }
            first = last;
        }
    }
    *own = here;
    *v = w;
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
    table looked;
    list found;
    make_table(&looked, &g);
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
            found.count = 0;
            for (uint row = 0; row < rows; row += ROWS_AT_ONCE)
                list_runs(&g, &looked, row, min(row + ROWS_AT_ONCE, rows), at, tx, ty, tz, others,
                          &found);
            add_list(&own, &from, &found, &c, &fn, &v, own_totals, &used);
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
