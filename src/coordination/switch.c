/* SPDX-License-Identifier: Apache-2.0 */
/* Values of completed switching functions on the host. */
#include "coordination/switch.h"
#include "coordination/switch_custom.h"
#include "coordination/switch_kinds.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* A function that is less than the inverse of this at 0 has too little left to be stretched. */
#define MOST_STRETCH 1e25

typedef mote_switch_point point;

/* The function without d_max and stretching, and its derivative by r. */
static point raw(const mote_switch *s, double r)
{
    double x = (r - s->d_0) / s->r_0;
    if (x < 0.0 || (x == 0.0 && !mote_switch_is_of_square(s)))
        return (point){.value = 1.0};
    point f = mote_switch_find(s->kind)->evaluate(s, r, x);
    f.slope /= s->r_0;
    if (s->kind != MOTE_SWITCH_CUSTOM) {
        f.value = fmin(f.value, DBL_MAX);
        f.slope = fmin(fmax(f.slope, -DBL_MAX), DBL_MAX);
    }
    return f;
}

/* In units of r_0 or, with products, in those of t. */
static bool stretch(const mote_switch *s, mote_switch_numbers *numbers)
{
    double end = raw(s, s->d_max).value;
    numbers->stretch = 1.0 / (raw(s, 0.0).value - end);
    numbers->shift = -end * numbers->stretch;
    bool good = mote_switch_stretched_make(s, numbers->log_c, numbers->shift, &numbers->stretched);
    if (numbers->stretched.used) {
        numbers->d_0 = numbers->stretched.start;
        numbers->inverse_r_0 = 1.0 / numbers->stretched.unit;
        numbers->stretch = 1.0;
        numbers->shift = 0.0;
    }
    return good && fabs(numbers->stretch) <= MOST_STRETCH;
}

bool mote_switch_get_numbers(const mote_switch *function, mote_switch_numbers *numbers)
{
    const mote_switch *s = function;
    *numbers = (mote_switch_numbers){
        .d_0 = s->d_0,
        .d_max = s->d_max,
        .inverse_r_0 = 1.0 / s->r_0,
        .stretch = 1.0,
        .beta = s->beta,
        .middle = s->lambda * s->ref,
    };
    if (s->kind == MOTE_SWITCH_SMAP) {
        numbers->power = s->a;
        numbers->log_c = mote_switch_log_of_c(s->a, s->b);
        numbers->decay = -s->b / s->a;
    }
    return s->no_stretch || isinf(s->d_max) || stretch(s, numbers);
}

double mote_switch_value(const mote_switch *function, double r, double *derivative)
{
    mote_switch_numbers numbers;
    point f = {.value = NAN, .slope = NAN};
    if (function && r >= 0.0) {
        f = r > function->d_max ? (point){0} : raw(function, r);
        bool smooth = r > function->d_0 || mote_switch_is_of_square(function);
        if (smooth && r <= function->d_max) {
            mote_switch_get_numbers(function, &numbers);
            f.value = f.value * numbers.stretch + numbers.shift;
            f.slope *= numbers.stretch;
            if (numbers.stretched.used)
                f.value = mote_switch_stretched_value(function, &numbers.stretched, r, &f.slope);
            f.slope = r > 0.0 ? f.slope : 0.0;
        }
    }
    if (derivative)
        *derivative = f.slope;
    return f.value;
}
