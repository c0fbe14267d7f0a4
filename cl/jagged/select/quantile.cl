/* SPDX-License-Identifier: Apache-2.0 */
/* Computes quantiles of sorted lists. Each work-item processes whole lists; of each list it reads
 * the last element, and two elements for each quantile. Every list is checked.
 *
 * Form: both.
 * Defines: VALUE, VALUE_BOOL, VALUE_FLOAT, RESULT (jagged/reduce/accumulate.clh), QUANTILE_DOUBLE
 * (1: RESULT is double, and a quantile is passed by its bits; 0: RESULT is float, and a quantile is
 * passed as a multiple of 2^-64, or all bits for 1), INDEX, INDEX_SIGNED, INDEX_LONG
 * (jagged/lists.clh).
 * Optional: VALUE_HALF (common/stored.clh), CPU_FORM (on CPUs: common/sweep.clh). */
#include "common/stored.clh"
#include "common/sweep.clh"
#include "jagged/lists.clh"

#if QUANTILE_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#define QUANTILES MOTE_JAGGED_QUANTILES /* largest number of quantiles of a launch */

inline RESULT number_at(const __global STORED *values, ulong k)
{
    const VALUE x = value_at(values, k);
    return VALUE_BOOL ? x != 0 : (RESULT)x;
}

/* Returns a quantile of a list without NaN. `last` is the index of the list's last element. The
 * place of a quantile is at most `last`, so that an element follows it if t is not 0. */
inline RESULT quantile_of(const __global STORED *values, ulong last, ulong quantile)
{
#if QUANTILE_DOUBLE
    const double place = (double)last * as_double(quantile), before = floor(place);
    const ulong k = min((ulong)before, last);
    const RESULT t = place - before, rest = 1 - t;
#else
    /* The place is k + `part` / 2^64 with a whole number k. */
    const bool one = quantile == ~(ulong)0;
    const ulong k = one ? last : mul_hi(last, quantile), part = one ? 0 : last * quantile;
    const RESULT t = (float)part * 0x1p-64f, rest = (float)(0 - part) * 0x1p-64f;
#endif
    const RESULT a = number_at(values, k), b = t > 0 ? number_at(values, k + 1) : a;
    const RESULT difference = a == b ? 0 : b - a;
    return t < 0.5f ? a + difference * t : b - difference * rest;
}

/* Computes up to QUANTILES quantiles of each list. A row of results has `row` elements. */
__kernel void quantile(const __global INDEX *restrict offsets, ulong offsets_at, uint m,
                       const __global STORED *restrict values, ulong values_at, ulong n, ulong q0,
                       ulong q1, ulong q2, ulong q3, uint count, ulong row,
                       __global RESULT *restrict result, ulong result_at,
                       volatile __global uint *error, ulong error_at)
{
    const ulong quantiles[QUANTILES] = {q0, q1, q2, q3};
    const RESULT nan = as_float(0x7fc00000);
    offsets += offsets_at;
    for (sweep s = sweep_of(m); s.at < s.end; s.at += s.step) {
        const INDEX begin = offsets[s.at], end = offsets[s.at + 1];
        const bool good =
            list_check(error + error_at, (uint)s.at, begin, end, list_limit(0, n)) && begin < end;
        const ulong last = good ? (ulong)(end - begin) - 1 : 0;
        const __global STORED *list = values + values_at + (good ? begin : 0);
        bool is_nan = !good;
#if VALUE_FLOAT
        const RESULT x = good ? number_at(list, last) : nan;
        is_nan = x != x;
#endif
        __global RESULT *out = result + result_at + s.at * row;
#pragma unroll
        for (uint i = 0; i < QUANTILES; i++) {
            if (i < count) {
                const RESULT r = is_nan ? nan : quantile_of(list, last, quantiles[i]);
                out[i] = r == r ? r : nan;
            }
        }
    }
}
