/* SPDX-License-Identifier: Apache-2.0 */
/* EXP and GAUSSIAN: see shared/switch/all.h. */
#ifndef MOTE_SHARED_SWITCH_DECAY_H
#define MOTE_SHARED_SWITCH_DECAY_H

#define DECAY_LINEAR 2
#define DECAY_SQUARE 3

static inline void switch_exp(VEC x, VEC r, const switch_numbers *n, VEC *f, VEC *slope)
{
    (void)r, (void)n;
    *f = EXP(-x);
    *slope = -*f;
}

static inline void switch_gaussian(VEC x, VEC r, const switch_numbers *n, VEC *f, VEC *slope)
{
    (void)r, (void)n;
    VEC least = fmin(x, (VEC)(HUGE_LENGTH)); /* so that infinity is never multiplied by 0 */
    *f = EXP(-NUMBER(0.5) * least * least);
    *slope = -least * *f;
}

static inline void switch_gaussian_square(VEC u, const switch_numbers *n, VEC *f, VEC *g)
{
    (void)n;
    *f = EXP(-NUMBER(0.5) * u);
    *g = *f;
}

/* f = e^-(SQUARE t^2 + LINEAR t) */
static inline void stretched_decay(VEC t, VEC r, const switch_numbers *numbers, VEC *s, VEC *slope)
{
    (void)r;
    const real *n = numbers->number;
    VEC rest = (VEC)(n[STRETCHED_END]) - t;
    VEC e = exp(-t * (n[DECAY_SQUARE] * t + n[DECAY_LINEAR])) * n[STRETCHED_SCALE];
    VEC left = rest * (n[DECAY_SQUARE] * (n[STRETCHED_END] + t) + n[DECAY_LINEAR]);
    *s = -expm1(-left) * e;
    *slope = -((real)2 * n[DECAY_SQUARE] * t + n[DECAY_LINEAR]) * e;
}

#endif
