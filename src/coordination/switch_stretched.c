/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/switch_stretched.h"

#include "coordination/switch_forms.h"

#include <stdint.h>

/* The largest |shift|. Cancellation in f stretch + shift may lose up to this number of rounding
 * errors. */
#define MOST_SHIFT 2.0

/* Below this, functions are straight lines in double precision; single precision still has normal
 * numbers there. */
#define LEAST 1e-18

/* The z below which 1 + e^z is 1 in double precision. */
#define LEAST_LOG (-40.0)

/* Lengths in units of r_0: x = first + step t, up to `last`; t runs up to `end`. */
typedef struct range {
    double first, step, last, end;
    double start, unit; /* t = (r - start) / unit */
    double log_c;
} range;

static bool is_ratio(const mote_switch *s)
{
    return s->kind == MOTE_SWITCH_RATIONAL && s->mm != 2 * (int64_t)s->nn;
}

/* The stretched form of a kind, and functions that compute its numbers. */
typedef struct method {
    double most_first; /* the largest d_0 / r_0 for which x = (r - d_0) / r_0 keeps enough digits of
                          r */
    /* The distance over which the function changes, from x = `first` on. */
    double (*unit)(const mote_switch *f, double first);
    void (*make)(const mote_switch *f, const range *x, switch_numbers *n);
    mote_switch_form form;
} method;

/* Returns NULL for a kind that is always stretched by the definition. */
static const method *method_of(const mote_switch *f);

/* The value of s at t = 0 before it is scaled. */
static double at_start(const mote_switch *f, switch_numbers *numbers)
{
    double s, slope;
    numbers->number[STRETCHED_SCALE] = 1.0;
    method_of(f)->form.value(0.0, 0.0, numbers, &s, &slope);
    return s;
}

static void make_decay(const mote_switch *f, const range *x, switch_numbers *numbers)
{
    double *n = numbers->number;
    bool square = f->kind == MOTE_SWITCH_GAUSSIAN;
    n[DECAY_LINEAR] = square ? x->first * x->step : x->step;
    n[DECAY_SQUARE] = square ? 0.5 * x->step * x->step : 0.0;
    double all = n[STRETCHED_END] * (n[DECAY_SQUARE] * n[STRETCHED_END] + n[DECAY_LINEAR]);
    if (all < LEAST) {
        n[DECAY_LINEAR] *= LEAST / all;
        n[DECAY_SQUARE] *= LEAST / all;
    }
    n[STRETCHED_SCALE] = 1.0 / at_start(f, numbers);
}

static void make_logistic(const mote_switch *f, const range *x, switch_numbers *numbers)
{
    double *n = numbers->number;
    bool q = f->kind == MOTE_SWITCH_Q;
    double rate = q ? f->beta * x->unit : 2.0 * x->step, end = n[STRETCHED_END];
    double z = q ? f->beta * (x->start - f->lambda * f->ref) : 2.0 * x->first;
    rate = fmax(rate, LEAST / end);
    double middle = fmin(fmax(-z / rate, -1e30), 1e30);
    n[LOGISTIC_RATE] = rate;
    n[LOGISTIC_MIDDLE] = middle;
    n[LOGISTIC_TOP] = fmax(middle, 0.0);
    n[LOGISTIC_PIVOT] = fmin(middle, end);
    /* s is 1 at d_0 by definition, but decreases from f(d_0). */
    bool jumps = q && f->d_0 >= 0.0;
    n[STRETCHED_SCALE] = jumps ? exp(fmin(-z, 0.0)) : 1.0 / at_start(f, numbers);
    n[LOGISTIC_SLOPE] = rate * n[STRETCHED_SCALE] * (1.0 + exp(-rate * fabs(end - middle)));
}

static void make_cubic(const mote_switch *f, const range *x, switch_numbers *numbers)
{
    double *n = numbers->number;
    (void)f;
    n[CUBIC_BEND] = 2.0 * x->step / (1.0 + 2.0 * x->first);
    n[CUBIC_LEAN] = 6.0 * x->first / (1.0 + 2.0 * x->first);
}

static void make_cosinus(const mote_switch *f, const range *given, switch_numbers *numbers)
{
    double *n = numbers->number;
    range x = *given;
    if (x.last < 1e-9) { /* a parabola of any size */
        double more = 1e-9 / x.last;
        x = (range){.first = x.first * more, .step = x.step * more, .last = 1e-9, .end = x.end};
    }
    bool above = x.first + x.last > 1.0;
    n[COSINUS_FIRST] = above ? 1.0 - x.last : 0.5 * (x.first + x.last);
    n[COSINUS_SECOND] = above ? 1.0 - x.last : x.first;
    n[COSINUS_UP] = above ? 0.0 : x.step;
    n[COSINUS_DOWN] = above ? x.step : 0.0;
    n[COSINUS_HALF] = 0.5 * x.step;
    n[STRETCHED_SCALE] = 1.0 / at_start(f, numbers);
    n[COSINUS_SLOPE] = 0.5 * PI * x.step * n[STRETCHED_SCALE];
}

static void make_power(const mote_switch *f, const range *x, switch_numbers *numbers)
{
    double *n = numbers->number;
    double a = f->kind == MOTE_SWITCH_SMAP ? f->a : f->nn;
    double decay = f->kind == MOTE_SWITCH_SMAP ? f->b / f->a : 1.0;
    double last = x->log_c + a * log(x->last), lift = fmax(LEAST_LOG - last, 0.0);
    n[POWER_FROM] = x->first / x->last;
    n[POWER_STEP] = x->step / x->last;
    n[POWER_EXPONENT] = a;
    n[POWER_LAST] = last + lift;
    double rise = x->first > 0.0 ? a * log1p(x->step * x->end / x->first) : 1e30;
    n[POWER_FIRST] = n[POWER_LAST] - rise;
    /* For such small x, only the decay e^z matters. */
    n[POWER_DECAY] = fmax(decay * exp(-lift), 1e-200);
    double all = n[POWER_DECAY] * softplus_rise(n[POWER_FIRST], n[POWER_LAST], rise);
    if (all < LEAST) {
        n[POWER_DECAY] *= LEAST / all;
        all = LEAST;
    }
    n[STRETCHED_SCALE] = -1.0 / expm1(-all);
    n[POWER_SLOPE] = n[POWER_DECAY] * a * n[POWER_STEP] * n[STRETCHED_SCALE];
}

/* Uses differences of d where d changes, and integrals of its slopes where it hardly changes. */
static void make_ratio(const mote_switch *f, const range *x, switch_numbers *numbers)
{
    double *n = numbers->number;
    double d, rate;
    bool below = x->last <= 1.0;
    n[RATIO_FROM] = x->first;
    n[RATIO_STEP] = x->step;
    n[RATIO_BASE] = below ? x->first / x->last : x->first;
    n[RATIO_BASE_STEP] = below ? x->step / x->last : x->step;
    n[RATIO_NORM] = 1.0;
    numbers->nn = (unsigned)f->nn;
    numbers->mm = (unsigned)f->mm;
    ratio_part(n[STRETCHED_END], numbers, &d, &rate);
    n[RATIO_NORM] = 1.0 / d;
    ratio_part(0.0, numbers, &d, &rate);
    n[RATIO_SUMMED] = d > 0.5;
    n[STRETCHED_SCALE] = 1.0 / at_start(f, numbers);
}

static double unit_of_r_0(const mote_switch *f, double first)
{
    (void)first;
    return f->r_0;
}

static double unit_of_q(const mote_switch *f, double first)
{
    (void)first;
    return 1.0 / f->beta;
}

static double unit_of_gaussian(const mote_switch *f, double first)
{
    return f->r_0 / fmax(first, 1.0);
}

static double unit_of_power(const mote_switch *f, double first)
{
    return f->r_0 * fmax(first, 1.0);
}

static double unit_of_cosinus(const mote_switch *f, double first)
{
    return f->r_0 * (1.0 - first);
}

static double unit_of_cubic(const mote_switch *f, double first)
{
    (void)f, (void)first;
    return INFINITY;
}

static const method methods[] = {
    [MOTE_SWITCH_RATIONAL] = {2.0, unit_of_power, make_power, MOTE_SWITCH_FORM(stretched_power)},
    [MOTE_SWITCH_EXP] = {2.0, unit_of_r_0, make_decay, MOTE_SWITCH_FORM(stretched_decay)},
    [MOTE_SWITCH_GAUSSIAN] = {2.0, unit_of_gaussian, make_decay, MOTE_SWITCH_FORM(stretched_decay)},
    [MOTE_SWITCH_SMAP] = {2.0, unit_of_power, make_power, MOTE_SWITCH_FORM(stretched_power)},
    [MOTE_SWITCH_CUBIC] = {0.5, unit_of_cubic, make_cubic, MOTE_SWITCH_FORM(stretched_cubic)},
    [MOTE_SWITCH_TANH] = {2.0, unit_of_r_0, make_logistic, MOTE_SWITCH_FORM(stretched_logistic)},
    [MOTE_SWITCH_COSINUS] = {0.5, unit_of_cosinus, make_cosinus,
                             MOTE_SWITCH_FORM(stretched_cosinus)},
    [MOTE_SWITCH_Q] = {INFINITY, unit_of_q, make_logistic, MOTE_SWITCH_FORM(stretched_logistic)},
};

/* RATIONAL with mm other than 2 nn. */
static const method ratio = {INFINITY, unit_of_power, make_ratio,
                             MOTE_SWITCH_FORM(stretched_ratio)};

static const method *method_of(const mote_switch *f)
{
    if (is_ratio(f))
        return &ratio;
    bool has = (size_t)f->kind < sizeof(methods) / sizeof(methods[0]) && methods[f->kind].make;
    return has ? &methods[f->kind] : NULL;
}

const mote_switch_form *mote_switch_stretched_form(const mote_switch *function)
{
    const method *m = method_of(function);
    return m ? &m->form : NULL;
}

static bool make_numbers(const mote_switch *f, double log_c, mote_switch_numbers *to)
{
    double *n = to->numbers.number, first = fmax(-f->d_0, 0.0) / f->r_0;
    double start = fmax(f->d_0, 0.0), length = f->d_max - start;
    double unit = fmin(length, method_of(f)->unit(f, first));
    double end = f->kind == MOTE_SWITCH_COSINUS ? 1.0 : fmin(length / unit, 1e18);
    range x = {.first = first,
               .step = unit / f->r_0,
               .end = end,
               .start = start,
               .unit = unit,
               .log_c = log_c};
    x.last = x.first + x.step * end;
    to->d_0 = start;
    to->unit = unit;
    to->inverse_r_0 = 1.0 / unit;
    to->stretch = 1.0;
    to->shift = 0.0;
    to->numbers = (switch_numbers){0};
    if (!(unit > 0.0))
        return false;
    n[STRETCHED_END] = end;
    method_of(f)->make(f, &x, &to->numbers);
    for (int k = 0; k < SWITCH_NUMBERS; k++)
        if (!isfinite(n[k]))
            return false;
    return true;
}

bool mote_switch_stretch_far(const mote_switch *function, mote_switch_numbers *numbers)
{
    const method *m = method_of(function);
    double first = -function->d_0 / function->r_0, log_c = 0.0;
    if (function->kind == MOTE_SWITCH_SMAP)
        log_c = numbers->numbers.number[SMAP_LOG_C];
    numbers->stretched = m && (!(fabs(numbers->shift) <= MOST_SHIFT) || first > m->most_first);
    return !numbers->stretched || make_numbers(function, log_c, numbers);
}
