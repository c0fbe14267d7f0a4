/* SPDX-License-Identifier: Apache-2.0 */
/* Switching functions from PLUMED's words. */
#include "coordination/switch.h"
#include "coordination/switch_words.h"
#include "core/fail.h"
#include "core/text.h"

#include <math.h>
#include <string.h>

#define CALLER "mote_switch_parse"

/* For printing a word of any length. */
#define SHOWN(word) (int)((word).length < 40 ? (word).length : 40), (word).text

static const char *const kinds[] = {"RATIONAL", "EXP",  "GAUSSIAN", "SMAP",
                                    "CUBIC",    "TANH", "COSINUS",  "Q"};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* The words, in the order of key_names. */
enum {
    KEY_R_0,
    KEY_D_0,
    KEY_D_MAX,
    KEY_NN,
    KEY_MM,
    KEY_A,
    KEY_B,
    KEY_BETA,
    KEY_LAMBDA,
    KEY_REF,
    KEY_NOSTRETCH,
    KEY_STRETCH,
    KEYS
};

static const char *const key_names[KEYS] = {"R_0", "D_0",  "D_MAX",  "NN",  "MM",        "A",
                                            "B",   "BETA", "LAMBDA", "REF", "NOSTRETCH", "STRETCH"};

#define BIT(key) (1u << (key))
#define COMMON   (BIT(KEY_D_0) | BIT(KEY_D_MAX) | BIT(KEY_NOSTRETCH) | BIT(KEY_STRETCH))

/* The words that a kind takes besides d_0, d_max and stretching, and those it requires. */
static const struct {
    unsigned takes, needs;
} rules[KINDS] = {
    [MOTE_SWITCH_RATIONAL] = {BIT(KEY_NN) | BIT(KEY_MM), BIT(KEY_R_0)},
    [MOTE_SWITCH_EXP] = {0, BIT(KEY_R_0)},
    [MOTE_SWITCH_GAUSSIAN] = {0, BIT(KEY_R_0)},
    [MOTE_SWITCH_SMAP] = {BIT(KEY_A) | BIT(KEY_B), BIT(KEY_R_0) | BIT(KEY_A) | BIT(KEY_B)},
    [MOTE_SWITCH_CUBIC] = {0, BIT(KEY_D_MAX)},
    [MOTE_SWITCH_TANH] = {0, BIT(KEY_R_0)},
    [MOTE_SWITCH_COSINUS] = {0, BIT(KEY_R_0)},
    [MOTE_SWITCH_Q] = {BIT(KEY_BETA) | BIT(KEY_LAMBDA) | BIT(KEY_REF), BIT(KEY_R_0) | BIT(KEY_REF)},
};

static unsigned taken(mote_switch_kind kind)
{
    return COMMON | rules[kind].takes | rules[kind].needs;
}

static mote_status parse_kind(const char **text, mote_switch *f)
{
    mote_word word;
    if (!mote_word_next(text, &word))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": the text is empty: it must begin with a kind such as RATIONAL");
    for (size_t k = 0; k < KINDS; k++)
        if (mote_word_is(word, kinds[k])) {
            f->kind = (mote_switch_kind)k;
            return MOTE_SUCCESS;
        }
    if (mote_word_is(word, "CUSTOM") || mote_word_is(word, "MATHEVAL"))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": %.*s functions are not supported: take one of RATIONAL, EXP, "
                                "GAUSSIAN, SMAP, CUBIC, TANH, COSINUS, Q",
                         SHOWN(word));
    const char *nearest = mote_word_nearest(word, kinds, KINDS);
    if (nearest)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": '%.*s' is no switching function: did you mean %s?", SHOWN(word),
                         nearest);
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                     CALLER ": '%.*s' is not one of RATIONAL, EXP, GAUSSIAN, SMAP, CUBIC, TANH, "
                            "COSINUS, Q, one of which must come first",
                     SHOWN(word));
}

static mote_status fail_key(const mote_switch *f, mote_word word, mote_word name)
{
    const char *allowed[KEYS];
    size_t count = 0;
    for (unsigned k = 0; k < KEYS; k++)
        if (taken(f->kind) & BIT(k))
            allowed[count++] = key_names[k];
    const char *nearest = mote_word_nearest(name, allowed, count);
    if (nearest)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": '%.*s' is no word of %s: did you mean %s?", SHOWN(word),
                         kinds[f->kind], nearest);
    mote_text list = {0};
    for (size_t i = 0; i < count; i++)
        mote_text_add(&list, "%s%s", i ? ", " : "", allowed[i]);
    mote_status st =
        mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": '%.*s' is no word of %s, which takes %s",
                  SHOWN(word), kinds[f->kind], mote_text_get(&list));
    mote_text_free(&list);
    return st;
}

/* Finds the key of NAME=VALUE, or of NAME alone, which value.text is NULL for. */
static mote_status parse_key(const mote_switch *f, mote_word word, unsigned *key, mote_word *value)
{
    const char *equals = memchr(word.text, '=', word.length);
    mote_word name = word;
    *value = (mote_word){0};
    if (equals) {
        name.length = (size_t)(equals - word.text);
        *value = (mote_word){.text = equals + 1, .length = word.length - name.length - 1};
    }
    for (*key = 0; *key < KEYS && !mote_word_is(name, key_names[*key]);)
        ++*key;
    if (*key == KEYS || !(taken(f->kind) & BIT(*key)))
        return fail_key(f, word, name);
    bool alone = *key == KEY_NOSTRETCH || *key == KEY_STRETCH;
    if (alone && equals)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s takes no value ('%.*s')",
                         key_names[*key], SHOWN(word));
    if (!alone && value->length == 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s needs a value: %s=NUMBER",
                         key_names[*key], key_names[*key]);
    return MOTE_SUCCESS;
}

static mote_status parse_value(mote_switch *f, unsigned key, mote_word value)
{
    double *const reals[KEYS] = {
        [KEY_R_0] = &f->r_0, [KEY_D_0] = &f->d_0,   [KEY_D_MAX] = &f->d_max,   [KEY_A] = &f->a,
        [KEY_B] = &f->b,     [KEY_BETA] = &f->beta, [KEY_LAMBDA] = &f->lambda, [KEY_REF] = &f->ref,
    };
    if (key == KEY_NOSTRETCH || key == KEY_STRETCH) {
        f->no_stretch = key == KEY_NOSTRETCH;
        return MOTE_SUCCESS;
    }
    if (key == KEY_NN || key == KEY_MM) {
        int32_t least = key == KEY_NN;
        if (mote_word_whole(value, least, key == KEY_NN ? &f->nn : &f->mm))
            return MOTE_SUCCESS;
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": %s=%.*s is not a whole number from %d to %d", key_names[key],
                         SHOWN(value), (int)least, (int)INT32_MAX);
    }
    if (!mote_word_real(value, reals[key]))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         CALLER ": %s=%.*s is not a finite decimal number", key_names[key],
                         SHOWN(value));
    if (*reals[key] <= 0.0 && key != KEY_D_0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s=%.*s must be above 0",
                         key_names[key], SHOWN(value));
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
                           key_names[key]);
        if (!st)
            st = parse_value(f, key, value);
        if (st)
            return st;
        *seen |= BIT(key);
    }
    if (*seen & BIT(KEY_STRETCH) && *seen & BIT(KEY_NOSTRETCH))
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
    for (unsigned k = 0; !st && k < KEYS; k++)
        if (rules[f.kind].needs & BIT(k) && !(seen & BIT(k)))
            st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, CALLER ": %s needs %s=NUMBER",
                           kinds[f.kind], key_names[k]);
    if (!st)
        st = mote_switch_complete_for(CALLER, &f);
    if (!st)
        *function = f;
    return st;
}
