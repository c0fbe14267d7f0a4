/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/jagged.h"
#include "bench/peers/bounds.h"
#include "bench/peers/threads.h"

#include <stdlib.h>

#define MOST_THREADS 1024

static void fill_lists(const int32_t *offsets, size_t first, size_t last, int32_t *parents)
{
    for (size_t k = first; k < last; k++)
        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++)
            parents[i] = (int32_t)k;
}

void mote_peer_parents_sequential(const int32_t *offsets, size_t m, int32_t *parents)
{
    fill_lists(offsets, 0, m, parents);
}

void mote_peer_parents_by_list(const int32_t *offsets, size_t m, int32_t *parents)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < m; k++)
        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++)
            parents[i] = (int32_t)k;
}

static int32_t share(int32_t n, int part, int parts)
{
    return (int32_t)((int64_t)n * part / parts);
}

/* Elements first .. last - 1. */
static void fill_range(const int32_t *offsets, size_t m, int32_t first, int32_t last,
                       int32_t *parents)
{
    size_t k = lower_bound(offsets, m, first + 1) - 1;

    for (int32_t i = first; i < last; k++) {
        int32_t end = offsets[k + 1] < last ? offsets[k + 1] : last;

        for (; i < end; i++)
            parents[i] = (int32_t)k;
    }
}

void mote_peer_parents_even(const int32_t *offsets, size_t m, int32_t *parents)
{
    int32_t n = offsets[m];

#pragma omp parallel
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        int32_t first = share(n, part, parts), last = share(n, part + 1, parts);

        if (first < last)
            fill_range(offsets, m, first, last, parents);
    }
}

void mote_peer_local_sequential(const int32_t *offsets, size_t m, int32_t *out)
{
    for (size_t k = 0; k < m; k++)
        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++)
            out[i] = i - offsets[k];
}

void mote_peer_local_by_list(const int32_t *offsets, size_t m, int32_t *out)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < m; k++)
        for (int32_t i = offsets[k]; i < offsets[k + 1]; i++)
            out[i] = i - offsets[k];
}

/* Elements first .. last - 1. */
static void local_range(const int32_t *offsets, size_t m, int32_t first, int32_t last, int32_t *out)
{
    size_t k = lower_bound(offsets, m, first + 1) - 1;

    for (int32_t i = first; i < last; k++) {
        int32_t begin = offsets[k], end = offsets[k + 1] < last ? offsets[k + 1] : last;

        for (; i < end; i++)
            out[i] = i - begin;
    }
}

void mote_peer_local_even(const int32_t *offsets, size_t m, int32_t *out)
{
    int32_t n = offsets[m];

#pragma omp parallel
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();
        int32_t first = share(n, part, parts), last = share(n, part + 1, parts);

        if (first < last)
            local_range(offsets, m, first, last, out);
    }
}

static float sum_of(const float *values, int32_t first, int32_t last)
{
    float sum = 0;

#pragma omp simd reduction(+ : sum)
    for (int32_t i = first; i < last; i++)
        sum += values[i];
    return sum;
}

void mote_peer_reduce_lists_sequential(const int32_t *offsets, size_t m, const float *values,
                                       float *sums)
{
    for (size_t k = 0; k < m; k++)
        sums[k] = sum_of(values, offsets[k], offsets[k + 1]);
}

void mote_peer_reduce_lists_by_list(const int32_t *offsets, size_t m, const float *values,
                                    float *sums)
{
#pragma omp parallel for schedule(static)
    for (size_t k = 0; k < m; k++)
        sums[k] = sum_of(values, offsets[k], offsets[k + 1]);
}

/* The sum that a thread computes for a list that begins in the share of another thread. */
typedef struct carry {
    size_t list;
    float sum;
} carry;

/* Sums the lists that begin in the share, as far as they are in it, and the carry before them.
 */
static carry sum_range(const int32_t *offsets, size_t m, int32_t first, int32_t last, bool is_last,
                       const float *values, float *sums)
{
    size_t k = lower_bound(offsets, m, first), end = is_last ? m : lower_bound(offsets, m, last);
    carry before = {.list = m};

    if (k > 0 && offsets[k] > first) {
        before.list = k - 1;
        before.sum = sum_of(values, first, offsets[k] < last ? offsets[k] : last);
    }
    for (; k < end && k < m; k++)
        sums[k] = sum_of(values, offsets[k], offsets[k + 1] < last ? offsets[k + 1] : last);
    return before;
}

void mote_peer_reduce_lists_even(const int32_t *offsets, size_t m, const float *values, float *sums)
{
    static carry carries[MOST_THREADS];
    int32_t n = offsets[m];
    int threads = omp_get_max_threads() < MOST_THREADS ? omp_get_max_threads() : MOST_THREADS;
    int used = threads;

#pragma omp parallel num_threads(threads)
    {
        int part = omp_get_thread_num(), parts = omp_get_num_threads();

#pragma omp single
        used = parts;
        carries[part] = sum_range(offsets, m, share(n, part, parts), share(n, part + 1, parts),
                                  part == parts - 1, values, sums);
    }
    for (int part = 0; part < used; part++)
        if (carries[part].list < m)
            sums[carries[part].list] += carries[part].sum;
}
