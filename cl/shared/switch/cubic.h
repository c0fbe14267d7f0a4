/* SPDX-License-Identifier: Apache-2.0 */
/* CUBIC: see shared/switch/all.h. */
#ifndef MOTE_SHARED_SWITCH_CUBIC_H
#define MOTE_SHARED_SWITCH_CUBIC_H

#define CUBIC_BEND 2
#define CUBIC_LEAN 3

static inline void switch_cubic(VEC x, VEC r, const switch_numbers *n, VEC *f, VEC *slope)
{
    (void)r, (void)n;
    VEC h = x - (real)1;
    *f = h * h * ((real)2 * x + (real)1);
    *slope = (real)6 * x * h;
}

/* (1 - t)^2 (1 + BEND t) */
static inline void stretched_cubic(VEC t, VEC r, const switch_numbers *numbers, VEC *s, VEC *slope)
{
    (void)r;
    const real *n = numbers->number;
    VEC rest = (VEC)(1) - t;
    *s = rest * rest * ((VEC)(1) + n[CUBIC_BEND] * t);
    *slope = -rest * (n[CUBIC_LEAN] + (real)3 * n[CUBIC_BEND] * t);
}

#endif
