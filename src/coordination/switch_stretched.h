/* SPDX-License-Identifier: Apache-2.0 */
/* Functions whose stretching is a difference of two values that are as good as equal. */
#ifndef MOTE_COORDINATION_SWITCH_STRETCHED_H
#define MOTE_COORDINATION_SWITCH_STRETCHED_H

#include <stdbool.h>

#include "mote/coordination.h"

#define MOTE_STRETCHED_NUMBERS 9

/* The numbers of cl/shared/stretched.h. */
typedef struct mote_switch_stretched {
    bool used;
    double start; /* max(d_0, 0): t = (r - start) / unit */
    double unit;
    double numbers[MOTE_STRETCHED_NUMBERS];
} mote_switch_stretched;

/* Decides whether f stretch + shift would lose more than a few bits of a completed function with a
 * finite d_max, and makes its numbers then. log_c: of SMAP and of RATIONAL, which has 0. shift: as
 * the definition has it, or whatever is left of it. False for a function that has the same value at
 * 0 and at d_max, or none to speak of at either. */
bool mote_switch_stretched_make(const mote_switch *function, double log_c, double shift,
                                mote_switch_stretched *stretched);

/* s(r) and ds / dr for start < r <= d_max. */
double mote_switch_stretched_value(const mote_switch *function,
                                   const mote_switch_stretched *stretched, double r, double *slope);

#endif
