/* SPDX-License-Identifier: Apache-2.0 */
/* The sums over pairs of Steinhardt's order parameters. Every entry adds up its own pairs, so each
 * pair is computed twice, and no forces are stored.
 *
 * Entries are numbered by their places in the order of the cells. Let s be the switching
 * function of a pair, and R its vector of spherical harmonics. Each entry has the sums A = sum of
 * s R and S = sum of s. Let b be the derivative of the result by A, and -c its derivative by S.
 * Then the pair i, j adds
 *
 *     G = gradient of (s t R) + e (gradient of s),     t = b_i +- b_j,     e = -(c_i + c_j)
 *
 * to the derivative of j, and -G to that of i. The sign of b_j is that of R at the opposite vector.
 * With LOCAL, e also contains (w_i + w_j) n_i n_j, where n is A divided by its length, and w is the
 * weight of the entry divided by S. If the averages have a switching function of their own, S is
 * the sum of this function there, and a second program computes the part of G that has e.
 *
 * With PARTS, some entries have no sums, because they are only neighbours, and others are never
 * neighbours. The term b of an entry without sums is left out.
 *
 * Form: both.
 * Defines: DOUBLE (coordination/real.clh), PBC (coordination/image.clh), FORM, SQUARE, NN, SHIFTED,
 * CUTOFF, STRETCHED (coordination/switch/switch.clh), DEGREE
 * (coordination/steinhardt/harmonics.clh), LOCAL (averages over neighbours: shared/steinhardt.h),
 * PARTS (1: not all entries are centres and neighbours). Optional: CUSTOM
 * (coordination/switch/switch.clh); on GPUs WG and TEAM, the work-items of an entry; on CPUs
 * CPU_FORM (common/sweep.clh). */
#include "common/sweep.clh"
#ifndef CPU_FORM
#include "common/width.clh"
#define GROUPED REQUIRED_SIZE
#else
#define GROUPED
#endif
#include "coordination/arrays.clh"
#include "coordination/steinhardt/harmonics.clh"
#include "coordination/steinhardt/walk.clh"
#include "coordination/switch/switch.clh"

#define VIRIAL_SUMS MOTE_STEINHARDT_VIRIAL
#define SUMS        (3 + VIRIAL_SUMS) /* of a derivative and of the virial */
#define SEPARATE    (LOCAL == MOTE_STEINHARDT_OF_AVERAGES)
#define AVERAGED    (SEPARATE ? PITCH : SIZE) /* numbers of a sum over neighbours */

#define STEINHARDT_PARAMETERS SEARCH_PARAMETERS, mote_steinhardt_params order
#define STEINHARDT_MAKE                                                                            \
    SEARCH_MAKE;                                                                                   \
    const function fn = function_of(&order.function)

/* Returns whether the entry at a place is a neighbour of others. */
inline bool is_neighbour(const search *s, const mote_steinhardt_params *order, uint place)
{
#if PARTS
    return number_of(s->sorted[place]) >= order->first;
#else
    return true;
#endif
}

#if !SEPARATE
/* Computes A, without the factors of the harmonics, and S. */
inline void sum_moments(const search *s, const mote_steinhardt_params *order, const function *fn,
                        walk *w, real *sums)
{
    real3 d;
    real square, f, g;
    uint j;
#pragma unroll
    for (uint k = 0; k < PITCH; k++)
        sums[k] = 0;
#if PARTS
    if (w->a.i >= order->centres)
        return;
#endif
    while (walk_next(s, order, w, &d, &square, &j)) {
        if (!switch_at(square, fn, &f, &g) || !is_neighbour(s, order, j))
            continue;
        add_harmonics(sums, f, d * RSQRT(square));
        sums[SIZE] += f;
    }
}
#endif

/* Computes the sum of s times the last number of each neighbour times its vector. If SEPARATE, the
 * sum of s follows. */
inline void sum_vectors(const search *s, const mote_steinhardt_params *order, const function *fn,
                        walk *w, const __global real *from, real *sums)
{
    real3 d;
    real square, f, g;
    uint j;
#pragma unroll
    for (uint k = 0; k < AVERAGED; k++)
        sums[k] = 0;
    while (walk_next(s, order, w, &d, &square, &j)) {
        if (!switch_at(square, fn, &f, &g))
            continue;
        const __global real *v = from + PITCH * (ulong)j;
#if SEPARATE
        sums[SIZE] += f;
#endif
        f *= v[SIZE];
#pragma unroll
        for (uint k = 0; k < SIZE; k++)
            sums[k] = fma(f, v[k], sums[k]);
    }
}

/* Computes the derivative with respect to the position of the entry, and its part of the virial, of
 * which the host adds one half. `back` has b and c of each entry, `units` n and w. */
inline void sum_derivatives(const search *s, const mote_steinhardt_params *order,
                            const function *fn, real slope, walk *w, uint place,
                            const __global real *back, const __global real *units, real *sums)
{
    const __global real *own = back + PITCH * (ulong)place;
    real3 d, gradient;
    real square, f, g;
    uint j;
#pragma unroll
    for (uint k = 0; k < SUMS; k++)
        sums[k] = 0;
    while (walk_next(s, order, w, &d, &square, &j)) {
        if (!switch_at(square, fn, &f, &g))
            continue;
        const __global real *other = back + PITCH * (ulong)j;
        real e = 0;
#if LOCAL != MOTE_STEINHARDT_OF_COMPONENTS
        e -= is_neighbour(s, order, j) ? own[SIZE] : 0;
        e -= is_neighbour(s, order, place) ? other[SIZE] : 0;
#endif
#if LOCAL == MOTE_STEINHARDT_ONE_FUNCTION || SEPARATE
        const __global real *n_i = units + PITCH * (ulong)place, *n_j = units + PITCH * (ulong)j;
        real product = 0;
#pragma unroll
        for (uint k = 0; k < SIZE; k++)
            product = fma(n_i[k], n_j[k], product);
        e = fma(n_i[SIZE] + n_j[SIZE], product, e);
#endif
#if SEPARATE
        const real3 force = d * (g * slope * e);
#else
        const real inverse = RSQRT(square);
        const real3 unit = d * inverse;
        real t[SIZE];
#pragma unroll
        for (uint k = 0; k < SIZE; k++) {
            const real from_j = is_neighbour(s, order, place) ? other[k] : 0;
            t[k] = is_neighbour(s, order, j) ? own[k] : 0;
            t[k] += DEGREE % 2 ? -from_j : from_j;
        }
        e += slope_of_harmonics(t, unit, &gradient);
        gradient -= unit * (unit.x * gradient.x + unit.y * gradient.y + unit.z * gradient.z);
        const real3 force = d * (g * slope * e) + gradient * (f * inverse);
#endif
        sums[0] -= force.x;
        sums[1] -= force.y;
        sums[2] -= force.z;
        sums[3] = fma(d.x, force.x, sums[3]);
        sums[4] = fma(d.x, force.y, sums[4]);
        sums[5] = fma(d.x, force.z, sums[5]);
        sums[6] = fma(d.y, force.y, sums[6]);
        sums[7] = fma(d.y, force.z, sums[7]);
        sums[8] = fma(d.z, force.z, sums[8]);
    }
}

#if !SEPARATE
/* Writes the sums A and S of each entry. The vectors of A do not contain the constant factors of
 * the spherical harmonics yet. */
__kernel GROUPED void steinhardt_moments(STEINHARDT_PARAMETERS, __global real *out, ulong out_at)
{
    STEINHARDT_MAKE;
    real own[PITCH];
    out += out_at;
#ifdef CPU_FORM
    for (sweep at = sweep_of(p.n); at.at < at.end; at.at += at.step) {
        walk w = walk_of(&s, &order, (uint)at.at, 0, 1);
        sum_moments(&s, &order, &fn, &w, own);
#pragma unroll
        for (uint k = 0; k < PITCH; k++)
            out[PITCH * at.at + k] = own[k];
    }
#else
    __local real columns[PITCH * WG];
    const member m = member_of(p.n);
    if (m.works) {
        walk w = walk_of(&s, &order, m.place, m.lane, TEAM);
        sum_moments(&s, &order, &fn, &w, own);
#pragma unroll
        for (uint k = 0; k < PITCH; k++)
            columns[k * WG + m.lid] = own[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = m.lane; m.works && k < PITCH; k += TEAM)
        out[PITCH * (ulong)m.place + k] = team_sum(columns, &m, k);
#endif
}

#endif

#if LOCAL == MOTE_STEINHARDT_ONE_FUNCTION || SEPARATE
/* Writes the weighted sum of the neighbours' vectors of each entry. Number SIZE of each vector is
 * left as it is. If SEPARATE, the sums of s are also written, unless `ends` is 0. */
__kernel GROUPED void steinhardt_average(STEINHARDT_PARAMETERS, const __global real *units,
                                         ulong units_at, __global real *out, ulong out_at,
                                         __global real *ends, ulong ends_at)
{
    STEINHARDT_MAKE;
    real own[AVERAGED];
    units += units_at;
    out += out_at;
#ifdef CPU_FORM
    for (sweep at = sweep_of(p.n); at.at < at.end; at.at += at.step) {
        walk w = walk_of(&s, &order, (uint)at.at, 0, 1);
        sum_vectors(&s, &order, &fn, &w, units, own);
#pragma unroll
        for (uint k = 0; k < SIZE; k++)
            out[PITCH * at.at + k] = own[k];
        if (SEPARATE && ends)
            ends[ends_at + at.at] = own[AVERAGED - 1];
    }
#else
    __local real columns[AVERAGED * WG];
    const member m = member_of(p.n);
    if (m.works) {
        walk w = walk_of(&s, &order, m.place, m.lane, TEAM);
        sum_vectors(&s, &order, &fn, &w, units, own);
#pragma unroll
        for (uint k = 0; k < AVERAGED; k++)
            columns[k * WG + m.lid] = own[k];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = m.lane; m.works && k < SIZE; k += TEAM)
        out[PITCH * (ulong)m.place + k] = team_sum(columns, &m, k);
    if (SEPARATE && ends && m.works && m.lane == 0)
        ends[ends_at + m.place] = team_sum(columns, &m, AVERAGED - 1);
#endif
}
#endif

/* Writes the derivatives, unless `derivatives` is 0, and the part of each group of the virial.
 * `added` has a part of the derivatives; 0: there is none. */
__kernel GROUPED void steinhardt_derivatives(STEINHARDT_PARAMETERS, const __global real *back,
                                             ulong back_at, const __global real *units,
                                             ulong units_at, __global float *derivatives,
                                             ulong derivatives_at, const __global real *added,
                                             ulong added_at, __global real *partial,
                                             ulong partial_at)
{
    STEINHARDT_MAKE;
    const real slope = REAL_OF(order.slope);
    const bool wide = order.flags & MOTE_STEINHARDT_WIDE_DERIVATIVES;
    real own[SUMS];
    back += back_at;
    units += units_at;
    partial += partial_at + VIRIAL_SUMS * get_group_id(0);
#ifdef CPU_FORM
    real total[VIRIAL_SUMS] = {0};
    for (sweep at = sweep_of(p.n); at.at < at.end; at.at += at.step) {
        walk w = walk_of(&s, &order, (uint)at.at, 0, 1);
        sum_derivatives(&s, &order, &fn, slope, &w, (uint)at.at, back, units, own);
        for (uint k = 0; derivatives && k < 3; k++)
            real_write(derivatives, derivatives_at + 3 * (ulong)w.a.i + k, wide,
                       added ? own[k] + added[added_at + 3 * (ulong)w.a.i + k] : own[k]);
#pragma unroll
        for (uint k = 0; k < VIRIAL_SUMS; k++)
            total[k] += own[3 + k];
    }
#pragma unroll
    for (uint k = 0; k < VIRIAL_SUMS; k++)
        partial[k] = total[k];
#else
    __local real columns[SUMS * WG];
    const member m = member_of(p.n);
#pragma unroll
    for (uint k = 0; k < SUMS; k++)
        own[k] = 0;
    uint i = 0;
    if (m.works) {
        walk w = walk_of(&s, &order, m.place, m.lane, TEAM);
        sum_derivatives(&s, &order, &fn, slope, &w, m.place, back, units, own);
        i = w.a.i;
    }
#pragma unroll
    for (uint k = 0; k < SUMS; k++)
        columns[k * WG + m.lid] = own[k];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = m.lane; derivatives && m.works && k < 3; k += TEAM)
        real_write(derivatives, derivatives_at + 3 * (ulong)i + k, wide,
                   team_sum(columns, &m, k) + (added ? added[added_at + 3 * (ulong)i + k] : 0));
    for (uint k = m.lid; k < VIRIAL_SUMS; k += WG) {
        real sum = 0;
        for (uint item = 0; item < WG; item++)
            sum += columns[(3 + k) * WG + item];
        partial[k] = sum;
    }
#endif
}
