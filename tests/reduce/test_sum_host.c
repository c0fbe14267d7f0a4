/* SPDX-License-Identifier: Apache-2.0 */
/* mote_reduce_host() against the oracles. */
#include "common/suite.h"
#include "words.h"
#include "cases/reduce/run.h"
#include "mote/mote.h"

#include <math.h>
#include <stdio.h>

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
    REFUSE(args.type = MOTE_UINT8, MOTE_ERROR_INVALID_TYPE, "type is uint8");
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

int main(void)
{
    Suite *suite = suite_create("reduce_sum_host");
    TCase *all = suite_case(suite, "host", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    suite_split(all, tuned, test_results, 1, TUNES);
    tcase_add_test(all, test_refuses);
    return suites_run(&suite, 1);
}
