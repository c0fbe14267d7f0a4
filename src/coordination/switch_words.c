/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/switch_words.h"
#include "core/edits.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *mote_word_nearest(mote_word word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t limit = word.length / 2 + 1;
    for (size_t i = 0; i < count; i++) {
        size_t distance = mote_edits(word.text, word.length, names[i]);
        if (distance < limit) {
            best = names[i];
            limit = distance;
        }
    }
    return best;
}

bool mote_word_is(mote_word word, const char *name)
{
    return strlen(name) == word.length && memcmp(word.text, name, word.length) == 0;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool mote_word_next(const char **text, mote_word *word)
{
    const char *at = *text;
    while (blank(*at))
        at++;
    *word = (mote_word){.text = at};
    while (at[word->length] && !blank(at[word->length]))
        word->length++;
    *text = at + word->length;
    return word->length > 0;
}

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

/* Length of the decimal number that text begins with; 0 for none. */
static size_t number_length(const char *text)
{
    const char *at = text + (*text == '+' || *text == '-');
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

bool mote_word_real(mote_word word, double *value)
{
    size_t length = number_length(word.text);
    if (length == 0 || length != word.length)
        return false;
    int callers = errno;
    *value = read_number(word.text);
    errno = callers;
    return isfinite(*value);
}

bool mote_word_whole(mote_word word, int32_t least, int32_t *value)
{
    int64_t sum = 0;
    if (word.length == 0 || digits(word.text) != word.length)
        return false;
    for (size_t i = 0; i < word.length && sum <= INT32_MAX; i++)
        sum = 10 * sum + (word.text[i] - '0');
    *value = sum <= INT32_MAX ? (int32_t)sum : 0;
    return sum >= least && sum <= INT32_MAX;
}
