/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/jagged/oracle.h"

#include <math.h>
#include <string.h>

#include "testkit/cases/jagged/values.h"

__extension__ typedef unsigned __int128 wide;

void mote_oracle_pad(const mote_case_lists *lists, const void *values, size_t size, int64_t start,
                     const void *starts, size_t k, const void *fill, void *result)
{
    for (size_t i = 0; i < lists->count; i++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, i, &begin, &end);
        long double first = start < 0 ? (long double)(end - begin) + start : start;
        if (starts)
            first = mote_index_get(starts, lists->type, i);
        for (size_t j = 0; j < k; j++) {
            long double place = first + (long double)j;
            bool in_list = place >= 0 && place < end - begin;
            const char *from =
                in_list ? (const char *)values + (begin + (int64_t)place) * (int64_t)size : fill;
            memcpy((char *)result + (i * k + j) * size, from, size);
        }
    }
}

/* Returns the index in a list of this length for a bound of a slice. */
static int64_t bound(int64_t place, int64_t length)
{
    if (place < 0)
        place = place < -length ? 0 : place + length;
    return place > length ? length : place;
}

size_t mote_oracle_slice(const mote_case_lists *lists, const void *values, size_t size,
                         int64_t start, int64_t stop, void *offsets, void *sliced, void *positions,
                         size_t capacity)
{
    size_t n = 0;

    mote_index_set(offsets, lists->type, 0, 0);
    for (size_t i = 0; i < lists->count; i++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, i, &begin, &end);
        int64_t last = begin + bound(stop, end - begin);
        for (int64_t p = begin + bound(start, end - begin); p < last; p++, n++) {
            if (sliced && n < capacity)
                memcpy((char *)sliced + n * size, (const char *)values + (size_t)p * size, size);
            if (positions && n < capacity)
                mote_index_set(positions, lists->type, n, p);
        }
        mote_index_set(offsets, lists->type, i + 1, (int64_t)n);
    }
    return n;
}

/* Computes a quantile by numpy's interpolation, except that equal neighbours are not subtracted. */
static double wide_quantile(const void *values, mote_type type, size_t first, size_t length,
                            double quantile)
{
    double place = (double)(length - 1) * quantile, t = place - floor(place);
    size_t k = first + (size_t)floor(place);
    double a = mote_jagged_value(values, type, k);

    if (t == 0)
        return a + 0.0;
    double b = mote_jagged_value(values, type, k + 1), difference = a == b ? 0 : b - a;
    return t < 0.5 ? a + difference * t : b - difference * (1 - t);
}

static float narrow_quantile(const void *values, mote_type type, size_t first, size_t length,
                             double quantile)
{
    wide place = (wide)ldexp(quantile, 64) * (length - 1);
    size_t k = first + (size_t)(place >> 64);
    float t = ldexpf((float)(uint64_t)place, -64), rest = ldexpf((float)(0 - (uint64_t)place), -64);
    float a = (float)mote_jagged_value(values, type, k);

    if ((uint64_t)place == 0)
        return a + 0.0f;
    float b = (float)mote_jagged_value(values, type, k + 1), difference = a == b ? 0 : b - a;
    return t < 0.5f ? a + difference * t : b - difference * rest;
}

void mote_oracle_quantile(const mote_case_lists *lists, const void *values, mote_type type,
                          const double *quantiles, size_t count, mote_type result_type,
                          void *result)
{
    for (size_t i = 0; i < lists->count * count; i++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, i / count, &begin, &end);
        size_t first = (size_t)begin, length = (size_t)(end - begin);
        double q = quantiles[i % count], x;
        if (length == 0 || isnan(mote_jagged_value(values, type, first + length - 1)))
            x = (double)NAN;
        else if (result_type == MOTE_FLOAT64)
            x = wide_quantile(values, type, first, length, q);
        else
            x = (double)narrow_quantile(values, type, first, length, q);
        x = isnan(x) ? (double)NAN : x; /* a NaN is written without a sign */
        if (result_type == MOTE_FLOAT64)
            ((double *)result)[i] = x;
        else
            ((float *)result)[i] = (float)x;
    }
}
