/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/form.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "coordination/switch_custom.h"
#include "core/tune.h"

#define MOST_DECAY 16.0 /* times a rounding error of 1 + e^z is what SMAP may lose */

static bool is_double(const mote_coordination *plan)
{
    return plan->precision == MOTE_PRECISION_DOUBLE;
}

/* UNIT_IS_R_0 of cl/coordination/image.clh. */
static bool is_in_r_0(const mote_coordination *plan)
{
    return plan->pbc != MOTE_PBC_NONE && !is_double(plan);
}

static int exponents(const mote_coordination *plan)
{
    const mote_switch *f = &plan->function;
    if (f->kind != MOTE_SWITCH_RATIONAL || f->mm != 2 * (int64_t)f->nn)
        return MOTE_COORDINATION_ANY;
    bool even = f->nn % 2 == 0 && f->nn <= MOTE_COORDINATION_MOST_EVEN && f->d_0 == 0.0 &&
                !plan->numbers.stretched.used;
    return even ? MOTE_COORDINATION_EVEN_HALF : MOTE_COORDINATION_HALF;
}

/* Powers of squares up to this one are finite, and their reciprocals no longer count. */
static double largest_square(const mote_coordination *plan)
{
    double most = is_double(plan) ? 1e290 : 1e35;
    return exponents(plan) == MOTE_COORDINATION_EVEN_HALF ? pow(most, 2.0 / plan->function.nn)
                                                          : most;
}

/* Where a function without an end that grows has become so large that sums of it could overflow. */
static double largest(const mote_coordination *plan)
{
    const mote_switch *f = &plan->function;
    double most = is_double(plan) ? 1e290 : 1e25, order = (double)f->nn - f->mm;
    return f->kind == MOTE_SWITCH_RATIONAL && order > 0.0 ? pow(most, 1.0 / order) : most;
}

static double largest_distance_square(const mote_coordination *plan)
{
    double x = plan->function.d_max * plan->numbers.inverse_r_0;
    return x * x;
}

static int cutoff(const mote_coordination *plan)
{
    if (isinf(plan->function.d_max))
        return 0;
    return largest_distance_square(plan) < largest_square(plan) ? 1 : 2;
}

void mote_coordination_form_make(const mote_coordination *plan, mote_coordination_form *form)
{
    const mote_switch *f = &plan->function;
    int class = exponents(plan);
    bool even = class == MOTE_COORDINATION_EVEN_HALF;
    bool stretched = plan->numbers.stretched.used;
    mote_switch_custom_form custom = {.jumps = f->kind == MOTE_SWITCH_Q && f->d_0 == 0.0};
    if (plan->custom)
        custom = mote_switch_custom_form_of(f);
    int shifted = plan->numbers.d_0 != 0.0 ? 1 : custom.jumps ? 2 : 0;
    double unit = plan->numbers.inverse_r_0;
    snprintf(form->defines, sizeof(form->defines),
             "-DDOUBLE=%d -DPBC=%d -DSWITCH=%d -DEXPONENTS=%d -DNN=%d -DSHIFTED=%d -DCUTOFF=%d "
             "-DSTRETCHED=%d -DFINE=%d%s%s",
             is_double(plan), (int)plan->pbc, (int)f->kind, class, even ? (int)f->nn : 0, shifted,
             cutoff(plan), stretched, -plan->numbers.decay > MOST_DECAY,
             plan->custom ? (custom.square ? " -DSQUARE=1 -DCUSTOM=" : " -DSQUARE=0 -DCUSTOM=")
                          : "",
             plan->custom ? plan->custom : "");
    form->virial_scale = plan->numbers.stretch * (is_in_r_0(plan) ? 1.0 : unit * unit);
    form->derivative_scale = plan->numbers.stretch * (is_in_r_0(plan) ? unit : unit * unit);
    double slope = even                                                             ? -(double)f->nn
                   : f->kind == MOTE_SWITCH_GAUSSIAN && f->d_0 == 0.0 && !stretched ? -1.0
                   : custom.square                                                  ? 2.0
                                                                                    : 1.0;
    form->ends = cutoff(plan) == 1;
    form->virial_scale *= slope;
    form->derivative_scale *= slope;
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

void mote_coordination_form_params(const mote_coordination *plan, mote_coordination_params *params)
{
    const mote_switch_numbers *n = &plan->numbers;
    double r_0 = 1.0 / n->inverse_r_0;
    bool d = is_double(plan);
    double d_max = is_in_r_0(plan) ? n->d_max * n->inverse_r_0 : n->d_max;
    /* Pairs at d_max count: without a box few roundings part them from those beyond. */
    double rounding =
        (d ? DBL_EPSILON : (double)FLT_EPSILON) * (plan->pbc == MOTE_PBC_NONE ? 0.25 : 1.0);
    *params = (mote_coordination_params){.n_atoms = plan->n_atoms, .n_a = plan->n_a};
    params->n_b = plan->n_b;
    params->flags = (plan->repeated ? MOTE_COORDINATION_IS_REPEATED : 0) |
                    (plan->mode == MOTE_COORDINATION_SELF ? 0 : MOTE_COORDINATION_IS_TWO_LISTS);
    params->nn = (uint32_t)plan->function.nn;
    params->mm = (uint32_t)plan->function.mm;
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
        {params->largest_2, largest_square(plan)},
        {params->largest, largest(plan)},
        {params->power, n->power},
        {params->log_c, n->log_c},
        {params->decay, n->decay},
        {params->beta, n->beta * r_0},
        {params->middle, n->middle * n->inverse_r_0},
    };
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        mote_coordination_put(all[k].words, all[k].value, d);
    for (size_t k = 0; k < MOTE_STRETCHED_NUMBERS; k++)
        mote_coordination_put(params->stretched + 2 * k, n->stretched.numbers[k], d);
}
