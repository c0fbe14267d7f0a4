/* SPDX-License-Identifier: Apache-2.0 */
/* All pairs for CPUs, each evaluated once: LANES entries of one list against OWN of the other at a
 * time.
 *
 * The first list's entries are processed in groups of OWN, the second's in strips of STRIP. A frame
 * has p.groups work-items; each processes every p.groups-th of all pairs of strip and group, in the
 * order of the strips. Sums are accumulated in reals while a work-item stays in a strip, for at
 * most GROUPS groups, and are then added in acc to the work-item's own four planes of `partial`: x,
 * y, z and s of all entries. Coordinates come from coordination/entries/entries.cl.
 *
 * Form: CPU.
 * Defines: LANES (16, or 8 with DOUBLE), OWN (divides LANES), STRIP (a multiple of LANES),
 * SWAPPED (1: list B comes first), SKIP (1: vectors of pairs all beyond a finite d_max are
 * branched around), DOUBLE (coordination/real.clh), PBC (coordination/image.clh), FORM,
 * SQUARE, NN, SHIFTED, CUTOFF, STRETCHED (coordination/switch/switch.clh), FORCES, VIRIAL, NUMBERS
 * (coordination/sums/totals.clh).
 * Optional: CUSTOM (coordination/switch/switch.clh), WEIGHTED (coordination/sums/totals.clh). */
#include "coordination/image.clh"
#include "coordination/sums/lanes_cpu.clh"
#include "coordination/switch/switch.clh"

#define GROUPS 512

/* One list in the planes of coordinates. */
typedef struct list {
    const __global coord *x, *y, *z, *atom;
    __global acc *fx, *fy, *fz, *s;
#if defined(WEIGHTED)
    const __global real *weight;
#endif
    uint count;
} list;

/* Sums of the entries of a group, distributed over the lanes. */
typedef struct owned {
    VEC fx[OWN], fy[OWN], fz[OWN], s[OWN];
} owned;

/* Sums of LANES entries of a strip. */
typedef struct share {
    VEC fx, fy, fz, s;
} share;

/* Sums over all entries of the strip, and of the groups: s and the virial. */
typedef struct strip {
    VEC fx[STRIP / LANES], fy[STRIP / LANES], fz[STRIP / LANES], s[STRIP / LANES];
    VEC all_s;
    virial all;
} strip;

/* Finds which pairs of i and the LANES entries from j on count. Pairs of an atom with itself, pairs
 * with padding entries and, in one list, pairs with j <= i do not. */
inline IVEC find_counting(const list *first, uint i, const list *second, uint j, bool one_list)
{
    IVEC place = JOIN(COUNT_, LANES) + (IVEC)((imask)j);
    IVEC atoms = *(const __global IVEC *)(second->atom + j);
    IVEC counts = atoms != (IVEC)(*(const __global imask *)(first->atom + i));
    counts &= place < (IVEC)((imask)(i < first->count ? second->count : 0));
    return one_list ? counts & (place > (IVEC)((imask)i)) : counts;
}

/* Evaluates entry i, number k of its group, with the LANES entries from j on at x, y, z. `masked`:
 * some of the pairs do not count. The sums of the strip's entries are added to `share`. */
inline void add_entry(const list *first, uint i, uint k, const list *second, uint j, COORDV x,
                      COORDV y, COORDV z, bool masked, bool one_list, const cell *c,
                      const function *fn, owned *own, share *out, virial *v)
{
    VEC dx, dy, dz, s, g;
    VEC square = nearest_image((COORDV)(first->x[i + k]), (COORDV)(first->y[i + k]),
                               (COORDV)(first->z[i + k]), x, y, z, c, &dx, &dy, &dz);
#if SKIP
    if (!lanes_any(square <= (VEC)(fn->d_max_2)))
        return;
#endif
    IVEC counts = switch_at(square, fn, &s, &g);
#if defined(WEIGHTED)
    VEC weight = (VEC)(first->weight[i + k]) + *(const __global VEC *)(second->weight + j);
    s *= weight;
    g *= weight;
#endif
    if (masked) {
        counts &= find_counting(first, i + k, second, j, one_list);
        g = counts ? g : (VEC)(0);
    }
    own->s[k] = counts ? own->s[k] + s : own->s[k];
    out->s = counts ? out->s + s : out->s;
    VEC gx = g * dx, gy = g * dy, gz = g * dz;
    own->fx[k] += gx;
    own->fy[k] += gy;
    own->fz[k] += gz;
    out->fx -= gx;
    out->fy -= gy;
    out->fz -= gz;
#if VIRIAL
    v->xx = fma(gx, dx, v->xx);
    v->xy = fma(gx, dy, v->xy);
    v->xz = fma(gx, dz, v->xz);
    v->yy = fma(gy, dy, v->yy);
    v->yz = fma(gy, dz, v->yz);
    v->zz = fma(gz, dz, v->zz);
#endif
}

/* Evaluates the group at i with the LANES entries from j on, at `at` in the strip. A loop would
 * keep its sums in memory.
 */
inline void add_vector(const list *first, uint i, const list *second, uint j, bool masked,
                       bool one_list, const cell *c, const function *fn, owned *own, strip *sums,
                       uint at, virial *v)
{
    COORDV x = *(const __global COORDV *)(second->x + j);
    COORDV y = *(const __global COORDV *)(second->y + j);
    COORDV z = *(const __global COORDV *)(second->z + j);
    share out;
#if FORCES
    out.fx = sums->fx[at];
    out.fy = sums->fy[at];
    out.fz = sums->fz[at];
#endif
#if NUMBERS
    out.s = sums->s[at];
#endif
    add_entry(first, i, 0, second, j, x, y, z, masked, one_list, c, fn, own, &out, v);
#if OWN > 1
    add_entry(first, i, 1, second, j, x, y, z, masked, one_list, c, fn, own, &out, v);
#endif
#if OWN > 2
    add_entry(first, i, 2, second, j, x, y, z, masked, one_list, c, fn, own, &out, v);
    add_entry(first, i, 3, second, j, x, y, z, masked, one_list, c, fn, own, &out, v);
#endif
#if FORCES
    sums->fx[at] = out.fx;
    sums->fy[at] = out.fy;
    sums->fz[at] = out.fz;
#endif
#if NUMBERS
    sums->s[at] = out.s;
#endif
}

/* Adds the lanes of v to LANES sums. */
inline void flush_vector(__global acc *to, VEC v)
{
#if defined(MOTE_FP64) && DOUBLE
    *(__global VEC *)to += v;
#elif defined(MOTE_FP64)
    *(__global JOIN(double, LANES) *)to += JOIN(convert_double, LANES)(v);
#else
    real lanes[LANES];
    JOIN(vstore, LANES)(v, 0, lanes);
    for (uint k = 0; k < LANES; k++)
        to[k] = acc_plus(to[k], lanes[k]);
#endif
}

inline void flush_strip(const list *l, uint begin, strip *sums, acc *totals)
{
#if PARTIALS
    for (uint k = 0; k < STRIP / LANES && begin + k * LANES < l->count; k++) {
        flush_vector(l->fx + begin + k * LANES, sums->fx[k]);
        flush_vector(l->fy + begin + k * LANES, sums->fy[k]);
        flush_vector(l->fz + begin + k * LANES, sums->fz[k]);
        flush_vector(l->s + begin + k * LANES, sums->s[k]);
        sums->fx[k] = sums->fy[k] = sums->fz[k] = sums->s[k] = (VEC)(0);
    }
#endif
    totals[0] = acc_plus(totals[0], lanes_sum(sums->all_s));
    sums->all_s = (VEC)(0);
    flush_virial(&sums->all, totals);
}

inline void flush_group(const list *l, uint i, const owned *own, const virial *v, strip *sums)
{
    VEC s = own->s[0];
    for (uint k = 1; k < OWN; k++)
        s += own->s[k];
    sums->all_s += s;
    for (uint k = 0; k < OWN; k++) {
#if FORCES
        l->fx[i + k] = acc_plus(l->fx[i + k], lanes_sum(own->fx[k]));
        l->fy[i + k] = acc_plus(l->fy[i + k], lanes_sum(own->fy[k]));
        l->fz[i + k] = acc_plus(l->fz[i + k], lanes_sum(own->fz[k]));
#endif
#if NUMBERS
        l->s[i + k] = acc_plus(l->s[i + k], lanes_sum(own->s[k]));
#endif
    }
#if VIRIAL
    sums->all.xx += v->xx;
    sums->all.xy += v->xy;
    sums->all.xz += v->xz;
    sums->all.yy += v->yy;
    sums->all.yz += v->yz;
    sums->all.zz += v->zz;
#endif
}

/* Evaluates the group at i with the strip from `begin` to `end`. */
inline void add_group(const list *first, uint i, const list *second, uint begin, uint end,
                      bool one_list, bool repeated, const cell *c, const function *fn, strip *sums)
{
    owned own;
    virial v;
    v.xx = v.xy = v.xz = v.yy = v.yz = v.zz = (VEC)(0);
    for (uint k = 0; k < OWN; k++)
        own.fx[k] = own.fy[k] = own.fz[k] = own.s[k] = (VEC)(0);
    bool some = repeated || i + OWN > first->count;
    uint j = one_list ? max(begin, i / LANES * LANES) : begin;
    uint whole = second->count / LANES * LANES;
    whole = some ? j : min(whole, end);
    if (one_list && !some && j <= i) {
        add_vector(first, i, second, j, true, one_list, c, fn, &own, sums, (j - begin) / LANES, &v);
        j += LANES;
    }
    for (; j < whole; j += LANES)
        add_vector(first, i, second, j, false, one_list, c, fn, &own, sums, (j - begin) / LANES,
                   &v);
    for (; j < end; j += LANES)
        add_vector(first, i, second, j, true, one_list, c, fn, &own, sums, (j - begin) / LANES, &v);
    flush_group(first, i, &own, &v, sums);
}

inline list list_of(const mote_coordination_params *p, bool b, const __global coord *loaded,
                    __global acc *partial, const __global real *weights)
{
    list l;
    ulong skip = b ? p->skip : 0, plane = p->plane;
    l.x = loaded + skip;
    l.y = l.x + plane;
    l.z = l.y + plane;
    l.atom = l.z + plane;
    l.fx = partial + skip;
    l.fy = l.fx + plane;
    l.fz = l.fy + plane;
    l.s = l.fz + plane;
#if defined(WEIGHTED)
    l.weight = weights + skip;
#endif
    l.count = b ? p->n_b : p->n_a;
    return l;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void all_pairs_cpu(
    mote_coordination_params p, mote_coordination_frame given, const __global uint *frames,
    ulong frames_at, const __global coord *loaded, ulong loaded_at, __global acc *partial,
    ulong partial_at, __global acc *totals, ulong totals_at WEIGHTS_ARGUMENT)
{
    ulong number = get_group_id(0) / p.groups, item = get_group_id(0) % p.groups;
    mote_coordination_frame frame = given;
    if (PBC != MOTE_COORDINATION_NONE && !(p.flags & MOTE_COORDINATION_IS_GIVEN))
        frame = FRAMES(frames, frames_at)[p.first_frame + number];
    cell c = cell_of(&frame, &p);
    function fn = function_of(&p);
    bool one_list = !(p.flags & MOTE_COORDINATION_IS_TWO_LISTS);
    bool repeated = p.flags & MOTE_COORDINATION_IS_REPEATED;
    loaded += loaded_at + 4 * (ulong)p.plane * number;
    partial += partial_at + 4 * (ulong)p.plane * get_group_id(0);
    const __global real *entry_weights = WEIGHTS_FROM((ulong)p.plane * number);
    list a = list_of(&p, false, loaded, partial, entry_weights);
    list b = list_of(&p, true, loaded, partial, entry_weights);
    list first = SWAPPED ? b : a, second = one_list || SWAPPED ? a : b;
    strip sums;
    acc own_totals[TOTALS];
    for (uint k = 0; k < TOTALS; k++)
        own_totals[k] = ACC_ZERO;
    for (uint k = 0; k < STRIP / LANES; k++)
        sums.fx[k] = sums.fy[k] = sums.fz[k] = sums.s[k] = (VEC)(0);
    sums.all_s = (VEC)(0);
    sums.all.xx = sums.all.xy = sums.all.xz = sums.all.yy = sums.all.yz = sums.all.zz = (VEC)(0);
#if PARTIALS
    for (ulong k = 0; k < 4 * (ulong)p.plane; k++)
        partial[k] = ACC_ZERO;
#endif
    uint groups = (first.count + OWN - 1) / OWN;
    ulong before = 0; /* number of pairs of strip and group */
    for (uint begin = 0; begin < second.count; begin += STRIP) {
        uint end = min(begin + STRIP, second.count), last = groups, done = 0;
        if (one_list)
            last = (end + OWN - 1) / OWN;
        for (ulong g = (item + p.groups - before % p.groups) % p.groups; g < last; g += p.groups) {
            add_group(&first, (uint)g * OWN, &second, begin, end, one_list, repeated, &c, &fn,
                      &sums);
            if (++done % GROUPS == 0)
                flush_strip(&second, begin, &sums, own_totals);
        }
        flush_strip(&second, begin, &sums, own_totals);
        before += last;
    }
    for (uint k = 0; k < TOTALS; k++)
        totals[totals_at + get_group_id(0) * TOTALS + k] = own_totals[k];
}
