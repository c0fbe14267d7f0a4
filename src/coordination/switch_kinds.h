/* SPDX-License-Identifier: Apache-2.0 */
/* The switching functions, one row each: code that reads, checks and computes them uses this table.
 */
#ifndef MOTE_COORDINATION_SWITCH_KINDS_H
#define MOTE_COORDINATION_SWITCH_KINDS_H

#include "coordination/switch.h"

/* The keys of the text form, in the order of mote_switch_keys. */
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

/* A form of cl/shared/switch/ or, without `value`, of cl/coordination/switch/custom.clh. */
typedef struct mote_switch_form {
    const char *name;
    void (*value)(double x, double r, const switch_numbers *n, double *f, double *slope);
} mote_switch_form;

#define MOTE_SWITCH_FORM(name)                                                                     \
    {                                                                                              \
#name, name                                                                                \
    }

/* A form that kernels compute from u = x^2 if d_0 is 0. */
typedef struct mote_switch_square {
    const char *name; /* NULL if the function has no such form */
    double factor;    /* factor of the slope that the form returns: (df / dx) / x */
    double power;     /* u^power must be finite */
    int nn;           /* the kernels' NN */
} mote_switch_square;

typedef struct mote_switch_row {
    const char *name;
    unsigned takes, needs; /* bits 1 << key: keys besides the common ones, and required keys */
    mote_switch_form form; /* above d_0, without d_max and stretching */
    /* Members that only some kinds need are NULL in the rows of the others. chosen() selects one of
     * several forms and replaces `form`. */
    const mote_switch_form *(*chosen)(const mote_switch *function);
    /* Sets defaults and checks of parameters that only this kind has. */
    mote_status (*complete)(const char *caller, mote_switch *function);
    /* Fills in the numbers of the form. most: the largest value that the form may return. */
    void (*numbers)(const mote_switch *function, double most, switch_numbers *n);
    mote_switch_square (*square)(const mote_switch *function);
    double (*unit)(
        const mote_switch *function); /* the length over which it changes, if it is not r_0 */
    /* Returns whether the form may differ from 1 at the smallest x, which is raised to `least`. */
    bool (*misses_one)(const mote_switch *function, double least);
    mote_switch_point (*evaluate)(const mote_switch *function,
                                  double x); /* for a form without value */
} mote_switch_row;

/* Returns NULL for a number that is not in mote_switch_kind. */
const mote_switch_row *mote_switch_find(mote_switch_kind kind);

/* Checks that a number of a switching function is above 0 and finite. Messages call it `what`. */
mote_status mote_switch_check_above_zero(const char *caller, const char *what, double value);

/* Returns the form of a completed function. */
const mote_switch_form *mote_switch_form_of(const mote_switch *function);

/* Returns the numbers of that form. most: the largest value in the precision of the form. */
switch_numbers mote_switch_form_numbers(const mote_switch *function, double most);

/* Returns the form that reads squares of distances, or zeros if the function has none. */
mote_switch_square mote_switch_square_of(const mote_switch *function);

/* The largest value of forms in double precision. */
#define MOTE_SWITCH_MOST 1e290

#endif
