/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers in the text of a switching function. */
#include "coordination/switch_words.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t digits(const char *at, const char *end)
{
    size_t count = 0;
    while (at + count < end && digit(at[count]))
        count++;
    return count;
}

/* Returns the length of the decimal number without a sign that a text begins with; 0 for none. */
static size_t number_length(const char *text, const char *end)
{
    const char *at = text;
    size_t before = digits(at, end), after = 0;
    at += before;
    if (at < end && *at == '.') {
        after = digits(at + 1, end);
        at += 1 + after;
    }
    if (before + after == 0)
        return 0;
    if (at < end && (*at == 'e' || *at == 'E')) {
        const char *exponent = at + 1;
        exponent += exponent < end && (*exponent == '+' || *exponent == '-');
        size_t count = digits(exponent, end);
        if (count == 0)
            return 0;
        at = exponent + count;
    }
    return (size_t)(at - text);
}

/* strtod() uses the locale's decimal point, so the thread's locale is changed during the call. */
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

size_t mote_word_number(const char *text, size_t length, double *value)
{
    size_t used = number_length(text, text + length);
    int callers = errno;
    if (used)
        *value = read_number(text);
    errno = callers;
    return used;
}
