/* SPDX-License-Identifier: Apache-2.0 */
#include "core/convert.h"

#include <assert.h>
#include <string.h>

/* Every element is first converted to one of three wide types, which hold it exactly: u (uint64_t),
 * s (int64_t) or f (double); each target has one function for each of these kinds. */

#define TO_INTEGER(name, type, min, max, limit)                                                    \
    static inline type name##_u(uint64_t v)                                                        \
    {                                                                                              \
        return v > (uint64_t)(max) ? (type)(max) : (type)v;                                        \
    }                                                                                              \
    static inline type name##_s(int64_t v)                                                         \
    {                                                                                              \
        if (v < 0)                                                                                 \
            return v < (int64_t)(min) ? (type)(min) : (type)v;                                     \
        return name##_u((uint64_t)v);                                                              \
    }                                                                                              \
    static inline type name##_f(double v)                                                          \
    {                                                                                              \
        if (v != v)                                                                                \
            return 0;                                                                              \
        if (v <= (double)(min))                                                                    \
            return (type)(min);                                                                    \
        return v >= (limit) ? (type)(max) : (type)v;                                               \
    }

#define TO_FLOAT(name, type)                                                                       \
    static inline type name##_u(uint64_t v)                                                        \
    {                                                                                              \
        return (type)v;                                                                            \
    }                                                                                              \
    static inline type name##_s(int64_t v)                                                         \
    {                                                                                              \
        return (type)v;                                                                            \
    }                                                                                              \
    static inline type name##_f(double v)                                                          \
    {                                                                                              \
        return (type)v;                                                                            \
    }

TO_INTEGER(u8, uint8_t, 0, UINT8_MAX, 0x1p8)
TO_INTEGER(u16, uint16_t, 0, UINT16_MAX, 0x1p16)
TO_INTEGER(i32, int32_t, INT32_MIN, INT32_MAX, 0x1p31)
TO_INTEGER(u32, uint32_t, 0, UINT32_MAX, 0x1p32)
TO_INTEGER(i64, int64_t, INT64_MIN, INT64_MAX, 0x1p63)
TO_INTEGER(u64, uint64_t, 0, UINT64_MAX, 0x1p64)
TO_FLOAT(f32, float)
TO_FLOAT(f64, double)

static inline uint8_t bool_u(uint64_t v)
{
    return v != 0;
}

static inline uint8_t bool_s(int64_t v)
{
    return v != 0;
}

static inline uint8_t bool_f(double v)
{
    return v == v && v != 0.0;
}

/* The loop that converts one type to another: `value` is the value of in[i] in the widest type, and
 * `kind` is the letter of that type. */
#define LOOP(type, name, kind, value)                                                              \
    do {                                                                                           \
        type *out = to;                                                                            \
        for (size_t i = 0; i < count; i++)                                                         \
            out[i] = name##_##kind(value);                                                         \
    } while (0)

#define FROM(function, type, kind, value)                                                          \
    static void function(const void *from, void *to, mote_type to_type, size_t count)              \
    {                                                                                              \
        const type *in = from;                                                                     \
        if (to_type == MOTE_BOOL)                                                                  \
            LOOP(uint8_t, bool, kind, value);                                                      \
        else if (to_type == MOTE_UINT8)                                                            \
            LOOP(uint8_t, u8, kind, value);                                                        \
        else if (to_type == MOTE_UINT16)                                                           \
            LOOP(uint16_t, u16, kind, value);                                                      \
        else if (to_type == MOTE_INT32)                                                            \
            LOOP(int32_t, i32, kind, value);                                                       \
        else if (to_type == MOTE_UINT32)                                                           \
            LOOP(uint32_t, u32, kind, value);                                                      \
        else if (to_type == MOTE_INT64)                                                            \
            LOOP(int64_t, i64, kind, value);                                                       \
        else if (to_type == MOTE_UINT64)                                                           \
            LOOP(uint64_t, u64, kind, value);                                                      \
        else if (to_type == MOTE_FLOAT32)                                                          \
            LOOP(float, f32, kind, value);                                                         \
        else                                                                                       \
            LOOP(double, f64, kind, value);                                                        \
    }

FROM(from_bool, uint8_t, u, (uint64_t)(in[i] != 0))
FROM(from_u8, uint8_t, u, (uint64_t)in[i])
FROM(from_u16, uint16_t, u, (uint64_t)in[i])
FROM(from_i32, int32_t, s, (int64_t)in[i])
FROM(from_u32, uint32_t, u, (uint64_t)in[i])
FROM(from_i64, int64_t, s, in[i])
FROM(from_u64, uint64_t, u, in[i])
FROM(from_f32, float, f, (double)in[i])
FROM(from_f64, double, f, in[i])

typedef void (*converter)(const void *from, void *to, mote_type to_type, size_t count);

static const converter converters[] = {
    [MOTE_BOOL] = from_bool,  [MOTE_UINT8] = from_u8,    [MOTE_UINT16] = from_u16,
    [MOTE_INT32] = from_i32,  [MOTE_UINT32] = from_u32,  [MOTE_INT64] = from_i64,
    [MOTE_UINT64] = from_u64, [MOTE_FLOAT32] = from_f32, [MOTE_FLOAT64] = from_f64,
};

static bool is_number(mote_type type)
{
    return (size_t)type < sizeof(converters) / sizeof(converters[0]) && converters[type];
}

bool mote_can_convert(mote_type from, mote_type to)
{
    return (is_number(from) && is_number(to)) || (from == to && mote_type_size(from) > 0);
}

void mote_convert(const void *from, mote_type from_type, void *to, mote_type to_type, size_t count)
{
    assert(mote_can_convert(from_type, to_type));
    if (from_type == to_type)
        memcpy(to, from, count * mote_type_size(to_type));
    else
        converters[from_type](from, to, to_type, count);
}
