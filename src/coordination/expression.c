/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/expression.h"

#include <math.h>
#include <string.h>

#define E 2.71828182845904523536

typedef double (*function_1)(double);

static const function_1 functions[MOTE_STEP_KINDS] = {
    [MOTE_STEP_SQRT] = sqrt,   [MOTE_STEP_EXP] = exp,     [MOTE_STEP_LOG] = log,
    [MOTE_STEP_SIN] = sin,     [MOTE_STEP_COS] = cos,     [MOTE_STEP_TAN] = tan,
    [MOTE_STEP_ASIN] = asin,   [MOTE_STEP_ACOS] = acos,   [MOTE_STEP_ATAN] = atan,
    [MOTE_STEP_SINH] = sinh,   [MOTE_STEP_COSH] = cosh,   [MOTE_STEP_TANH] = tanh,
    [MOTE_STEP_ASINH] = asinh, [MOTE_STEP_ACOSH] = acosh, [MOTE_STEP_ATANH] = atanh,
    [MOTE_STEP_ERF] = erf,     [MOTE_STEP_ERFC] = erfc,   [MOTE_STEP_ABS] = fabs,
    [MOTE_STEP_FLOOR] = floor, [MOTE_STEP_CEIL] = ceil,
};

static double apply(mote_step_kind kind, double a, double b, double c)
{
    switch (kind) {
    case MOTE_STEP_ADD:
        return a + b;
    case MOTE_STEP_SUB:
        return a - b;
    case MOTE_STEP_MUL:
        return a * b;
    case MOTE_STEP_DIV:
        return a / b;
    case MOTE_STEP_POW:
        return pow(a, b);
    case MOTE_STEP_ATAN2:
        return atan2(a, b);
    case MOTE_STEP_MIN:
        return fmin(a, b);
    case MOTE_STEP_MAX:
        return fmax(a, b);
    case MOTE_STEP_SELECT:
        return a != 0.0 ? b : c;
    case MOTE_STEP_UNIT:
        return a < 0.0 ? 0.0 : 1.0;
    default:
        return functions[kind](a);
    }
}

static void evaluate(const mote_expression *e, double x, bool narrow, double *values)
{
    for (uint16_t k = 0; k < e->count; k++) {
        const mote_step *s = &e->steps[k];
        double value = s->kind == MOTE_STEP_X ? x
                       : s->kind == MOTE_STEP_NUMBER
                           ? s->number
                           : apply(s->kind, values[s->a], values[s->b], values[s->c]);
        values[k] = narrow ? (float)value : value;
    }
}

double mote_expression_value(const mote_expression *e, double x, double *slope)
{
    double values[MOTE_EXPRESSION_STEPS];
    evaluate(e, x, false, values);
    if (slope)
        *slope = isnan(values[e->slope]) && !isnan(values[e->value]) ? 0.0 : values[e->slope];
    return values[e->value];
}

double mote_expression_narrow(const mote_expression *e, double x)
{
    double values[MOTE_EXPRESSION_STEPS];
    evaluate(e, x, true, values);
    return values[e->value];
}

static bool same(const mote_step *s, const mote_step *t)
{
    return s->kind == t->kind && s->a == t->a && s->b == t->b && s->c == t->c &&
           memcmp(&s->number, &t->number, sizeof(s->number)) == 0;
}

/* Returns the step's number, which is that of an equal earlier step if there is one. */
static uint16_t place(mote_expression *e, const mote_step *step)
{
    for (uint16_t k = 0; k < e->count; k++)
        if (same(&e->steps[k], step))
            return k;
    if (e->count == MOTE_EXPRESSION_STEPS) {
        e->full = true;
        return 0;
    }
    e->steps[e->count] = *step;
    return e->count++;
}

uint16_t mote_expression_number(mote_expression *e, double number)
{
    return place(e, &(mote_step){.kind = MOTE_STEP_NUMBER, .number = number});
}

static bool is_number(const mote_expression *e, uint16_t k)
{
    return e->steps[k].kind == MOTE_STEP_NUMBER;
}

static bool is(const mote_expression *e, uint16_t k, double number)
{
    return is_number(e, k) && e->steps[k].number == number;
}

/* Simplifies a + 0, a - 0, a * 1, a * 0, a / 1 and 0 / a; returns false for other steps. */
static bool simplify(mote_expression *e, mote_step_kind kind, uint16_t a, uint16_t b, uint16_t *out)
{
    bool sum = kind == MOTE_STEP_ADD, product = kind == MOTE_STEP_MUL;
    bool quotient = kind == MOTE_STEP_DIV;
    if (((sum || kind == MOTE_STEP_SUB) && is(e, b, 0.0)) || (quotient && is(e, b, 1.0)) ||
        (product && (is(e, a, 0.0) || is(e, b, 1.0))) || (quotient && is(e, a, 0.0)))
        *out = a;
    else if ((sum && is(e, a, 0.0)) || (product && (is(e, a, 1.0) || is(e, b, 0.0))))
        *out = b;
    else
        return false;
    return true;
}

uint16_t mote_expression_add(mote_expression *e, mote_step_kind kind, uint16_t a, uint16_t b,
                             uint16_t c)
{
    uint16_t simple;
    bool one = kind >= MOTE_STEP_SQRT, three = kind == MOTE_STEP_SELECT;
    if (one)
        b = 0;
    if (!three)
        c = 0;
    if (is_number(e, a) && (one || is_number(e, b)) && (!three || is_number(e, c)))
        return mote_expression_number(
            e, apply(kind, e->steps[a].number, e->steps[b].number, e->steps[c].number));
    if (simplify(e, kind, a, b, &simple))
        return simple;
    if ((kind == MOTE_STEP_ADD || kind == MOTE_STEP_MUL) && a > b) {
        uint16_t swapped = a;
        a = b;
        b = swapped;
    }
    return place(e, &(mote_step){.kind = kind, .a = a, .b = b, .c = c});
}

uint16_t mote_expression_power(mote_expression *e, uint16_t base, uint16_t exponent)
{
    if (is(e, base, E))
        return mote_expression_add(e, MOTE_STEP_EXP, exponent, 0, 0);
    if (is_number(e, base) || !is_number(e, exponent))
        return mote_expression_add(e, MOTE_STEP_POW, base, exponent, 0);
    if (is(e, exponent, 0.0))
        return mote_expression_number(e, 1.0);
    if (is(e, exponent, 1.0))
        return base;
    if (fabs(e->steps[exponent].number) != 0.5)
        return mote_expression_add(e, MOTE_STEP_POW, base, exponent, 0);
    uint16_t root = mote_expression_add(e, MOTE_STEP_SQRT, base, 0, 0);
    return is(e, exponent, 0.5) ? root
                                : mote_expression_divide(e, mote_expression_number(e, 1.0), root);
}

uint16_t mote_expression_divide(mote_expression *e, uint16_t a, uint16_t b)
{
    if (is(e, a, 1.0) && !is_number(e, b))
        return mote_expression_power(e, b, mote_expression_number(e, -1.0));
    return mote_expression_add(e, MOTE_STEP_DIV, a, b, 0);
}

void mote_expression_find_needed(const mote_expression *e, bool *needed)
{
    memset(needed, 0, MOTE_EXPRESSION_STEPS * sizeof(*needed));
    needed[e->value] = needed[e->slope] = true;
    for (uint16_t k = e->count; k-- > 0;)
        if (needed[k] && e->steps[k].kind > MOTE_STEP_NUMBER) {
            needed[e->steps[k].a] = true;
            needed[e->steps[k].b] |= e->steps[k].kind < MOTE_STEP_SQRT;
            needed[e->steps[k].c] |= e->steps[k].kind == MOTE_STEP_SELECT;
        }
}
