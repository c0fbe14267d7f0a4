/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the switching functions on the host. Source of the formulas: PLUMED, see
 * mote/coordination.h. */
#include "coordination/switch.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846

/* A function that is less than the inverse of this at 0 has too little left to be stretched. */
#define MOST_STRETCH 1e25

/* f and df / dx. */
typedef struct point {
    double value, slope;
} point;

/* 1 / (1 + e^y) and minus its derivative, e^-|y| being what cannot overflow. */
static point falling(double y)
{
    double e = exp(-fabs(y)), whole = 1.0 + e;
    return (point){.value = (y > 0.0 ? e : 1.0) / whole, .slope = e / (whole * whole)};
}

/* n / (1 - x^-n), with y = n log x. */
static double pole(double n, double y)
{
    return y > 0.0 ? -n / expm1(-y) : n * exp(y) / expm1(y);
}

/* pole(n) - pole(m) where x is so near 1 that both are large: (n - m) / 2 and what y / (1 - e^-y)
 * has beyond 1 + y / 2, by Bernoulli numbers; eight of them do for |y| up to 0.5. */
static double poles_near_one(double n, double m, double l)
{
    static const double bernoulli[] = {1.0 / 12,
                                       -1.0 / 720,
                                       1.0 / 30240,
                                       -1.0 / 1209600,
                                       1.0 / 47900160,
                                       -691.0 / 1307674368000.0,
                                       1.0 / 74724249600.0,
                                       -3617.0 / 10670622842880000.0};
    double p = n * l * (n * l), q = m * l * (m * l);
    double p_k = 1.0, q_k = 1.0, sum = 0.0;
    for (int k = 0; k < 8; k++) {
        p_k *= p;
        q_k *= q;
        sum += bernoulli[k] * (p_k - q_k);
    }
    return 0.5 * (n - m) + sum / l;
}

/* In l = log x: x^n - 1 = expm1(n l) is exact near x = 1, and e^-(n l) cannot overflow above. */
static point rational(double n, double m, double x)
{
    double l = log(x), p = n * l, q = m * l;
    if (m == 2.0 * n) {
        point f = falling(p);
        return (point){.value = f.value, .slope = -n * (f.slope / x)};
    }
    if (l == 0.0)
        return (point){.value = n / m, .slope = n * (n - m) / (2.0 * m)};
    double f = l < 0.0 ? expm1(p) / expm1(q) : exp((n - m) * l) * (expm1(-p) / expm1(-q));
    bool near_one = fmax(fabs(p), fabs(q)) < 0.5;
    double poles = near_one ? poles_near_one(n, m, l) : pole(n, p) - pole(m, q);
    return (point){.value = f, .slope = f * (poles / x)};
}

static double log_of_c(double a, double b)
{
    double y = a / b * log(2.0);
    return y < 1.0 ? log(expm1(y)) : y + log(-expm1(-y));
}

static point smap(double a, double b, double x)
{
    double z = log_of_c(a, b) + a * log(x);
    double f = exp(-b / a * (z > 0.0 ? z + log1p(exp(-z)) : log1p(exp(z))));
    return (point){.value = f, .slope = -b * (f * falling(-z).value / x)};
}

static point cosinus(double x)
{
    if (x > 1.0)
        return (point){0};
    double half = x < 0.5 ? cos(0.5 * PI * x) : sin(0.5 * PI * (1.0 - x));
    return (point){.value = half * half, .slope = -0.5 * PI * sin(PI * x)};
}

static point scaled_q(const mote_switch *s, double r)
{
    point f = falling(s->beta * (r - s->lambda * s->ref));
    return (point){.value = f.value, .slope = -s->beta * s->r_0 * f.slope};
}

/* A value that falls at `rate` times itself; once it has vanished the rate may be infinite. */
static point decaying(double value, double rate)
{
    return (point){.value = value, .slope = value > 0.0 ? -rate * value : 0.0};
}

static point evaluate(const mote_switch *s, double r, double x)
{
    if (s->kind == MOTE_SWITCH_RATIONAL)
        return rational(s->nn, s->mm, x);
    if (s->kind == MOTE_SWITCH_SMAP)
        return smap(s->a, s->b, x);
    if (s->kind == MOTE_SWITCH_COSINUS)
        return cosinus(x);
    if (s->kind == MOTE_SWITCH_Q)
        return scaled_q(s, r);
    if (s->kind == MOTE_SWITCH_CUBIC)
        return (point){.value = (x - 1.0) * (x - 1.0) * (1.0 + 2.0 * x),
                       .slope = 6.0 * x * (x - 1.0)};
    if (s->kind == MOTE_SWITCH_EXP)
        return decaying(exp(-x), 1.0);
    if (s->kind == MOTE_SWITCH_GAUSSIAN)
        return decaying(exp(-0.5 * x * x), x);
    double f = 2.0 * falling(2.0 * x).value; /* TANH */
    return decaying(f, 2.0 - f);
}

/* The function without d_max and stretching, and its derivative by r. */
static point raw(const mote_switch *s, double r)
{
    double x = (r - s->d_0) / s->r_0;
    if (x <= 0.0)
        return (point){.value = 1.0};
    point f = evaluate(s, r, x);
    f.slope = fmin(fmax(f.slope / s->r_0, -DBL_MAX), DBL_MAX);
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
        numbers->log_c = log_of_c(s->a, s->b);
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
        if (r > function->d_0 && r <= function->d_max) {
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
