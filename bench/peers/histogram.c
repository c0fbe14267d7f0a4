/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/peers/histogram.h"

#include <stdint.h>
#include <stdlib.h>

#include "bench/peers/threads.h"

/* Finds the bin as NumPy does: by a multiplication, and a comparison with each of its edges. */
static inline size_t bin_of(float x, const float *edges, float low, float scale, int32_t last)
{
    int32_t k = (int32_t)((x - low) * scale);

    k = k < last ? k : last;
    k -= x < edges[k];
    return (size_t)(k + (x >= edges[k + 1] && k < last));
}

static void count(const float *values, size_t begin, size_t end, const float *edges, size_t bins,
                  uint32_t *counts)
{
    const float low = edges[0], high = edges[bins], scale = (float)bins / (high - low);

    for (size_t i = begin; i < end; i++)
        if (values[i] >= low && values[i] <= high)
            counts[bin_of(values[i], edges, low, scale, (int32_t)bins - 1)]++;
}

static void add(const float *values, const float *weights, size_t begin, size_t end,
                const float *edges, size_t bins, double *sums)
{
    const float low = edges[0], high = edges[bins], scale = (float)bins / (high - low);

    for (size_t i = begin; i < end; i++)
        if (values[i] >= low && values[i] <= high)
            sums[bin_of(values[i], edges, low, scale, (int32_t)bins - 1)] += (double)weights[i];
}

/* Each thread has bins of its own. */
bool mote_peer_histogram(const float *values, const float *weights, size_t n, const float *edges,
                         size_t bins, double *result)
{
    size_t threads = (size_t)omp_get_max_threads(), running = 1;
    uint32_t *counts = calloc(threads * bins, sizeof(*counts));
    double *sums = calloc(threads * bins, sizeof(*sums));
    bool good = counts && sums;

#pragma omp parallel if (good)
    {
        size_t k = (size_t)omp_get_thread_num(), all = (size_t)omp_get_num_threads();
        size_t begin = n / all * k, end = k + 1 < all ? n / all * (k + 1) : n;

        if (k == 0)
            running = all;
        if (good && weights)
            add(values, weights, begin, end, edges, bins, sums + k * bins);
        else if (good)
            count(values, begin, end, edges, bins, counts + k * bins);
    }
    for (size_t b = 0; good && b < bins; b++) {
        result[b] = 0;
        for (size_t k = 0; k < running; k++)
            result[b] += weights ? sums[k * bins + b] : (double)counts[k * bins + b];
    }
    free(counts);
    free(sums);
    return good;
}
