/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/coordination/oracle_switch.h"
#include "testkit/reference/coordination/oracle_custom.h"

#include <math.h>

static const long double pi = 3.14159265358979323846264338327950288L;

typedef struct point {
    long double value, slope;
} point;

static long double whole_power(long double x, int32_t n)
{
    long double power = 1.0L;
    for (; n > 0; n >>= 1, x *= x)
        power = n & 1 ? power * x : power;
    return power;
}

/* 1 + x + ... + x^(k-1), and its derivative. */
static point geometric(long double x, int32_t k)
{
    point p = {0};
    for (int32_t i = 0; i < k; i++) {
        p.slope = p.slope * x + p.value;
        p.value = p.value * x + 1.0L;
    }
    return p;
}

/* Near 1, the zero of 1 - x is divided out of both sides; far above 1, powers of 1 / x are used. */
static point rational(int32_t n, int32_t m, long double x)
{
    long double near = 2.0L / (n > m ? n : m);
    if (x > 1.0L + near) {
        long double u = 1.0L / x, top = 1.0L - whole_power(u, n), bottom = 1.0L - whole_power(u, m);
        long double f = n < m ? whole_power(u, m - n) : whole_power(x, n - m);
        f *= top / bottom;
        return (point){f, f / x * (n / top - m / bottom)};
    }
    if (x < 1.0L - near) {
        long double bottom = 1.0L - whole_power(x, m);
        long double f = (1.0L - whole_power(x, n)) / bottom;
        return (point){f, (f * m * whole_power(x, m - 1) - n * whole_power(x, n - 1)) / bottom};
    }
    point top = geometric(x, n), bottom = geometric(x, m);
    long double f = top.value / bottom.value;
    return (point){f, (top.slope - f * bottom.slope) / bottom.value};
}

static point smap(long double a, long double b, long double x)
{
    long double c = expm1l(a / b * logl(2.0L)), inside = 1.0L + c * powl(x, a);
    long double f = powl(inside, -b / a);
    return (point){f, -b * c * powl(x, a - 1.0L) * f / inside};
}

/* By r, not by x. */
static point q(const mote_switch *s, long double r)
{
    long double beta = s->beta != 0.0 ? s->beta : 50.0L;
    long double middle = (s->lambda != 0.0 ? s->lambda : 1.8L) * s->ref;
    long double z = beta * (r - middle), half = coshl(z / 2.0L);
    long double f = z > 0.0L ? expl(-z) / (1.0L + expl(-z)) : 1.0L / (1.0L + expl(z));
    return (point){f, -beta / (4.0L * half * half)};
}

/* The function before d_max and stretching, and its derivative with respect to x (Q: r). */
static point plain(const mote_oracle_switch *s, long double r, long double x)
{
    const mote_switch *g = &s->given;
    int32_t nn = g->nn ? g->nn : 6;
    long double e = expl(-2.0L * x);
    switch (g->kind) {
    case MOTE_SWITCH_RATIONAL:
        return rational(nn, g->mm ? g->mm : 2 * nn, x);
    case MOTE_SWITCH_EXP:
        return (point){expl(-x), -expl(-x)};
    case MOTE_SWITCH_GAUSSIAN:
        return (point){expl(-x * x / 2.0L), -x * expl(-x * x / 2.0L)};
    case MOTE_SWITCH_SMAP:
        return smap(g->a, g->b, x);
    case MOTE_SWITCH_CUBIC:
        return (point){(x - 1.0L) * (x - 1.0L) * (1.0L + 2.0L * x), 6.0L * x * (x - 1.0L)};
    case MOTE_SWITCH_TANH:
        return (point){2.0L * e / (1.0L + e), -4.0L * e / ((1.0L + e) * (1.0L + e))};
    case MOTE_SWITCH_COSINUS:
        if (x > 1.0L)
            return (point){0};
        return (point){powl(cosl(pi * x / 2.0L), 2.0L), -pi * sinl(pi * x) / 2.0L};
    case MOTE_SWITCH_Q:
        return q(g, r);
    case MOTE_SWITCH_CUSTOM: {
        point f;
        f.value = mote_oracle_custom(g->func, x, &f.slope);
        return f;
    }
    }
    return (point){0};
}

static bool is_square(const mote_oracle_switch *s)
{
    return s->given.kind == MOTE_SWITCH_CUSTOM && mote_oracle_custom_is_square(s->given.func);
}

static point unstretched(const mote_oracle_switch *s, long double r)
{
    long double x = (r - s->d_0) / s->r_0;
    if (x < 0.0L || (x == 0.0L && !is_square(s)))
        return (point){1.0L, 0.0L};
    point f = plain(s, r, x);
    if (s->given.kind != MOTE_SWITCH_Q)
        f.slope /= s->r_0;
    return f;
}

void mote_oracle_switch_make(const mote_switch *function, mote_oracle_switch *s)
{
    const mote_switch *g = function;
    int32_t nn = g->nn ? g->nn : 6, mm = g->mm ? g->mm : 2 * nn;
    *s = (mote_oracle_switch){
        .given = *g, .r_0 = g->r_0, .d_0 = g->d_0, .d_max = g->d_max, .stretch = 1.0L};
    if (g->kind == MOTE_SWITCH_RATIONAL && g->d_max == 0.0)
        s->d_max = s->d_0 + s->r_0 * powl(1e-5L, 1.0L / (nn - mm));
    if (g->kind == MOTE_SWITCH_CUBIC)
        s->r_0 = s->d_max - s->d_0;
    if (g->no_stretch || isinf(s->d_max))
        return;
    long double end = unstretched(s, s->d_max).value;
    s->stretch = 1.0L / (unstretched(s, 0.0L).value - end);
    s->shift = -end * s->stretch;
}

long double mote_oracle_switch_value(const mote_oracle_switch *s, long double r,
                                     long double *derivative)
{
    point f = {0};
    if (r <= s->d_max) {
        f = unstretched(s, r);
        if (r > s->d_0 || is_square(s))
            f = (point){f.value * s->stretch + s->shift, f.slope * s->stretch};
    }
    if (derivative)
        *derivative = r > 0.0L ? f.slope : 0.0L;
    return f.value;
}
