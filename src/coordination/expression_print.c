/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/expression.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const names[MOTE_STEP_KINDS] = {
    [MOTE_STEP_ADD] = "ADD",     [MOTE_STEP_SUB] = "SUB",     [MOTE_STEP_MUL] = "MUL",
    [MOTE_STEP_DIV] = "DIV",     [MOTE_STEP_POW] = "POW",     [MOTE_STEP_ATAN2] = "ATAN2",
    [MOTE_STEP_MIN] = "MIN",     [MOTE_STEP_MAX] = "MAX",     [MOTE_STEP_SELECT] = "SELECT",
    [MOTE_STEP_SQRT] = "sqrt",   [MOTE_STEP_EXP] = "exp",     [MOTE_STEP_LOG] = "log",
    [MOTE_STEP_SIN] = "sin",     [MOTE_STEP_COS] = "cos",     [MOTE_STEP_TAN] = "tan",
    [MOTE_STEP_ASIN] = "asin",   [MOTE_STEP_ACOS] = "acos",   [MOTE_STEP_ATAN] = "atan",
    [MOTE_STEP_SINH] = "sinh",   [MOTE_STEP_COSH] = "cosh",   [MOTE_STEP_TANH] = "tanh",
    [MOTE_STEP_ASINH] = "asinh", [MOTE_STEP_ACOSH] = "acosh", [MOTE_STEP_ATANH] = "atanh",
    [MOTE_STEP_ERF] = "erf",     [MOTE_STEP_ERFC] = "erfc",   [MOTE_STEP_ABS] = "fabs",
    [MOTE_STEP_FLOOR] = "floor", [MOTE_STEP_CEIL] = "ceil",   [MOTE_STEP_UNIT] = "UNIT",
};

static int print_number(char *to, size_t size, uint16_t k, double number, bool as_double)
{
    float narrow = (float)number;
    uint64_t wide_bits;
    uint32_t bits;
    memcpy(&wide_bits, &number, sizeof(wide_bits));
    memcpy(&bits, &narrow, sizeof(bits));
    if (as_double)
        return snprintf(to, size, "C_NUMBER(%u,0x%" PRIx64 "UL)", (unsigned)k, wide_bits);
    return snprintf(to, size, "C_NUMBER(%u,0x%" PRIx32 ")", (unsigned)k, bits);
}

static int print_step(char *to, size_t size, uint16_t k, const mote_step *s, bool as_double)
{
    unsigned at = k, a = s->a, b = s->b, c = s->c;
    if (s->kind == MOTE_STEP_NUMBER)
        return print_number(to, size, k, s->number, as_double);
    if (s->kind == MOTE_STEP_UNIT)
        return snprintf(to, size, "C_UNIT(%u,%u)", at, a);
    if (s->kind == MOTE_STEP_SELECT)
        return snprintf(to, size, "C_SELECT(%u,%u,%u,%u)", at, a, b, c);
    if (s->kind >= MOTE_STEP_SQRT)
        return snprintf(to, size, "C_CALL(%u,%s,%u)", at, names[s->kind], a);
    return snprintf(to, size, "C_%s(%u,%u,%u)", names[s->kind], at, a, b);
}

void mote_expression_print(const mote_expression *e, bool as_double, char *text, size_t size)
{
    bool needed[MOTE_EXPRESSION_STEPS];
    size_t used = 0;
    mote_expression_find_needed(e, needed);
    for (uint16_t k = 1; k < e->count; k++)
        if (needed[k] && used < size)
            used += (size_t)print_step(text + used, size - used, k, &e->steps[k], as_double);
    if (used < size)
        snprintf(text + used, size - used, "C_END(%u,%u)", (unsigned)e->value, (unsigned)e->slope);
}
