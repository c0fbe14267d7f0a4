/* SPDX-License-Identifier: Apache-2.0 */
/* SMAP, and the stretched form of SMAP and of RATIONAL: see shared/switch/all.h. */
#ifndef MOTE_SHARED_SWITCH_POWER_H
#define MOTE_SHARED_SWITCH_POWER_H

#define SMAP_POWER 0 /* a */
#define SMAP_LOG_C 1 /* log(2^(a/b) - 1) */
#define SMAP_DECAY 2 /* -b / a */

#define POWER_FROM     2 /* x / x_end is FROM + STEP t */
#define POWER_STEP     3
#define POWER_EXPONENT 4
#define POWER_DECAY    5
#define POWER_LAST     6 /* z at the end */
#define POWER_FIRST    7 /* z at t = 0 */
#define POWER_SLOPE    8

/* With z = log(c x^a) and t = e^-|z|: f = (1 + e^z)^(-b / a) and f' = -b f / (1 + e^-z) / x. x is
 * raised only near 0, where the slope has no bound if a is below 1. log_of_1_t: log(1 + t). */
static inline void smap_start(VEC x, const switch_numbers *n, VEC *z, VEC *t)
{
    *z = n->number[SMAP_POWER] * LOG(fmax(x, (VEC)(LEAST_RAISED))) + n->number[SMAP_LOG_C];
    *t = EXP(-fabs(*z));
}

static inline void smap_end(VEC x, VEC z, VEC t, VEC log_of_1_t, const switch_numbers *n, VEC *f,
                            VEC *slope)
{
    real decay = n->number[SMAP_DECAY];
    VEC w = RECIP((VEC)(1) + t);
    IVEC far = z > (VEC)(0);
    *f = EXP(decay * (fmax(z, (VEC)(0)) + log_of_1_t));
    *slope = decay * n->number[SMAP_POWER] * *f * (far ? w : t * w) *
             RECIP(fmax(x, (VEC)(LEAST_RAISED)));
}

static inline void switch_smap(VEC x, VEC r, const switch_numbers *n, VEC *f, VEC *slope)
{
    (void)r;
    VEC z, t;
    smap_start(x, n, &z, &t);
    smap_end(x, z, t, LOG((VEC)(1) + t), n, f, slope);
}

/* This form is for a b so much larger than a that 1 + t must not be rounded. */
static inline void switch_smap_fine(VEC x, VEC r, const switch_numbers *n, VEC *f, VEC *slope)
{
    (void)r;
    VEC z, t;
    smap_start(x, n, &z, &t);
    smap_end(x, z, t, log1p(t), n, f, slope);
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
static inline void stretched_power(VEC t, VEC r, const switch_numbers *numbers, VEC *s, VEC *slope)
{
    (void)r;
    const real *n = numbers->number;
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

#endif
