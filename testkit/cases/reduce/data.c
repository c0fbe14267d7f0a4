/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/reduce/data.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A random number in [0, 1), with as many bits as a float has. */
static double unit(mote_rng *rng)
{
    return (double)(mote_rng_next(rng) >> 40) * 0x1p-24;
}

static double signed_unit(mote_rng *rng)
{
    return 2 * unit(rng) - 1;
}

static double special(mote_rng *rng, double rare, double other)
{
    return mote_rng_below(rng, 97) == 0 ? (mote_rng_below(rng, 2) ? rare : other)
                                        : signed_unit(rng);
}

/* `previous` is the previous value. */
static double draw(mote_reduce_kind kind, bool single, size_t i, double previous, mote_rng *rng)
{
    double largest = single ? FLT_MAX : DBL_MAX;
    double tiny = single ? (double)FLT_TRUE_MIN : DBL_TRUE_MIN;
    switch (kind) {
    case MOTE_SUM_POSITIVE:
        return unit(rng);
    case MOTE_SUM_SCALES:
        return ldexp(signed_unit(rng), (int)mote_rng_between(rng, -66, 66));
    case MOTE_SUM_ILL:
        return i % 4 == 3 ? 1e-8 * signed_unit(rng) : i % 2 ? -previous : 1e8 * signed_unit(rng);
    case MOTE_SUM_CANCEL:
        return i % 2 ? -previous : ldexp(signed_unit(rng), (int)mote_rng_between(rng, -30, 30));
    case MOTE_SUM_TENTH:
        return 0.1;
    case MOTE_SUM_HUGE:
        return i / 3 % 2 ? -largest : largest;
    case MOTE_SUM_TINY:
        return tiny * (double)mote_rng_between(rng, -9, 9);
    case MOTE_SUM_MINUS_ZERO:
        return -0.0;
    case MOTE_SUM_ZEROS:
        return mote_rng_below(rng, 2) ? -0.0 : 0.0;
    case MOTE_SUM_INFINITY:
        return special(rng, INFINITY, INFINITY);
    case MOTE_SUM_INFINITIES:
        return special(rng, INFINITY, -INFINITY);
    case MOTE_SUM_NAN:
        return special(rng, NAN, -NAN);
    case MOTE_SUM_ALL_NAN:
        return i % 2 ? NAN : -NAN;
    default:
        return signed_unit(rng);
    }
}

static int64_t draw_integer(mote_reduce_kind kind, int64_t previous, size_t i, mote_rng *rng)
{
    int64_t any = (int64_t)mote_rng_next(rng);
    switch (kind) {
    case MOTE_SUM_POSITIVE:
        return mote_rng_between(rng, 0, 999);
    case MOTE_SUM_CANCEL:
        return i % 2 ? -previous : any / 4;
    case MOTE_SUM_TENTH:
    case MOTE_SUM_MINUS_ZERO:
    case MOTE_SUM_ZEROS:
        return 0;
    case MOTE_SUM_HUGE:
        return i % 5 ? INT64_MAX : INT64_MIN;
    default:
        return any;
    }
}

/* The upper bits, so that the largest integers remain the largest; for a bool also zeros. */
static int64_t narrow(mote_reduce_kind kind, mote_type type, int64_t x)
{
    size_t unused = 64 - 8 * mote_type_size(type);
    return type == MOTE_BOOL && x % 3 == 0        ? 0
           : !unused || kind == MOTE_SUM_POSITIVE ? x
                                                  : x / ((int64_t)1 << unused);
}

/* Few kinds have infinities and NaN. */
static uint16_t draw_half(mote_reduce_kind kind, mote_rng *rng)
{
    return (uint16_t)(mote_rng_next(rng) & (kind < MOTE_SUM_INFINITY ? 0xbbff : 0xffff));
}

void mote_reduce_fill(mote_reduce_kind kind, mote_type type, size_t count, mote_rng *rng,
                      void *values)
{
    double previous = 0;
    int64_t before = 0;
    for (size_t i = 0; i < count; i++) {
        if (type == MOTE_FLOAT32 || type == MOTE_FLOAT64)
            previous = draw(kind, type == MOTE_FLOAT32, i, previous, rng);
        else if (type != MOTE_FLOAT16)
            before = draw_integer(kind, before, i, rng);
        if (type == MOTE_FLOAT32) {
            ((float *)values)[i] = (float)previous;
            previous = (double)(float)previous;
        } else if (type == MOTE_FLOAT64) {
            ((double *)values)[i] = previous;
        } else if (type == MOTE_FLOAT16) {
            ((uint16_t *)values)[i] = draw_half(kind, rng);
        } else {
            int64_t x = narrow(kind, type, before);
            memcpy((char *)values + i * mote_type_size(type), &x, mote_type_size(type));
        }
    }
}

double mote_half_number(uint16_t bits)
{
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double x = exponent == 31 ? (mantissa ? (double)NAN : (double)INFINITY)
               : exponent     ? ldexp(1024 + mantissa, exponent - 25)
                              : ldexp(mantissa, -24);

    return bits >> 15 ? -x : x;
}

uint16_t mote_half_bits(double x)
{
    uint32_t bits = 0, sign = signbit(x) && !isnan(x) ? 0x8000 : 0;
    while (bits < 0x7c00 && mote_half_number((uint16_t)bits) < fabs(x))
        bits++;
    return (uint16_t)(isnan(x) ? 0x7e00 : sign | bits);
}
