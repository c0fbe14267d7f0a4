/* SPDX-License-Identifier: Apache-2.0 */
/* Float sums, products, means and variances must equal the layout of mote/jagged.h bit for bit. The
 * lists have every length near one at which the layout changes. */
#include "calls.h"
#include "common/suite.h"
#include "pending_call.h"
#include "shared/jagged_reduce.h"
#include "testkit/reference/jagged/reduce_oracle.h"

static const char *const forms[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=gpu,jagged_reduce.staged=3,jagged_reduce.window=1024",
};

/* A reduction with its types. Each one needs a separate program. */
typedef struct question {
    mote_reduction reduction;
    mote_type values, result;
} question;

static const question questions[] = {
    {MOTE_REDUCE_SUM, MOTE_FLOAT32, MOTE_FLOAT64},  {MOTE_REDUCE_VAR, MOTE_FLOAT32, MOTE_FLOAT64},
    {MOTE_REDUCE_MEAN, MOTE_FLOAT64, MOTE_FLOAT64}, {MOTE_REDUCE_PROD, MOTE_FLOAT64, MOTE_FLOAT64},
    {MOTE_REDUCE_SUM, MOTE_FLOAT64, MOTE_FLOAT64},  {MOTE_REDUCE_SUM, MOTE_FLOAT32, MOTE_FLOAT32},
    {MOTE_REDUCE_PROD, MOTE_FLOAT32, MOTE_FLOAT32}, {MOTE_REDUCE_PROD, MOTE_FLOAT32, MOTE_FLOAT64},
    {MOTE_REDUCE_MEAN, MOTE_FLOAT32, MOTE_FLOAT32}, {MOTE_REDUCE_MEAN, MOTE_FLOAT32, MOTE_FLOAT64},
    {MOTE_REDUCE_SUM, MOTE_FLOAT16, MOTE_FLOAT32},  {MOTE_REDUCE_SUM, MOTE_FLOAT16, MOTE_FLOAT64},
    {MOTE_REDUCE_PROD, MOTE_FLOAT16, MOTE_FLOAT32}, {MOTE_REDUCE_PROD, MOTE_FLOAT16, MOTE_FLOAT64},
    {MOTE_REDUCE_MEAN, MOTE_FLOAT16, MOTE_FLOAT32}, {MOTE_REDUCE_MEAN, MOTE_FLOAT16, MOTE_FLOAT64},
    {MOTE_REDUCE_MEAN, MOTE_INT64, MOTE_FLOAT64},   {MOTE_REDUCE_MEAN, MOTE_UINT64, MOTE_FLOAT64},
    {MOTE_REDUCE_MEAN, MOTE_INT32, MOTE_FLOAT64},   {MOTE_REDUCE_VAR, MOTE_FLOAT32, MOTE_FLOAT32},
    {MOTE_REDUCE_STD, MOTE_FLOAT64, MOTE_FLOAT64},  {MOTE_REDUCE_VAR, MOTE_FLOAT16, MOTE_FLOAT64},
    {MOTE_REDUCE_VAR, MOTE_INT64, MOTE_FLOAT64},    {MOTE_REDUCE_STD, MOTE_BOOL, MOTE_FLOAT64},
};

#define FEW   3
#define MANY  (sizeof(questions) / sizeof(questions[0]))
#define FORMS (int)(sizeof(forms) / sizeof(forms[0]))

/* Compares one reduction of `count` lists; list k has length(k) elements. Without double precision
 * the bits are not specified; other tests compare such results within bounds. */
static void ask(bed *b, const question *q, mote_nan_policy nan, size_t count,
                int64_t (*length)(size_t k))
{
    trial_choices choices = call_reduce(
        q->values, q->reduction,
        q->result != mote_jagged_reduce_result_type(q->reduction, q->values, MOTE_INT64), nan,
        MOTE_INT64, MOTE_JAGGED_VALIDATE_TOUCHED);
    int64_t *offsets = make_array(count + 1, MOTE_INT64);

    for (size_t k = 0; k < count; k++)
        offsets[k + 1] = offsets[k] + length(k);
    if (mote_context_device(b->ctx)->has_fp64)
        ck_assert(call_try_offsets(b, &trial_jagged_reduce, &choices, count, offsets,
                                   (size_t)offsets[count], fresh_seed(), "the layout"));
    free(offsets);
}

/* Tests each length as that of a whole list and as that of the last block of a list. Kernels take
 * long to build, so a reduction is tested with one NaN policy, and every other one in the form for
 * GPUs. */
static void ask_all(size_t form, size_t count, size_t blocks)
{
    bool all = count == MANY;
    size_t step = all && form > 0 ? 2 : 1;
    bed b;

    bed_open(&b, forms[form]);
    for (size_t k = 0; k < count; k += step)
        ask(&b, &questions[k], all && k / step % 2 ? MOTE_NAN_SKIP : MOTE_NAN_PROPAGATE,
            MOTE_LAYOUT_LENGTHS * (blocks + 1), mote_layout_length);
    bed_close(&b);
}

START_TEST(borders)
{
    ask_all((size_t)_i, FEW, 1);
}
END_TEST

START_TEST(borders_of_all)
{
    ask_all((size_t)_i, _i < 2 ? MANY : FEW, 3);
}
END_TEST

/* Returns the lengths of a few lists with about as many blocks as there are lanes to join them. */
static int64_t many_blocks(size_t k)
{
    return (int64_t)(MOTE_JAGGED_REDUCE_JOIN - 1 + k / 2) * MOTE_JAGGED_REDUCE_BLOCK +
           (int64_t)(k % 2 * 31);
}

START_TEST(joined)
{
    bed b;

    bed_open(&b, forms[_i]);
    ask(&b, &questions[0], MOTE_NAN_PROPAGATE, 6, many_blocks);
    ask(&b, &questions[1], MOTE_NAN_PROPAGATE, 6, many_blocks);
    bed_close(&b);
}
END_TEST

/* Checks that a variance is near the exact one, for values from `mean` to `mean` + 1 after a first
 * value.
 */
static void check_variance(bed *b, int64_t n, double mean, double first, double near)
{
    const int64_t offsets[] = {0, n};
    double *values = make_array((size_t)n, MOTE_FLOAT64), found;
    long double sum = 0, squares = 0;
    mote_rng rng;
    mote_jagged_reduce_host_args args;

    mote_rng_seed(&rng, fresh_seed());
    for (int64_t i = 0; i < n; i++) {
        values[i] = i ? mean + (double)mote_rng_below(&rng, 1 << 30) * 0x1p-30 : first;
        sum += values[i];
    }
    for (int64_t i = 0; i < n; i++)
        squares += (values[i] - sum / n) * (values[i] - sum / n);
    mote_jagged_reduce_host_args_init(&args);
    args.offsets_type = MOTE_INT64;
    args.lists = 1;
    args.offsets = offsets;
    args.values_type = MOTE_FLOAT64;
    args.values = values;
    args.values_length = (size_t)n;
    args.reduction = MOTE_REDUCE_VAR;
    args.ddof = 1;
    args.result = &found;
    bed_ok(mote_jagged_reduce_host(b->ctx, NULL, &args));
    ck_assert_double_eq_tol(found, (double)(squares / (n - 1)), near * (double)(squares / (n - 1)));
    free(values);
}

START_TEST(variances)
{
    bed b;

    bed_open(&b, forms[_i]);
    for (int64_t n = 2; n < 300000 && mote_context_device(b.ctx)->has_fp64; n = 3 * n + 5) {
        check_variance(&b, n, 0, 0, 1e-14);
        check_variance(&b, n, 1e8, 1e8, 1e-14);
        check_variance(&b, n, -1e5, 1e12, 1e-13); /* 32 values share a first one */
    }
    bed_close(&b);
}
END_TEST

static size_t lone;

static int64_t lone_length(size_t k)
{
    return mote_layout_length(k + lone + 3 * MOTE_LAYOUT_LENGTHS);
}

/* Tests a single list, whose blocks are spread over several work-items or work-groups. */
START_TEST(spread)
{
    static const char *const tunes[] = {"jagged.form=cpu,jagged_reduce.single_group=4096",
                                        "jagged.form=gpu,jagged_reduce.single_group=4096"};
    bed b;

    bed_open(&b, tunes[_i]);
    for (lone = 0; lone < MOTE_LAYOUT_LENGTHS; lone += MOTE_LAYOUT_BORDERS)
        ask(&b, &questions[lone / MOTE_LAYOUT_BORDERS % 2], MOTE_NAN_PROPAGATE, 1, lone_length);
    bed_close(&b);
}
END_TEST

Suite *layout_suite(void)
{
    Suite *suite = suite_create("layout");
    TCase *usual = suite_case(suite, "usual", NULL);
    TCase *all = suite_case(suite, "all", SUITE_LONG);

    tcase_add_loop_test(usual, borders, 0, 2);
    tcase_add_loop_test(usual, variances, 0, 1);
    tcase_add_loop_test(all, variances, 1, FORMS);
    suite_split(usual, all, spread, 1, 2);
    tcase_add_loop_test(all, borders_of_all, 0, FORMS);
    tcase_add_loop_test(all, joined, 0, FORMS);
    return suite;
}
