/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers of a switching function's text, which may be expressions as in PLUMED:
 *
 *     sum     = product {("+" | "-") product}
 *     product = signed {("*" | "/") signed}
 *     signed  = ["+" | "-"] power
 *     power   = operand ["^" signed]
 *     operand = number | "pi" | "e" | ("sqrt" | "exp" | "log") "(" sum ")" | "(" sum ")" */
#include "coordination/switch_words.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 50 /* of parentheses and powers */

typedef struct reader {
    const char *at, *end;
    unsigned depth;
    bool bad;
} reader;

static const struct {
    const char *name;
    double value;
} constants[] = {{"pi", 3.14159265358979323846}, {"e", 2.71828182845904523536}};

static const struct {
    const char *name;
    double (*of)(double);
} functions[] = {{"sqrt", sqrt}, {"exp", exp}, {"log", log}};

static double read_sum(reader *r);
static double read_signed(reader *r);

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits(const char *at)
{
    size_t count = 0;
    while (digit(at[count]))
        count++;
    return count;
}

/* Length of the decimal number without a sign that text begins with; 0 for none. */
static size_t number_length(const char *text)
{
    const char *at = text;
    size_t before = digits(at), after = 0;
    at += before;
    if (*at == '.') {
        after = digits(at + 1);
        at += 1 + after;
    }
    if (before + after == 0)
        return 0;
    if (*at == 'e' || *at == 'E') {
        const char *exponent = at + 1 + (at[1] == '+' || at[1] == '-');
        size_t count = digits(exponent);
        if (count == 0)
            return 0;
        at = exponent + count;
    }
    return (size_t)(at - text);
}

/* strtod() reads the decimal point of the caller's locale; this one is the thread's only here. */
static double read_number(const char *text)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!plain)
        return NAN;
    locale_t callers = uselocale(plain);
    double value = strtod(text, NULL);
    uselocale(callers);
    freelocale(plain);
    return value;
}

static bool take(reader *r, char c)
{
    bool there = r->at < r->end && *r->at == c;
    r->at += there;
    return there;
}

static double fail(reader *r)
{
    r->bad = true;
    return NAN;
}

/* What stands between parentheses, of which the first is taken. */
static double read_inside(reader *r)
{
    if (++r->depth > MOST_DEPTH)
        return fail(r);
    double value = read_sum(r);
    r->depth--;
    return take(r, ')') ? value : fail(r);
}

static double read_name(reader *r)
{
    mote_word name = {.text = r->at};
    while (r->at < r->end && *r->at >= 'a' && *r->at <= 'z')
        r->at++;
    name.length = (size_t)(r->at - name.text);
    for (size_t k = 0; k < sizeof(constants) / sizeof(constants[0]); k++)
        if (mote_word_is(name, constants[k].name))
            return constants[k].value;
    for (size_t k = 0; k < sizeof(functions) / sizeof(functions[0]); k++)
        if (mote_word_is(name, functions[k].name) && take(r, '('))
            return functions[k].of(read_inside(r));
    return fail(r);
}

static double read_operand(reader *r)
{
    if (take(r, '('))
        return read_inside(r);
    size_t length = r->at < r->end ? number_length(r->at) : 0;
    if (length == 0)
        return read_name(r);
    double value = read_number(r->at);
    r->at += length;
    return value;
}

static double read_power(reader *r)
{
    double base = read_operand(r);
    if (!take(r, '^'))
        return base;
    if (++r->depth > MOST_DEPTH)
        return fail(r);
    double value = pow(base, read_signed(r));
    r->depth--;
    return value;
}

static double read_signed(reader *r)
{
    if (take(r, '-'))
        return -read_power(r);
    take(r, '+');
    return read_power(r);
}

static double read_product(reader *r)
{
    double value = read_signed(r);
    while (!r->bad) {
        if (take(r, '*'))
            value *= read_signed(r);
        else if (take(r, '/'))
            value /= read_signed(r);
        else
            break;
    }
    return value;
}

static double read_sum(reader *r)
{
    double value = read_product(r);
    while (!r->bad) {
        if (take(r, '+'))
            value += read_product(r);
        else if (take(r, '-'))
            value -= read_product(r);
        else
            break;
    }
    return value;
}

bool mote_word_real(mote_word word, double *value)
{
    reader r = {.at = word.text, .end = word.text + word.length};
    int callers = errno;
    *value = read_sum(&r);
    errno = callers;
    return !r.bad && r.at == r.end && isfinite(*value);
}

bool mote_word_whole(mote_word word, int32_t least, int32_t *value)
{
    double number = 0.0;
    if (word.length == 0 || !(digit(*word.text) || *word.text == '('))
        return false;
    if (!mote_word_real(word, &number) || !(number >= least && number <= INT32_MAX))
        return false;
    *value = (int32_t)number;
    return *value == number;
}
