/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/cases/jagged/values.h"

#include <math.h>
#include <string.h>

#include "testkit/cases/reduce/data.h"

/* Returns a value such that sums, or products, of several of them are rounded. The exponents of
 * summands span fifty binary digits; factors are near 1. */
static double pick_rounded(bool product, mote_rng *rng)
{
    double x = (double)(mote_rng_next(rng) >> 11) / 0x1p53;

    if (product)
        return 1 + (x - 0.5) / 256;
    return ldexp((1 + x) * (mote_rng_below(rng, 2) ? 1 : -1), (int)mote_rng_between(rng, -40, 8));
}

static double pick_float(mote_jagged_values kind, bool product, mote_rng *rng)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 0.5};

    if (kind == MOTE_VALUES_SPECIAL && mote_rng_below(rng, 40) == 0)
        return special[mote_rng_below(rng, 8)];
    if (kind == MOTE_VALUES_ROUNDED)
        return pick_rounded(product, rng);
    if (kind == MOTE_VALUES_TIES)
        return (double)mote_rng_between(rng, -1, 1) * (mote_rng_below(rng, 2) ? 1.0 : -1.0);
    return (double)mote_rng_between(rng, -1000000, 1000000) / 997.0;
}

static uint64_t pick_integer(mote_jagged_values kind, mote_type type, mote_rng *rng)
{
    if (kind == MOTE_VALUES_TIES)
        return (uint64_t)mote_rng_between(rng, -1, 1);
    if (kind == MOTE_VALUES_SPECIAL && mote_rng_below(rng, 9) == 0)
        return ((uint64_t)1 << (8 * mote_type_size(type) - 1)) - mote_rng_below(rng, 2);
    return mote_rng_next(rng);
}

/* The values are of moderate size, except the special ones. */
static uint16_t pick_half(mote_jagged_values kind, bool product, mote_rng *rng)
{
    static const uint16_t special[] = {0x0000, 0x8000, 0x3c00, 0xbc00, 0x7c00,
                                       0xfc00, 0x7e01, 0xfd00, 0x0001, 0x83ff};
    uint64_t bits = mote_rng_next(rng);

    if (kind == MOTE_VALUES_SPECIAL && mote_rng_below(rng, 40) == 0)
        return special[mote_rng_below(rng, 10)];
    if (kind == MOTE_VALUES_TIES)
        return special[mote_rng_below(rng, 4)];
    if (kind == MOTE_VALUES_ROUNDED && product)
        return (uint16_t)(0x3bfc + bits % 9); /* from 1 - 2^-9 to 1 + 2^-8 */
    return (uint16_t)((bits & 0x83ff) | (8 + mote_rng_below(rng, 14)) << 10);
}

static void set_value(void *values, mote_type type, size_t i, mote_jagged_values kind, bool product,
                      mote_rng *rng)
{
    uint64_t bits = pick_integer(kind, type, rng);
    double number = pick_float(kind, product, rng);

    if (type == MOTE_BOOL)
        ((uint8_t *)values)[i] = bits % 4 == 0 ? (uint8_t)(bits >> 8) : 0;
    else if (type == MOTE_FLOAT32)
        ((float *)values)[i] = (float)number;
    else if (type == MOTE_FLOAT64)
        ((double *)values)[i] = number;
    else if (type == MOTE_FLOAT16)
        ((uint16_t *)values)[i] = pick_half(kind, product, rng);
    else if (mote_type_size(type) == 1)
        ((uint8_t *)values)[i] = (uint8_t)bits;
    else if (mote_type_size(type) == 2)
        ((uint16_t *)values)[i] = (uint16_t)bits;
    else if (mote_type_size(type) == 4)
        ((uint32_t *)values)[i] = (uint32_t)bits;
    else
        ((uint64_t *)values)[i] = bits;
}

/* Makes the last values of every other list, on average, much larger than the rest, so that the
 * result shows the order in which they are added. */
static void weigh_ends(const mote_case_lists *lists, const mote_jagged_reduce_what *what,
                       mote_rng *rng, void *values)
{
    int64_t first = what->base_first ? mote_index_get(lists->offsets, lists->type, 0) : 0;

    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end, count = mote_rng_below(rng, 2) * mote_rng_below(rng, 64);

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = end - 1; i >= begin && end - i <= count; i--)
            if (what->type == MOTE_FLOAT32)
                ((float *)values)[i - first] *= 0x1p7f;
            else if (what->type == MOTE_FLOAT64)
                ((double *)values)[i - first] *= 0x1p7;
    }
}

void mote_jagged_values_fill(const mote_case_lists *lists, const mote_jagged_reduce_what *what,
                             mote_jagged_values kind, size_t n, mote_rng *rng, void *values)
{
    bool product = what->reduction == MOTE_REDUCE_PROD;

    for (size_t i = 0; i < n; i++)
        set_value(values, what->type, i, kind, product, rng);
    if (kind == MOTE_VALUES_ROUNDED && !product && !lists->status)
        weigh_ends(lists, what, rng, values);
}

void mote_jagged_values_bits(mote_type type, size_t n, mote_rng *rng, void *values)
{
    size_t size = mote_type_size(type);
    uint32_t zeros = 1 + mote_rng_below(rng, 20);

    for (size_t i = 0; i < n; i++) {
        uint64_t bits = mote_rng_below(rng, 20) < zeros ? 0 : mote_rng_next(rng);

        if (bits && mote_rng_below(rng, 9) == 0)
            bits = (uint64_t)1 << (8 * size - 1); /* -0 of floats, the top bit of integers */
        memcpy((char *)values + i * size, &bits, size);
    }
}

double mote_jagged_value(const void *values, mote_type type, size_t k)
{
    const char *at = (const char *)values + k * mote_type_size(type);

    switch (type) {
    case MOTE_BOOL:
        return *(const uint8_t *)at != 0;
    case MOTE_INT8:
        return *(const int8_t *)at;
    case MOTE_UINT8:
        return *(const uint8_t *)at;
    case MOTE_INT16:
        return ((const int16_t *)values)[k];
    case MOTE_UINT16:
        return ((const uint16_t *)values)[k];
    case MOTE_INT32:
    case MOTE_UINT32:
    case MOTE_INT64:
        return (double)mote_index_get(values, type, k);
    case MOTE_UINT64:
        return (double)((const uint64_t *)values)[k];
    case MOTE_FLOAT16:
        return mote_half_number(((const uint16_t *)values)[k]);
    case MOTE_FLOAT32:
        return (double)((const float *)values)[k];
    default:
        return ((const double *)values)[k];
    }
}
