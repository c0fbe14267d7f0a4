/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_segments() against plain loops, bit for bit. */
#include "testkit/cases/jagged/segments_run.h"
#include "common/suite.h"
#include "held.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

/* The two forms, then other groups, tiles and items. */
static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=cpu,segments.items=7,segments.alone=4096",
    "jagged.form=cpu,segments.items=1",
    "jagged.form=gpu,segments.group=64,segments.tile=1024,segments.tiles=3,segments.staged=2,"
    "segments.join_group=256",
    "jagged.form=gpu,segments.group=16,segments.tile=2048,segments.alone=4096,segments.tiles=15,"
    "segments.join_group=24,"
    "segments.staged=1,segments.staged_group=24,segments.lists=20",
    "jagged.form=gpu,segments.group=72,segments.tile=3072,segments.alone=60000,"
    "segments.staged=3,segments.window=1024",
};

#define FORMS 2
#define TUNES (int)(sizeof(tunes) / sizeof(tunes[0]))

/* Fills a trial that has lists, runs it, and frees it. Without double precision what needs it is
 * refused (two_floats), and float32 adds up in pairs of floats. */
static void run(bed *b, cl_command_queue queue, mote_jagged_segments_trial *t,
                mote_jagged_segments_values kind, uint64_t seed, const char *label)
{
    char message[MESSAGE_SIZE];

    if (!mote_context_device(b->ctx)->has_fp64) {
        if (t->what.type == MOTE_FLOAT64 || t->what.result == MOTE_FLOAT64) {
            printf("# left out without double precision: %s\n", label);
            mote_jagged_segments_trial_free(t);
            return;
        }
        t->loose = t->loose || mote_jagged_segments_rounds(t->what.reduction, t->what.type);
    }
    ck_assert(mote_jagged_segments_trial_fill(t, kind, seed));
    ck_assert_msg(mote_jagged_segments_trial_run(b->ctx, queue, t, message, sizeof(message)),
                  "%s: %s", label, message);
    mote_jagged_segments_trial_free(t);
}

/* Every case of the table: float32 sums. */
START_TEST(sums_of_every_case)
{
    char label[MESSAGE_SIZE];
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        const mote_lists_case *c = mote_lists_case_at(k);
        mote_jagged_segments_trial t = {
            .what = {.type = MOTE_FLOAT32, .result = MOTE_FLOAT32, .base_first = k % 4 == 3},
            .shift = k % 6,
            .workspace = k % 5 == 0};

        if (!mote_lists_case_make(c, index_types[k % 3], fresh_seed(), &t.lists))
            continue;
        snprintf(label, sizeof(label), "%s: %s", tunes[_i], c->name);
        run(&b, k % 2 ? b.in_order : b.any_order, &t, MOTE_SEGMENTS_PLAIN, k, label);
    }
    bed_close(&b);
}
END_TEST

/* Every reduction of every type; a kernel is built for each of sums, products, extremes and truths.
 */
static const mote_type value_types[] = {MOTE_BOOL,   MOTE_INT32,   MOTE_UINT32,  MOTE_INT64,
                                        MOTE_INT8,   MOTE_UINT8,   MOTE_INT16,   MOTE_UINT16,
                                        MOTE_UINT64, MOTE_FLOAT16, MOTE_FLOAT32, MOTE_FLOAT64};

#define TYPES (sizeof(value_types) / sizeof(value_types[0]))

/* Lists around every length at which something changes. */
static const mote_lists_case around[] = {
    {"lengths around 32 and 64", {MOTE_LENGTH_BOUNDARY, 90, 0, 32, 0}, 3, 0},
    {"lengths around 256", {MOTE_LENGTH_BOUNDARY, 40, 0, 256, 0}, 0, 1},
    {"lengths around 4096", {MOTE_LENGTH_BOUNDARY, 12, 0, 4096, 0}, 0, 0},
    {"lengths around 6144", {MOTE_LENGTH_BOUNDARY, 9, 0, 6144, 0}, 2, 3},
    {"one huge", {MOTE_LENGTH_ONE_HUGE, 101, 40, 70000, 0}, 0, 0},
};

#define AROUNDS (sizeof(around) / sizeof(around[0]))

static void ask(bed *b, const char *tune, mote_reduction reduction, mote_type type, bool other,
                size_t turn)
{
    const mote_lists_case *c = &around[turn % AROUNDS];
    mote_type index = index_types[type % 3];
    uint32_t results = mote_reduction_results(reduction, type, index);
    mote_type result = mote_jagged_segments_result_type(reduction, type, index);
    char label[MESSAGE_SIZE];
    mote_jagged_segments_trial t = {.what = {.type = type,
                                             .result = result,
                                             .reduction = reduction,
                                             .nan = turn % 2 ? MOTE_NAN_SKIP : MOTE_NAN_PROPAGATE,
                                             .base_first = turn % 3 == 0},
                                    .validate = turn % 4 ? MOTE_JAGGED_VALIDATE_DEFAULT
                                                         : MOTE_JAGGED_VALIDATE_FULL,
                                    .shift = turn / AROUNDS % 5,
                                    .workspace = turn % 7 == 0};

    while (other && results >> ++result && !(results >> result & 1))
        continue;
    if (other && !(results >> result))
        return;
    t.what.result = result;
    ck_assert(mote_lists_case_make(c, index, turn, &t.lists));
    snprintf(label, sizeof(label), "%s: %s of %s to %s, %s, %s", tune,
             mote_reduction_name(reduction), mote_type_name(type), mote_type_name(result),
             mote_type_name(index), c->name);
    run(b, turn % 2 ? b->in_order : b->any_order, &t, turn % MOTE_SEGMENTS_KINDS, turn, label);
}

/* Every reduction of every type; the index types take turns, so that few kernels are built. The
 * other type that results may have is taken once. */
START_TEST(every_reduction)
{
    const char *tune = _i ? tunes[5] : tunes[2];
    size_t turn = 1;
    bed b;

    bed_open(&b, tune);
    for (int r = 0; mote_reduction_name((mote_reduction)r); r++)
        for (size_t t = 0; t < TYPES; t++) {
            for (size_t c = 0; c < AROUNDS; c++)
                ask(&b, tune, (mote_reduction)r, value_types[t], false, turn++);
            ask(&b, tune, (mote_reduction)r, value_types[t], true, turn + (size_t)r);
        }
    ck_assert_uint_gt(turn, 300);
    bed_close(&b);
}
END_TEST

/* Neighbouring short lists, which the CPU form takes eight at a time and that for GPUs four: sums
 * and products of floats, to their own type and to double, with some lists left over. */
static const mote_lists_case brief[] = {
    {"about 5", {MOTE_LENGTH_POISSON, 203, 5, 0, 0}, 0, 0},
    {"2 to 31", {MOTE_LENGTH_PRIMES, 95, 0, 31, 0}, 3, 1},
    {"9 or none", {MOTE_LENGTH_ALTERNATE, 71, 9, 0, 0}, 0, 0},
    {"1 or none", {MOTE_LENGTH_FILLED, 150, 0.4, 0, 0}, 2, 40},
    {"about 1", {MOTE_LENGTH_POISSON, 310, 1, 0, 0}, 0, 3},
};

#define BRIEFS (sizeof(brief) / sizeof(brief[0]))

START_TEST(short_lists)
{
    const mote_type types[] = {MOTE_FLOAT16, MOTE_FLOAT32, MOTE_FLOAT64};
    char label[MESSAGE_SIZE];
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < 12 * BRIEFS * MOTE_SEGMENTS_KINDS; k++) {
        size_t which = k / (BRIEFS * MOTE_SEGMENTS_KINDS); /* a kernel each */
        mote_type type = types[which % 3], index = index_types[(which + which / 3) % 3];
        mote_reduction reduction = which / 3 % 2 ? MOTE_REDUCE_PROD : MOTE_REDUCE_SUM;
        mote_jagged_segments_trial t = {
            .what = {.type = type,
                     .reduction = reduction,
                     .result = k / 3 % 2 ? MOTE_FLOAT64
                                         : mote_jagged_segments_result_type(reduction, type, index),
                     .nan = which / 6 ? MOTE_NAN_SKIP : MOTE_NAN_PROPAGATE,
                     .base_first = k % 5 == 0},
            .shift = k % 7};

        ck_assert(mote_lists_case_make(&brief[k % BRIEFS], index, fresh_seed(), &t.lists));
        snprintf(label, sizeof(label), "%s: reduction %d of %s to %s, %s, %s", tunes[_i],
                 (int)reduction, mote_type_name(type), mote_type_name(t.what.result),
                 mote_type_name(index), brief[k % BRIEFS].name);
        run(&b, b.in_order, &t, k / BRIEFS % MOTE_SEGMENTS_KINDS, k, label);
    }
    bed_close(&b);
}
END_TEST

/* Neighbouring lists of which the CPU form takes several at a time, or looks at the first value. */
static const mote_lists_case several[] = {
    {"about 100", {MOTE_LENGTH_POISSON, 61, 100, 0, 0}, 0, 90},
    {"lengths around 256", {MOTE_LENGTH_BOUNDARY, 40, 0, 256, 0}, 2, 0},
    {"about 1000", {MOTE_LENGTH_POISSON, 9, 1000, 0, 0}, 0, 0},
    {"9 or none", {MOTE_LENGTH_ALTERNATE, 71, 9, 0, 0}, 0, 0},
};

#define SEVERAL (sizeof(several) / sizeof(several[0]))

START_TEST(several_lists)
{
    const struct {
        mote_reduction reduction;
        mote_type values, offsets;
    } questions[] = {
        {MOTE_REDUCE_SUM, MOTE_FLOAT32, MOTE_INT32},
        {MOTE_REDUCE_PROD, MOTE_FLOAT64, MOTE_INT64},
        {MOTE_REDUCE_MEAN, MOTE_INT32, MOTE_UINT32},
        {MOTE_REDUCE_COUNTNONZERO, MOTE_FLOAT32, MOTE_INT32},
        {MOTE_REDUCE_ANY, MOTE_FLOAT32, MOTE_INT32},
        {MOTE_REDUCE_ALL, MOTE_FLOAT32, MOTE_INT32},
        {MOTE_REDUCE_ANY, MOTE_BOOL, MOTE_INT64},
        {MOTE_REDUCE_ALL, MOTE_BOOL, MOTE_INT64},
        {MOTE_REDUCE_COUNTNONZERO, MOTE_INT16, MOTE_INT64},
    };
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t q = 0; q < sizeof(questions) / sizeof(questions[0]); q++)
        for (size_t k = 0; k < SEVERAL * MOTE_SEGMENTS_KINDS; k++) {
            mote_jagged_segments_trial t = {
                .what = {.type = questions[q].values,
                         .reduction = questions[q].reduction,
                         .result = mote_jagged_segments_result_type(
                             questions[q].reduction, questions[q].values, questions[q].offsets),
                         .base_first = k % 5 == 0},
                .shift = k % 7};

            ck_assert(mote_lists_case_make(&several[k % SEVERAL], questions[q].offsets,
                                           fresh_seed(), &t.lists));
            run(&b, b.in_order, &t, k / SEVERAL, k, several[k % SEVERAL].name);
        }
    bed_close(&b);
}
END_TEST

/* A list of many tiles whose only smallest value is in the last: its position. */
START_TEST(position_far_inside)
{
    const size_t n = 300000;
    int32_t *values = calloc(n, sizeof(*values)), result[2] = {0};
    const int64_t offsets[] = {0, 1, (int64_t)n};
    mote_jagged_segments_host_args args;
    bed b;

    ck_assert_ptr_nonnull(values);
    values[n - 3] = values[n - 2] = -1;
    bed_open(&b, tunes[_i]);
    mote_jagged_segments_host_args_init(&args);
    args.offsets_type = MOTE_INT64;
    args.lists = 2;
    args.offsets = offsets;
    args.values_type = MOTE_INT32;
    args.values = values;
    args.values_length = n;
    args.reduction = MOTE_REDUCE_ARGMIN;
    int64_t at[2];

    args.result = at;
    bed_ok(mote_jagged_segments_host(b.ctx, NULL, &args));
    ck_assert(at[0] == 0 && at[1] == (int64_t)n - 4);
    args.reduction = MOTE_REDUCE_MAX;
    args.result = result;
    bed_ok(mote_jagged_segments_host(b.ctx, NULL, &args));
    ck_assert(result[0] == 0 && result[1] == 0);
    free(values);
    bed_close(&b);
}
END_TEST

/* More lists that do not fit local memory than are noted one by one, and a huge one among few. */
START_TEST(lists_left)
{
    static const mote_lists_case cases[] = {
        {"4500 of 30000 do not fit", {MOTE_LENGTH_POISSON, 30000, 53, 0, 0}, 0, 0},
        {"a huge one and short ones", {MOTE_LENGTH_ONE_HUGE, 901, 3, 40000, 0}, 0, 0},
        {"two huge and empty ones", {MOTE_LENGTH_TWO_HUGE, 902, 0, 20000, 0}, 0, 0},
    };
    static const char *const staged[] = {
        "jagged.form=gpu,segments.alone=4096,segments.staged=3,segments.room=64",
        "jagged.form=gpu,segments.alone=4096,segments.staged=1,segments.staged_group=16",
    };
    bed b;

    bed_open(&b, staged[_i]);
    for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
        mote_jagged_segments_trial t = {
            .what = {.type = MOTE_FLOAT32, .result = MOTE_FLOAT32, .reduction = MOTE_REDUCE_SUM}};

        ck_assert(mote_lists_case_make(&cases[k], MOTE_INT32, fresh_seed(), &t.lists));
        run(&b, b.in_order, &t, MOTE_SEGMENTS_PLAIN, k, cases[k].name);
    }
    bed_close(&b);
}
END_TEST

/* Sums and products of float32 without double precision; float64 is refused. */
START_TEST(two_floats)
{
    const char *tune = _i ? "jagged.form=gpu,segments.fp64=0" : "jagged.form=cpu,segments.fp64=0";
    char label[MESSAGE_SIZE];
    bed b;

    bed_open(&b, tune);
    for (size_t turn = 0; turn < 3 * AROUNDS; turn++) {
        const mote_lists_case *c = &around[turn % AROUNDS];
        mote_reduction reduction = turn < 2 * AROUNDS ? MOTE_REDUCE_SUM : MOTE_REDUCE_PROD;
        mote_jagged_segments_trial t = {
            .what = {.type = MOTE_FLOAT32, .result = MOTE_FLOAT32, .reduction = reduction},
            .loose = true};

        t.what.nan = turn % 2 ? MOTE_NAN_SKIP : MOTE_NAN_PROPAGATE;
        ck_assert(mote_lists_case_make(c, MOTE_INT32, turn, &t.lists));
        snprintf(label, sizeof(label), "%s: reduction %d, %s", tune, (int)reduction, c->name);
        run(&b, b.in_order, &t,
            turn < AROUNDS       ? MOTE_SEGMENTS_PLAIN
            : turn < 2 * AROUNDS ? MOTE_SEGMENTS_SPECIAL
                                 : MOTE_SEGMENTS_TIES,
            turn, label);
    }
    mote_jagged_segments_args args;
    size_t bytes;

    mote_jagged_segments_args_init(&args);
    args.offsets = (mote_view){.count = 3, .type = MOTE_INT32};
    args.values = (mote_view){.count = 3, .type = MOTE_FLOAT32};
    args.result = (mote_view){.count = 2, .type = MOTE_FLOAT64};
    ck_assert_int_eq(mote_jagged_segments_workspace_size(b.ctx, &args, &bytes),
                     MOTE_ERROR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "result is float64"));
    bed_close(&b);
}
END_TEST

/* The oracle's own sums are near the exact ones: for each list within the error that its longest
 * chain of additions can have. */
START_TEST(oracle_is_accurate)
{
    for (size_t c = 0; c < AROUNDS; c++) {
        mote_jagged_segments_trial t = {.what = {.type = MOTE_FLOAT64, .result = MOTE_FLOAT64}};

        ck_assert(mote_lists_case_make(&around[c], MOTE_INT64, c + 1, &t.lists));
        ck_assert(mote_jagged_segments_trial_fill(&t, MOTE_SEGMENTS_PLAIN, c));
        const double *values = t.what.values;
        const int64_t *offsets = t.lists.offsets;
        double *sums = make_array(t.lists.count, MOTE_FLOAT64);

        mote_oracle_segments(&t.lists, &t.what, sums);
        for (size_t k = 0; k < t.lists.count; k++) {
            long double exact = 0, all = 0;

            for (int64_t i = offsets[k]; i < offsets[k + 1]; i++) {
                exact += values[i];
                all += fabsl((long double)values[i]);
            }
            ck_assert(fabsl(sums[k] - exact) <= 48 * DBL_EPSILON / 2 * all);
        }
        free(sums);
        mote_jagged_segments_trial_free(&t);
    }
}
END_TEST

Suite *segments_suite(void)
{
    Suite *suite = suite_create("segments");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    tcase_add_test(forms, oracle_is_accurate);
    suite_split(forms, tuned, sums_of_every_case, FORMS, TUNES);
    suite_split(forms, tuned, position_far_inside, 1, FORMS);
    tcase_add_loop_test(tuned, position_far_inside, 4, 5);
    suite_split(forms, tuned, lists_left, 1, 2);
    return suite;
}

static Suite *types_suite(const char *name, int form)
{
    Suite *suite = suite_create(name);
    TCase *t = suite_case(suite, name, SUITE_THOROUGH);

    tcase_add_loop_test(t, every_reduction, form, form + 1);
    tcase_add_loop_test(t, two_floats, form, form + 1);
    tcase_add_loop_test(t, short_lists, form, form + 1);
    if (form == 1)
        tcase_add_loop_test(t, short_lists, 5, 6); /* a default from many lists on */
    tcase_add_loop_test(t, several_lists, form, form + 1);
    return suite;
}

Suite *segments_cpu_suite(void)
{
    return types_suite("segments_cpu", 0);
}

Suite *segments_gpu_suite(void)
{
    return types_suite("segments_gpu", 1);
}
