/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/reference/reduce/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/reduce/data.h"

long double mote_number_at(const void *data, mote_type type, size_t i)
{
    switch (type) {
    case MOTE_BOOL:
        return ((const uint8_t *)data)[i] != 0;
    case MOTE_INT8:
        return ((const int8_t *)data)[i];
    case MOTE_UINT8:
        return ((const uint8_t *)data)[i];
    case MOTE_INT16:
        return ((const int16_t *)data)[i];
    case MOTE_UINT16:
        return ((const uint16_t *)data)[i];
    case MOTE_INT32:
        return (long double)((const int32_t *)data)[i];
    case MOTE_UINT32:
        return (long double)((const uint32_t *)data)[i];
    case MOTE_INT64:
        return (long double)((const int64_t *)data)[i];
    case MOTE_UINT64:
        return (long double)((const uint64_t *)data)[i];
    case MOTE_FLOAT16:
        return (long double)mote_half_number(((const uint16_t *)data)[i]);
    case MOTE_FLOAT32:
        return (long double)((const float *)data)[i];
    default:
        return (long double)((const double *)data)[i];
    }
}

/* Returns all edges as numbers, so that values can be compared with them. */
static void make_edges(const mote_histogram_task *t, long double *edges)
{
    volatile double step = (t->high - t->low) / (double)t->bins, product, edge;

    for (size_t k = 0; k <= t->bins; k++) {
        if (t->edges) {
            edges[k] = mote_number_at(t->edges, t->edges_type, k);
            continue;
        }
        product = (double)k * step;
        edge = k < t->bins ? t->low + product : t->high;
        if (edge > t->high)
            edge = t->high;
        edges[k] = (long double)edge;
        if (t->type == MOTE_FLOAT16 || t->type == MOTE_FLOAT32)
            edges[k] = (long double)(float)edge;
    }
}

/* Returns the bin of a number, or `bins`. */
static size_t bin_of(const long double *edges, size_t bins, long double x)
{
    size_t low = 0,
           high = bins; /* the edges below `low` are not above x, those from `high` on are */

    if (!(x >= edges[0] && x <= edges[bins]))
        return bins;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (edges[middle] <= x)
            low = middle + 1;
        else
            high = middle;
    }
    return low - 1;
}

/* The exponent of the multiples to which weights are rounded. */
static int unit_exponent(const mote_histogram_task *t)
{
    long double largest = 0;
    int exponent, least = t->weights_type == MOTE_FLOAT32 ? -125 : -1021, logarithm = 0;

    for (size_t i = 0; i < t->n; i++) {
        long double w = fabsl(mote_number_at(t->weights, t->weights_type, i));
        if (isfinite(w) && w > largest)
            largest = w;
    }
    frexpl(largest, &exponent);
    while (logarithm < 62 && (uint64_t)1 << logarithm < t->n)
        logarithm++;
    if (largest == 0 || exponent < least)
        exponent = least;
    return exponent + logarithm - 62;
}

typedef struct sum {
    int64_t units;
    bool up, down, nan;
} sum;

static void sum_add(sum *s, long double w, int unit)
{
    s->nan = s->nan || isnan(w);
    s->up = s->up || (isinf(w) && w > 0);
    s->down = s->down || (isinf(w) && w < 0);
    if (isfinite(w))
        s->units += (int64_t)rintl(ldexpl(w, -unit));
}

static void sum_store(const sum *s, mote_type type, int unit, void *result, size_t at)
{
    double wide = ldexp((double)s->units, unit);
    float narrow = ldexpf((float)s->units, unit);

    if (s->nan || (s->up && s->down))
        wide = narrow = NAN;
    else if (s->up || s->down)
        wide = narrow = s->up ? INFINITY : -INFINITY;
    if (type == MOTE_INT64)
        ((int64_t *)result)[at] = s->units;
    else if (type == MOTE_FLOAT32)
        ((float *)result)[at] = narrow;
    else
        ((double *)result)[at] = wide;
}

bool mote_oracle_histogram(const mote_histogram_task *t, void *result, mote_status *told,
                           uint32_t *index)
{
    long double *edges = malloc((t->bins + 1) * sizeof(*edges));
    sum *sums = calloc(t->bins + 1, sizeof(*sums));
    mote_type type = t->weights_type ? t->weights_type : MOTE_INT64;
    int unit = t->weights_type ? unit_exponent(t) : 0;
    bool good = edges && sums;

    *told = MOTE_SUCCESS;
    if (good)
        make_edges(t, edges);
    for (size_t k = 0; good && !*told && k < t->bins; k++)
        if (!(edges[k] <= edges[k + 1])) {
            *told = MOTE_ERROR_EDGES;
            *index = (uint32_t)k;
        }
    for (size_t i = 0; good && !*told && i < t->n; i++) {
        sum *s = &sums[bin_of(edges, t->bins, mote_number_at(t->values, t->type, i))];
        if (t->weights_type)
            sum_add(s, mote_number_at(t->weights, t->weights_type, i), unit);
        else
            s->units++;
    }
    for (size_t k = 0; good && !*told && k < t->bins; k++)
        sum_store(&sums[k], type, unit, result, k);
    free(edges);
    free(sums);
    return good;
}
