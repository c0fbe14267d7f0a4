/* SPDX-License-Identifier: Apache-2.0 */
/* The switching functions, one row each: what reads, checks and computes them goes by this table.
 */
#ifndef MOTE_COORDINATION_SWITCH_KINDS_H
#define MOTE_COORDINATION_SWITCH_KINDS_H

#include "mote/coordination.h"

/* The words of a text, in the order of mote_switch_keys. */
enum {
    MOTE_SWITCH_KEY_R_0,
    MOTE_SWITCH_KEY_D_0,
    MOTE_SWITCH_KEY_D_MAX,
    MOTE_SWITCH_KEY_NN,
    MOTE_SWITCH_KEY_MM,
    MOTE_SWITCH_KEY_A,
    MOTE_SWITCH_KEY_B,
    MOTE_SWITCH_KEY_BETA,
    MOTE_SWITCH_KEY_LAMBDA,
    MOTE_SWITCH_KEY_REF,
    MOTE_SWITCH_KEY_FUNC,
    MOTE_SWITCH_KEY_NOSTRETCH,
    MOTE_SWITCH_KEY_STRETCH,
    MOTE_SWITCH_KEYS
};

extern const char *const mote_switch_keys[MOTE_SWITCH_KEYS];

/* f and df / dx. */
typedef struct mote_switch_point {
    double value, slope;
} mote_switch_point;

typedef struct mote_switch_row {
    const char *name;
    unsigned takes,
        needs; /* bits 1 << key: beside those that all take, and without which none is */
    /* Sets defaults and checks of parameters that only this kind has; NULL if it has none. */
    mote_status (*complete)(const char *caller, mote_switch *function);
    /* Above d_0, without d_max and stretching; x is (r - d_0) / r_0. */
    mote_switch_point (*evaluate)(const mote_switch *function, double r, double x);
} mote_switch_row;

/* NULL for what is none of mote_switch_kind. */
const mote_switch_row *mote_switch_find(mote_switch_kind kind);

/* `what`, a number of the function, must be above 0 and finite. */
mote_status mote_switch_check_above_zero(const char *caller, const char *what, double value);

/* log(2^(a/b) - 1) */
double mote_switch_log_of_c(double a, double b);

#endif
