/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/jagged/oracle.h"

#include <string.h>

/* The output of combinations; counts those that do not fit as well. */
typedef struct sink {
    mote_type type;
    void *first, *second;
    size_t capacity, n;
} sink;

static void give(sink *to, int64_t first, int64_t second)
{
    if (to->n < to->capacity) {
        mote_index_set(to->first, to->type, to->n, first);
        if (to->second)
            mote_index_set(to->second, to->type, to->n, second);
    }
    to->n++;
}

size_t mote_oracle_product(const mote_case_lists *a, const mote_case_lists *b, void *offsets,
                           void *first, void *second, size_t capacity)
{
    sink to = {a->type, first, second, capacity, 0};

    mote_index_set(offsets, a->type, 0, 0);
    for (size_t k = 0; k < a->count; k++) {
        int64_t begin_a, end_a, begin_b, end_b;

        mote_case_lists_bounds(a, k, &begin_a, &end_a);
        mote_case_lists_bounds(b, k, &begin_b, &end_b);
        for (int64_t i = begin_a; i < end_a && begin_b < end_b; i++)
            for (int64_t j = begin_b; j < end_b; j++)
                give(&to, i, j);
        mote_index_set(offsets, a->type, k + 1, (int64_t)to.n);
    }
    return to.n;
}

size_t mote_oracle_pairs(const mote_case_lists *a, void *offsets, void *first, void *second,
                         size_t capacity)
{
    sink to = {a->type, first, second, capacity, 0};

    mote_index_set(offsets, a->type, 0, 0);
    for (size_t k = 0; k < a->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(a, k, &begin, &end);
        for (int64_t i = begin; i < end; i++)
            for (int64_t j = i + 1; j < end; j++)
                give(&to, i, j);
        mote_index_set(offsets, a->type, k + 1, (int64_t)to.n);
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
    sink to = {lists->type, positions, NULL, capacity, 0};

    mote_index_set(offsets, lists->type, 0, 0);
    for (size_t k = 0; k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        for (int64_t i = begin; i < end; i++)
            if (mote_value_nonzero(values, values_type, (size_t)i))
                give(&to, i, 0);
        mote_index_set(offsets, lists->type, k + 1, (int64_t)to.n);
    }
    return to.n;
}
