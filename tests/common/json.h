/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON reader for the files of cases: escapes in strings are not decoded. */
#ifndef MOTE_TESTS_COMMON_JSON_H
#define MOTE_TESTS_COMMON_JSON_H

#include <stdbool.h>
#include <stddef.h>

typedef enum mote_json_kind {
    MOTE_JSON_NULL,
    MOTE_JSON_FALSE,
    MOTE_JSON_TRUE,
    MOTE_JSON_NUMBER,
    MOTE_JSON_STRING,
    MOTE_JSON_ARRAY,
    MOTE_JSON_OBJECT
} mote_json_kind;

typedef struct mote_json {
    mote_json_kind kind;
    char *key;  /* inside an object */
    char *text; /* of a number or string */
    struct mote_json *first, *next;
    size_t count; /* of an array or object */
} mote_json;

/* Reads one value, followed only by blanks; returns NULL for other texts. */
mote_json *mote_json_read(const char *text);
void mote_json_free(mote_json *value);

/* Returns the member of an object, or the element of an array; NULL if it does not exist. */
const mote_json *mote_json_member(const mote_json *object, const char *key);
const mote_json *mote_json_at(const mote_json *array, size_t index);

/* Returns a number, also one inside a string; `otherwise` for anything else, or NULL. */
long double mote_json_number(const mote_json *value, long double otherwise);

/* Returns whether a value is a string equal to `text`. */
bool mote_json_is(const mote_json *value, const char *text);

#endif
