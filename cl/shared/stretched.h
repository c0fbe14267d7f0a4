/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that are stretched far, in the common part of C and OpenCL C: the host includes this
 * file as well.
 *
 * s = (f(x) - f(x_end)) / (f(x_0) - f(x_end)) loses what the two values of f have in common, and
 * all of it where they are as good as equal. Here each difference is written as a product, of
 * factors that neither cancel nor overflow. t runs from 0 at max(d_0, 0) to n[STRETCHED_END] at
 * d_max; the unit of length is such that f changes over a distance of about 1 or less.
 *
 * Before: real, VEC, IVEC, ANY, NUMBER and SINPI as in coordination/real.clh; on the host real, VEC
 * are double and IVEC is int. The numbers n are made by src/coordination/switch_stretched.c. */
#ifndef MOTE_SHARED_STRETCHED_H
#define MOTE_SHARED_STRETCHED_H

#include "shared/powers.h"

/* Places of the numbers: those of all, then those of one function or the other. */
#define STRETCHED_NUMBERS 9
#define STRETCHED_END     0
#define STRETCHED_SCALE   1 /* makes s(0) = 1 */

#define DECAY_LINEAR 2
#define DECAY_SQUARE 3

#define LOGISTIC_RATE   2
#define LOGISTIC_MIDDLE 3 /* where f is 1/2 */
#define LOGISTIC_TOP    4 /* max(MIDDLE, 0) */
#define LOGISTIC_PIVOT  5 /* min(MIDDLE, END) */
#define LOGISTIC_SLOPE  6

#define CUBIC_BEND 2
#define CUBIC_LEAN 3

#define COSINUS_FIRST  2
#define COSINUS_SECOND 3
#define COSINUS_UP     4
#define COSINUS_DOWN   5
#define COSINUS_HALF   6
#define COSINUS_SLOPE  7

#define POWER_FROM     2 /* x / x_end is FROM + STEP t */
#define POWER_STEP     3
#define POWER_EXPONENT 4
#define POWER_DECAY    5
#define POWER_LAST     6 /* z at the end */
#define POWER_FIRST    7 /* z at t = 0 */
#define POWER_SLOPE    8

#define RATIO_FROM      2 /* x is FROM + STEP t */
#define RATIO_STEP      3
#define RATIO_BASE      4 /* x / x_end, or x: BASE + BASE_STEP t */
#define RATIO_BASE_STEP 5
#define RATIO_NORM      6
#define RATIO_SUMMED    7 /* not 0: by the slopes in between */

/* f = e^-(A t^2 + B t), EXP and GAUSSIAN. */
static inline void stretched_decay(VEC t, const real *n, VEC *s, VEC *slope)
{
    VEC rest = (VEC)(n[STRETCHED_END]) - t;
    VEC e = exp(-t * (n[DECAY_SQUARE] * t + n[DECAY_LINEAR])) * n[STRETCHED_SCALE];
    VEC left = rest * (n[DECAY_SQUARE] * (n[STRETCHED_END] + t) + n[DECAY_LINEAR]);
    *s = -expm1(-left) * e;
    *slope = -((real)2 * n[DECAY_SQUARE] * t + n[DECAY_LINEAR]) * e;
}

/* f = 1 / (1 + e^z), z = RATE (t - MIDDLE), TANH and Q: f(z) - f(y) = f(z) (1 - f(y)) (1 - e^(z -
 * y)). */
static inline void stretched_logistic(VEC t, const real *n, VEC *s, VEC *slope)
{
    VEC z = n[LOGISTIC_RATE] * (t - n[LOGISTIC_MIDDLE]);
    VEC w = (VEC)(1) / ((VEC)(1) + exp(-fabs(z)));
    VEC f = exp(-n[LOGISTIC_RATE] * fmax(t - n[LOGISTIC_TOP], (VEC)(0))) * w;
    VEC rise = exp(fmin(n[LOGISTIC_RATE] * (t - n[LOGISTIC_PIVOT]), (VEC)(0)));
    *s = -expm1(-n[LOGISTIC_RATE] * (n[STRETCHED_END] - t)) * f * n[STRETCHED_SCALE];
    *slope = -f * w * rise * n[LOGISTIC_SLOPE];
}

/* (1 - t)^2 (1 + BEND t) */
static inline void stretched_cubic(VEC t, const real *n, VEC *s, VEC *slope)
{
    VEC rest = (VEC)(1) - t;
    *s = rest * rest * ((VEC)(1) + n[CUBIC_BEND] * t);
    *slope = -rest * (n[CUBIC_LEAN] + (real)3 * n[CUBIC_BEND] * t);
}

/* cos a - cos b = 2 sin((a + b) / 2) sin((b - a) / 2), the first angle from 0 or from pi. */
static inline void stretched_cosinus(VEC t, const real *n, VEC *s, VEC *slope)
{
    VEC rest = (VEC)(n[STRETCHED_END]) - t, part = n[COSINUS_UP] * t + n[COSINUS_DOWN] * rest;
    VEC sum = SINPI(n[COSINUS_FIRST] + NUMBER(0.5) * part);
    *s = sum * SINPI(n[COSINUS_HALF] * rest) * n[STRETCHED_SCALE];
    *slope = -SINPI(n[COSINUS_SECOND] + part) * n[COSINUS_SLOPE];
}

/* log(1 + e^high) - log(1 + e^low), with rise = high - low. */
static inline VEC softplus_rise(VEC low, VEC high, VEC rise)
{
    const VEC most = (VEC)(40);
    VEC e = fmin(high, rise), below = (VEC)(1) + exp(-fabs(low));
    IVEC far = e > most;
    return far ? e - log(below) : log1p(-expm1(-rise) * exp(fmin(e, most)) / below);
}

/* f = (1 + e^z)^-DECAY, z = log c + EXPONENT log x: SMAP, and RATIONAL with mm = 2 nn. */
static inline void stretched_power(VEC t, const real *n, VEC *s, VEC *slope)
{
    VEC left = n[POWER_STEP] * (n[STRETCHED_END] - t);
    VEC part = fmax(n[POWER_FROM] + n[POWER_STEP] * t, (VEC)(NUMBER(1e-37)));
    IVEC low = left > (VEC)(NUMBER(0.5));
    VEC to_end = low ? log(part) : log1p(-fmin(left, (VEC)(NUMBER(0.5))));
    to_end *= -n[POWER_EXPONENT];
    VEC z = n[POWER_LAST] - to_end, from_start = (VEC)(NUMBER(1e30));
    if (n[POWER_FROM] > 0)
        from_start = n[POWER_EXPONENT] * log1p(t * (n[POWER_STEP] / n[POWER_FROM]));
    VEC fall = n[POWER_DECAY] * softplus_rise(z, (VEC)(n[POWER_LAST]), to_end);
    VEC f = exp(-n[POWER_DECAY] * softplus_rise((VEC)(n[POWER_FIRST]), z, from_start));
    VEC share = exp(fmin(z, (VEC)(0))) / ((VEC)(1) + exp(-fabs(z)));
    *s = -expm1(-fall) * f * n[STRETCHED_SCALE];
    *slope = -f * share / part * n[POWER_SLOPE];
}

/* d(x) = |1 - f| = x^k (1 - x^j) / (1 - x^m), k the lower exponent and j their difference, in parts
 * of its value at the end, and its change by t. Above 1 by 1 / x. */
static inline void ratio_part(VEC t, unsigned nn, unsigned mm, const real *n, VEC *d, VEC *rate)
{
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

/* RATIONAL with other exponents. Where d hardly changes from t = 0 to the end its differences are
 * integrals over its slopes, by Gauss and Legendre; there 8 points are exact. */
static inline void stretched_ratio(VEC t, unsigned nn, unsigned mm, const real *n, VEC *s,
                                   VEC *slope)
{
    const real places[8] = {NUMBER(0.019855071751231884158), NUMBER(0.10166676129318663020),
                            NUMBER(0.23723379504183550709),  NUMBER(0.40828267875217509753),
                            NUMBER(0.59171732124782490247),  NUMBER(0.76276620495816449291),
                            NUMBER(0.89833323870681336980),  NUMBER(0.98014492824876811584)};
    const real weights[4] = {NUMBER(0.050614268145188129576), NUMBER(0.11119051722668723527),
                             NUMBER(0.15685332293894364367), NUMBER(0.18134189168918099148)};
    VEC d, rate, at, sum = (VEC)(0), rest = (VEC)(n[STRETCHED_END]) - t;
    ratio_part(t, nn, mm, n, &d, &rate);
    *slope = -rate * n[STRETCHED_SCALE];
    *s = ((VEC)(1) - d) * n[STRETCHED_SCALE];
    if (n[RATIO_SUMMED] > 0) {
        for (int i = 0; i < 8; i++) {
            ratio_part(t + rest * places[i], nn, mm, n, &d, &at);
            sum += at * weights[i < 4 ? i : 7 - i];
        }
        *s = sum * rest * n[STRETCHED_SCALE];
    }
}

#endif
