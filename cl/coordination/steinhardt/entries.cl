/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of Steinhardt's order parameters that process each entry alone, and the final sums.
 * coordination/steinhardt/pairs.cl explains the letters.
 *
 * `sums` has A and S of each entry, and `back` b and c; both can be one array. With LOCAL, `units`
 * has n and 1, then n and w; `means` has the sum of the neighbours' n, and the length of A; `ends`
 * has S of the averages, if their switching function differs.
 *
 * Form: both.
 * Defines: WG, DOUBLE (coordination/real.clh), DEGREE (coordination/steinhardt/harmonics.clh),
 * LOCAL (not 0: averages over neighbours), TERM (what is added up: shared/steinhardt.h). Optional:
 * CPU_FORM (on CPUs: common/sweep.clh), and for a switching function PBC (coordination/image.clh),
 * FORM, SQUARE, NN, SHIFTED, CUTOFF, STRETCHED, CUSTOM (coordination/switch/switch.clh). */
#include "common/sweep.clh"
#include "coordination/arrays.clh"
#include "coordination/steinhardt/harmonics.clh"
#include "shared/steinhardt.h"
#if TERM >= MOTE_STEINHARDT_LESS
#include "coordination/switch/switch.clh"
#endif

#define VIRIAL_SUMS MOTE_STEINHARDT_VIRIAL
#define LEAST_SUM   NUMBER(1e-30) /* a smaller |S| is that of an entry without neighbours */
#if DOUBLE
#define LEAST_NORM 1e-12 /* a smaller order parameter is a rounding error */
#else
#define LEAST_NORM 1e-6f
#endif
#define INVERSE_SQRT_2 NUMBER(0.7071067811865475)

inline uint entry_at(const __global real4 *sorted, ulong place, uint n)
{
#if DOUBLE
    return min((uint)as_ulong(sorted[place].w), n - 1);
#else
    return min(as_uint(sorted[place].w), n - 1);
#endif
}

/* Returns what an entry with this order parameter adds to the value, and sets its slope. */
inline real term_of(const mote_steinhardt_params *p, real weight, real value, real *slope)
{
    weight *= REAL_OF(p->scale);
#if TERM >= MOTE_STEINHARDT_LESS
    const function fn = function_of(&p->function);
    const real x = fmax(value, (real)0), side = TERM == MOTE_STEINHARDT_LESS ? weight : -weight;
    real s, g;
    const bool inside = switch_at(x * x, &fn, &s, &g);
    *slope = inside ? side * g * REAL_OF(p->slope) * x : 0;
    s = inside ? s : 0;
    return weight * (TERM == MOTE_STEINHARDT_LESS ? s : 1 - s);
#else
    *slope = weight;
    return weight * value;
#endif
}

/* Returns the sum of the values of a group, in a fixed order. Every work-item of the group must
 * call this function. */
inline real group_sum(real own, __local real *shared)
{
    const uint lid = get_local_id(0);
    shared[lid] = own;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint left = WG; left > 1;) {
        const uint next = (left + 1) / 2;
        if (lid + next < left)
            shared[lid] += shared[lid + next];
        left = next;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    const real sum = shared[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return sum;
}

inline void write_sum(real own, __local real *shared, __global real *out)
{
    const real sum = group_sum(own, shared);
    if (get_local_id(0) == 0)
        *out = sum;
}

/* Returns the weight of an entry, which is 0 for those without an order parameter. */
inline real weight_of(const mote_steinhardt_params *p, const __global float *weights, ulong at,
                      uint i)
{
    if (i >= p->centres)
        return 0;
    return weights ? real_read(weights, at + i, p->flags & MOTE_STEINHARDT_WIDE_WEIGHTS) : 1;
}

/* Writes the vector A / S of an entry as complex numbers, from m = -l to l. */
inline void write_components(__global float *out, ulong at, bool wide, const real *a)
{
    at += 2 * DEGREE;
    real_write(out, at, wide, a[0]);
    real_write(out, at + 1, wide, 0);
    for (uint m = 1; m <= DEGREE; m++) {
        const real c = INVERSE_SQRT_2 * a[2 * m - 1], e = INVERSE_SQRT_2 * a[2 * m];
        real_write(out, at - 2 * m, wide, c);
        real_write(out, at - 2 * m + 1, wide, -e);
        real_write(out, at + 2 * m, wide, m % 2 ? -c : c);
        real_write(out, at + 2 * m + 1, wide, m % 2 ? -e : e);
    }
}

/* Computes from A and S of an entry: b and c, or with LOCAL n and the length of A. Returns what the
 * entry adds to the value. */
inline real finish_moments(const mote_steinhardt_params *p, ulong k, uint i,
                           const __global real *sums, __global real *back, __global real *units,
                           __global real *means, real weight, __global float *order, ulong order_at,
                           __global float *components, ulong components_at, __global real *kept)
{
    const real sum = sums[PITCH * k + SIZE];
    const real inverse = fabs(sum) >= LEAST_SUM ? 1 / sum : 0;
    real a[SIZE], norm = 0;
    for (uint m = 0; m < SIZE; m++) {
        a[m] = factor_of(m) * sums[PITCH * k + m] * inverse;
        norm += a[m] * a[m];
    }
    norm = sqrt(norm);
    if (components)
        write_components(components, components_at + 2 * SIZE * (ulong)i,
                         p->flags & MOTE_STEINHARDT_WIDE_COMPONENTS, a);
    const real into = norm >= LEAST_NORM ? 1 / norm : 0;
#if LOCAL
    for (uint m = 0; m < SIZE; m++)
        units[PITCH * k + m] = sum < 0 ? -a[m] * into : a[m] * into;
    units[PITCH * k + SIZE] = 1;
    means[PITCH * k + SIZE] = into > 0 ? norm * fabs(sum) : 0;
    return 0;
#else
    const real value = sum < 0 ? -norm : norm;
    real slope;
    const real term = term_of(p, weight, value, &slope);
    if (order)
        real_write(order, order_at + i, p->flags & MOTE_STEINHARDT_WIDE_ORDER, value);
    if (kept)
        kept[i] = value;
    for (uint m = 0; m < SIZE; m++)
        back[PITCH * k + m] = factor_of(m) * slope * a[m] * into * fabs(inverse);
    back[PITCH * k + SIZE] = slope * value * inverse;
    return term;
#endif
}

/* Computes the order parameters, their components and their sum from the sums over pairs. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void steinhardt_order(
    mote_steinhardt_params p, const __global real *sorted, ulong sorted_at,
    const __global real *sums, ulong sums_at, __global real *back, ulong back_at,
    __global real *units, ulong units_at, __global real *means, ulong means_at,
    const __global float *weights, ulong weights_at, __global float *order, ulong order_at,
    __global float *components, ulong components_at, __global real *kept, ulong kept_at,
    __global real *partial, ulong partial_at)
{
    __local real shared[WG];
    real total = 0;
    for (sweep at = sweep_of(p.n); at.at < at.end; at.at += at.step) {
        const uint i = entry_at(REALS4(sorted, sorted_at), at.at, p.n);
        const real weight = weight_of(&p, weights, weights_at, i);
        total += finish_moments(&p, at.at, i, sums + sums_at, back + back_at, units + units_at,
                                means + means_at, weight, order, order_at, components,
                                components_at, kept ? kept + kept_at : 0);
    }
    write_sum(total, shared, partial + partial_at + get_group_id(0));
}

#if LOCAL
/* Returns the local average of an entry. */
inline real average_of(ulong k, const __global real *sums, const __global real *ends,
                       const __global real *units, const __global real *means, real *inverse)
{
    const real sum = ends ? ends[k] : sums[PITCH * k + SIZE];
    real product = 0;
    for (uint m = 0; m < SIZE; m++)
        product += units[PITCH * k + m] * means[PITCH * k + m];
    *inverse = fabs(sum) >= LEAST_SUM ? 1 / sum : 0;
    return product * *inverse;
}

/* Computes the local averages and their sum, and replaces the last number of `units` by w. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void steinhardt_local(
    mote_steinhardt_params p, const __global real *sorted, ulong sorted_at,
    const __global real *sums, ulong sums_at, const __global real *ends, ulong ends_at,
    __global real *units, ulong units_at, const __global real *means, ulong means_at,
    const __global float *weights, ulong weights_at, __global float *order, ulong order_at,
    __global real *kept, ulong kept_at, __global real *partial, ulong partial_at)
{
    __local real shared[WG];
    real total = 0;
    ends = ends ? ends + ends_at : 0;
    for (sweep at = sweep_of(p.n); at.at < at.end; at.at += at.step) {
        const uint i = entry_at(REALS4(sorted, sorted_at), at.at, p.n);
        const real weight = weight_of(&p, weights, weights_at, i);
        real inverse, slope;
        const real value =
            average_of(at.at, sums + sums_at, ends, units + units_at, means + means_at, &inverse);
        total += term_of(&p, weight, value, &slope);
        units[units_at + PITCH * at.at + SIZE] = slope * inverse;
        if (order)
            real_write(order, order_at + i, p.flags & MOTE_STEINHARDT_WIDE_ORDER, value);
        if (kept)
            kept[kept_at + i] = value;
    }
    write_sum(total, shared, partial + partial_at + get_group_id(0));
}

/* Computes b and c from the sum over neighbours of w n, which `back` contains. */
__kernel void steinhardt_project(mote_steinhardt_params p, const __global real *sums, ulong sums_at,
                                 const __global real *ends, ulong ends_at, __global real *back,
                                 ulong back_at, const __global real *units, ulong units_at,
                                 const __global real *means, ulong means_at)
{
    sums += sums_at;
    back += back_at;
    ends = ends ? ends + ends_at : 0;
    units += units_at;
    means += means_at;
    for (sweep at = sweep_of(p.n); at.at < at.end; at.at += at.step) {
        const ulong k = PITCH * at.at;
        const real w = units[k + SIZE], length = means[k + SIZE];
        const real into = length > 0 ? 1 / length : 0;
        real slope[SIZE], along = 0, inverse;
        const real value = average_of(at.at, sums, ends, units, means, &inverse);
        for (uint m = 0; m < SIZE; m++) {
            slope[m] = w * means[k + m] + back[k + m];
            along += slope[m] * units[k + m];
        }
        for (uint m = 0; m < SIZE; m++)
            back[k + m] = factor_of(m) * (slope[m] - along * units[k + m]) * into;
        back[k + SIZE] = w * value;
    }
}
#endif

inline real raised_to(real x, uint power)
{
    real y = 1;
    for (; power; power /= 2) {
        y = power % 2 ? y * x : y;
        x *= x;
    }
    return y;
}

/* Computes a central moment of the order parameters, which `kept` contains, and writes its
 * derivative by each of them to `slopes`. One group computes it: this takes little time compared
 * with the sums over pairs. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void steinhardt_moment(
    mote_steinhardt_params p, const __global real *kept, ulong kept_at,
    const __global float *weights, ulong weights_at, __global real *slopes, ulong slopes_at,
    uint power, __global float *value, ulong value_at)
{
    __local real shared[WG];
    const real inverse = p.centres ? (real)1 / (real)p.centres : 0;
    real own = 0, below = 0;
    kept += kept_at;
    slopes += slopes_at;
    for (uint i = get_local_id(0); i < p.centres; i += WG)
        own += kept[i];
    const real mean = group_sum(own, shared) * inverse;
    own = 0;
    for (uint i = get_local_id(0); i < p.centres; i += WG) {
        const real x = kept[i] - mean;
        const real y = weight_of(&p, weights, weights_at, i) * raised_to(x, power - 1);
        below += y;
        own = fma(y, x, own);
    }
    const real moment = group_sum(own, shared) * inverse;
    below = group_sum(below, shared) * inverse;
    for (uint i = get_local_id(0); i < p.n; i += WG) {
        const real weight = weight_of(&p, weights, weights_at, i);
        const real y = i < p.centres ? weight * raised_to(kept[i] - mean, power - 1) - below : 0;
        slopes[i] = (real)power * inverse * y;
    }
    if (value && get_local_id(0) == 0)
        real_write(value, value_at, p.flags & MOTE_STEINHARDT_WIDE_VALUE, moment);
}

/* Adds up every `step`-th of the partial sums. */
inline real sum_of(const __global real *partial, uint count, uint step)
{
    real sum = 0;
    for (uint k = get_local_id(0); k < count; k += WG)
        sum += partial[(ulong)step * k];
    return sum;
}

/* Writes the value, and the virial, from the partial sums of groups. Either may be absent. */
__kernel __attribute__((reqd_work_group_size(WG, 1, 1))) void steinhardt_finish(
    mote_steinhardt_params p, __global real *totals, ulong totals_at, const __global real *terms,
    ulong terms_at, uint term_groups, __global float *value, ulong value_at,
    const __global real *virials, ulong virials_at, uint virial_groups, __global float *virial,
    ulong virial_at)
{
    __local real shared[WG];
    const uint lid = get_local_id(0);
    totals += totals_at;
    write_sum(sum_of(terms + terms_at, term_groups, 1), shared, totals);
    for (uint k = 0; k < VIRIAL_SUMS; k++)
        write_sum(sum_of(virials + virials_at + k, virial_groups, VIRIAL_SUMS), shared,
                  totals + 1 + k);
    if (lid > 0)
        return;
    if (value)
        real_write(value, value_at, p.flags & MOTE_STEINHARDT_WIDE_VALUE, totals[0]);
    for (uint k = 0; virial && k < 9; k++) {
        const uint row = min(k / 3, k % 3), column = max(k / 3, k % 3);
        const uint at = row == 0 ? column : row + column + 1;
        real_write(virial, virial_at + k, p.flags & MOTE_STEINHARDT_WIDE_VIRIAL,
                   -(real)0.5f * totals[1 + at]);
    }
}
