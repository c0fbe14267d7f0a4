/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/switch_custom.h"
#include "coordination/switch_forms.h"
#include "coordination/switch_kinds.h"
#include "core/fail.h"

#include <float.h>
#include <stdbool.h>

/* Times a rounding error of 1 + e^z is the largest acceptable error of SMAP. */
#define MOST_DECAY 16.0

const char *const mote_switch_keys[MOTE_SWITCH_KEYS] = {
    [MOTE_SWITCH_KEY_R_0] = "R_0",
    [MOTE_SWITCH_KEY_D_0] = "D_0",
    [MOTE_SWITCH_KEY_D_MAX] = "D_MAX",
    [MOTE_SWITCH_KEY_NN] = "NN",
    [MOTE_SWITCH_KEY_MM] = "MM",
    [MOTE_SWITCH_KEY_A] = "A",
    [MOTE_SWITCH_KEY_B] = "B",
    [MOTE_SWITCH_KEY_BETA] = "BETA",
    [MOTE_SWITCH_KEY_LAMBDA] = "LAMBDA",
    [MOTE_SWITCH_KEY_REF] = "REF",
    [MOTE_SWITCH_KEY_FUNC] = "FUNC",
    [MOTE_SWITCH_KEY_NOSTRETCH] = "NOSTRETCH",
    [MOTE_SWITCH_KEY_STRETCH] = "STRETCH",
};

mote_status mote_switch_check_above_zero(const char *caller, const char *what, double value)
{
    if (value > 0.0 && isfinite(value))
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s is %g, but must be above 0%s", caller,
                     what, value, value > 0.0 ? " and finite" : "");
}

static mote_status complete_rational(const char *caller, mote_switch *f)
{
    if (f->nn == 0)
        f->nn = 6;
    if (f->mm == 0 && f->nn > INT32_MAX / 2)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: nn is %d, but at most %d when mm is left to be 2 nn", caller,
                         (int)f->nn, (int)(INT32_MAX / 2));
    if (f->mm == 0)
        f->mm = f->nn > 0 ? 2 * f->nn : 0;
    if (f->nn < 1 || f->mm < 1)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: %s is %d, but exponents must be at least 1", caller,
                         f->nn < 1 ? "nn" : "mm", (int)(f->nn < 1 ? f->nn : f->mm));
    if (f->nn == f->mm)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: nn and mm are both %d: the function would be 1 everywhere", caller,
                         (int)f->nn);
    return MOTE_SUCCESS;
}

static mote_status complete_smap(const char *caller, mote_switch *f)
{
    mote_status st = mote_switch_check_above_zero(caller, "a", f->a);
    return st ? st : mote_switch_check_above_zero(caller, "b", f->b);
}

static mote_status complete_q(const char *caller, mote_switch *f)
{
    f->beta = f->beta == 0.0 ? 50.0 : f->beta;
    f->lambda = f->lambda == 0.0 ? 1.8 : f->lambda;
    mote_status st = mote_switch_check_above_zero(caller, "beta", f->beta);
    if (!st)
        st = mote_switch_check_above_zero(caller, "lambda", f->lambda);
    return st ? st : mote_switch_check_above_zero(caller, "ref", f->ref);
}

static bool is_half(const mote_switch *f)
{
    return f->mm == 2 * (int64_t)f->nn;
}

static const mote_switch_form *rational_form(const mote_switch *f)
{
    static const mote_switch_form any = MOTE_SWITCH_FORM(switch_rational),
                                  half = MOTE_SWITCH_FORM(switch_rational_half);
    return is_half(f) ? &half : &any;
}

/* A function without d_max that grows becomes constant where sums of it could overflow. */
static void rational_numbers(const mote_switch *f, double most, switch_numbers *n)
{
    double order = (double)f->nn - f->mm;
    n->nn = (unsigned)f->nn;
    n->mm = (unsigned)f->mm;
    n->largest = order > 0.0 ? pow(most, 1.0 / order) : most;
}

static mote_switch_square rational_square(const mote_switch *f)
{
    if (!is_half(f) || f->nn % 2 != 0 || f->nn > RATIONAL_MOST_EVEN)
        return (mote_switch_square){0};
    return (mote_switch_square){
        .name = "switch_rational_square", .factor = -f->nn, .power = 0.5 * f->nn, .nn = f->nn};
}

static mote_switch_square gaussian_square(const mote_switch *f)
{
    (void)f;
    return (mote_switch_square){.name = "switch_gaussian_square", .factor = -1.0, .power = 1.0};
}

static const mote_switch_form *smap_form(const mote_switch *f)
{
    static const mote_switch_form usual = MOTE_SWITCH_FORM(switch_smap),
                                  fine = MOTE_SWITCH_FORM(switch_smap_fine);
    return f->b / f->a > MOST_DECAY ? &fine : &usual;
}

static void smap_numbers(const mote_switch *f, double most, switch_numbers *n)
{
    double y = f->a / f->b * log(2.0);
    (void)most;
    n->number[SMAP_POWER] = f->a;
    n->number[SMAP_LOG_C] = y < 1.0 ? log(expm1(y)) : y + log(-expm1(-y));
    n->number[SMAP_DECAY] = -f->b / f->a;
}

static bool smap_misses_one(const mote_switch *f, double least)
{
    switch_numbers n;
    smap_numbers(f, 0.0, &n);
    return f->b / f->a * exp(n.number[SMAP_LOG_C] + f->a * log(least)) > DBL_EPSILON / 4.0;
}

static void q_numbers(const mote_switch *f, double most, switch_numbers *n)
{
    (void)most;
    n->number[Q_BETA] = f->beta * f->r_0;
    n->number[Q_MIDDLE] = f->lambda * f->ref / f->r_0;
}

static double q_unit(const mote_switch *f)
{
    return 1.0 / f->beta;
}

static bool q_misses_one(const mote_switch *f, double least)
{
    (void)f, (void)least;
    return true;
}

#define KEY(name) (1u << MOTE_SWITCH_KEY_##name)

static const mote_switch_row kinds[] = {
    [MOTE_SWITCH_RATIONAL] = {.name = "RATIONAL",
                              .takes = KEY(NN) | KEY(MM),
                              .needs = KEY(R_0),
                              .chosen = rational_form,
                              .complete = complete_rational,
                              .numbers = rational_numbers,
                              .square = rational_square},
    [MOTE_SWITCH_EXP] = {.name = "EXP", .needs = KEY(R_0), .form = MOTE_SWITCH_FORM(switch_exp)},
    [MOTE_SWITCH_GAUSSIAN] = {.name = "GAUSSIAN",
                              .needs = KEY(R_0),
                              .form = MOTE_SWITCH_FORM(switch_gaussian),
                              .square = gaussian_square},
    [MOTE_SWITCH_SMAP] = {.name = "SMAP",
                          .takes = KEY(A) | KEY(B),
                          .needs = KEY(R_0) | KEY(A) | KEY(B),
                          .chosen = smap_form,
                          .complete = complete_smap,
                          .numbers = smap_numbers,
                          .misses_one = smap_misses_one},
    [MOTE_SWITCH_CUBIC] = {.name = "CUBIC",
                           .needs = KEY(D_MAX),
                           .form = MOTE_SWITCH_FORM(switch_cubic)},
    [MOTE_SWITCH_TANH] = {.name = "TANH", .needs = KEY(R_0), .form = MOTE_SWITCH_FORM(switch_tanh)},
    [MOTE_SWITCH_COSINUS] = {.name = "COSINUS",
                             .needs = KEY(R_0),
                             .form = MOTE_SWITCH_FORM(switch_cosinus)},
    [MOTE_SWITCH_Q] = {.name = "Q",
                       .takes = KEY(BETA) | KEY(LAMBDA) | KEY(REF),
                       .needs = KEY(R_0) | KEY(REF),
                       .form = MOTE_SWITCH_FORM(switch_q),
                       .complete = complete_q,
                       .numbers = q_numbers,
                       .unit = q_unit,
                       .misses_one = q_misses_one},
    [MOTE_SWITCH_CUSTOM] = {.name = "CUSTOM",
                            .needs = KEY(R_0) | KEY(FUNC),
                            .form = {"switch_custom", NULL},
                            .complete = mote_switch_custom_complete,
                            .square = mote_switch_custom_square,
                            .misses_one = mote_switch_custom_misses_one,
                            .evaluate = mote_switch_custom_value},
};

const mote_switch_row *mote_switch_find(mote_switch_kind kind)
{
    return (size_t)kind < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[kind] : NULL;
}

const char *mote_switch_kind_name(mote_switch_kind kind)
{
    const mote_switch_row *row = mote_switch_find(kind);
    return row ? row->name : NULL;
}

const mote_switch_form *mote_switch_form_of(const mote_switch *function)
{
    const mote_switch_row *row = mote_switch_find(function->kind);
    return row->chosen ? row->chosen(function) : &row->form;
}

switch_numbers mote_switch_form_numbers(const mote_switch *function, double most)
{
    switch_numbers n = {0};
    const mote_switch_row *row = mote_switch_find(function->kind);
    if (row->numbers)
        row->numbers(function, most, &n);
    return n;
}

mote_switch_square mote_switch_square_of(const mote_switch *function)
{
    const mote_switch_row *row = mote_switch_find(function->kind);
    return row->square && function->d_0 == 0.0 ? row->square(function) : (mote_switch_square){0};
}
