/* SPDX-License-Identifier: Apache-2.0 */
/* mote_reduce_host() against the oracles. */
#include "common/suite.h"
#include "words.h"
#include "testkit/cases/reduce/run.h"
#include "mote/mote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const tunes[] = {"reduce.form=cpu", "reduce.form=gpu,reduce.sum_group=64",
                                    "reduce.form=cpu,reduce.fp64=0"};

#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

typedef struct host_bed {
    bed b;
    mote_host *host;
    bool has_fp64;
    uint64_t seed;
} host_bed;

static void open_tune(host_bed *h, const char *tune)
{
    bed_open(&h->b, tune);
    bed_ok(mote_host_create(h->b.ctx, NULL, &h->host));
    h->has_fp64 = h->b.ctx->device.has_fp64 && !strstr(tune, "fp64=0");
    h->seed = 1;
}

static void close_tune(host_bed *h)
{
    mote_host_release(h->host);
    bed_close(&h->b);
}

/* A float64 result of two floats is their sum, however it is told. */
static void check(const mote_reduce_case *c, const void *values, const void *result)
{
    char message[512] = "";
    mote_reduce_case told = *c;
    float *high = malloc((c->rows + 1) * sizeof(*high)),
          *low = malloc((c->rows + 1) * sizeof(*low));
    ck_assert(high && low);
    bool split = c->result == MOTE_FLOAT64 && c->task.type == MOTE_FLOAT32 && !c->task.has_fp64;
    for (size_t row = 0; split && row < c->rows; row++) {
        double sum = ((const double *)result)[row];
        high[row] = (float)sum;
        low[row] = isfinite(high[row]) ? (float)(sum - (double)high[row]) : 0;
    }
    if (split)
        told.result = MOTE_FLOAT32;
    ck_assert_msg(mote_reduce_compare(&told, values, split ? high : result, split ? low : NULL,
                                      message, sizeof(message)),
                  "%s", message);
    free(high);
    free(low);
}

static void run(host_bed *h, mote_reduce_case c)
{
    mote_rng rng;
    mote_reduce_host_args args;
    size_t element = mote_type_size(c.task.type);
    void *values = malloc((c.rows * c.n + 1) * element), *result = calloc(c.rows + 1, 8);
    ck_assert(values && result);
    c.task.has_fp64 = h->has_fp64;
    mote_rng_seed(&rng, h->seed++);
    mote_reduce_fill(c.kind, c.task.type, c.rows * c.n, &rng, values);
    mote_reduce_host_args_init(&args);
    args.values = c.n ? values : NULL;
    args.type = c.task.type;
    args.rows = c.rows;
    args.n = c.n;
    args.reduction = c.task.reduction;
    args.accumulation = c.task.accumulation;
    args.nan = c.task.nan;
    args.result = result;
    args.result_type = c.result;
    bed_ok(mote_reduce_host(h->b.ctx, h->seed % 4 ? h->host : NULL, &args));
    if (!c.result)
        c.result = c.task.reduction != MOTE_REDUCE_SUM                          ? c.task.type
                   : c.task.type == MOTE_FLOAT32 || c.task.type == MOTE_FLOAT64 ? MOTE_FLOAT64
                                                                                : MOTE_INT64;
    check(&c, values, result);
    free(values);
    free(result);
}

START_TEST(test_results)
{
    static const mote_type types[] = {MOTE_FLOAT32, MOTE_FLOAT64, MOTE_INT32, MOTE_INT64};
    static const size_t shapes[][2] = {{1, 0}, {1, 1}, {1, 12345}, {7, 100}, {300, 3}, {4, 0}};
    host_bed h;
    open_tune(&h, tunes[_i]);
    for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++)
        for (size_t t = 0; t < 4; t++) {
            mote_reduce_case c = {
                .rows = shapes[k][0], .n = shapes[k][1], .task = {.type = types[t]}};
            if (types[t] == MOTE_FLOAT64 && !h.has_fp64)
                continue;
            run(&h, c);
            c.task.reduction = MOTE_REDUCE_MIN;
            run(&h, c);
            c.task.reduction = MOTE_REDUCE_SUM;
            c.result = types[t] == MOTE_FLOAT32 ? MOTE_FLOAT32 : MOTE_TYPE_NONE;
            c.task.accumulation = MOTE_ACCUMULATE_COMPENSATED;
            c.kind = MOTE_SUM_ILL;
            run(&h, c);
        }
    close_tune(&h);
}
END_TEST

static void check_status(mote_status status, mote_status expected, const char *word)
{
    ck_assert_msg(status == expected, "%s: %s, expected %s: %s", word, mote_status_name(status),
                  mote_status_name(expected), mote_last_error());
    ck_assert_msg(strstr(mote_last_error(), word) != NULL, "'%s' is not in: %s", word,
                  mote_last_error());
}

#define REFUSE(change, expected, word)                                                             \
    do {                                                                                           \
        mote_reduce_host_args args = good;                                                         \
        change;                                                                                    \
        check_status(mote_reduce_host(h.b.ctx, h.host, &args), expected, word);                    \
    } while (0)

START_TEST(test_refuses)
{
    host_bed h, other;
    const float values[6] = {1, 2, 3, 4, 5, 6};
    double result[2] = {0, 0};
    mote_reduce_host_args good;
    open_tune(&h, "");
    open_tune(&other, "");
    mote_reduce_host_args_init(&good);
    good.values = values;
    good.type = MOTE_FLOAT32;
    good.rows = 2;
    good.n = 3;
    good.result = result;
    bed_ok(mote_reduce_host(h.b.ctx, h.host, &good));
    ck_assert(result[0] == 6 && result[1] == 15);
    REFUSE(args.size = 0, MOTE_ERROR_INVALID_STRUCT, "mote_reduce_host_args_init");
    REFUSE(args.type = MOTE_PIXELS_CLUSTER_TYPE, MOTE_ERROR_INVALID_TYPE, "type is pixels");
    REFUSE(args.result_type = MOTE_INT64, MOTE_ERROR_INVALID_TYPE, "result");
    REFUSE(args.values = NULL, MOTE_ERROR_INVALID_ARGUMENT, "values");
    REFUSE(args.result = NULL, MOTE_ERROR_INVALID_ARGUMENT, "result");
    REFUSE(args.n = SIZE_MAX / 4, MOTE_ERROR_INVALID_ARGUMENT, "memory");
    REFUSE(args.rows = SIZE_MAX / 4, MOTE_ERROR_INVALID_ARGUMENT, "memory");
    REFUSE(args.reduction = MOTE_REDUCE_ALL, MOTE_ERROR_INVALID_ARGUMENT, "reduction");
    check_status(mote_reduce_host(NULL, NULL, &good), MOTE_ERROR_INVALID_ARGUMENT, "ctx");
    check_status(mote_reduce_host(h.b.ctx, other.host, &good), MOTE_ERROR_WRONG_CONTEXT, "host");
    check_status(mote_reduce_host(h.b.ctx, h.host, NULL), MOTE_ERROR_INVALID_ARGUMENT, "args");
    close_tune(&other);
    close_tune(&h);
}
END_TEST

/* ---- types that are narrower than what they add up in, and unsigned ones --------------------- */

#define MOST 30001

static const mote_type narrow_types[] = {MOTE_INT8,  MOTE_FLOAT16, MOTE_BOOL,   MOTE_UINT8,
                                         MOTE_INT16, MOTE_UINT16,  MOTE_UINT32, MOTE_UINT64};

#define NARROW_TYPES (sizeof(narrow_types) / sizeof(narrow_types[0]))
#define NARROW_USUAL 1 /* types in the usual run: each needs a program for each reduction */

static bool is_signed(mote_type type)
{
    return type == MOTE_INT8 || type == MOTE_INT16;
}

/* Value i of an array, as 64 bits with its sign. */
static uint64_t value_of(mote_type type, const void *values, size_t i)
{
    size_t size = mote_type_size(type);
    uint64_t x = 0, sign = (uint64_t)1 << (8 * size - 1);
    memcpy(&x, (const char *)values + i * size, size);
    if (type == MOTE_BOOL)
        return x != 0;
    return is_signed(type) ? (x ^ sign) - sign : x;
}

static bool is_below(mote_type type, uint64_t a, uint64_t b)
{
    return is_signed(type) ? (int64_t)a < (int64_t)b : a < b;
}

/* Of values that there are. */
static uint64_t reduced(mote_type type, mote_reduction reduction, const void *values, size_t n)
{
    uint64_t all = reduction == MOTE_REDUCE_SUM ? 0 : value_of(type, values, 0);
    for (size_t i = 0; i < n; i++) {
        uint64_t x = value_of(type, values, i);
        if (reduction == MOTE_REDUCE_SUM)
            all += x;
        else if (reduction == MOTE_REDUCE_MIN ? is_below(type, x, all) : is_below(type, all, x))
            all = x;
    }
    return all;
}

static void reduce_array(host_bed *h, mote_type type, mote_reduction reduction, const void *values,
                         size_t rows, size_t n, void *result)
{
    mote_reduce_host_args args;
    mote_reduce_host_args_init(&args);
    args.values = values;
    args.type = type;
    args.rows = rows;
    args.n = n;
    args.reduction = reduction;
    args.nan = n % 2 ? MOTE_NAN_SKIP : MOTE_NAN_PROPAGATE;
    args.result = result;
    bed_ok(mote_reduce_host(h->b.ctx, h->host, &args));
}

/* A float16 gives what the same value gives as float32. */
static void check_halves(host_bed *h, mote_reduction reduction, const uint16_t *values, size_t rows,
                         size_t n)
{
    float *wide = malloc((rows * n + 1) * sizeof(*wide)), extreme[3];
    double sums[3], expected[3];
    uint16_t found[3];
    ck_assert_ptr_nonnull(wide);
    for (size_t i = 0; i < rows * n; i++)
        wide[i] = (float)mote_half_number(values[i]);
    if (reduction == MOTE_REDUCE_SUM) {
        reduce_array(h, MOTE_FLOAT16, reduction, values, rows, n, sums);
        reduce_array(h, MOTE_FLOAT32, reduction, wide, rows, n, expected);
        for (size_t k = 0; k < rows; k++)
            ck_assert((isnan(sums[k]) && isnan(expected[k])) ||
                      memcmp(&sums[k], &expected[k], sizeof(*sums)) == 0);
    } else {
        reduce_array(h, MOTE_FLOAT16, reduction, values, rows, n, found);
        reduce_array(h, MOTE_FLOAT32, reduction, wide, rows, n, extreme);
        for (size_t k = 0; k < rows; k++) {
            float x = (float)mote_half_number(found[k]);
            ck_assert(isnan(x) ? isnan(extreme[k]) && found[k] == 0x7e00
                               : memcmp(&x, &extreme[k], sizeof(x)) == 0);
        }
    }
    free(wide);
}

static void check_integers(host_bed *h, mote_type type, mote_reduction reduction,
                           const void *values, size_t rows, size_t n)
{
    uint64_t result[3];
    size_t size = reduction == MOTE_REDUCE_SUM ? 8 : mote_type_size(type);
    mote_type of_result = size == 8 ? MOTE_UINT64 : type;
    reduce_array(h, type, reduction, values, rows, n, result);
    for (size_t k = 0; k < rows && n > 0; k++) {
        const char *row = (const char *)values + k * n * mote_type_size(type);
        uint64_t found = value_of(of_result, result, k);
        uint64_t expected = reduced(type, reduction, row, n);
        ck_assert_msg(found == expected, "%s of %s, row %zu of %zu x %zu: %llx, not %llx",
                      mote_reduction_name(reduction), mote_type_name(type), k, rows, n,
                      (unsigned long long)found, (unsigned long long)expected);
    }
}

/* The arrays begin where their elements may. */
START_TEST(narrow)
{
    static const size_t sizes[] = {0, 1, 3, 4, 17, 33, 1000, 1023, 1025, 8193, MOST};
    static const mote_reduction reductions[] = {MOTE_REDUCE_SUM, MOTE_REDUCE_MIN, MOTE_REDUCE_MAX};
    static uint64_t memory[3 * MOST + 8];
    mote_type type = narrow_types[_i % (int)NARROW_TYPES];
    mote_rng rng;
    host_bed h;
    mote_rng_seed(&rng, (uint64_t)_i + 1);
    open_tune(&h, tunes[_i / (int)NARROW_TYPES]);
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
        for (size_t r = 0; r < 3; r++) {
            const void *values = (char *)memory + (k + r) % 5 * mote_type_size(type);
            size_t rows = k % 2 ? 3 : 1;
            for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++)
                memory[i] = mote_rng_next(&rng) & (k % 3 ? UINT64_MAX : 0xbbffbbffbbffbbff);
            if (type == MOTE_FLOAT16)
                check_halves(&h, reductions[r], values, rows, sizes[k]);
            else
                check_integers(&h, type, reductions[r], values, rows, sizes[k]);
        }
    close_tune(&h);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reduce_sum_host");
    TCase *all = suite_case(suite, "host", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    suite_split(all, tuned, test_results, 1, TUNES);
    tcase_add_test(all, test_refuses);
    suite_split(all, tuned, narrow, NARROW_USUAL, TUNES * NARROW_TYPES);
    return suites_run(&suite, 1);
}
