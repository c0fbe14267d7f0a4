/* SPDX-License-Identifier: Apache-2.0 */
/* Derivatives of expressions, step by step. Each derivative uses the step's own value where it
 * can. */
#include "coordination/expression.h"

#include <math.h>

#define TWO_BY_ROOT_PI 1.12837916709551257390

#define SUM(a, b)        mote_expression_add(e, MOTE_STEP_ADD, a, b, 0)
#define DIFFERENCE(a, b) mote_expression_add(e, MOTE_STEP_SUB, a, b, 0)
#define PRODUCT(a, b)    product(e, a, b)
#define QUOTIENT(a, b)   mote_expression_divide(e, a, b)
#define OF(kind, a)      mote_expression_add(e, MOTE_STEP_##kind, a, 0, 0)
#define NUMBER(x)        mote_expression_number(e, x)

static bool is_number(const mote_expression *e, uint16_t k)
{
    return e->steps[k].kind == MOTE_STEP_NUMBER;
}

/* Splits a constant factor from a step, or 1; *step becomes the remaining factor. */
static double split(mote_expression *e, uint16_t *step)
{
    const mote_step s = e->steps[*step];
    if (s.kind == MOTE_STEP_NUMBER) {
        *step = NUMBER(1.0);
        return s.number;
    }
    if (s.kind != MOTE_STEP_MUL || (!is_number(e, s.a) && !is_number(e, s.b)))
        return 1.0;
    bool first = is_number(e, s.a);
    *step = first ? s.b : s.a;
    return e->steps[first ? s.a : s.b].number;
}

/* Constants are multiplied first: (c a) (d b) is (c d) (a b), unless that exceeds single
 * precision. */
static uint16_t product(mote_expression *e, uint16_t a, uint16_t b)
{
    uint16_t rest_a = a, rest_b = b;
    double by = split(e, &rest_a) * split(e, &rest_b);
    if ((rest_a == a && rest_b == b) || !isnormal((float)by))
        return mote_expression_add(e, MOTE_STEP_MUL, a, b, 0);
    uint16_t rest = mote_expression_add(e, MOTE_STEP_MUL, rest_a, rest_b, 0);
    return mote_expression_add(e, MOTE_STEP_MUL, NUMBER(by), rest, 0);
}

/* dq / da of a step q = f(a). */
static uint16_t slope_of(mote_expression *e, mote_step_kind kind, uint16_t q, uint16_t a)
{
    uint16_t one = NUMBER(1.0);
    switch (kind) {
    case MOTE_STEP_SQRT:
        return QUOTIENT(NUMBER(0.5), q);
    case MOTE_STEP_EXP:
        return q;
    case MOTE_STEP_LOG:
        return QUOTIENT(one, a);
    case MOTE_STEP_SIN:
        return OF(COS, a);
    case MOTE_STEP_COS:
        return PRODUCT(NUMBER(-1.0), OF(SIN, a));
    case MOTE_STEP_TAN:
        return SUM(one, PRODUCT(q, q));
    case MOTE_STEP_ASIN:
        return QUOTIENT(one, OF(SQRT, DIFFERENCE(one, PRODUCT(a, a))));
    case MOTE_STEP_ACOS:
        return QUOTIENT(NUMBER(-1.0), OF(SQRT, DIFFERENCE(one, PRODUCT(a, a))));
    case MOTE_STEP_ATAN:
        return QUOTIENT(one, SUM(one, PRODUCT(a, a)));
    case MOTE_STEP_SINH:
        return OF(COSH, a);
    case MOTE_STEP_COSH:
        return OF(SINH, a);
    case MOTE_STEP_TANH:
        return DIFFERENCE(one, PRODUCT(q, q));
    case MOTE_STEP_ASINH:
        return QUOTIENT(one, OF(SQRT, SUM(PRODUCT(a, a), one)));
    case MOTE_STEP_ACOSH:
        return QUOTIENT(one, OF(SQRT, DIFFERENCE(PRODUCT(a, a), one)));
    case MOTE_STEP_ATANH:
        return QUOTIENT(one, DIFFERENCE(one, PRODUCT(a, a)));
    case MOTE_STEP_ERF:
    case MOTE_STEP_ERFC:
        return PRODUCT(NUMBER(kind == MOTE_STEP_ERF ? TWO_BY_ROOT_PI : -TWO_BY_ROOT_PI),
                       OF(EXP, PRODUCT(NUMBER(-1.0), PRODUCT(a, a))));
    case MOTE_STEP_ABS:
        return mote_expression_add(e, MOTE_STEP_SELECT, OF(UNIT, a), one, NUMBER(-1.0));
    default: /* constant between jumps */
        return NUMBER(0.0);
    }
}

/* q = a^b. */
static uint16_t slope_of_power(mote_expression *e, uint16_t q, const mote_step *s, uint16_t a,
                               uint16_t b)
{
    if (is_number(e, s->b) && e->steps[s->b].number > 0.0) {
        uint16_t less = NUMBER(e->steps[s->b].number - 1.0);
        return PRODUCT(PRODUCT(s->b, mote_expression_power(e, s->a, less)), a);
    }
    if (is_number(e, s->b)) /* separate factors, because a^(b - 1) alone may be too small */
        return PRODUCT(PRODUCT(s->b, PRODUCT(a, QUOTIENT(NUMBER(1.0), s->a))), q);
    uint16_t by_exponent = PRODUCT(b, OF(LOG, s->a));
    return PRODUCT(q, SUM(by_exponent, QUOTIENT(PRODUCT(s->b, a), s->a)));
}

/* Returns the derivative of step q, from those of its arguments. */
static uint16_t derive(mote_expression *e, uint16_t q, const uint16_t *slopes)
{
    const mote_step s = e->steps[q];
    uint16_t a = slopes[s.a], b = slopes[s.b], c = slopes[s.c];
    switch (s.kind) {
    case MOTE_STEP_X:
        return NUMBER(1.0);
    case MOTE_STEP_NUMBER:
        return NUMBER(0.0);
    case MOTE_STEP_ADD:
        return SUM(a, b);
    case MOTE_STEP_SUB:
        return DIFFERENCE(a, b);
    case MOTE_STEP_MUL:
        return SUM(PRODUCT(a, s.b), PRODUCT(s.a, b));
    case MOTE_STEP_DIV:
        return QUOTIENT(DIFFERENCE(a, PRODUCT(q, b)), s.b);
    case MOTE_STEP_POW:
        return slope_of_power(e, q, &s, a, b);
    case MOTE_STEP_ATAN2:
        return QUOTIENT(DIFFERENCE(PRODUCT(a, s.b), PRODUCT(s.a, b)),
                        SUM(PRODUCT(s.a, s.a), PRODUCT(s.b, s.b)));
    case MOTE_STEP_MIN:
        return mote_expression_add(e, MOTE_STEP_SELECT, OF(UNIT, DIFFERENCE(s.a, s.b)), b, a);
    case MOTE_STEP_MAX:
        return mote_expression_add(e, MOTE_STEP_SELECT, OF(UNIT, DIFFERENCE(s.a, s.b)), a, b);
    case MOTE_STEP_SELECT:
        return mote_expression_add(e, MOTE_STEP_SELECT, s.a, b, c);
    default:
        return PRODUCT(slope_of(e, s.kind, q, s.a), a);
    }
}

bool mote_expression_derive(mote_expression *e)
{
    uint16_t slopes[MOTE_EXPRESSION_STEPS];
    uint16_t count = e->count;
    for (uint16_t k = 0; k < count; k++)
        slopes[k] = derive(e, k, slopes);
    e->slope = slopes[e->value];
    return !e->full && mote_expression_expand(e);
}
