/* SPDX-License-Identifier: Apache-2.0 */
#include "common/json.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 32

static const char *skip(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Copies the text between two positions. */
static char *cut(const char *from, const char *to)
{
    size_t length = (size_t)(to - from);
    char *copy = malloc(length + 1);
    if (copy) {
        memcpy(copy, from, length);
        copy[length] = '\0';
    }
    return copy;
}

/* The closing quote of the string that begins after `at`; NULL without one. */
static const char *string_end(const char *at)
{
    while (*at && *at != '"')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return *at ? at : NULL;
}

static const char *read_string(const char *at, char **text)
{
    const char *end = string_end(at + 1);
    if (!end)
        return NULL;
    *text = cut(at + 1, end);
    return *text ? end + 1 : NULL;
}

static const char *read_word(const char *at, mote_json *value)
{
    static const char *const words[] = {"null", "false", "true"};
    for (int k = 0; k < 3; k++)
        if (strncmp(at, words[k], strlen(words[k])) == 0) {
            value->kind = (mote_json_kind)k;
            return at + strlen(words[k]);
        }
    size_t length = strspn(at, "+-.0123456789eE");
    value->kind = MOTE_JSON_NUMBER;
    value->text = length ? cut(at, at + length) : NULL;
    return value->text ? at + length : NULL;
}

static const char *read_value(const char *at, mote_json *value, int depth);

/* Reads one element, with its key inside an object, and the separator before the next one. */
static const char *read_element(const char *at, bool keyed, char close, mote_json *element,
                                int depth)
{
    if (keyed) {
        at = *at == '"' ? read_string(at, &element->key) : NULL;
        at = at ? skip(at) : NULL;
        if (!at || *at != ':')
            return NULL;
        at = skip(at + 1);
    }
    at = read_value(at, element, depth + 1);
    if (!at)
        return NULL;
    at = skip(at);
    if (*at == ',') {
        at = skip(at + 1);
        return *at == close ? NULL : at;
    }
    return *at == close ? at : NULL;
}

static const char *read_list(const char *at, mote_json *value, int depth)
{
    char close = *at == '{' ? '}' : ']';
    mote_json **last = &value->first;
    value->kind = *at == '{' ? MOTE_JSON_OBJECT : MOTE_JSON_ARRAY;
    at = skip(at + 1);
    while (at && *at != close) {
        *last = calloc(1, sizeof(**last));
        if (!*last)
            return NULL;
        at = read_element(at, close == '}', close, *last, depth);
        last = &(*last)->next;
        value->count++;
    }
    return at ? at + 1 : NULL;
}

static const char *read_value(const char *at, mote_json *value, int depth)
{
    if (depth > DEEPEST)
        return NULL;
    if (*at == '{' || *at == '[')
        return read_list(at, value, depth);
    if (*at != '"')
        return read_word(at, value);
    value->kind = MOTE_JSON_STRING;
    return read_string(at, &value->text);
}

mote_json *mote_json_read(const char *text)
{
    mote_json *value = calloc(1, sizeof(*value));
    if (!value)
        return NULL;
    const char *end = read_value(skip(text), value, 0);
    if (end && !*skip(end))
        return value;
    mote_json_free(value);
    return NULL;
}

void mote_json_free(mote_json *value)
{
    while (value) {
        mote_json *next = value->next;
        mote_json_free(value->first);
        free(value->key);
        free(value->text);
        free(value);
        value = next;
    }
}

const mote_json *mote_json_member(const mote_json *object, const char *key)
{
    const mote_json *at = object && object->kind == MOTE_JSON_OBJECT ? object->first : NULL;
    while (at && strcmp(at->key, key) != 0)
        at = at->next;
    return at;
}

const mote_json *mote_json_at(const mote_json *array, size_t index)
{
    const mote_json *at = array ? array->first : NULL;
    while (at && index-- > 0)
        at = at->next;
    return at;
}

long double mote_json_number(const mote_json *value, long double otherwise)
{
    if (!value || !value->text)
        return otherwise;
    char *end;
    long double number = strtold(value->text, &end);
    return *value->text && !*end ? number : otherwise;
}

bool mote_json_is(const mote_json *value, const char *text)
{
    return value && value->kind == MOTE_JSON_STRING && strcmp(value->text, text) == 0;
}
