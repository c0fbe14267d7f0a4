/* SPDX-License-Identifier: Apache-2.0 */
/* TANH and Q: see shared/switch/all.h. */
#ifndef MOTE_SHARED_SWITCH_LOGISTIC_H
#define MOTE_SHARED_SWITCH_LOGISTIC_H

#define Q_BETA   0 /* beta r_0 */
#define Q_MIDDLE 1 /* lambda ref, in units of r_0 */

#define LOGISTIC_RATE   2
#define LOGISTIC_MIDDLE 3 /* where f is 1/2 */
#define LOGISTIC_TOP    4 /* max(MIDDLE, 0) */
#define LOGISTIC_PIVOT  5 /* min(MIDDLE, END) */
#define LOGISTIC_SLOPE  6

static inline void switch_tanh(VEC x, VEC r, const switch_numbers *n, VEC *f, VEC *slope)
{
    (void)r, (void)n;
    VEC e = EXP((real)-2 * x);
    *f = (real)2 * e * RECIP((VEC)(1) + e);
    *slope = *f * (*f - (real)2);
}

/* 1 / (1 + e^y) */
static inline void switch_q(VEC x, VEC r, const switch_numbers *n, VEC *f, VEC *slope)
{
    (void)x;
    VEC y = n->number[Q_BETA] * (r - n->number[Q_MIDDLE]);
    VEC e = EXP(-fabs(y)), w = RECIP((VEC)(1) + e);
    IVEC far = y > (VEC)(0);
    *f = far ? e * w : w;
    *slope = -n->number[Q_BETA] * e * w * w;
}

/* f = 1 / (1 + e^z), z = RATE (t - MIDDLE): f(z) - f(y) = f(z) (1 - f(y)) (1 - e^(z - y)). */
static inline void stretched_logistic(VEC t, VEC r, const switch_numbers *numbers, VEC *s,
                                      VEC *slope)
{
    (void)r;
    const real *n = numbers->number;
    VEC z = n[LOGISTIC_RATE] * (t - n[LOGISTIC_MIDDLE]);
    VEC w = (VEC)(1) / ((VEC)(1) + exp(-fabs(z)));
    VEC f = exp(-n[LOGISTIC_RATE] * fmax(t - n[LOGISTIC_TOP], (VEC)(0))) * w;
    VEC rise = exp(fmin(n[LOGISTIC_RATE] * (t - n[LOGISTIC_PIVOT]), (VEC)(0)));
    *s = -expm1(-n[LOGISTIC_RATE] * (n[STRETCHED_END] - t)) * f * n[STRETCHED_SCALE];
    *slope = -f * w * rise * n[LOGISTIC_SLOPE];
}

#endif
