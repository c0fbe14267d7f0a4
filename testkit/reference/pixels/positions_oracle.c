/* SPDX-License-Identifier: Apache-2.0 */
/* Digis are sorted by cluster and pixel; sums and quotients are computed in 128 bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/positions.h"
#include "testkit/cases/pixels/decode.h"

__extension__ typedef unsigned __int128 wide;

/* One labelled digi. */
typedef struct entry {
    uint64_t cluster;
    uint32_t pixel; /* y, x from the high bits down */
    uint32_t charge;
} entry;

typedef struct sums {
    wide w, x, y, xx, yy, xy;
} sums;

static int compare_entries(const void *a, const void *b)
{
    const entry *left = a, *right = b;

    if (left->cluster != right->cluster)
        return left->cluster < right->cluster ? -1 : 1;
    return (left->pixel > right->pixel) - (left->pixel < right->pixel);
}

static void add(sums *s, uint32_t pixel, uint64_t weight)
{
    uint32_t x = pixel & 0xffff, y = pixel >> 16;

    s->w += weight;
    s->x += (wide)weight * x;
    s->y += (wide)weight * y;
    s->xx += (wide)weight * x * x;
    s->yy += (wide)weight * y * y;
    s->xy += (wide)weight * x * y;
}

/* Sign of a / b - m 2^e. */
static int compare_ratio(wide a, wide b, uint64_t m, int e)
{
    wide left = e < 0 ? a << -e : a, right = e < 0 ? m * b : (m * b) << e;

    return (left > right) - (left < right);
}

/* Computes a float near a / b, then the neighbour if that is nearer, or equally near and even. */
static float nearest(wide a, wide b)
{
    if (a == 0)
        return 0.0f;
    float f = (float)((long double)a / (long double)b);
    int exponent;
    uint64_t m = (uint64_t)ldexpf(frexpf(f, &exponent), 24);
    int above = compare_ratio(a, b, 2 * m + 1, exponent - 25);
    int below = compare_ratio(a, b, 4 * m - (m == 1u << 23 ? 1 : 2), exponent - 26);

    if (above > 0 || (above == 0 && m % 2 == 1))
        return nextafterf(f, INFINITY);
    if (below < 0 || (below == 0 && m % 2 == 1))
        return nextafterf(f, 0.0f);
    return f;
}

static float covariance(const sums *s, wide x, wide y, wide xy)
{
    wide all = s->w * xy, means = x * y;

    return all < means ? -nearest(means - all, s->w * s->w) : nearest(all - means, s->w * s->w);
}

void mote_pixels_module_geometry(uint32_t module, float geometry[4])
{
    geometry[0] = -0.8f + 0.37f * (float)(module % 11);
    geometry[1] = 3.25f - 0.011f * (float)(module % 1009);
    geometry[2] = 0.01f + 0.001f * (float)(module % 3);
    geometry[3] = -0.015f;
}

static uint32_t number(const mote_pixels_options *options, uint64_t value)
{
    uint32_t bits = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    float real = (float)value;

    if (options->float_numbers)
        memcpy(&bits, &real, sizeof(bits));
    return bits;
}

/* Products and sums are separate statements, so that no compiler fuses them. */
static void make_local(mote_pixels_position *p, uint32_t module)
{
    float g[4];

    mote_pixels_module_geometry(module, g);
    volatile float x = g[2] * p->x, y = g[3] * p->y;
    volatile float xx = g[2] * g[2], yy = g[3] * g[3], xy = g[2] * g[3];

    p->x = g[0] + x;
    p->y = g[1] + y;
    p->x_var *= xx;
    p->y_var *= yy;
    p->xy_cov *= xy;
}

/* Computes the position of one cluster from its digis, sorted by pixel. */
static void form(const entry *e, size_t count, const mote_pixels_options *options,
                 mote_pixels_position *p)
{
    sums weighted = {0}, plain = {0};
    uint64_t charge = 0, least = UINT64_MAX, most = 0, size = 0;

    for (size_t i = 0, next; i < count; i = next) {
        uint64_t q = 0;

        for (next = i; next < count && e[next].pixel == e[i].pixel; next++) {
            if (options->duplicates == MOTE_DUPLICATES_MAX)
                q = e[next].charge > q ? e[next].charge : q;
            else
                q += e[next].charge;
            if (options->duplicates == MOTE_DUPLICATES_SUM) {
                least = e[next].charge < least ? e[next].charge : least;
                most = e[next].charge > most ? e[next].charge : most;
            }
        }
        if (options->duplicates != MOTE_DUPLICATES_SUM) {
            least = q < least ? q : least;
            most = q > most ? q : most;
        }
        add(&weighted, e[i].pixel, q);
        add(&plain, e[i].pixel, 1);
        charge += q;
        size++;
    }
    const sums *s = options->weight == MOTE_PIXELS_WEIGHT_NONE || charge == 0 ? &plain : &weighted;

    *p = (mote_pixels_position){
        .x = nearest(s->x, s->w),
        .y = nearest(s->y, s->w),
        .x_var = covariance(s, s->x, s->x, s->xx),
        .y_var = covariance(s, s->y, s->y, s->yy),
        .xy_cov = covariance(s, s->x, s->y, s->xy),
        .charge = number(options, charge),
        .charge_min = number(options, least),
        .charge_max = number(options, most),
        .size = number(options, size),
    };
}

static size_t list_entries(const mote_digis *d, const mote_pixels_options *options,
                           const mote_pixels_result *result, entry *entries)
{
    size_t count = 0;

    for (size_t event = 0; event < d->n_events; event++)
        for (uint32_t i = d->event_offsets[event]; i < d->event_offsets[event + 1]; i++)
            if (result->cluster_id[i] >= 0)
                entries[count++] = (entry){
                    .cluster = result->cluster_start[event * d->n_modules + d->module_id[i]] +
                               (uint64_t)result->cluster_id[i],
                    .pixel = (uint32_t)d->y[i] << 16 | d->x[i],
                    .charge = mote_case_charge(d, options, i),
                };
    qsort(entries, count, sizeof(*entries), compare_entries);
    return count;
}

bool mote_pixels_positions_oracle(const mote_digis *digis, const mote_pixels_options *options,
                                  mote_pixels_result *result)
{
    entry *entries = malloc((digis->n + 1) * sizeof(*entries));
    size_t slot = 0;

    result->positions = calloc(result->n_total + 1, sizeof(*result->positions));
    if (!entries || !result->positions) {
        free(entries);
        return false;
    }
    size_t count = list_entries(digis, options, result, entries);

    for (size_t i = 0, next = 0; i < count; i = next) {
        size_t cluster = entries[i].cluster;

        while (next < count && entries[next].cluster == cluster)
            next++;
        form(entries + i, next - i, options, &result->positions[cluster]);
        while (result->cluster_start[slot + 1] <= cluster)
            slot++;
        if (options->local)
            make_local(&result->positions[cluster], (uint32_t)(slot % digis->n_modules));
    }
    free(entries);
    return true;
}
