/* SPDX-License-Identifier: Apache-2.0 */
/* COSINUS: see shared/switch/all.h. */
#ifndef MOTE_SHARED_SWITCH_COSINUS_H
#define MOTE_SHARED_SWITCH_COSINUS_H

#define COSINUS_FIRST  2
#define COSINUS_SECOND 3
#define COSINUS_UP     4
#define COSINUS_DOWN   5
#define COSINUS_HALF   6
#define COSINUS_SLOPE  7

/* (1 + cos(pi x)) / 2 is the square of the cosine of half the angle. */
static inline void switch_cosinus(VEC x, VEC r, const switch_numbers *n, VEC *f, VEC *slope)
{
    (void)r, (void)n;
    VEC least = fmin(x, (VEC)(1));
    VEC c = SINPI(NUMBER(0.5) * ((VEC)(1) - least)), s = SINPI(NUMBER(0.5) * least);
    *f = c * c;
    *slope = -PI * s * c;
}

/* cos a - cos b = 2 sin((a + b) / 2) sin((b - a) / 2). The angle (a + b) / 2 is measured from 0 or
 * from pi, whichever is nearer. */
static inline void stretched_cosinus(VEC t, VEC r, const switch_numbers *numbers, VEC *s,
                                     VEC *slope)
{
    (void)r;
    const real *n = numbers->number;
    VEC rest = (VEC)(n[STRETCHED_END]) - t, part = n[COSINUS_UP] * t + n[COSINUS_DOWN] * rest;
    VEC sum = SINPI(n[COSINUS_FIRST] + NUMBER(0.5) * part);
    *s = sum * SINPI(n[COSINUS_HALF] * rest) * n[STRETCHED_SCALE];
    *slope = -SINPI(n[COSINUS_SECOND] + part) * n[COSINUS_SLOPE];
}

#endif
