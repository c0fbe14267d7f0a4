/* SPDX-License-Identifier: Apache-2.0 */
/* Powers with whole exponents: expands them to products, and writes powers of x as powers of its
 * square. */
#include "coordination/expression.h"

#include <math.h>
#include <stdlib.h>

#define MOST_WHOLE 1024 /* exponents up to this are expanded to products */

bool mote_expression_is_whole_power(const mote_expression *e, const mote_step *step, int *exponent)
{
    if (step->kind != MOTE_STEP_POW || e->steps[step->b].kind != MOTE_STEP_NUMBER)
        return false;
    double n = e->steps[step->b].number;
    if (!(fabs(n) <= MOST_WHOLE) || n != floor(n))
        return false;
    *exponent = (int)n;
    return true;
}

/* Expands by squaring; a negative power becomes a power of the reciprocal, which other steps
 * share. */
static uint16_t multiply(mote_expression *e, uint16_t base, int exponent)
{
    uint16_t one = mote_expression_number(e, 1.0), power = one;
    if (exponent < 0)
        base = mote_expression_add(e, MOTE_STEP_DIV, one, base, 0);
    for (unsigned n = (unsigned)abs(exponent); n; n >>= 1) {
        if (n & 1)
            power = mote_expression_add(e, MOTE_STEP_MUL, power, base, 0);
        if (n > 1)
            base = mote_expression_add(e, MOTE_STEP_MUL, base, base, 0);
    }
    return power;
}

bool mote_expression_expand(mote_expression *e)
{
    uint16_t to[MOTE_EXPRESSION_STEPS] = {0};
    bool needed[MOTE_EXPRESSION_STEPS];
    mote_expression out = *e;
    mote_expression_find_needed(e, needed);
    out.count = 1;
    for (uint16_t k = 1; k < e->count; k++) {
        const mote_step *s = &e->steps[k];
        int exponent;
        if (!needed[k])
            continue;
        if (s->kind == MOTE_STEP_NUMBER)
            to[k] = mote_expression_number(&out, s->number);
        else if (mote_expression_is_whole_power(e, s, &exponent))
            to[k] = multiply(&out, to[s->a], exponent);
        else
            to[k] = mote_expression_add(&out, s->kind, to[s->a], to[s->b], to[s->c]);
    }
    out.value = to[e->value];
    out.slope = to[e->slope];
    *e = out;
    return !e->full;
}

/* The parity of a step: g(x2), x g(x2) or neither, and the step of g. */
typedef enum parity { EVEN, ODD, NEITHER } parity;

typedef struct part {
    parity parity;
    uint16_t step;
} part;

static uint16_t times(mote_expression *e, uint16_t a, uint16_t b)
{
    return mote_expression_add(e, MOTE_STEP_MUL, a, b, 0);
}

/* x g times x h is x2 g h, and x g through x h is g / h; g through x h is x g / (x2 h). */
static part combine(mote_expression *e, mote_step_kind kind, part a, part b)
{
    part result = {.parity = a.parity == b.parity ? EVEN : ODD};
    if (kind == MOTE_STEP_MUL)
        result.step = times(e, a.step, b.step);
    else
        result.step = mote_expression_divide(
            e, a.step, a.parity == EVEN && b.parity == ODD ? times(e, 0, b.step) : b.step);
    if (kind == MOTE_STEP_MUL && a.parity == ODD && b.parity == ODD)
        result.step = times(e, 0, result.step);
    return result;
}

/* (x g)^n for a whole n. */
static part raise(mote_expression *e, part base, int n)
{
    uint16_t of_x2 = mote_expression_number(e, floor(0.5 * n)), of_g = mote_expression_number(e, n);
    return (part){.parity = n % 2 ? ODD : EVEN,
                  .step = times(e, mote_expression_power(e, 0, of_x2),
                                mote_expression_power(e, base.step, of_g))};
}

static part part_of(mote_expression *e, const mote_expression *of, const mote_step *s,
                    const part *parts)
{
    part a = parts[s->a], b = parts[s->b], c = parts[s->c], neither = {.parity = NEITHER};
    bool two = s->kind < MOTE_STEP_SQRT, three = s->kind == MOTE_STEP_SELECT;
    int exponent;
    if (s->kind == MOTE_STEP_NUMBER)
        return (part){.parity = EVEN, .step = mote_expression_number(e, s->number)};
    if (a.parity == NEITHER || (two && b.parity == NEITHER) || (three && c.parity == NEITHER))
        return neither;
    if (s->kind == MOTE_STEP_MUL || s->kind == MOTE_STEP_DIV)
        return combine(e, s->kind, a, b);
    if (a.parity == ODD && mote_expression_is_whole_power(of, s, &exponent))
        return raise(e, a, exponent);
    bool sum = s->kind == MOTE_STEP_ADD || s->kind == MOTE_STEP_SUB;
    if (a.parity != (two ? b.parity : EVEN) || (a.parity == ODD && !sum))
        return neither;
    if (three && c.parity == ODD)
        return neither;
    uint16_t step = s->kind == MOTE_STEP_POW
                        ? mote_expression_power(e, a.step, b.step)
                        : mote_expression_add(e, s->kind, a.step, b.step, c.step);
    return (part){.parity = a.parity, .step = step};
}

bool mote_expression_in_square(const mote_expression *e, mote_expression *square)
{
    part parts[MOTE_EXPRESSION_STEPS];
    *square = *e;
    square->count = 1;
    square->squares = true;
    parts[0] = (part){.parity = ODD, .step = mote_expression_number(square, 1.0)};
    for (uint16_t k = 1; k < e->count; k++)
        parts[k] = part_of(square, e, &e->steps[k], parts);
    square->value = parts[e->value].step;
    return parts[e->value].parity == EVEN && !square->full && !e->squares;
}
