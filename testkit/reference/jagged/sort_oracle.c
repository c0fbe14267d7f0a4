/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/jagged/reduce_oracle.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/jagged/values.h"

/* The array whose indices are sorted, and the order. */
typedef struct sort {
    const mote_jagged_reduce_what *what;
    bool descending, is_float;
} sort;

static bool before(const sort *s, size_t i, size_t j)
{
    if (s->is_float) {
        double x = mote_jagged_value(s->what->values, s->what->type, i);
        double y = mote_jagged_value(s->what->values, s->what->type, j);
        if (isnan(x) || isnan(y))
            return !isnan(x);
        return s->descending ? x > y : x < y;
    }
    int64_t x = mote_oracle_integer(s->what, i), y = mote_oracle_integer(s->what, j);
    if (s->what->type == MOTE_UINT64)
        return s->descending ? (uint64_t)x > (uint64_t)y : (uint64_t)x < (uint64_t)y;
    return s->descending ? x > y : x < y;
}

/* Sorts n indices by merging halves; `room` has as many elements. */
static void merge_sort(const sort *s, size_t *indices, size_t n, size_t *room)
{
    size_t half = n / 2, i = 0, j = half;

    if (n < 2)
        return;
    merge_sort(s, indices, half, room);
    merge_sort(s, indices + half, n - half, room);
    memcpy(room, indices, n * sizeof(*room));
    for (size_t k = 0; k < n; k++) {
        bool second = j < n && (i == half || before(s, room[j], room[i]));
        indices[k] = room[second ? j++ : i++];
    }
}

bool mote_oracle_sort(const mote_case_lists *lists, const mote_jagged_reduce_what *what, size_t n,
                      bool descending, void *result, mote_type indices_type, void *indices)
{
    const sort s = {what, descending,
                    what->type == MOTE_FLOAT16 || what->type == MOTE_FLOAT32 ||
                        what->type == MOTE_FLOAT64};
    const size_t size = mote_type_size(what->type);
    size_t *order = malloc((n + 1) * sizeof(*order)), *room = malloc((n + 1) * sizeof(*room));
    size_t *begins = calloc(n + 1, sizeof(*begins));
    bool good = order && room && begins;

    for (size_t i = 0; good && i < n; i++)
        order[i] = begins[i] = i;
    for (size_t k = 0; good && k < lists->count; k++) {
        int64_t begin, end;

        mote_case_lists_bounds(lists, k, &begin, &end);
        merge_sort(&s, order + begin, (size_t)(end - begin), room);
        for (int64_t i = begin; i < end; i++)
            begins[i] = (size_t)begin;
    }
    for (size_t i = 0; good && i < n; i++) {
        if (result)
            memcpy((char *)result + i * size, (const char *)what->values + order[i] * size, size);
        if (indices_type)
            mote_index_set(indices, indices_type, i, (int64_t)(order[i] - begins[i]));
    }
    free(order);
    free(room);
    free(begins);
    return good;
}
