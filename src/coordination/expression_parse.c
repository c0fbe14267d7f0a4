/* SPDX-License-Identifier: Apache-2.0 */
/* Parses expressions, with PLUMED's functions and constants:
 *
 *     sum     = product {("+" | "-") product}
 *     product = signed {("*" | "/") signed}
 *     signed  = ["+" | "-"] power
 *     power   = operand ["^" signed]
 *     operand = number | name | function "(" sum {"," sum} ")" | "(" sum ")" */
#include "coordination/expression.h"
#include "coordination/switch_words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_DEPTH 50 /* nested parentheses and powers */

typedef struct reader {
    const char *begin, *at, *end;
    unsigned depth;
    bool variables, bad;
    bool squares; /* the variable is x2; x does not occur */
    mote_expression *e;
    mote_expression_error *error;
} reader;

static const struct {
    const char *name;
    double value;
} constants[] = {
    {"pi", 3.14159265358979323846},    {"e", 2.71828182845904523536},
    {"log2e", 1.44269504088896340736}, {"log10e", 0.434294481903251827651},
    {"ln2", 0.693147180559945309417},  {"ln10", 2.30258509299404568402},
    {"pi_2", 1.57079632679489661923},  {"pi_4", 0.785398163397448309616},
    {"sqrt2", 1.41421356237309504880}, {"sqrt1_2", 0.707106781186547524401},
};

/* How a function is computed by a step: of the argument, of 1 / argument, or 1 / the step. */
typedef enum way { PLAIN, OF_INVERSE, INVERSE, POWER, PEAK } way;

typedef struct function {
    const char *name;
    mote_step_kind kind;
    unsigned values;
    way way;
    double number; /* POWER: the exponent; PEAK: the value at 0 */
} function;

static const function functions[] = {
    {"sqrt", MOTE_STEP_SQRT, 1, PLAIN, 0.0},        {"exp", MOTE_STEP_EXP, 1, PLAIN, 0.0},
    {"log", MOTE_STEP_LOG, 1, PLAIN, 0.0},          {"sin", MOTE_STEP_SIN, 1, PLAIN, 0.0},
    {"cos", MOTE_STEP_COS, 1, PLAIN, 0.0},          {"tan", MOTE_STEP_TAN, 1, PLAIN, 0.0},
    {"sec", MOTE_STEP_COS, 1, INVERSE, 0.0},        {"csc", MOTE_STEP_SIN, 1, INVERSE, 0.0},
    {"cot", MOTE_STEP_TAN, 1, INVERSE, 0.0},        {"asin", MOTE_STEP_ASIN, 1, PLAIN, 0.0},
    {"acos", MOTE_STEP_ACOS, 1, PLAIN, 0.0},        {"atan", MOTE_STEP_ATAN, 1, PLAIN, 0.0},
    {"asec", MOTE_STEP_ACOS, 1, OF_INVERSE, 0.0},   {"acsc", MOTE_STEP_ASIN, 1, OF_INVERSE, 0.0},
    {"acot", MOTE_STEP_ATAN, 1, OF_INVERSE, 0.0},   {"atan2", MOTE_STEP_ATAN2, 2, PLAIN, 0.0},
    {"sinh", MOTE_STEP_SINH, 1, PLAIN, 0.0},        {"cosh", MOTE_STEP_COSH, 1, PLAIN, 0.0},
    {"tanh", MOTE_STEP_TANH, 1, PLAIN, 0.0},        {"sech", MOTE_STEP_COSH, 1, INVERSE, 0.0},
    {"csch", MOTE_STEP_SINH, 1, INVERSE, 0.0},      {"coth", MOTE_STEP_TANH, 1, INVERSE, 0.0},
    {"asinh", MOTE_STEP_ASINH, 1, PLAIN, 0.0},      {"acosh", MOTE_STEP_ACOSH, 1, PLAIN, 0.0},
    {"atanh", MOTE_STEP_ATANH, 1, PLAIN, 0.0},      {"asech", MOTE_STEP_ACOSH, 1, OF_INVERSE, 0.0},
    {"acsch", MOTE_STEP_ASINH, 1, OF_INVERSE, 0.0}, {"acoth", MOTE_STEP_ATANH, 1, OF_INVERSE, 0.0},
    {"erf", MOTE_STEP_ERF, 1, PLAIN, 0.0},          {"erfc", MOTE_STEP_ERFC, 1, PLAIN, 0.0},
    {"abs", MOTE_STEP_ABS, 1, PLAIN, 0.0},          {"floor", MOTE_STEP_FLOOR, 1, PLAIN, 0.0},
    {"ceil", MOTE_STEP_CEIL, 1, PLAIN, 0.0},        {"step", MOTE_STEP_UNIT, 1, PLAIN, 0.0},
    {"min", MOTE_STEP_MIN, 2, PLAIN, 0.0},          {"max", MOTE_STEP_MAX, 2, PLAIN, 0.0},
    {"select", MOTE_STEP_SELECT, 3, PLAIN, 0.0},    {"square", MOTE_STEP_POW, 1, POWER, 2.0},
    {"cube", MOTE_STEP_POW, 1, POWER, 3.0},         {"recip", MOTE_STEP_POW, 1, POWER, -1.0},
    {"delta", MOTE_STEP_SELECT, 1, PEAK, INFINITY}, {"nandelta", MOTE_STEP_SELECT, 1, PEAK, NAN},
};

static uint16_t read_sum(reader *r);
static uint16_t read_signed(reader *r);

/* Records the first error; returns any step. */
static uint16_t fail(reader *r, const char *at, const char *what)
{
    if (!r->bad) {
        r->error->at = (size_t)(at - r->begin);
        snprintf(r->error->what, sizeof(r->error->what), "%s", what);
    }
    r->bad = true;
    return 0;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool take(reader *r, char c)
{
    skip_blanks(r);
    bool there = r->at < r->end && *r->at == c && !r->bad;
    r->at += there;
    return there;
}

static bool go_deeper(reader *r)
{
    if (++r->depth > MOST_DEPTH)
        fail(r, r->at, "more than 50 parentheses and powers inside of each other");
    return !r->bad;
}

static void end_parenthesis(reader *r)
{
    r->depth--;
    if (!take(r, ')'))
        fail(r, r->at, "')' is missing");
}

static uint16_t add(reader *r, mote_step_kind kind, uint16_t a, uint16_t b, uint16_t c)
{
    return r->bad ? 0 : mote_expression_add(r->e, kind, a, b, c);
}

static uint16_t divide(reader *r, uint16_t a, uint16_t b)
{
    return r->bad ? 0 : mote_expression_divide(r->e, a, b);
}

static uint16_t call(reader *r, const function *f, const uint16_t *values)
{
    mote_expression *e = r->e;
    if (f->way == POWER)
        return mote_expression_power(e, values[0], mote_expression_number(e, f->number));
    if (f->way == PEAK)
        return add(r, f->kind, values[0], mote_expression_number(e, 0.0),
                   mote_expression_number(e, f->number));
    uint16_t one = mote_expression_number(e, 1.0);
    uint16_t first = f->way == OF_INVERSE ? divide(r, one, values[0]) : values[0];
    uint16_t step = add(r, f->kind, first, values[1], values[2]);
    return f->way == INVERSE ? divide(r, one, step) : step;
}

static uint16_t read_call(reader *r, const function *f)
{
    const char *begin = r->at;
    uint16_t values[3] = {0};
    unsigned count = 0;
    char what[60];
    if (!take(r, '('))
        return fail(r, begin, "'(' is missing behind a function");
    if (!go_deeper(r))
        return 0;
    do {
        uint16_t value = read_sum(r);
        if (count < 3)
            values[count] = value;
        count++;
    } while (take(r, ','));
    end_parenthesis(r);
    snprintf(what, sizeof(what), "%s takes %u value%s, not %u", f->name, f->values,
             f->values == 1 ? "" : "s", count);
    return !r->bad && count != f->values ? fail(r, begin, what) : r->bad ? 0 : call(r, f, values);
}

static uint16_t read_variable(reader *r, bool square)
{
    r->e->uses_x |= !square;
    r->e->uses_x2 |= square;
    return square && !r->squares ? add(r, MOTE_STEP_MUL, 0, 0, 0) : 0;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static uint16_t read_name(reader *r)
{
    mote_word name = {.text = r->at};
    while (r->at < r->end && in_name(*r->at))
        r->at++;
    name.length = (size_t)(r->at - name.text);
    if (name.length == 0)
        return fail(r, r->at, "a number, a name or '(' is missing");
    if (r->variables && (mote_word_is(name, "x") || mote_word_is(name, "x2")))
        return read_variable(r, name.length == 2);
    for (size_t k = 0; k < sizeof(constants) / sizeof(constants[0]); k++)
        if (mote_word_is(name, constants[k].name))
            return mote_expression_number(r->e, constants[k].value);
    for (size_t k = 0; k < sizeof(functions) / sizeof(functions[0]); k++)
        if (mote_word_is(name, functions[k].name))
            return read_call(r, &functions[k]);
    return fail(r, name.text, "this is no function, no constant, and neither x nor x2");
}

static uint16_t read_operand(reader *r)
{
    double number;
    if (take(r, '(')) {
        if (!go_deeper(r))
            return 0;
        uint16_t inside = read_sum(r);
        end_parenthesis(r);
        return inside;
    }
    size_t length = mote_word_number(r->at, (size_t)(r->end - r->at), &number);
    if (length == 0)
        return read_name(r);
    r->at += length;
    return mote_expression_number(r->e, number);
}

static uint16_t read_power(reader *r)
{
    uint16_t base = read_operand(r);
    if (!take(r, '^') || !go_deeper(r))
        return base;
    uint16_t exponent = read_signed(r);
    r->depth--;
    return r->bad ? 0 : mote_expression_power(r->e, base, exponent);
}

static uint16_t read_signed(reader *r)
{
    if (!take(r, '-')) {
        take(r, '+');
        return read_power(r);
    }
    uint16_t power = read_power(r);
    return add(r, MOTE_STEP_MUL, mote_expression_number(r->e, -1.0), power, 0);
}

static uint16_t read_product(reader *r)
{
    uint16_t value = read_signed(r);
    while (!r->bad) {
        if (take(r, '*'))
            value = add(r, MOTE_STEP_MUL, value, read_signed(r), 0);
        else if (take(r, '/'))
            value = divide(r, value, read_signed(r));
        else
            break;
    }
    return value;
}

static uint16_t read_sum(reader *r)
{
    uint16_t value = read_product(r);
    while (!r->bad) {
        if (take(r, '+'))
            value = add(r, MOTE_STEP_ADD, value, read_product(r), 0);
        else if (take(r, '-'))
            value = add(r, MOTE_STEP_SUB, value, read_product(r), 0);
        else
            break;
    }
    return value;
}

static bool read_all(reader *r)
{
    mote_expression *e = r->e;
    r->at = r->begin;
    e->count = 1;
    e->steps[0] = (mote_step){.kind = MOTE_STEP_X};
    e->uses_x = e->uses_x2 = e->full = false;
    e->squares = r->squares;
    e->value = read_sum(r);
    e->slope = 0;
    skip_blanks(r);
    if (!r->bad && r->at < r->end)
        fail(r, r->at, "this does not belong to the expression");
    if (!r->bad && e->full)
        fail(r, r->begin, "too many steps");
    return !r->bad;
}

bool mote_expression_parse(const char *text, size_t length, bool variables, mote_expression *e,
                           mote_expression_error *error)
{
    reader r = {
        .begin = text, .end = text + length, .variables = variables, .e = e, .error = error};
    if (!read_all(&r))
        return false;
    r.squares = e->uses_x2 && !e->uses_x;
    return !r.squares || read_all(&r);
}
