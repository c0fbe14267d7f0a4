/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/kernel_constants.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coordination/plan.h"
#include "coordination/switch_custom.h"
#include "coordination/switch_forms.h"
#include "coordination/switch_stretched.h"
#include "core/fail.h"

#define LATTICE_REAL double
#include "shared/lattice.h"

/* Limits in float32. In units of r_0, the vectors of a box are at most MOST_BOX long, so that a
 * fraction is accurate to 2^-17 of r_0, and at least LEAST_BOX, so that the shortest distances
 * still have a direction. Lengths between LEAST_LENGTH and MOST_LENGTH have representable
 * squares. */
#define MOST_BOX     0x1p14
#define LEAST_BOX    0x1p-20
#define MOST_LENGTH  1e12
#define LEAST_LENGTH 1e-12

/* The shortest vector of a box in double precision, in units of r_0. */
#define LEAST_BOX_DOUBLE 1e-130

/* The largest value of a function in float32. */
#define MOST_VALUE_F 1e25

/* The largest power of the square of a distance. Its reciprocal is too small to change a sum. */
#define MOST_POWER   1e290
#define MOST_POWER_F 1e35

/* Equals LEAST_RAISED of cl/coordination/real.clh in float32. */
#define LEAST_RAISED_F 1e-12

/* Equals UNIT_IS_R_0 of cl/coordination/image.clh. */
static bool is_in_r_0(const mote_coordination *plan, bool as_double)
{
    return plan->pbc != MOTE_PBC_NONE && !as_double;
}

static int cutoff(const mote_coordination *plan, double largest_2)
{
    double x = plan->function.d_max * plan->numbers.inverse_r_0;
    if (isinf(plan->function.d_max))
        return 0;
    return x * x < largest_2 ? 1 : 2;
}

/* Returns whether kernels must test for r = 0, where s is exactly 1. Without the test they compute
 * s at a distance slightly above 0 and stretch it in the precision of the pairs, which may not give
 * 1. If d_0 is not 0, kernels compare x with 0 anyway. */
static bool may_miss_one(const mote_coordination *plan, bool as_double)
{
    const mote_switch *f = &plan->function;
    const mote_switch_numbers *n = &plan->numbers;
    const mote_switch_row *row = mote_switch_find(f->kind);
    double least = as_double ? LEAST_RAISED : LEAST_RAISED_F;
    bool rounds =
        as_double ? n->stretch + n->shift != 1.0 : (float)n->stretch + (float)n->shift != 1.0f;
    if (f->d_0 != 0.0 || mote_switch_is_of_square(f))
        return false;
    return rounds || n->stretched || (row->misses_one && row->misses_one(f, least));
}

static mote_box_range find_boxes(const mote_coordination *plan, bool as_double)
{
    const mote_switch *f = &plan->function;
    bool fp64 = plan->ctx->device.has_fp64;
    double unit = 1.0 / plan->numbers.inverse_r_0, change = fmin(unit, f->d_max);
    mote_box_range range = {.least = LEAST_BOX_DOUBLE * unit, .most = LATTICE_MOST};
    const mote_switch_row *row = mote_switch_find(f->kind);
    if (row->unit)
        change = fmin(change, row->unit(f));
    if (!as_double)
        range = (mote_box_range){.least = LEAST_BOX * unit, .most = MOST_BOX * change};
    if (!as_double && fp64 && !(unit < MOST_LENGTH && change > LEAST_LENGTH))
        range.least = INFINITY;
    range.least = fmax(range.least, fp64 ? LATTICE_LEAST : LATTICE_LEAST_F);
    range.most = fmin(range.most, fp64 ? LATTICE_MOST : LATTICE_MOST_F);
    return range;
}

void mote_coordination_put(uint32_t *words, double value, bool as_double)
{
    float narrow = (float)value;
    words[1] = 0;
    if (as_double)
        memcpy(words, &value, sizeof(value));
    else
        memcpy(words, &narrow, sizeof(narrow));
}

static void fill_params(const mote_coordination *plan, bool as_double, double most_2,
                        mote_coordination_params *params)
{
    const mote_switch_numbers *n = &plan->numbers;
    switch_numbers form = n->numbers;
    double d_max = is_in_r_0(plan, as_double) ? n->d_max * n->inverse_r_0 : n->d_max;
    /* Pairs at d_max must count: without a box, few rounding errors separate them from pairs beyond
     * it. */
    double rounding =
        (as_double ? DBL_EPSILON : (double)FLT_EPSILON) * (plan->pbc == MOTE_PBC_NONE ? 0.25 : 1.0);
    if (!as_double && !n->stretched)
        form = mote_switch_form_numbers(&plan->function, MOST_VALUE_F);
    *params = (mote_coordination_params){.n_atoms = plan->n_atoms, .n_a = plan->n_a};
    params->n_b = plan->n_b;
    params->flags = (plan->repeated ? MOTE_COORDINATION_IS_REPEATED : 0) |
                    (plan->mode == MOTE_COORDINATION_SELF ? 0 : MOTE_COORDINATION_IS_TWO_LISTS);
    params->nn = form.nn;
    params->mm = form.mm;
    const struct {
        uint32_t *words;
        double value;
    } all[] = {
        {params->unit, n->inverse_r_0 * n->inverse_r_0},
        {params->inverse_r_0, n->inverse_r_0},
        {params->d_0, n->d_0 * n->inverse_r_0},
        {params->d_max_2, d_max * d_max * (1.0 + rounding)},
        {params->stretch, n->stretch},
        {params->shift, n->shift},
        {params->largest_2, most_2},
        {params->largest, form.largest},
    };
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        mote_coordination_put(all[k].words, all[k].value, as_double);
    for (size_t k = 0; k < SWITCH_NUMBERS; k++)
        mote_coordination_put(params->number + 2 * k, form.number[k], as_double);
}

mote_status mote_kernel_constants_make(const mote_coordination *plan, bool as_double,
                                       mote_kernel_constants *constants)
{
    const mote_switch *f = &plan->function;
    const mote_switch_numbers *n = &plan->numbers;
    mote_switch_square square = {0};
    if (!n->stretched)
        square = mote_switch_square_of(f);
    double largest_2 = as_double ? MOST_POWER : MOST_POWER_F;
    if (square.name)
        largest_2 = pow(largest_2, 1.0 / square.power);
    const char *name = square.name    ? square.name
                       : n->stretched ? mote_switch_stretched_form(f)->name
                                      : mote_switch_form_of(f)->name;
    double unit = is_in_r_0(plan, as_double) ? 1.0 : n->inverse_r_0;
    double slope = square.name ? square.factor : 1.0;
    *constants =
        (mote_kernel_constants){.defines = malloc(MOTE_COORDINATION_DEFINES),
                                .virial_scale = n->stretch * (unit * unit) * slope,
                                .derivative_scale = n->stretch * (unit * n->inverse_r_0) * slope,
                                .ends = cutoff(plan, largest_2) == 1,
                                .boxes = find_boxes(plan, as_double)};
    if (!constants->defines)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY,
                         "mote_coordination_create: out of host memory");
    fill_params(plan, as_double, largest_2, &constants->params);
    size_t length =
        (size_t)snprintf(constants->defines, MOTE_COORDINATION_DEFINES,
                         "-DDOUBLE=%d -DPBC=%d -DFORM=%s -DSQUARE=%d -DNN=%d -DSHIFTED=%d "
                         "-DCUTOFF=%d -DSTRETCHED=%d",
                         as_double, (int)plan->pbc, name, square.name != NULL, square.nn,
                         n->d_0 != 0.0                   ? 1
                         : may_miss_one(plan, as_double) ? 2
                                                         : 0,
                         cutoff(plan, largest_2), n->stretched);
    if (f->kind == MOTE_SWITCH_CUSTOM) {
        length += (size_t)snprintf(constants->defines + length, MOTE_COORDINATION_DEFINES - length,
                                   " -DCUSTOM=");
        mote_switch_custom_print(f, as_double, constants->defines + length,
                                 MOTE_COORDINATION_DEFINES - length);
    }
    return MOTE_SUCCESS;
}
