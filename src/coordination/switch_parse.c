/* SPDX-License-Identifier: Apache-2.0 */
/* Parses switching functions in PLUMED's syntax. */
#include "coordination/expression.h"
#include "coordination/switch.h"
#include "coordination/switch_kinds.h"
#include "coordination/switch_words.h"
#include "core/fail.h"
#include "core/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CALLER "mote_switch_parse"

/* For printing a word of any length. */
#define SHOWN(word) (int)((word).length < 40 ? (word).length : 40), (word).text

#define BIT(key) (1u << (key))
#define COMMON                                                                                     \
    (BIT(MOTE_SWITCH_KEY_D_0) | BIT(MOTE_SWITCH_KEY_D_MAX) | BIT(MOTE_SWITCH_KEY_NOSTRETCH) |      \
     BIT(MOTE_SWITCH_KEY_STRETCH))

static unsigned taken(mote_switch_kind kind)
{
    const mote_switch_row *row = mote_switch_find(kind);
    return COMMON | row->takes | row->needs;
}

#define MOST_KINDS 64

/* Lists the names of all kinds; returns their number. */
static size_t list_kinds(const char *names[MOST_KINDS])
{
    size_t count = 0;
    while (count < MOST_KINDS && mote_switch_kind_name((mote_switch_kind)count)) {
        names[count] = mote_switch_kind_name((mote_switch_kind)count);
        count++;
    }
    return count;
}

/* Fails with the sentence BEFORE WORD AFTER NAMES END. */
static mote_status fail_names(const char *before, mote_word word, const char *after,
                              const char *const *names, size_t count, const char *end)
{
    mote_text list = {0};
    for (size_t k = 0; k < count; k++)
        mote_text_add(&list, "%s%s", k ? ", " : "", names[k]);
    mote_status st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s%.*s%s %s%s", before,
                               SHOWN(word), after, mote_text_get(&list), end);
    mote_text_free(&list);
    return st;
}

static mote_status parse_kind(const char **text, mote_switch *f)
{
    mote_word word;
    const char *names[MOST_KINDS];
    if (!mote_word_next(text, &word))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": the text is empty: it must begin with a kind such as RATIONAL");
    size_t count = list_kinds(names);
    for (size_t k = 0; k < count; k++)
        if (mote_word_is(word, names[k])) {
            f->kind = (mote_switch_kind)k;
            return MOTE_SUCCESS;
        }
    if (mote_word_is(word, "MATHEVAL")) {
        f->kind = MOTE_SWITCH_CUSTOM;
        return MOTE_SUCCESS;
    }
    const char *nearest = mote_word_nearest(word, names, count);
    if (nearest)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": '%.*s' is no switching function: did you mean %s?", SHOWN(word),
                         nearest);
    return fail_names("'", word, "' is not one of", names, count, ", one of which must come first");
}

static mote_status fail_key(const mote_switch *f, mote_word word, mote_word name)
{
    const char *allowed[MOTE_SWITCH_KEYS], *kind = mote_switch_kind_name(f->kind);
    char what[60];
    size_t count = 0;
    for (unsigned k = 0; k < MOTE_SWITCH_KEYS; k++)
        if (taken(f->kind) & BIT(k))
            allowed[count++] = mote_switch_keys[k];
    const char *nearest = mote_word_nearest(name, allowed, count);
    if (nearest)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": '%.*s' is no word of %s: did you mean %s?", SHOWN(word), kind,
                         nearest);
    snprintf(what, sizeof(what), "' is no word of %s, which takes", kind);
    return fail_names("'", word, what, allowed, count, "");
}

static const char *meaning(unsigned key)
{
    return key == MOTE_SWITCH_KEY_FUNC ? "EXPRESSION" : "NUMBER";
}

/* Finds the key of NAME=VALUE, or of NAME alone, for which value.text is NULL. */
static mote_status parse_key(const mote_switch *f, mote_word word, unsigned *key, mote_word *value)
{
    const char *equals = memchr(word.text, '=', word.length);
    mote_word name = word;
    *value = (mote_word){0};
    if (equals) {
        name.length = (size_t)(equals - word.text);
        *value = (mote_word){.text = equals + 1, .length = word.length - name.length - 1};
    }
    for (*key = 0; *key < MOTE_SWITCH_KEYS && !mote_word_is(name, mote_switch_keys[*key]);)
        ++*key;
    if (*key == MOTE_SWITCH_KEYS || !(taken(f->kind) & BIT(*key)))
        return fail_key(f, word, name);
    bool alone = *key == MOTE_SWITCH_KEY_NOSTRETCH || *key == MOTE_SWITCH_KEY_STRETCH;
    if (alone && equals)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s takes no value ('%.*s')",
                         mote_switch_keys[*key], SHOWN(word));
    if (!alone && value->length == 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s needs a value: %s=%s",
                         mote_switch_keys[*key], mote_switch_keys[*key], meaning(*key));
    return MOTE_SUCCESS;
}

/* Accepts an expression with or without braces; PLUMED requires braces around blanks. */
static mote_status parse_func(mote_switch *f, mote_word text)
{
    if (*text.text == '{') {
        if (text.length < 2 || text.text[text.length - 1] != '}')
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             CALLER ": FUNC has a '{' without its '}'");
        text.text++;
        text.length -= 2;
    }
    if (text.length >= sizeof(f->func))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": FUNC has %zu characters, but at most %zu are taken", text.length,
                         sizeof(f->func) - 1);
    memcpy(f->func, text.text, text.length);
    f->func[text.length] = '\0';
    return MOTE_SUCCESS;
}

/* Parses a finite number, or an expression of numbers, as pi/10. The word must be the end of its
 * text, or be followed by a character that is not part of a number. */
static bool read_real(mote_word word, double *value)
{
    mote_expression e;
    mote_expression_error error;
    int callers = errno;
    bool good = mote_expression_parse(word.text, word.length, false, &e, &error);
    errno = callers;
    *value = good ? e.steps[e.value].number : NAN;
    return good && isfinite(*value);
}

/* Parses a whole number from `least` to 2^31 - 1: digits, or an expression that begins with a digit
 * or a parenthesis. */
static bool read_whole(mote_word word, int32_t least, int32_t *value)
{
    double number = 0.0;
    char first = word.length ? *word.text : '\0';
    if (!((first >= '0' && first <= '9') || first == '('))
        return false;
    if (!read_real(word, &number) || !(number >= least && number <= INT32_MAX))
        return false;
    *value = (int32_t)number;
    return *value == number;
}

static mote_status parse_value(mote_switch *f, unsigned key, mote_word value)
{
    double *const reals[MOTE_SWITCH_KEYS] = {
        [MOTE_SWITCH_KEY_R_0] = &f->r_0,       [MOTE_SWITCH_KEY_D_0] = &f->d_0,
        [MOTE_SWITCH_KEY_D_MAX] = &f->d_max,   [MOTE_SWITCH_KEY_A] = &f->a,
        [MOTE_SWITCH_KEY_B] = &f->b,           [MOTE_SWITCH_KEY_BETA] = &f->beta,
        [MOTE_SWITCH_KEY_LAMBDA] = &f->lambda, [MOTE_SWITCH_KEY_REF] = &f->ref,
    };
    if (key == MOTE_SWITCH_KEY_NOSTRETCH || key == MOTE_SWITCH_KEY_STRETCH) {
        f->no_stretch = key == MOTE_SWITCH_KEY_NOSTRETCH;
        return MOTE_SUCCESS;
    }
    if (key == MOTE_SWITCH_KEY_FUNC)
        return parse_func(f, value);
    if (key == MOTE_SWITCH_KEY_NN || key == MOTE_SWITCH_KEY_MM) {
        int32_t least = key == MOTE_SWITCH_KEY_NN;
        if (read_whole(value, least, key == MOTE_SWITCH_KEY_NN ? &f->nn : &f->mm))
            return MOTE_SUCCESS;
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": %s=%.*s is not a whole number from %d to %d",
                         mote_switch_keys[key], SHOWN(value), (int)least, (int)INT32_MAX);
    }
    if (!read_real(value, reals[key]))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": %s=%.*s is not a finite number, nor an expression of "
                                "numbers",
                         mote_switch_keys[key], SHOWN(value));
    if (*reals[key] <= 0.0 && key != MOTE_SWITCH_KEY_D_0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s=%.*s must be above 0",
                         mote_switch_keys[key], SHOWN(value));
    return MOTE_SUCCESS;
}

static mote_status parse_words(const char *text, mote_switch *f, unsigned *seen)
{
    mote_word word, value;
    unsigned key;
    while (mote_word_next(&text, &word)) {
        mote_status st = parse_key(f, word, &key, &value);
        if (!st && *seen & BIT(key))
            st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s is given twice",
                           mote_switch_keys[key]);
        if (!st)
            st = parse_value(f, key, value);
        if (st)
            return st;
        *seen |= BIT(key);
    }
    if (*seen & BIT(MOTE_SWITCH_KEY_STRETCH) && *seen & BIT(MOTE_SWITCH_KEY_NOSTRETCH))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": give STRETCH or NOSTRETCH, not both");
    return MOTE_SUCCESS;
}

mote_status mote_switch_parse(const char *text, mote_switch *function)
{
    mote_switch f = {.size = sizeof(f), .d_max = INFINITY};
    unsigned seen = 0;
    if (!text || !function)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s is NULL",
                         text ? "function" : "text");
    mote_status st = parse_kind(&text, &f);
    if (!st)
        st = parse_words(text, &f, &seen);
    for (unsigned k = 0; !st && k < MOTE_SWITCH_KEYS; k++)
        if (mote_switch_find(f.kind)->needs & BIT(k) && !(seen & BIT(k)))
            st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s needs %s=%s",
                           mote_switch_kind_name(f.kind), mote_switch_keys[k], meaning(k));
    if (!st)
        st = mote_switch_complete_for(CALLER, &f);
    if (!st)
        *function = f;
    return st;
}
