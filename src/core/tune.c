/* SPDX-License-Identifier: Apache-2.0 */
#include "core/tune.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/quirks.h"
#include "core/tune_keys.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct tune_entry {
    const char *key, *value; /* pointers into mote_tune.text */
    mote_tuning_origin origin;
    atomic_bool asked;
} tune_entry;

struct mote_tune {
    char *text;
    size_t count;
    tune_entry entries[];
};

/* Parses decimal digits whose number fits; any other character is an error, so that "64k" is not
 * 64. */
static bool parse_size(const char *text, size_t *value)
{
    size_t sum = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return false;
        size_t digit = (size_t)(*text - '0');
        if (sum > (SIZE_MAX - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    *value = sum;
    return true;
}

/* Returns whether this is the key of an area's form. */
static bool is_form_key(const char *key)
{
    static const char form[] = ".form";
    size_t length = strlen(key), last = sizeof(form) - 1;
    return length > last && strcmp(key + length - last, form) == 0;
}

static bool is_form(const char *value)
{
    return strcmp(value, "gpu") == 0 || strcmp(value, "cpu") == 0;
}

bool mote_tune_takes(const char *key, const char *value)
{
    size_t unused;
    if (is_form_key(key))
        return is_form(value);
    return parse_size(value, &unused);
}

/* Returns the name of a text's origin in messages. */
static const char *source(mote_tuning_origin origin)
{
    return origin == MOTE_TUNING_CALLER ? "mote_context_tune" : "MOTE_TUNE";
}

static void add_entry(mote_tune *tune, char *part, mote_tuning_origin origin)
{
    size_t unused;
    char *equals = strchr(part, '=');
    const char *dot = strchr(part, '.');
    if (!equals || !dot || dot == part || dot + 1 >= equals ||
        !(is_form(equals + 1) || parse_size(equals + 1, &unused))) {
        mote_log(MOTE_LOG_WARN,
                 "%s: \"%s\" is ignored: it must be area.name=VALUE with a number, gpu or cpu",
                 source(origin), part);
        return;
    }
    *equals = '\0';
    if (!mote_tune_takes(part, equals + 1)) {
        mote_log(MOTE_LOG_WARN, "%s: \"%s=%s\" is ignored: the value must be %s", source(origin),
                 part, equals + 1, is_form(equals + 1) ? "a number" : "gpu or cpu");
        return;
    }
    if (!mote_tune_is_key(part))
        mote_log(MOTE_LOG_WARN, "%s: there is no key \"%s\"; docs/tuning.md lists all",
                 source(origin), part);
    tune_entry *entry = &tune->entries[tune->count++];
    entry->key = part;
    entry->value = equals + 1;
    entry->origin = origin;
    atomic_init(&entry->asked, false);
}

/* Splits a text at its commas; returns a pointer past its end. */
static char *add_text(mote_tune *tune, char *text, mote_tuning_origin origin)
{
    char *end = text + strlen(text) + 1;
    for (char *part = text, *next; part; part = next) {
        next = strchr(part, ',');
        if (next)
            *next++ = '\0';
        if (*part)
            add_entry(tune, part, origin);
    }
    return end;
}

mote_status mote_tune_create(const char *const texts[MOTE_TUNE_ORIGINS], mote_tune **tune)
{
    size_t length = 0, parts = 0;
    *tune = NULL;
    for (int i = 0; i < MOTE_TUNE_ORIGINS; i++) {
        if (!texts[i] || !*texts[i])
            continue;
        length += strlen(texts[i]) + 1;
        parts++;
        for (const char *c = texts[i]; *c; c++)
            parts += *c == ',';
    }
    if (!length)
        return MOTE_SUCCESS;
    mote_tune *made = calloc(1, sizeof(*made) + parts * sizeof(tune_entry));
    char *copy = malloc(length);
    if (!made || !copy) {
        free(made);
        free(copy);
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "tuning values: out of host memory");
    }
    made->text = copy;
    for (int i = 0; i < MOTE_TUNE_ORIGINS; i++)
        if (texts[i] && *texts[i]) {
            memcpy(copy, texts[i], strlen(texts[i]) + 1);
            copy = add_text(made, copy, (mote_tuning_origin)i);
        }
    *tune = made;
    return MOTE_SUCCESS;
}

void mote_tune_release(mote_tune *tune)
{
    if (!tune)
        return;
    for (size_t i = 0; i < tune->count; i++)
        if (tune->entries[i].origin == MOTE_TUNING_ENVIRONMENT &&
            !atomic_load(&tune->entries[i].asked))
            mote_log(MOTE_LOG_INFO, "MOTE_TUNE: nothing asked for \"%s\"", tune->entries[i].key);
    free(tune->text);
    free(tune);
}

const char *mote_tune_value(const mote_tune *tune, const char *key, mote_tuning_origin *origin)
{
    const char *value = NULL;
    *origin = MOTE_TUNING_DERIVED;
    for (size_t i = 0; tune && i < tune->count; i++)
        if (strcmp(tune->entries[i].key, key) == 0) {
            value = tune->entries[i].value;
            *origin = tune->entries[i].origin;
        }
    return value;
}

static tune_entry *find(const mote_context *ctx, const char *key)
{
    mote_tune *tune = ctx->tune;
    tune_entry *found = NULL;
    for (size_t i = 0; tune && i < tune->count; i++)
        if (strcmp(tune->entries[i].key, key) == 0) {
            found = &tune->entries[i];
            atomic_store(&found->asked, true);
        }
    return found;
}

size_t mote_tune_size(const mote_context *ctx, const char *key, size_t fallback, size_t least,
                      size_t most)
{
    tune_entry *entry = find(ctx, key);
    size_t value;
    if (!entry || !parse_size(entry->value, &value))
        return fallback;
    if (value < least)
        return least;
    return value > most ? most : value;
}

mote_device_class mote_tune_form(const mote_context *ctx, const char *key)
{
    tune_entry *entry = find(ctx, key);
    if (entry && is_form(entry->value))
        return entry->value[0] == 'g' ? MOTE_DEVICE_GPU : MOTE_DEVICE_CPU;
    return mote_has_quirk(ctx, MOTE_QUIRK_SHORT_LOOPS) ? MOTE_DEVICE_GPU : ctx->device.device_class;
}

bool mote_tune_any_gpu_form(const mote_context *ctx)
{
    const mote_tune *tune = ctx->tune;
    for (size_t i = 0; tune && i < tune->count; i++)
        if (is_form_key(tune->entries[i].key) && tune->entries[i].value[0] == 'g')
            return true;
    return mote_has_quirk(ctx, MOTE_QUIRK_SHORT_LOOPS);
}
