/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/form.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "coordination/switch_custom.h"
#include "core/tune.h"

#define LATTICE_REAL double
#include "shared/lattice.h"

/* Limits in float32. The vectors of a box, in units of r_0, are at most MOST_BOX long, where a
 * fraction is accurate to 2^-17 of r_0, and at least LEAST_BOX, where the shortest distances still
 * have a direction. Lengths between LEAST_LENGTH and MOST_LENGTH have representable squares. */
#define MOST_BOX     0x1p14
#define LEAST_BOX    0x1p-20
#define MOST_LENGTH  1e12
#define LEAST_LENGTH 1e-12

/* The shortest vector of a box in double precision, in units of r_0. */
#define LEAST_BOX_DOUBLE 1e-130

#define MOST_DECAY 16.0 /* times a rounding error of 1 + e^z is what SMAP may lose */

static bool is_double(const mote_coordination_job *job)
{
    return job->precision == MOTE_PRECISION_DOUBLE;
}

/* UNIT_IS_R_0 of cl/coordination/image.clh. */
static bool is_in_r_0(const mote_coordination_job *job)
{
    return job->plan->pbc != MOTE_PBC_NONE && !is_double(job);
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
static double largest_square(const mote_coordination_job *job)
{
    double most = is_double(job) ? 1e290 : 1e35;
    return exponents(job->plan) == MOTE_COORDINATION_EVEN_HALF
               ? pow(most, 2.0 / job->plan->function.nn)
               : most;
}

/* Where a function without an end that grows has become so large that sums of it could overflow. */
static double largest(const mote_coordination_job *job)
{
    const mote_switch *f = &job->plan->function;
    double most = is_double(job) ? 1e290 : 1e25, order = (double)f->nn - f->mm;
    return f->kind == MOTE_SWITCH_RATIONAL && order > 0.0 ? pow(most, 1.0 / order) : most;
}

static double largest_distance_square(const mote_coordination *plan)
{
    double x = plan->function.d_max * plan->numbers.inverse_r_0;
    return x * x;
}

static int cutoff(const mote_coordination_job *job)
{
    if (isinf(job->plan->function.d_max))
        return 0;
    return largest_distance_square(job->plan) < largest_square(job) ? 1 : 2;
}

/* Whether kernels must test for r = 0, where s is exactly 1. Without the test they compute s at a
 * distance slightly above 0 and stretch it in the precision of the pairs, which may not give 1. If
 * d_0 is not 0, kernels compare x with 0 anyway. */
static bool may_miss_one(const mote_coordination_job *job)
{
    const mote_switch *f = &job->plan->function;
    const mote_switch_numbers *n = &job->plan->numbers;
    bool rounds =
        is_double(job) ? n->stretch + n->shift != 1.0 : (float)n->stretch + (float)n->shift != 1.0f;
    switch (f->kind) {
    case MOTE_SWITCH_CUSTOM:
        return mote_switch_custom_form_of(f).jumps || (rounds && !mote_switch_is_of_square(f));
    case MOTE_SWITCH_Q:
        return true;
    case MOTE_SWITCH_SMAP: /* at LEAST_RAISED of cl/coordination/real.clh */
        return rounds || n->stretched.used ||
               f->b / f->a * exp(n->log_c + f->a * log(is_double(job) ? 1e-100 : 1e-12)) >
                   DBL_EPSILON / 4.0;
    default:
        return rounds || n->stretched.used;
    }
}

void mote_coordination_form_make(const mote_coordination_job *job, mote_coordination_form *form)
{
    const mote_coordination *plan = job->plan;
    const mote_switch *f = &plan->function;
    int class = exponents(plan);
    bool even = class == MOTE_COORDINATION_EVEN_HALF;
    bool stretched = plan->numbers.stretched.used;
    bool squares = f->kind == MOTE_SWITCH_CUSTOM && mote_switch_custom_form_of(f).square;
    const char *custom = plan->custom[is_double(job)];
    int shifted = plan->numbers.d_0 != 0.0 ? 1 : f->d_0 == 0.0 && may_miss_one(job) ? 2 : 0;
    double unit = plan->numbers.inverse_r_0;
    snprintf(form->defines, sizeof(form->defines),
             "-DDOUBLE=%d -DPBC=%d -DSWITCH=%d -DEXPONENTS=%d -DNN=%d -DSHIFTED=%d -DCUTOFF=%d "
             "-DSTRETCHED=%d -DFINE=%d%s%s",
             is_double(job), (int)plan->pbc, (int)f->kind, class, even ? (int)f->nn : 0, shifted,
             cutoff(job), stretched, -plan->numbers.decay > MOST_DECAY,
             custom ? (squares ? " -DSQUARE=1 -DCUSTOM=" : " -DSQUARE=0 -DCUSTOM=") : "",
             custom ? custom : "");
    form->virial_scale = plan->numbers.stretch * (is_in_r_0(job) ? 1.0 : unit * unit);
    form->derivative_scale = plan->numbers.stretch * (is_in_r_0(job) ? unit : unit * unit);
    double slope = even                                                             ? -(double)f->nn
                   : f->kind == MOTE_SWITCH_GAUSSIAN && f->d_0 == 0.0 && !stretched ? -1.0
                   : squares                                                        ? 2.0
                                                                                    : 1.0;
    form->ends = cutoff(job) == 1;
    form->virial_scale *= slope;
    form->derivative_scale *= slope;
}

mote_box_range mote_coordination_form_boxes(const mote_coordination *plan, bool as_double,
                                            bool fp64)
{
    const mote_switch *f = &plan->function;
    double unit = 1.0 / plan->numbers.inverse_r_0, change = fmin(unit, f->d_max);
    mote_box_range range = {.least = LEAST_BOX_DOUBLE * unit, .most = LATTICE_MOST};
    if (f->kind == MOTE_SWITCH_Q)
        change = fmin(change, 1.0 / f->beta);
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

void mote_coordination_form_params(const mote_coordination_job *job,
                                   mote_coordination_params *params)
{
    const mote_coordination *plan = job->plan;
    const mote_switch_numbers *n = &plan->numbers;
    double r_0 = 1.0 / n->inverse_r_0;
    bool d = is_double(job);
    double d_max = is_in_r_0(job) ? n->d_max * n->inverse_r_0 : n->d_max;
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
        {params->largest_2, largest_square(job)},
        {params->largest, largest(job)},
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
