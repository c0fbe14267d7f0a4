/* SPDX-License-Identifier: Apache-2.0 */
/* mote_histogram() and mote_histogram_host(). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/reduce/data.h"
#include "testkit/operation.h"
#include "testkit/reference/reduce/histogram.h"
#include "shared/histogram.h"

#define BIT(number) (1u << (number))

enum { VALUES, EDGES, WEIGHTS, RESULT }; /* the fields */

enum { EVEN, RANDOM, EQUAL, UNBOUNDED, EDGE_KINDS }; /* of edges */

static bool is_real(mote_type type)
{
    return type == MOTE_FLOAT16 || type == MOTE_FLOAT32 || type == MOTE_FLOAT64;
}

/* Few bins, as many as a group counts in local memory, or more. */
static size_t draw_bins(trial_call *c)
{
    size_t bins = 1 + mote_rng_below(&c->rng, mote_rng_below(&c->rng, 2) ? 9 : 300);

    switch (mote_rng_below(&c->rng, 8)) {
    case 0:
        bins = MOTE_HISTOGRAM_LOCAL + mote_rng_below(&c->rng, 2);
        break;
    case 1:
        bins = 1 + mote_rng_below(&c->rng, 20000);
        break;
    default:
        break;
    }
    return bins > c->most + 1 ? 1 + bins % (c->most + 1) : bins;
}

static void choose_histogram(trial_call *c)
{
    mote_histogram_args *a = (mote_histogram_args *)(void *)&c->args;
    bool fp64 = trial_has_fp64(c->ctx);
    uint32_t no_type = fp64 ? 0 : BIT(MOTE_FLOAT64);
    mote_type type = trial_choose(c, c->fields->fields[VALUES].types & ~no_type);
    mote_type edges = trial_choose(
        c, (BIT(type) | BIT(MOTE_FLOAT32) | BIT(MOTE_FLOAT64) | (fp64 ? BIT(MOTE_TYPE_NONE) : 0)) &
               ~no_type);
    mote_type weights =
        trial_choose(c, (BIT(MOTE_TYPE_NONE) | BIT(MOTE_FLOAT32) | BIT(MOTE_FLOAT64)) & ~no_type);
    size_t n = trial_size(c), bins = draw_bins(c);
    bool none = n == 0 && !c->on_host && mote_rng_below(&c->rng, 2);

    if (none && edges && edges != type && !is_real(edges))
        none = false;
    a->low = (double)mote_rng_between(&c->rng, -800, 800) / 8;
    a->high =
        a->low + ldexp(1 + mote_rng_below(&c->rng, 1000), (int)mote_rng_below(&c->rng, 8) - 6);
    if (mote_rng_below(&c->rng, 4) == 0)
        a->high = a->low + (double)bins;
    c->array[VALUES] = (trial_array){.type = none ? MOTE_TYPE_NONE : type, .count = n};
    c->array[EDGES] = (trial_array){.type = edges, .count = edges ? bins + 1 : 0};
    c->array[WEIGHTS] =
        (trial_array){.type = none ? MOTE_TYPE_NONE : weights, .count = weights ? n : 0};
    c->array[RESULT] = (trial_array){.type = weights ? weights : MOTE_INT64, .count = bins};
    c->kind = mote_rng_below(&c->rng, EDGE_KINDS);
    c->any_nan = weights != MOTE_TYPE_NONE;
    c->promise = TRIAL_EVERYWHERE;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static long double clamped(long double x, long double least, long double most)
{
    return x < least ? least : x > most ? most : x;
}

/* Stores a number in a type that may not be able to represent it. */
static void put(void *data, mote_type type, size_t i, long double x)
{
    size_t size = mote_type_size(type);
    bool is_signed =
        type == MOTE_INT8 || type == MOTE_INT16 || type == MOTE_INT32 || type == MOTE_INT64;
    long double most = type == MOTE_BOOL ? 1 : ldexpl(1, (int)(8 * size) - is_signed) - 1;

    if (type == MOTE_FLOAT32) {
        ((float *)data)[i] = (float)clamped(x, -(long double)3e38f, (long double)3e38f);
    } else if (type == MOTE_FLOAT64) {
        ((double *)data)[i] = (double)clamped(x, -1e308L, 1e308L);
    } else if (type == MOTE_FLOAT16) {
        ((uint16_t *)data)[i] = mote_half_bits((double)(rintl(clamped(x, -200, 200) * 8) / 8));
    } else {
        long double whole = clamped(floorl(x), is_signed ? -most - 1 : 0, most);
        uint64_t bits = whole < 0 ? (uint64_t)(int64_t)whole : (uint64_t)whole;
        memcpy((char *)data + i * size, &bits, size);
    }
}

static void put_infinity(void *data, mote_type type, size_t i, bool negative)
{
    uint16_t half = negative ? 0xfc00 : 0x7c00;

    if (type == MOTE_FLOAT16)
        memcpy((char *)data + 2 * i, &half, sizeof(half));
    else if (type == MOTE_FLOAT32)
        ((float *)data)[i] = negative ? -INFINITY : INFINITY;
    else if (type == MOTE_FLOAT64)
        ((double *)data)[i] = negative ? -(double)INFINITY : (double)INFINITY;
}

static int by_number(const void *a, const void *b)
{
    long double x = *(const long double *)a, y = *(const long double *)b;
    return (x > y) - (x < y);
}

static bool fill_edges(trial_call *c)
{
    const mote_histogram_args *a = (const mote_histogram_args *)(const void *)&c->args;
    trial_array *edges = &c->array[EDGES];
    long double *number = malloc((edges->count + 1) * sizeof(*number));
    long double width = ((long double)a->high - (long double)a->low) / (long double)edges->count;

    if (!number)
        return false;
    for (size_t k = 0; k < edges->count; k++) {
        number[k] = (long double)a->low + width * (long double)k;
        if (c->kind == RANDOM)
            number[k] = (long double)mote_rng_between(&c->rng, -1000000000, 1000000000) *
                        ldexpl(1, (int)mote_rng_below(&c->rng, 40) - 30);
        if (c->kind == EQUAL)
            number[k] = (long double)mote_rng_below(&c->rng, 20);
    }
    qsort(number, edges->count, sizeof(*number), by_number);
    for (size_t k = 0; k < edges->count; k++)
        put(edges->data, edges->type, k, number[k]);
    free(number);
    if (c->kind == UNBOUNDED && is_real(edges->type)) {
        put_infinity(edges->data, edges->type, edges->count - 1, false);
        if (mote_rng_below(&c->rng, 2))
            put_infinity(edges->data, edges->type, 0, true);
    }
    if (c->spoilt) {
        size_t k = mote_rng_below(&c->rng, (uint32_t)edges->count);
        if (is_real(edges->type) && edges->type != MOTE_FLOAT16 && mote_rng_below(&c->rng, 2))
            memset((char *)edges->data + k * mote_type_size(edges->type), 0xff,
                   mote_type_size(edges->type));
        else
            put(edges->data, edges->type, k, (long double)mote_rng_between(&c->rng, -900, 900));
    }
    return true;
}

/* Fills in numbers at edges and near them, between the outer edges, outside, and random bits. */
static void fill_values(trial_call *c)
{
    const mote_histogram_args *a = (const mote_histogram_args *)(const void *)&c->args;
    const trial_array *edges = &c->array[EDGES], *values = &c->array[VALUES];
    size_t bins = c->array[RESULT].count, size = mote_type_size(values->type);
    long double first = (long double)a->low, last = (long double)a->high;
    uint32_t same = mote_rng_below(&c->rng, 4);

    if (edges->type) {
        first = clamped(mote_number_at(edges->data, edges->type, 0), -1e9L, 1e9L);
        last = clamped(mote_number_at(edges->data, edges->type, bins), -1e9L, 1e9L);
    }
    for (size_t i = 0; i < values->count; i++) {
        uint64_t bits = mote_rng_next(&c->rng);
        uint32_t how = same ? 2 + mote_rng_below(&c->rng, 40) : mote_rng_below(&c->rng, 4);
        size_t k = mote_rng_below(&c->rng, (uint32_t)bins + 1);
        long double part = (long double)(bits >> 11) * 0x1p-53L;
        long double x = first + (last - first) * (part * 1.02L - 0.01L);

        if (how == 0)
            memcpy((char *)values->data + i * size, &bits, size);
        if (how == 1 || how == 2)
            x = edges->type ? mote_number_at(edges->data, edges->type, k)
                            : first + (last - first) * (long double)k / (long double)bins;
        if (how == 2 && isfinite(x))
            x = (long double)nextafterf((float)x, part < 0.5L ? -INFINITY : INFINITY);
        if (how != 0)
            put(values->data, values->type, i, x == x ? x : 0);
        if (values->type == MOTE_BOOL)
            ((uint8_t *)values->data)[i] &= how ? 1 : 3;
    }
}

static bool fill_histogram(trial_call *c, char *message, size_t size)
{
    static const mote_reduce_kind telling[] = {MOTE_SUM_UNIT, MOTE_SUM_SCALES, MOTE_SUM_ILL};
    const mote_histogram_args *a = (const mote_histogram_args *)(const void *)&c->args;
    mote_reduce_kind any = (mote_reduce_kind)mote_rng_below(&c->rng, MOTE_SUM_KINDS);
    mote_reduce_kind kind = c->telling ? telling[mote_rng_below(&c->rng, 3)] : any;
    const trial_array *edges = &c->array[EDGES], *result = &c->array[RESULT];
    bool good = !edges->type || fill_edges(c);

    if (good && c->array[VALUES].type)
        fill_values(c);
    if (c->array[WEIGHTS].type)
        mote_reduce_fill(kind, c->array[WEIGHTS].type, c->array[WEIGHTS].count, &c->rng,
                         c->array[WEIGHTS].data);
    mote_histogram_task task = {
        .values = c->array[VALUES].data,
        .edges = edges->data,
        .weights = c->array[WEIGHTS].data,
        .type = c->array[VALUES].type,
        .edges_type = edges->type,
        .weights_type = result->type == MOTE_INT64 ? MOTE_TYPE_NONE : result->type,
        .n = c->array[VALUES].count,
        .bins = result->count,
        .low = a->low,
        .high = a->high,
    };
    good = good && mote_oracle_histogram(&task, result->data, &c->told, &c->told_index);
    c->unspecified = c->told != MOTE_SUCCESS;
    if (!good)
        snprintf(message, size, "out of memory");
    return good;
}

/* ---- calls ----------------------------------------------------------------------------------- */

TRIAL_FUNCTIONS(histogram, mote_histogram, mote_histogram_args)
TRIAL_WORKSPACE_SIZE(histogram, mote_histogram_workspace_size)

static mote_status run_host(const trial_call *c, mote_host *host, void *const *arrays)
{
    const mote_histogram_args *a = (const mote_histogram_args *)(const void *)&c->args;
    mote_type result = c->array[RESULT].type;
    mote_histogram_host_args args;

    mote_histogram_host_args_init(&args);
    args.n = c->array[VALUES].count;
    args.values = args.n ? arrays[VALUES] : NULL;
    args.type = c->array[VALUES].type;
    args.bins = c->array[RESULT].count;
    args.edges = c->array[EDGES].type ? arrays[EDGES] : NULL;
    args.edges_type = c->array[EDGES].type;
    args.low = a->low;
    args.high = a->high;
    args.weights = result != MOTE_INT64 && args.n ? arrays[WEIGHTS] : NULL;
    args.weights_type = result == MOTE_INT64 ? MOTE_TYPE_NONE : result;
    args.result = arrays[RESULT];
    return mote_histogram_host(c->ctx, host, &args);
}

/* Sizes near the number of values of a group or work-item. */
static const size_t borders[] = {1, 8, 64, 512, 4096, 16384, 32768, 0};

static const char *const tunes[] = {"reduce.form=cpu",
                                    "reduce.form=gpu",
                                    "reduce.form=gpu,reduce.histogram_group=48",
                                    "reduce.form=gpu,reduce.histogram_group=1,reduce.fp64=0",
                                    "reduce.form=cpu,reduce.fp64=0",
                                    NULL};

static const trial_program programs[] = {
    TRIAL_PROGRAM("weights, float32, float32", MOTE_FLOAT32, MOTE_FLOAT32, MOTE_FLOAT32),
    TRIAL_PROGRAM("counts, float32, regular", MOTE_FLOAT32, MOTE_TYPE_NONE, MOTE_TYPE_NONE),
    TRIAL_PROGRAM("counts, uint16, float32", MOTE_UINT16, MOTE_FLOAT32, MOTE_TYPE_NONE),
    TRIAL_PROGRAM("weights, int64, float64", MOTE_INT64, MOTE_FLOAT64, MOTE_FLOAT64),
    TRIAL_PROGRAM("counts, float64, float64", MOTE_FLOAT64, MOTE_FLOAT64, MOTE_TYPE_NONE),
    TRIAL_PROGRAM("counts, float16, float16", MOTE_FLOAT16, MOTE_FLOAT16, MOTE_TYPE_NONE),
    TRIAL_END,
};

static const trial_program selftest[] = {
    TRIAL_PROGRAM("histogram of weights, float32", MOTE_FLOAT32, MOTE_FLOAT32, MOTE_FLOAT32),
    TRIAL_VARIANT("histogram, float32", MOTE_FLOAT32, MOTE_TYPE_NONE, MOTE_TYPE_NONE),
    TRIAL_END,
};

const trial_operation trial_histogram = {
    TRIAL_OPERATION(histogram, mote_histogram, mote_histogram_args, MOTE_OPERATION_HISTOGRAM),
    TRIAL_WORKSPACE(histogram, mote_histogram_args),
    .run_host = run_host,
    .borders = borders,
    .whole = 3,
    .tunes = tunes,
    .programs = programs,
    .selftest = selftest,
};
