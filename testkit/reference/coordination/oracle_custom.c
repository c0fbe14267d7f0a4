/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/coordination/oracle_custom.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A value and its derivative with respect to x. */
typedef struct dual {
    long double v, d;
} dual;

typedef struct reader {
    const char *at;
    long double x;
} reader;

static const long double pi = 3.14159265358979323846264338327950288L;

static dual read_sum(reader *r);

static char next(reader *r)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
    return *r->at;
}

static bool take(reader *r, char c)
{
    bool there = next(r) == c;
    r->at += there;
    return there;
}

static dual times(dual a, dual b)
{
    return (dual){a.v * b.v, (a.d == 0.0L ? 0.0L : a.d * b.v) + (b.d == 0.0L ? 0.0L : a.v * b.d)};
}

static dual over(dual a, dual b)
{
    return (dual){a.v / b.v, (a.d - a.v / b.v * b.d) / b.v};
}

static dual raise(dual a, dual b)
{
    if (b.d == 0.0L)
        return (dual){powl(a.v, b.v), a.d == 0.0L ? 0.0L : b.v * powl(a.v, b.v - 1.0L) * a.d};
    long double v = powl(a.v, b.v);
    return (dual){v, v * (b.d * logl(a.v) + (a.d == 0.0L ? 0.0L : b.v * a.d / a.v))};
}

/* Computes the value and the derivative of a function of one argument. */
static dual apply_1(const char *name, dual a)
{
    long double u = a.v, g = NAN, f = NAN;
#define FUNCTION(word, value, change)                                                              \
    if (strcmp(name, word) == 0) {                                                                 \
        f = value;                                                                                 \
        g = change;                                                                                \
    }
    FUNCTION("sqrt", sqrtl(u), 0.5L / sqrtl(u))
    FUNCTION("exp", expl(u), expl(u))
    FUNCTION("log", logl(u), 1.0L / u)
    FUNCTION("sin", sinl(u), cosl(u))
    FUNCTION("cos", cosl(u), -sinl(u))
    FUNCTION("tan", tanl(u), 1.0L / (cosl(u) * cosl(u)))
    FUNCTION("sec", 1.0L / cosl(u), sinl(u) / (cosl(u) * cosl(u)))
    FUNCTION("csc", 1.0L / sinl(u), -cosl(u) / (sinl(u) * sinl(u)))
    FUNCTION("cot", cosl(u) / sinl(u), -1.0L / (sinl(u) * sinl(u)))
    FUNCTION("asin", asinl(u), 1.0L / sqrtl(1.0L - u * u))
    FUNCTION("acos", acosl(u), -1.0L / sqrtl(1.0L - u * u))
    FUNCTION("atan", atanl(u), 1.0L / (1.0L + u * u))
    FUNCTION("asec", acosl(1.0L / u), 1.0L / (fabsl(u) * sqrtl(u * u - 1.0L)))
    FUNCTION("acsc", asinl(1.0L / u), -1.0L / (fabsl(u) * sqrtl(u * u - 1.0L)))
    FUNCTION("acot", atanl(1.0L / u), -1.0L / (1.0L + u * u))
    FUNCTION("sinh", sinhl(u), coshl(u))
    FUNCTION("cosh", coshl(u), sinhl(u))
    FUNCTION("tanh", tanhl(u), 1.0L / (coshl(u) * coshl(u)))
    FUNCTION("sech", 1.0L / coshl(u), -sinhl(u) / (coshl(u) * coshl(u)))
    FUNCTION("csch", 1.0L / sinhl(u), -coshl(u) / (sinhl(u) * sinhl(u)))
    FUNCTION("coth", coshl(u) / sinhl(u), -1.0L / (sinhl(u) * sinhl(u)))
    FUNCTION("asinh", asinhl(u), 1.0L / sqrtl(u * u + 1.0L))
    FUNCTION("acosh", acoshl(u), 1.0L / sqrtl(u * u - 1.0L))
    FUNCTION("atanh", atanhl(u), 1.0L / (1.0L - u * u))
    FUNCTION("asech", acoshl(1.0L / u), -1.0L / (u * sqrtl(1.0L - u * u)))
    FUNCTION("acsch", asinhl(1.0L / u), -1.0L / (fabsl(u) * sqrtl(1.0L + u * u)))
    FUNCTION("acoth", atanhl(1.0L / u), 1.0L / (1.0L - u * u))
    FUNCTION("erf", erfl(u), 2.0L / sqrtl(pi) * expl(-u * u))
    FUNCTION("erfc", erfcl(u), -2.0L / sqrtl(pi) * expl(-u * u))
    FUNCTION("abs", fabsl(u), u < 0.0L ? -1.0L : 1.0L)
    FUNCTION("floor", floorl(u), 0.0L)
    FUNCTION("ceil", ceill(u), 0.0L)
    FUNCTION("step", u >= 0.0L ? 1.0L : 0.0L, 0.0L)
    FUNCTION("delta", u == 0.0L ? INFINITY : 0.0L, 0.0L)
    FUNCTION("nandelta", u == 0.0L ? NAN : 0.0L, 0.0L)
    FUNCTION("square", u * u, 2.0L * u)
    FUNCTION("cube", u * u * u, 3.0L * u * u)
    FUNCTION("recip", 1.0L / u, -1.0L / (u * u))
#undef FUNCTION
    return (dual){f, a.d == 0.0L ? 0.0L : g * a.d};
}

static dual apply(const char *name, const dual *v, int count)
{
    if (count == 3)
        return v[0].v != 0.0L ? v[1] : v[2];
    if (count == 1)
        return apply_1(name, v[0]);
    if (strcmp(name, "min") == 0)
        return v[0].v < v[1].v ? v[0] : v[1];
    if (strcmp(name, "max") == 0)
        return v[0].v < v[1].v ? v[1] : v[0];
    long double square = v[0].v * v[0].v + v[1].v * v[1].v; /* atan2 */
    return (dual){atan2l(v[0].v, v[1].v), (v[0].d * v[1].v - v[0].v * v[1].d) / square};
}

static dual read_word(reader *r)
{
    static const struct {
        const char *name;
        long double value;
    } constants[] = {{"pi", pi},
                     {"e", 2.71828182845904523536028747135266250L},
                     {"log2e", 1.44269504088896340735992468100189214L},
                     {"log10e", 0.43429448190325182765112891891660508L},
                     {"ln2", 0.69314718055994530941723212145817657L},
                     {"ln10", 2.30258509299404568401799145468436421L},
                     {"pi_2", pi / 2.0L},
                     {"pi_4", pi / 4.0L},
                     {"sqrt2", 1.41421356237309504880168872420969808L},
                     {"sqrt1_2", 0.70710678118654752440084436210484904L}};
    char name[20] = "";
    dual values[3] = {{0}};
    int count = 0;
    for (size_t k = 0; (isalnum((unsigned char)*r->at) || *r->at == '_') && k + 1 < sizeof(name);)
        name[k++] = *r->at++;
    if (strcmp(name, "x") == 0)
        return (dual){r->x, 1.0L};
    if (strcmp(name, "x2") == 0)
        return (dual){r->x * r->x, 2.0L * r->x};
    for (size_t k = 0; k < sizeof(constants) / sizeof(constants[0]); k++)
        if (strcmp(name, constants[k].name) == 0)
            return (dual){constants[k].value, 0.0L};
    if (take(r, '('))
        do
            values[count++] = read_sum(r);
        while (count < 3 && take(r, ','));
    take(r, ')');
    return apply(name, values, count);
}

static dual read_operand(reader *r)
{
    char c = next(r);
    if (take(r, '(')) {
        dual inside = read_sum(r);
        take(r, ')');
        return inside;
    }
    if (!isdigit((unsigned char)c) && c != '.')
        return read_word(r);
    char *end;
    dual number = {strtold(r->at, &end), 0.0L};
    r->at = end;
    return number;
}

/* A sign has a lower precedence than a power: -x^2 is -(x^2), and x^-2^2 is x^(-(2^2)). */
static dual read_signed(reader *r)
{
    bool minus = take(r, '-');
    if (!minus)
        take(r, '+');
    dual base = read_operand(r);
    if (take(r, '^'))
        base = raise(base, read_signed(r));
    return minus ? (dual){-base.v, -base.d} : base;
}

static dual read_product(reader *r)
{
    dual value = read_signed(r);
    for (;;) {
        if (take(r, '*'))
            value = times(value, read_signed(r));
        else if (take(r, '/'))
            value = over(value, read_signed(r));
        else
            return value;
    }
}

static dual read_sum(reader *r)
{
    dual value = read_product(r);
    for (;;) {
        bool plus = take(r, '+');
        if (!plus && !take(r, '-'))
            return value;
        dual more = read_product(r);
        value = plus ? (dual){value.v + more.v, value.d + more.d}
                     : (dual){value.v - more.v, value.d - more.d};
    }
}

long double mote_oracle_custom(const char *text, long double x, long double *slope)
{
    reader r = {.at = text, .x = x};
    dual value = read_sum(&r);
    *slope = isnan(value.d) && !isnan(value.v) ? 0.0L : value.d;
    return value.v;
}

bool mote_oracle_custom_is_square(const char *text)
{
    bool plain = false, square = false;
    for (const char *at = text; *at; at++) {
        bool alone = *at == 'x' && (at == text || !isalnum((unsigned char)at[-1]));
        bool is_2 = alone && at[1] == '2' && !isalnum((unsigned char)at[2]);
        square |= is_2;
        plain |= alone && !is_2 && !isalnum((unsigned char)at[1]);
    }
    return square && !plain;
}
