/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers of the small systems of the table. */
#include "lines.h"

#include <stdio.h>

#include "cases/coordination/cases.h"

/* A function, a box and a precision make kernels of their own, so each line takes one of each and
 * all outputs; sizes, layouts, lists, frames and the types of arrays come from the table. */
typedef struct way {
    mote_coordination_method method;
    mote_precision precision;
    mote_pbc pbc;
    size_t function; /* of mote_coordination_functions */
    bool pairs;      /* mode PAIR only, else the other modes */
} way;

static const way ways[] = {
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_MIXED, MOTE_PBC_ORTHORHOMBIC, 0, false},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_SINGLE, MOTE_PBC_NONE, 3, false},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_DOUBLE, MOTE_PBC_TRICLINIC, 11, false},
    {MOTE_COORDINATION_ALL_PAIRS, MOTE_PRECISION_MIXED, MOTE_PBC_TRICLINIC, 15, true},
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
    c.recipe.function = mote_coordination_functions[w->function];
    c.how.method = w->method;
    c.how.precision = w->precision;
    c.how.without = 0;
    if (!mote_coordination_case_fits(device->ctx, &c))
        return SELFTEST_NOT_HERE;
    if (mote_coordination_case_check(device->ctx, device->queue, &c, message, sizeof(message)))
        return SELFTEST_AGREES;
    snprintf(device->message, sizeof(device->message), "case %s: %s", c.name, message);
    return SELFTEST_DIFFERS;
}

const selftest_line selftest_coordination[] = {
    {"coordination all_pairs, mixed", 0, count, check},
    {"coordination all_pairs, single", 1, count, check},
    {"coordination all_pairs, double", 2, count, check},
    {"coordination pairs of lists", 3, count, check},
    {NULL, 0, NULL, NULL},
};
