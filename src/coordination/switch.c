/* SPDX-License-Identifier: Apache-2.0 */
/* Values of completed switching functions on the host. */
#include "coordination/switch.h"
#include "coordination/switch_custom.h"
#include "coordination/switch_kinds.h"
#include "coordination/switch_stretched.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* A function whose value at 0 is less than the inverse of this is too small to be stretched. */
#define MOST_STRETCH 1e25

typedef mote_switch_point point;

static point value_of(const mote_switch_form *form, double x, double r, const switch_numbers *n)
{
    point p;
    form->value(x, r, n, &p.value, &p.slope);
    return p;
}

/* Returns f(r) and df / dx, neither cut off at d_max nor stretched. */
static point raw(const mote_switch *s, double r, const switch_numbers *n)
{
    const mote_switch_row *row = mote_switch_find(s->kind);
    double x = (r - s->d_0) / s->r_0;
    if (x < 0.0 || (x == 0.0 && !mote_switch_is_of_square(s)))
        return (point){.value = 1.0};
    return row->evaluate ? row->evaluate(s, x) : value_of(mote_switch_form_of(s), x, r / s->r_0, n);
}

static bool stretch(const mote_switch *s, mote_switch_numbers *numbers)
{
    double end = raw(s, s->d_max, &numbers->numbers).value;
    numbers->stretch = 1.0 / (raw(s, 0.0, &numbers->numbers).value - end);
    numbers->shift = -end * numbers->stretch;
    return mote_switch_stretch_far(s, numbers) && fabs(numbers->stretch) <= MOST_STRETCH;
}

bool mote_switch_get_numbers(const mote_switch *function, mote_switch_numbers *numbers)
{
    const mote_switch *s = function;
    *numbers = (mote_switch_numbers){
        .d_0 = s->d_0,
        .d_max = s->d_max,
        .unit = s->r_0,
        .inverse_r_0 = 1.0 / s->r_0,
        .stretch = 1.0,
        .numbers = mote_switch_form_numbers(s, MOTE_SWITCH_MOST),
    };
    return s->no_stretch || isinf(s->d_max) || stretch(s, numbers);
}

/* Limits the value and the slope of every kind except CUSTOM to finite numbers. */
static point bounded(const mote_switch *s, point f)
{
    if (s->kind == MOTE_SWITCH_CUSTOM)
        return f;
    return (point){.value = fmin(f.value, DBL_MAX),
                   .slope = fmin(fmax(f.slope, -DBL_MAX), DBL_MAX)};
}

/* Returns s(r) and ds / dr for an r of at most d_max. */
static point stretched(const mote_switch *s, double r)
{
    mote_switch_numbers n;
    mote_switch_get_numbers(s, &n);
    if (n.stretched) {
        double t = (r - n.d_0) / n.unit;
        point p = value_of(mote_switch_stretched_form(s), fmin(t, n.numbers.number[STRETCHED_END]),
                           t, &n.numbers);
        return (point){.value = p.value, .slope = p.slope / n.unit};
    }
    point f = raw(s, r, &n.numbers);
    return (point){.value = f.value * n.stretch + n.shift, .slope = f.slope / s->r_0 * n.stretch};
}

double mote_switch_value(const mote_switch *function, double r, double *derivative)
{
    point f = {.value = NAN, .slope = NAN};
    if (function && r >= 0.0) {
        bool smooth = r > function->d_0 || mote_switch_is_of_square(function);
        f = r > function->d_max ? (point){0}
            : smooth            ? bounded(function, stretched(function, r))
                                : (point){.value = 1.0};
        f.slope = r > 0.0 ? f.slope : 0.0;
    }
    if (derivative)
        *derivative = f.slope;
    return f.value;
}
