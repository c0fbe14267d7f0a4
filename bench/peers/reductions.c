/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/reductions.h"
#include "bench/peers/bounds.h"
#include "bench/peers/threads.h"

#include <math.h>

#define MOST_THREADS 1024

/* The data of a list, or of a part of it: each reduction uses the members that it needs. */
typedef struct part {
    float value;
    int32_t at; /* position in values */
    int32_t count;
    float squares; /* of the differences from `value`, the mean */
} part;

typedef part (*range_fn)(const float *values, int32_t first, int32_t last);
typedef part (*join_fn)(part before, part after);
typedef void (*store_fn)(void *results, size_t k, part p, int32_t begin, int32_t length);

static inline part min_range(const float *values, int32_t first, int32_t last)
{
    float least = INFINITY;

#pragma omp simd reduction(min : least)
    for (int32_t i = first; i < last; i++)
        least = values[i] < least ? values[i] : least;
    return (part){.value = least};
}

static inline part min_join(part a, part b)
{
    return b.value < a.value ? b : a;
}

static inline void value_store(void *results, size_t k, part p, int32_t begin, int32_t length)
{
    (void)begin;
    (void)length;
    ((float *)results)[k] = p.value;
}

/* Finds the largest value first, with vectors, then its position. */
static inline part argmax_range(const float *values, int32_t first, int32_t last)
{
    float most = -INFINITY;
    int32_t i = first;

#pragma omp simd reduction(max : most)
    for (int32_t j = first; j < last; j++)
        most = values[j] > most ? values[j] : most;
    while (i < last && values[i] != most)
        i++;
    return (part){.value = most, .at = i};
}

static inline part argmax_join(part a, part b)
{
    return b.value > a.value ? b : a;
}

static inline void at_store(void *results, size_t k, part p, int32_t begin, int32_t length)
{
    ((int32_t *)results)[k] = length ? p.at - begin : -1;
}

static inline part nonzero_range(const float *values, int32_t first, int32_t last)
{
    int32_t count = 0;

#pragma omp simd reduction(+ : count)
    for (int32_t i = first; i < last; i++)
        count += values[i] != 0;
    return (part){.count = count};
}

static inline part any_range(const float *values, int32_t first, int32_t last)
{
    int32_t i = first;

    while (i < last && values[i] == 0)
        i++;
    return (part){.count = i < last};
}

static inline part count_join(part a, part b)
{
    a.count += b.count;
    return a;
}

static inline void count_store(void *results, size_t k, part p, int32_t begin, int32_t length)
{
    (void)begin;
    (void)length;
    ((int32_t *)results)[k] = p.count;
}

static inline void any_store(void *results, size_t k, part p, int32_t begin, int32_t length)
{
    (void)begin;
    (void)length;
    ((uint8_t *)results)[k] = p.count != 0;
}

static inline part sum_range(const float *values, int32_t first, int32_t last)
{
    float sum = 0;

#pragma omp simd reduction(+ : sum)
    for (int32_t i = first; i < last; i++)
        sum += values[i];
    return (part){.value = sum};
}

static inline part sum_join(part a, part b)
{
    a.value += b.value;
    return a;
}

static inline void mean_store(void *results, size_t k, part p, int32_t begin, int32_t length)
{
    (void)begin;
    ((float *)results)[k] = p.value / (float)length;
}

/* Computes the mean of values in cache, then the squares of the differences from it. */
static inline part var_block(const float *values, int32_t first, int32_t last)
{
    float mean = last > first ? sum_range(values, first, last).value / (float)(last - first) : 0;
    float squares = 0;

#pragma omp simd reduction(+ : squares)
    for (int32_t i = first; i < last; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    return (part){.value = mean, .squares = squares, .count = last - first};
}

static inline part var_join(part a, part b)
{
    float count = (float)(a.count + b.count), apart = b.value - a.value;

    if (b.count == 0)
        return a;
    a.value += apart * (float)b.count / count;
    a.squares += b.squares + apart * apart * (float)a.count * (float)b.count / count;
    a.count += b.count;
    return a;
}

static inline part var_range(const float *values, int32_t first, int32_t last)
{
    part p = var_block(values, first, last - first < 4096 ? last : first + 4096);

    for (int32_t i = first + p.count; i < last; i += 4096)
        p = var_join(p, var_block(values, i, last - i < 4096 ? last : i + 4096));
    return p;
}

static inline void var_store(void *results, size_t k, part p, int32_t begin, int32_t length)
{
    (void)begin;
    ((float *)results)[k] = p.squares / (float)length;
}

#define INLINED static inline __attribute__((always_inline))

INLINED void by_list(const int32_t *offsets, size_t m, const float *values, void *results,
                     range_fn range, store_fn store)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < m; k++) {
        int32_t begin = offsets[k], end = offsets[k + 1];

        store(results, k, range(values, begin, end), begin, end - begin);
    }
}

/* Parts of the share's last list, and of a list that began before the share. */
typedef struct carry {
    size_t own, before; /* lists, m: none */
    part own_part, before_part;
} carry;

INLINED carry share(const int32_t *offsets, size_t m, int32_t first, int32_t last, bool is_last,
                    const float *values, void *results, range_fn range, store_fn store)
{
    size_t k = lower_bound(offsets, m, first), end = is_last ? m : lower_bound(offsets, m, last);
    carry c = {.own = m, .before = m};

    if (k > 0 && offsets[k] > first) {
        c.before = k - 1;
        c.before_part = range(values, first, offsets[k] < last ? offsets[k] : last);
    }
    for (; k < end && k < m; k++) {
        int32_t begin = offsets[k], stop = offsets[k + 1] < last ? offsets[k + 1] : last;
        part p = range(values, begin, stop);

        if (stop < offsets[k + 1]) {
            c.own = k;
            c.own_part = p;
        } else {
            store(results, k, p, begin, stop - begin);
        }
    }
    return c;
}

INLINED void even(const int32_t *offsets, size_t m, const float *values, void *results,
                  range_fn range, join_fn join, store_fn store)
{
    static carry carries[MOST_THREADS];
    int64_t n = offsets[m];
    int used = 1,
        most = omp_get_max_threads() < MOST_THREADS ? omp_get_max_threads() : MOST_THREADS;

#pragma omp parallel num_threads(most)
    {
        int at = omp_get_thread_num(), parts = omp_get_num_threads();

#pragma omp single
        used = parts;
        carries[at] = share(offsets, m, (int32_t)(n * at / parts), (int32_t)(n * (at + 1) / parts),
                            at == parts - 1, values, results, range, store);
    }
    for (int at = 0; at < used; at++) {
        size_t k = carries[at].own;
        part p = carries[at].own_part;

        if (k == m)
            continue;
        for (int next = at + 1; next < used && carries[next].before == k; next++)
            p = join(p, carries[next].before_part);
        store(results, k, p, offsets[k], offsets[k + 1] - offsets[k]);
    }
}

#define PEER(name, range, join, store)                                                             \
    static void name##_by_list(const int32_t *offsets, size_t m, const float *values,              \
                               void *results)                                                      \
    {                                                                                              \
        by_list(offsets, m, values, results, range, store);                                        \
    }                                                                                              \
    static void name##_even(const int32_t *offsets, size_t m, const float *values, void *results)  \
    {                                                                                              \
        even(offsets, m, values, results, range, join, store);                                     \
    }

PEER(least, min_range, min_join, value_store)
PEER(argmax, argmax_range, argmax_join, at_store)
PEER(nonzero, nonzero_range, count_join, count_store)
PEER(any, any_range, count_join, any_store)
PEER(mean, sum_range, sum_join, mean_store)
PEER(var, var_range, var_join, var_store)

static void count_by_list(const int32_t *offsets, size_t m, const float *values, void *results)
{
    int32_t *counts = results;

    (void)values;
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < m; k++)
        counts[k] = offsets[k + 1] - offsets[k];
}

#define PEERS(way)                                                                                 \
    {MOTE_REDUCE_MIN, least_##way}, {MOTE_REDUCE_ARGMAX, argmax_##way},                            \
        {MOTE_REDUCE_COUNTNONZERO, nonzero_##way}, {MOTE_REDUCE_ANY, any_##way},                   \
        {MOTE_REDUCE_MEAN, mean_##way},                                                            \
    {                                                                                              \
        MOTE_REDUCE_VAR, var_##way                                                                 \
    }

const mote_jagged_reduction_peer mote_peer_reductions_by_list[] = {
    PEERS(by_list), {MOTE_REDUCE_COUNT, count_by_list}, {0, NULL}};
const mote_jagged_reduction_peer mote_peer_reductions_even[] = {PEERS(even), {0, NULL}};
