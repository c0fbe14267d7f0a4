/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/jagged/oracle.h"

#include <string.h>

#include "testkit/cases/jagged/values.h"

#define MOST 4 /* largest number of arrays */

/* The outputs of an expansion. The count n includes elements that do not fit. */
typedef struct sink {
    mote_type type;
    unsigned arrays;
    void *const *out;
    size_t capacity, n;
} sink;

static void give(sink *to, const int64_t *at)
{
    if (to->n < to->capacity)
        for (unsigned i = 0; i < to->arrays; i++)
            mote_index_set(to->out[i], to->type, to->n, at[i]);
    to->n++;
}

/* Writes all combinations whose elements before `place` are at[0] .. at[place - 1]. */
static void combine(sink *to, bool product, const int64_t *begin, const int64_t *end, int64_t *at,
                    unsigned place)
{
    int64_t i = place == 0 || product ? begin[place] : at[place - 1] + 1;

    for (; i < end[place]; i++) {
        at[place] = i;
        if (place + 1 < to->arrays && place + 1 < MOST)
            combine(to, product, begin, end, at, place + 1);
        else
            give(to, at);
    }
}

size_t mote_oracle_combinations(const mote_case_lists *const *arrays, bool product, unsigned n,
                                void *offsets, void *const *out, size_t capacity)
{
    sink to = {arrays[0]->type, n, out, capacity, 0};

    mote_index_set(offsets, to.type, 0, 0);
    for (size_t k = 0; k < arrays[0]->count; k++) {
        int64_t begin[MOST], end[MOST], at[MOST];
        bool empty = false;

        for (unsigned i = 0; i < n; i++) {
            mote_case_lists_bounds(arrays[product ? i : 0], k, &begin[i], &end[i]);
            empty = empty || begin[i] == end[i];
        }
        if (!empty)
            combine(&to, product, begin, end, at, 0);
        mote_index_set(offsets, to.type, k + 1, (int64_t)to.n);
    }
    return to.n;
}

bool mote_value_nonzero(const void *values, mote_type type, size_t k)
{
    if (type == MOTE_FLOAT32)
        return ((const float *)values)[k] != 0;
    if (type == MOTE_FLOAT64)
        return ((const double *)values)[k] != 0;
    if (type == MOTE_FLOAT16)
        return ((const uint16_t *)values)[k] % 0x8000 != 0;
    switch (mote_type_size(type)) {
    case 1:
        return ((const uint8_t *)values)[k] != 0;
    case 2:
        return ((const uint16_t *)values)[k] != 0;
    case 4:
        return ((const uint32_t *)values)[k] != 0;
    default:
        return ((const uint64_t *)values)[k] != 0;
    }
}

void mote_oracle_filter(const mote_case_lists *lists, const void *values, mote_type values_type,
                        const void *content, size_t size, void *filtered, size_t capacity)
{
    size_t n = 0;

    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = begin; i < end; i++) {
            if (!mote_value_nonzero(values, values_type, (size_t)i))
                continue;
            if (n < capacity)
                memcpy((char *)filtered + n * size, (const char *)content + (size_t)i * size, size);
            n++;
        }
    }
}

size_t mote_oracle_nonzero(const mote_case_lists *lists, const void *values, mote_type values_type,
                           void *offsets, void *positions, size_t capacity)
{
    sink to = {lists->type, 1, &positions, capacity, 0};

    mote_index_set(offsets, lists->type, 0, 0);
    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = begin; i < end; i++)
            if (mote_value_nonzero(values, values_type, (size_t)i))
                give(&to, &i);
        mote_index_set(offsets, lists->type, k + 1, (int64_t)to.n);
    }
    return to.n;
}

/* Returns whether values a and b are equal. */
static bool is_equal(const void *values, mote_type type, bool equal_nan, size_t a, size_t b)
{
    size_t size = mote_type_size(type);

    if (type == MOTE_FLOAT16 || type == MOTE_FLOAT32 || type == MOTE_FLOAT64) {
        double x = mote_jagged_value(values, type, a), y = mote_jagged_value(values, type, b);
        return x == y || (equal_nan && x != x && y != y);
    }
    if (type == MOTE_BOOL)
        return mote_value_nonzero(values, type, a) == mote_value_nonzero(values, type, b);
    return !memcmp((const char *)values + a * size, (const char *)values + b * size, size);
}

size_t mote_oracle_runs(const mote_case_lists *lists, const void *values, mote_type values_type,
                        bool equal_nan, void *offsets, void *positions, void *lengths,
                        size_t capacity, void *elements, size_t elements_capacity)
{
    size_t n = 0, size = mote_type_size(values_type);

    mote_index_set(offsets, lists->type, 0, 0);
    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end, stop;

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = begin; i < end; i = stop, n++) {
            stop = i + 1;
            while (stop < end &&
                   is_equal(values, values_type, equal_nan, (size_t)stop - 1, (size_t)stop))
                stop++;
            if (n < capacity)
                mote_index_set(positions, lists->type, n, i);
            if (n < capacity && lengths)
                mote_index_set(lengths, lists->type, n, stop - i);
            if (n < elements_capacity)
                memcpy((char *)elements + n * size, (const char *)values + (size_t)i * size, size);
        }
        mote_index_set(offsets, lists->type, k + 1, (int64_t)n);
    }
    return n;
}
