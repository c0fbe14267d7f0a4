/* SPDX-License-Identifier: Apache-2.0 */
/* Switching functions inside the library: the numbers that kernels receive. */
#ifndef MOTE_COORDINATION_SWITCH_H
#define MOTE_COORDINATION_SWITCH_H

#include <stdbool.h>

#include "mote/coordination.h"

#define SWITCH_REAL double
#include "shared/switch/numbers.h"

/* The constants of a completed function. */
typedef struct mote_switch_numbers {
    double d_0, d_max;  /* d_max may be INFINITY */
    double unit;        /* x = (r - d_0) / unit; r_0, or the unit of t */
    double inverse_r_0; /* 1 / unit */
    double stretch,
        shift;      /* s = f(x) stretch + shift for 0 < x and r <= d_max; otherwise 1 and 0 */
    bool stretched; /* x is t and f is s of a stretched form: see cl/shared/switch/all.h */
    switch_numbers numbers; /* of the form */
} mote_switch_numbers;

/* Returns false for a function that cannot be stretched. */
bool mote_switch_get_numbers(const mote_switch *function, mote_switch_numbers *numbers);

/* mote_switch_complete() for a function with this version's size, as a member of other structures
 * has; sentences begin with `caller`. */
mote_status mote_switch_complete_for(const char *caller, mote_switch *function);

#endif
