/* SPDX-License-Identifier: Apache-2.0 */
/* Switching functions inside the library: what kernels get of one. */
#ifndef MOTE_COORDINATION_SWITCH_H
#define MOTE_COORDINATION_SWITCH_H

#include "coordination/switch_stretched.h"

/* The constants of a completed function, beside its exponents. Where stretched.used is set, x is t
 * of cl/shared/stretched.h and f is s: d_0 and inverse_r_0 are those of t then, stretch and shift 1
 * and 0. */
typedef struct mote_switch_numbers {
    double d_0, d_max;     /* d_max may be INFINITY */
    double inverse_r_0;    /* x = (r - d_0) inverse_r_0 */
    double stretch, shift; /* s = f(x) stretch + shift for 0 < x and r <= d_max; 1 and 0 else */
    double power;          /* SMAP: a, in f = exp(decay log(1 + e^z)), z = log_c + a log x */
    double log_c;          /* SMAP: log(2^(a/b) - 1) */
    double decay;          /* SMAP: -b / a */
    double beta, middle;   /* Q: f = 1 / (1 + exp(beta (r - middle))) */
    mote_switch_stretched stretched;
} mote_switch_numbers;

/* False for a function that cannot be stretched. */
bool mote_switch_get_numbers(const mote_switch *function, mote_switch_numbers *numbers);

/* mote_switch_complete() for a function that is as long as this version's, as those inside other
 * structures are; sentences begin with `caller`. */
mote_status mote_switch_complete_for(const char *caller, mote_switch *function);

#endif
