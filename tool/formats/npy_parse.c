/* SPDX-License-Identifier: Apache-2.0 */
/* The header of an NPY file: a literal of a Python dict, its three entries in any order. */
#include "tool/formats/npy.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#define SHOWN_BYTES 60 /* bytes of a text that a message cites */

enum { KEY_DESCR, KEY_ORDER, KEY_SHAPE, KEYS };

static const char *const key_names[KEYS] = {"descr", "fortran_order", "shape"};

typedef struct parser {
    const char *begin, *at, *end;
    mote_npy *array;
    mote_npy_layout *layout;
    bool seen[KEYS];
    char *message;
    size_t size;
} parser;

typedef struct text_span {
    const char *begin;
    size_t length;
} text_span;

static bool bad(const parser *p, const char *format, ...)
#if defined(__GNUC__)
    __attribute__((format(printf, 2, 3)))
#endif
    ;

static bool bad(const parser *p, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(p->message, p->size, format, values);
    va_end(values);
    return false;
}

/* Reports that the header differs from what is expected at this position. */
static bool expected(const parser *p, const char *what)
{
    size_t place = (size_t)(p->at - p->begin);

    if (p->at == p->end)
        return bad(p, "the header ends where %s is expected", what);
    if (*p->at < 0x20 || *p->at > 0x7e)
        return bad(p, "byte %zu of the header is 0x%02x, expected %s", place,
                   (unsigned)(unsigned char)*p->at, what);
    return bad(p, "byte %zu of the header is '%c', expected %s", place, *p->at, what);
}

static void skip_space(parser *p)
{
    while (p->at < p->end && *p->at && strchr(" \t\n\r\f", *p->at))
        p->at++;
}

/* Skips white space, then takes the character if it is there. */
static bool take(parser *p, char c)
{
    skip_space(p);
    if (p->at == p->end || *p->at != c)
        return false;
    p->at++;
    return true;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static bool take_word(parser *p, const char *word)
{
    size_t length = strlen(word);

    if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0 ||
        (p->at + length < p->end && is_word(p->at[length])))
        return false;
    p->at += length;
    return true;
}

static bool take_string(parser *p, text_span *text, const char *what)
{
    skip_space(p);
    if (p->at == p->end || (*p->at != '\'' && *p->at != '"'))
        return expected(p, what);
    char quote = *p->at++;

    text->begin = p->at;
    while (p->at < p->end && *p->at != quote) {
        if (*p->at == '\\' || *p->at < 0x20 || *p->at > 0x7e)
            return expected(p, "a printable character of a string");
        p->at++;
    }
    if (p->at == p->end)
        return expected(p, "the end of a string");
    text->length = (size_t)(p->at++ - text->begin);
    return true;
}

static bool is(text_span text, const char *word)
{
    return strlen(word) == text.length && memcmp(text.begin, word, text.length) == 0;
}

/* Finds a type by its name without byte order: the name that numpy.save writes, or another one that
 * numpy.load accepts. */
static mote_type type_of(text_span kind)
{
    static const struct {
        const char *names[4];
        mote_type type;
    } kinds[] = {{{"b1", "?", "bool"}, MOTE_BOOL},       {{"i1", "b", "int8"}, MOTE_INT8},
                 {{"u1", "B", "uint8"}, MOTE_UINT8},     {{"i2", "h", "int16"}, MOTE_INT16},
                 {{"u2", "H", "uint16"}, MOTE_UINT16},   {{"i4", "i", "int32"}, MOTE_INT32},
                 {{"u4", "I", "uint32"}, MOTE_UINT32},   {{"i8", "q", "int64"}, MOTE_INT64},
                 {{"u8", "Q", "uint64"}, MOTE_UINT64},   {{"f2", "e", "float16"}, MOTE_FLOAT16},
                 {{"f4", "f", "float32"}, MOTE_FLOAT32}, {{"f8", "d", "float64"}, MOTE_FLOAT64}};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        for (const char *const *name = kinds[i].names; *name; name++)
            if (is(kind, *name))
                return kinds[i].type;
    return MOTE_TYPE_NONE;
}

static bool take_type(parser *p)
{
    static const char *const orders = "<|>=";
    text_span text;

    skip_space(p);
    if (p->at < p->end && *p->at == '[')
        return bad(p, "the dtype is structured (has fields): save each field by itself");
    if (!take_string(p, &text, "the dtype as a string"))
        return false;
    int shown = text.length < SHOWN_BYTES ? (int)text.length : SHOWN_BYTES;
    text_span kind = text;

    if (kind.length && strchr(orders, *kind.begin)) {
        kind.begin++;
        kind.length--;
    }
    if (kind.length && *kind.begin == 'O')
        return bad(p, "dtype '%.*s': arrays of Python objects are not read", shown, text.begin);
    mote_type type = type_of(kind);

    if (type == MOTE_TYPE_NONE)
        return bad(p,
                   "dtype '%.*s' is not read: store the array by .astype() as a type that the "
                   "command's --help names",
                   shown, text.begin);
    p->array->type = type;
    p->layout->big_endian = *text.begin == '>';
    return true;
}

static bool take_order(parser *p)
{
    skip_space(p);
    p->layout->by_columns = take_word(p, "True");
    return p->layout->by_columns || take_word(p, "False") || expected(p, "True or False");
}

static bool take_length(parser *p, size_t *length)
{
    const char *start = p->at;
    size_t value = 0;

    for (; p->at < p->end && *p->at >= '0' && *p->at <= '9'; p->at++) {
        size_t digit = (size_t)(*p->at - '0');

        if (value > (SIZE_MAX - digit) / 10)
            return bad(p, "the shape has a dimension of more elements than memory can address");
        value = 10 * value + digit;
    }
    if (p->at == start)
        return expected(p, "a length");
    if (*start == '0' && p->at - start > 1) /* not a number in Python */
        return bad(p, "a length of the shape begins with 0");
    if (p->at < p->end && *p->at == 'L') /* Python 2 appends an L to some integers */
        p->at++;
    *length = value;
    return true;
}

/* Reads a tuple: (), (3,), (3, 4) or (3, 4,); (3) is not a tuple. */
static bool take_shape(parser *p)
{
    unsigned n = 0;
    bool comma = true;

    if (!take(p, '('))
        return expected(p, "the '(' of the shape");
    while (!take(p, ')')) {
        size_t length = 0;

        if (!comma)
            return expected(p, "',' or ')' in the shape");
        if (!take_length(p, &length))
            return false;
        if (n < MOTE_NPY_MOST_DIMS)
            p->array->shape[n] = length;
        n++;
        comma = take(p, ',');
    }
    if (n == 1 && !comma)
        return bad(p, "the shape is a number, expected a tuple such as (3,)");
    if (n > MOTE_NPY_MOST_DIMS)
        return bad(p, "the array has %u dimensions, expected at most %d", n, MOTE_NPY_MOST_DIMS);
    p->array->n_dims = n;
    return true;
}

static bool take_entry(parser *p)
{
    text_span key;
    int which = 0;

    if (!take_string(p, &key, "a key or '}'"))
        return false;
    while (which < KEYS && !is(key, key_names[which]))
        which++;
    if (which == KEYS)
        return bad(p, "the header has an unknown key '%.*s', expected descr, fortran_order, shape",
                   key.length < SHOWN_BYTES ? (int)key.length : SHOWN_BYTES, key.begin);
    if (p->seen[which])
        return bad(p, "the header has the key '%s' twice", key_names[which]);
    p->seen[which] = true;
    if (!take(p, ':'))
        return expected(p, "':'");
    if (which == KEY_DESCR)
        return take_type(p);
    return which == KEY_ORDER ? take_order(p) : take_shape(p);
}

static bool take_dict(parser *p)
{
    bool comma = true;

    if (!take(p, '{'))
        return expected(p, "the '{' of a dict");
    while (!take(p, '}')) {
        if (!comma)
            return expected(p, "',' or '}'");
        if (!take_entry(p))
            return false;
        comma = take(p, ',');
    }
    skip_space(p);
    if (p->at < p->end)
        return expected(p, "nothing but white space after the dict");
    for (int i = 0; i < KEYS; i++)
        if (!p->seen[i])
            return bad(p, "the header has no key '%s'", key_names[i]);
    return true;
}

/* Counts values and bytes, within the range of a pointer. */
static bool count_values(const parser *p)
{
    mote_npy *a = p->array;
    size_t most = (size_t)PTRDIFF_MAX / mote_type_size(a->type);

    a->count = 0;
    if (a->shape[0] && a->shape[1]) {
        if (a->shape[0] > most / a->shape[1])
            return bad(p, "the shape (%zu, %zu) has more values than memory can address",
                       a->shape[0], a->shape[1]);
        a->count = a->shape[0] * a->shape[1];
    }
    return true;
}

bool mote_npy_parse(const char *text, size_t length, mote_npy *array, mote_npy_layout *layout,
                    char *message, size_t size)
{
    parser p = {.begin = text,
                .at = text,
                .end = text + length,
                .array = array,
                .layout = layout,
                .message = message,
                .size = size};

    *array = (mote_npy){.shape = {1, 1}};
    *layout = (mote_npy_layout){0};
    return take_dict(&p) && count_values(&p);
}
