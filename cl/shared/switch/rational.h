/* SPDX-License-Identifier: Apache-2.0 */
/* RATIONAL: see shared/switch/all.h. NN: the exponent nn, for switch_rational_square. CUTOFF: 0 if
 * d_max is infinite. */
#ifndef MOTE_SHARED_SWITCH_RATIONAL_H
#define MOTE_SHARED_SWITCH_RATIONAL_H

#include "shared/switch/powers.h"

#define RATIO_FROM      2 /* x is FROM + STEP t */
#define RATIO_STEP      3
#define RATIO_BASE      4 /* BASE + BASE_STEP t is x / x_end, or x */
#define RATIO_BASE_STEP 5
#define RATIO_NORM      6
#define RATIO_SUMMED    7 /* not 0: differences are integrals of slopes */

/* Largest exponent for which switch_rational_square computes the power by multiplications. */
#define RATIONAL_MOST_EVEN 12

#if NN
/* 1 / (1 + u^k), k = NN / 2 from 1 to 6; u is small enough for u^k to be finite. */
static inline void switch_rational_square(VEC u, const switch_numbers *n, VEC *f, VEC *g)
{
#if NN == 2
    VEC below = (VEC)(1);
#elif NN == 4
    VEC below = u;
#elif NN == 6
    VEC below = u * u;
#elif NN == 8
    VEC below = u * u * u;
#elif NN == 10
    VEC two = u * u, below = two * two;
#else
    VEC two = u * u, below = two * two * u;
#endif
    *f = RECIP(fma(below, u, (VEC)(1)));
    *g = below * *f * *f;
}
#endif

/* mm = 2 nn: 1 / (1 + x^n); above 1 computed from 1 / x, whose powers are finite. */
static inline void switch_rational_half(VEC x, VEC r, const switch_numbers *n, VEC *f, VEC *slope)
{
    (void)r;
    IVEC far = x > (VEC)(1);
    VEC z = far ? RECIP(x) : x;
    VEC below = power_of(z, n->nn - 1), p = below * z;
    VEC q = RECIP((VEC)(1) + p);
    *f = far ? p * q : q;
    VEC change = below * q * q * (real)n->nn;
    *slope = -(far ? change * z * z : change);
}

/* (1 - x^n) / (1 - x^m). Near 1, where numerator and denominator vanish, this is P_n / P_m; above 1
 * it is computed from 1 / x, so that nothing below d_max overflows. */
static inline void switch_rational(VEC x, VEC r, const switch_numbers *numbers, VEC *f, VEC *slope)
{
    (void)r;
    unsigned nn = numbers->nn, mm = numbers->mm;
    real n = (real)nn, m = (real)mm, window = (real)2 / fmax(n, m);
#if !CUTOFF
    IVEC beyond = x > (VEC)(numbers->largest);
    x = fmin(x, (VEC)(numbers->largest));
#endif
    IVEC far = x > (VEC)(1), close = fabs(x - (real)1) < (VEC)(window);
    VEC z = far ? RECIP(x) : x;
    VEC n_below = power_of(z, nn - 1), m_below = power_of(z, mm - 1);
    VEC b = RECIP((VEC)(1) - m_below * z), q = ((VEC)(1) - n_below * z) * b;
    VEC e = power_of(z, mm > nn ? mm - nn : nn - mm);
    if (mm < nn)
        e = RECIP(e);
    *f = far ? e * q : q;
    *slope = (far ? e * z * (n - m * q) : m_below * q * m - n_below * n) * b;
    if (ANY(close)) {
        VEC p_n, p_m, d_n, d_m;
        geometric(x, nn, &p_n, &d_n);
        geometric(x, mm, &p_m, &d_m);
        q = QUOTIENT(p_n, p_m);
        *f = close ? q : *f;
        *slope = close ? QUOTIENT(d_n - q * d_m, p_m) : *slope;
    }
#if !CUTOFF
    *slope = beyond ? (VEC)(0) : *slope;
#endif
}

/* d(x) = |1 - f| = x^k (1 - x^j) / (1 - x^m), where k is the lower exponent and j the difference of
 * the exponents, divided by its value at the end; and its derivative with respect to t. Above 1 by
 * 1 / x. */
static inline void ratio_part(VEC t, const switch_numbers *numbers, VEC *d, VEC *rate)
{
    const real *n = numbers->number;
    unsigned nn = numbers->nn, mm = numbers->mm;
    unsigned j = nn > mm ? nn - mm : mm - nn, k = nn > mm ? mm : nn;
    VEC x = fmax(n[RATIO_FROM] + n[RATIO_STEP] * t, (VEC)(NUMBER(1e-30)));
    VEC base = n[RATIO_BASE] + n[RATIO_BASE_STEP] * t;
    IVEC far = x > (VEC)(1);
    VEC y = far ? (VEC)(1) / x : x, yj = power_of(y, j), ym = power_of(y, mm);
    VEC g = ((VEC)(1) - yj) / ((VEC)(1) - ym);
    VEC change = (real)mm * ym / ((VEC)(1) - ym) - (real)j * yj / ((VEC)(1) - yj);
    IVEC close = (VEC)(1) - y < (VEC)((real)2 / (real)(j > mm ? j : mm));
    if (ANY(close)) {
        VEC p_j, p_m, d_j, d_m;
        geometric(y, j, &p_j, &d_j);
        geometric(y, mm, &p_m, &d_m);
        g = close ? p_j / p_m : g;
        change = close ? y * (d_j / p_j - d_m / p_m) : change;
    }
    VEC beyond = nn > mm ? power_of(x, j) : (VEC)(1);
    VEC power = nn > mm ? (VEC)((real)j) : (VEC)(0);
    *d = (far ? beyond : power_of(base, k)) * g * n[RATIO_NORM];
    *rate = *d * (far ? power - change : (real)k + change) * (n[RATIO_STEP] / x);
}

/* mm other than 2 nn. If d hardly changes from t = 0 to the end, its differences are computed as
 * integrals of its slopes by Gauss-Legendre quadrature, for which 8 points are exact here. */
static inline void stretched_ratio(VEC t, VEC r, const switch_numbers *numbers, VEC *s, VEC *slope)
{
    const real places[8] = {NUMBER(0.019855071751231884158), NUMBER(0.10166676129318663020),
                            NUMBER(0.23723379504183550709),  NUMBER(0.40828267875217509753),
                            NUMBER(0.59171732124782490247),  NUMBER(0.76276620495816449291),
                            NUMBER(0.89833323870681336980),  NUMBER(0.98014492824876811584)};
    const real weights[4] = {NUMBER(0.050614268145188129576), NUMBER(0.11119051722668723527),
                             NUMBER(0.15685332293894364367), NUMBER(0.18134189168918099148)};
    const real *n = numbers->number;
    VEC d, rate, at, sum = (VEC)(0), rest = (VEC)(n[STRETCHED_END]) - t;
    (void)r;
    ratio_part(t, numbers, &d, &rate);
    *slope = -rate * n[STRETCHED_SCALE];
    *s = ((VEC)(1) - d) * n[STRETCHED_SCALE];
    if (n[RATIO_SUMMED] > 0) {
        for (int i = 0; i < 8; i++) {
            ratio_part(t + rest * places[i], numbers, &d, &at);
            sum += at * weights[i < 4 ? i : 7 - i];
        }
        *s = sum * rest * n[STRETCHED_SCALE];
    }
}

#endif
