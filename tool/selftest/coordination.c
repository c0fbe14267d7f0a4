/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers of the small systems of the table. */
#include "lines.h"

#include <stdio.h>

#include "testkit/cases/coordination/cases.h"

/* A function, a box and float or double make kernels of their own, so lines share them where they
 * can, and take all outputs; sizes, layouts, lists, frames and the types of arrays come from the
 * table. */
typedef struct way {
    mote_coordination_method method;
    mote_precision precision;
    mote_pbc pbc;
    mote_switch function;
    bool pairs; /* mode PAIR only, else the other modes */
    double skin;
} way;

/* Both end before half of a box of 1, so that there are cells. */
#define RATIONAL                                                                                   \
    {                                                                                              \
        .size = sizeof(mote_switch), .r_0 = 0.05                                                   \
    }
#define GAUSSIAN                                                                                   \
    {                                                                                              \
        .size = sizeof(mote_switch), .kind = MOTE_SWITCH_GAUSSIAN, .r_0 = 0.1, .d_0 = 0.05,        \
        .d_max = 0.3                                                                               \
    }

#define EXPRESSION                                                                                 \
    {                                                                                              \
        .size = sizeof(mote_switch), .kind = MOTE_SWITCH_CUSTOM, .r_0 = 0.1, .d_0 = 0.05,          \
        .d_max = 0.3, .func = "exp(-x)*(1+x^2)/(1+x^4)"                                            \
    }

static const way ways[] = {
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_MIXED, MOTE_PBC_ORTHORHOMBIC, RATIONAL, false,
     0.0},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_SINGLE, MOTE_PBC_ORTHORHOMBIC, RATIONAL, false,
     0.0},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_DOUBLE, MOTE_PBC_TRICLINIC, GAUSSIAN, false, 0.0},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_MIXED, MOTE_PBC_ORTHORHOMBIC, RATIONAL, false, 0.0},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_MIXED, MOTE_PBC_ORTHORHOMBIC, RATIONAL, true, 0.0},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_MIXED, MOTE_PBC_ORTHORHOMBIC, EXPRESSION, false,
     0.0},
    {MOTE_COORDINATION_CELLS, MOTE_PRECISION_MIXED, MOTE_PBC_ORTHORHOMBIC, RATIONAL, false, 0.05},
};

static size_t count(int which)
{
    (void)which;
    return mote_coordination_case_count();
}

static selftest_outcome check(selftest_device *device, int which, size_t k)
{
    const way *w = &ways[which];
    mote_coordination_case c = mote_coordination_case_at(k);
    char message[400];
    if ((c.recipe.groups == MOTE_GROUPS_PAIR) != w->pairs)
        return SELFTEST_NOT_HERE;
    c.recipe.pbc = w->pbc;
    c.recipe.function = w->function;
    c.options.method = w->method;
    c.options.precision = w->precision;
    c.options.skin = w->skin;
    c.options.without = 0;
    if (!mote_coordination_case_fits(device->ctx, &c))
        return SELFTEST_NOT_HERE;
    if (mote_coordination_case_check(device->ctx, device->queue, &c, message, sizeof(message)))
        return SELFTEST_AGREES;
    snprintf(device->message, sizeof(device->message), "case %s: %s", c.name, message);
    return SELFTEST_DIFFERS;
}

const selftest_line selftest_coordination[] = {
    {"coordination all_pairs, mixed", 0, count, check, false},
    {"coordination all_pairs, single", 1, count, check, true},
    {"coordination all_pairs, double", 2, count, check, true},
    {"coordination cells, mixed", 3, count, check, false},
    {"coordination pairs of lists", 4, count, check, true},
    {"coordination of an expression", 5, count, check, true},
    {"coordination with a skin", 6, count, check, true},
    {NULL, 0, NULL, NULL, false},
};
