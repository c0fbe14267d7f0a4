/* SPDX-License-Identifier: Apache-2.0 */
/* Source of the formulas: PLUMED, see mote/coordination.h. */
#include "coordination/switch_custom.h"
#include "coordination/switch_kinds.h"
#include "core/fail.h"

#include <math.h>
#include <stdbool.h>

#define PI 3.14159265358979323846

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

typedef mote_switch_point point;

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
static point rational(const mote_switch *s, double r, double x)
{
    double n = s->nn, m = s->mm;
    (void)r;
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

double mote_switch_log_of_c(double a, double b)
{
    double y = a / b * log(2.0);
    return y < 1.0 ? log(expm1(y)) : y + log(-expm1(-y));
}

static point smap(const mote_switch *s, double r, double x)
{
    double a = s->a, b = s->b;
    (void)r;
    double z = mote_switch_log_of_c(a, b) + a * log(x);
    double f = exp(-b / a * (z > 0.0 ? z + log1p(exp(-z)) : log1p(exp(z))));
    return (point){.value = f, .slope = -b * (f * falling(-z).value / x)};
}

static point cosinus(const mote_switch *s, double r, double x)
{
    (void)s, (void)r;
    if (x > 1.0)
        return (point){0};
    double half = x < 0.5 ? cos(0.5 * PI * x) : sin(0.5 * PI * (1.0 - x));
    return (point){.value = half * half, .slope = -0.5 * PI * sin(PI * x)};
}

static point q(const mote_switch *s, double r, double x)
{
    (void)x;
    point f = falling(s->beta * (r - s->lambda * s->ref));
    return (point){.value = f.value, .slope = -s->beta * s->r_0 * f.slope};
}

/* A value that falls at `rate` times itself; once it has vanished the rate may be infinite. */
static point decaying(double value, double rate)
{
    return (point){.value = value, .slope = value > 0.0 ? -rate * value : 0.0};
}

static point exponential(const mote_switch *s, double r, double x)
{
    (void)s, (void)r;
    return decaying(exp(-x), 1.0);
}

static point gaussian(const mote_switch *s, double r, double x)
{
    (void)s, (void)r;
    return decaying(exp(-0.5 * x * x), x);
}

static point hyperbolic(const mote_switch *s, double r, double x)
{
    double f = 2.0 * falling(2.0 * x).value;
    (void)s, (void)r;
    return decaying(f, 2.0 - f);
}

static point cubic(const mote_switch *s, double r, double x)
{
    (void)s, (void)r;
    return (point){.value = (x - 1.0) * (x - 1.0) * (1.0 + 2.0 * x), .slope = 6.0 * x * (x - 1.0)};
}

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

#define KEY(name) (1u << MOTE_SWITCH_KEY_##name)

static const mote_switch_row kinds[] = {
    [MOTE_SWITCH_RATIONAL] = {"RATIONAL", KEY(NN) | KEY(MM), KEY(R_0), complete_rational, rational},
    [MOTE_SWITCH_EXP] = {"EXP", 0, KEY(R_0), NULL, exponential},
    [MOTE_SWITCH_GAUSSIAN] = {"GAUSSIAN", 0, KEY(R_0), NULL, gaussian},
    [MOTE_SWITCH_SMAP] = {"SMAP", KEY(A) | KEY(B), KEY(R_0) | KEY(A) | KEY(B), complete_smap, smap},
    [MOTE_SWITCH_CUBIC] = {"CUBIC", 0, KEY(D_MAX), NULL, cubic},
    [MOTE_SWITCH_TANH] = {"TANH", 0, KEY(R_0), NULL, hyperbolic},
    [MOTE_SWITCH_COSINUS] = {"COSINUS", 0, KEY(R_0), NULL, cosinus},
    [MOTE_SWITCH_Q] = {"Q", KEY(BETA) | KEY(LAMBDA) | KEY(REF), KEY(R_0) | KEY(REF), complete_q, q},
    [MOTE_SWITCH_CUSTOM] = {"CUSTOM", 0, KEY(R_0) | KEY(FUNC), mote_switch_custom_complete,
                            mote_switch_custom_value},
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
