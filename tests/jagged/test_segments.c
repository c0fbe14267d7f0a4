/* SPDX-License-Identifier: Apache-2.0 */
/* mote_segments() against plain loops, bit for bit. */
#include "cases/jagged/segments_oracle.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>

static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=cpu,segments.items=7",
    "jagged.form=cpu,segments.items=1",
    "jagged.form=gpu",
    "jagged.form=gpu,segments.group=64,segments.tile=1024,segments.tiles=3",
    "jagged.form=gpu,segments.group=16,segments.tile=2048,segments.alone=4096,segments.tiles=15",
    "jagged.form=gpu,segments.group=72,segments.tile=3072,segments.alone=60000",
};

#define TUNES (int)(sizeof(tunes) / sizeof(tunes[0]))

/* Lists with values, and what is asked of them. */
typedef struct trial {
    mote_case_lists lists;
    mote_segments_what what;
    size_t n; /* values */
    char label[160];
} trial;

/* Values of which reductions can go wrong: ties, both zeros, extremes, NaN in one list of three. */
enum { PLAIN, TIES, SPECIAL, KINDS };

static double pick(int kind, mote_rng *rng)
{
    static const double special[] = {0.0, -0.0, 1.0, -1.0, INFINITY, -INFINITY, NAN, 0.5};

    if (kind == SPECIAL && mote_rng_below(rng, 40) == 0)
        return special[mote_rng_below(rng, 8)];
    if (kind == TIES)
        return (double)mote_rng_between(rng, -1, 1) * (mote_rng_below(rng, 2) ? 1.0 : -1.0);
    return (double)mote_rng_between(rng, -1000000, 1000000) / 997.0;
}

static void set_value(void *values, mote_type type, size_t i, int kind, mote_rng *rng)
{
    uint64_t bits = kind == TIES ? mote_rng_below(rng, 3) - 1u : mote_rng_next(rng);

    if (kind == SPECIAL && mote_rng_below(rng, 9) == 0)
        bits = (uint64_t)1 << (type == MOTE_INT64 ? 63 : 31);
    switch (type) {
    case MOTE_BOOL:
        ((uint8_t *)values)[i] = (uint8_t)(bits % 4 > 2 ? bits >> 8 : 0);
        break;
    case MOTE_INT32:
    case MOTE_UINT32:
        ((uint32_t *)values)[i] = (uint32_t)bits;
        break;
    case MOTE_INT64:
        ((uint64_t *)values)[i] = bits;
        break;
    case MOTE_FLOAT32:
        ((float *)values)[i] = (float)pick(kind, rng);
        break;
    default:
        ((double *)values)[i] = pick(kind, rng);
        break;
    }
}

static void *make_values(mote_type type, size_t n, int kind, uint64_t seed)
{
    void *values = malloc(n * mote_type_size(type) + 1);
    mote_rng rng;

    ck_assert_ptr_nonnull(values);
    mote_rng_seed(&rng, seed);
    for (size_t i = 0; i < n; i++)
        set_value(values, type, i, kind, &rng);
    return values;
}

/* Completes a trial whose lists and question are there. Lists far from 0 begin where values do. */
static void trial_fill(trial *t, int kind, uint64_t seed)
{
    int64_t first = mote_index_get(t->lists.offsets, t->lists.type, 0);

    t->what.base_first = t->what.base_first || first > 1000000;
    t->n = t->lists.content - (t->what.base_first ? (size_t)first : 0);
    t->what.values = make_values(t->what.type, t->n, kind, seed);
}

static void trial_free(trial *t)
{
    free((void *)(uintptr_t)t->what.values);
    mote_case_lists_free(&t->lists);
}

static void trial_run(bed *b, cl_command_queue queue, const trial *t)
{
    size_t m = t->lists.count;
    mote_guard offsets = bed_array(b, "offsets", t->lists.type, m + 1, t->lists.offsets);
    mote_guard values = bed_array(b, "values", t->what.type, t->n, t->what.values);
    mote_guard result = bed_array(b, "result", t->what.result, m, NULL);
    mote_guard error = bed_error_word(b);
    void *expected = malloc(m * 8 + 1);
    mote_segments_args args;
    cl_event done = NULL, gate = bed_gate(b);

    ck_assert_ptr_nonnull(expected);
    mote_segments_args_init(&args);
    args.offsets = offsets.view;
    args.values = values.view;
    args.result = result.view;
    args.base_first = t->what.base_first;
    args.reduction = t->what.reduction;
    args.nan = t->what.nan;
    args.error = error.view.mem;
    args.error_offset = error.view.offset * sizeof(uint32_t);
    bed_ok(mote_segments(b->ctx, queue, &args, 1, &gate, &done));
    bed_open_gate(gate);
    mote_jagged_segments(&t->lists, &t->what, expected);
    bed_expect_error(b, &error, MOTE_SUCCESS, 0, done, t->label);
    bed_expect(b, &result, expected, done, t->label);
    bed_unchanged(b, &offsets, t->lists.offsets, done, t->label);
    bed_unchanged(b, &values, t->what.values, done, t->label);
    clReleaseEvent(done);
    free(expected);
}

/* Every case of the table: float32 sums. */
START_TEST(sums_of_every_case)
{
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        const mote_lists_case *c = mote_lists_case_at(k);
        trial t = {
            .what = {.type = MOTE_FLOAT32, .result = MOTE_FLOAT32, .base_first = k % 4 == 3}};

        if (!mote_lists_case_make(c, index_types[k % 3], k + 1, &t.lists))
            continue;
        snprintf(t.label, sizeof(t.label), "%s: %s", tunes[_i], c->name);
        trial_fill(&t, PLAIN, k);
        trial_run(&b, k % 2 ? b.in_order : b.any_order, &t);
        trial_free(&t);
    }
    bed_close(&b);
}
END_TEST

typedef struct question {
    mote_reduction reduction;
    mote_type values, result; /* result 0: the usual one */
} question;

/* Every reduction of every type; a kernel is built for each of sums, products, extremes and truths.
 */
static const question questions[] = {
    {MOTE_REDUCE_SUM, MOTE_BOOL, 0},
    {MOTE_REDUCE_SUM, MOTE_INT32, 0},
    {MOTE_REDUCE_SUM, MOTE_UINT32, 0},
    {MOTE_REDUCE_SUM, MOTE_INT64, 0},
    {MOTE_REDUCE_SUM, MOTE_FLOAT32, 0},
    {MOTE_REDUCE_SUM, MOTE_FLOAT32, MOTE_FLOAT64},
    {MOTE_REDUCE_SUM, MOTE_FLOAT64, 0},
    {MOTE_REDUCE_PROD, MOTE_INT32, 0},
    {MOTE_REDUCE_PROD, MOTE_INT64, 0},
    {MOTE_REDUCE_PROD, MOTE_FLOAT32, 0},
    {MOTE_REDUCE_PROD, MOTE_FLOAT64, 0},
    {MOTE_REDUCE_MIN, MOTE_BOOL, 0},
    {MOTE_REDUCE_MAX, MOTE_BOOL, 0},
    {MOTE_REDUCE_ARGMAX, MOTE_BOOL, 0},
    {MOTE_REDUCE_MIN, MOTE_INT32, 0},
    {MOTE_REDUCE_MAX, MOTE_INT32, 0},
    {MOTE_REDUCE_ARGMIN, MOTE_INT32, 0},
    {MOTE_REDUCE_ARGMAX, MOTE_INT32, 0},
    {MOTE_REDUCE_MIN, MOTE_UINT32, 0},
    {MOTE_REDUCE_MAX, MOTE_UINT32, 0},
    {MOTE_REDUCE_MIN, MOTE_INT64, 0},
    {MOTE_REDUCE_MAX, MOTE_INT64, 0},
    {MOTE_REDUCE_ARGMIN, MOTE_INT64, 0},
    {MOTE_REDUCE_MIN, MOTE_FLOAT32, 0},
    {MOTE_REDUCE_MAX, MOTE_FLOAT32, 0},
    {MOTE_REDUCE_ARGMIN, MOTE_FLOAT32, 0},
    {MOTE_REDUCE_ARGMAX, MOTE_FLOAT32, 0},
    {MOTE_REDUCE_MIN, MOTE_FLOAT64, 0},
    {MOTE_REDUCE_MAX, MOTE_FLOAT64, 0},
    {MOTE_REDUCE_ARGMAX, MOTE_FLOAT64, 0},
    {MOTE_REDUCE_COUNT, MOTE_FLOAT32, 0},
    {MOTE_REDUCE_COUNTNONZERO, MOTE_FLOAT32, 0},
    {MOTE_REDUCE_ANY, MOTE_FLOAT32, 0},
    {MOTE_REDUCE_ALL, MOTE_FLOAT32, MOTE_UINT8},
    {MOTE_REDUCE_COUNTNONZERO, MOTE_FLOAT64, 0},
    {MOTE_REDUCE_ANY, MOTE_BOOL, 0},
    {MOTE_REDUCE_ALL, MOTE_BOOL, 0},
    {MOTE_REDUCE_ANY, MOTE_INT64, 0},
    {MOTE_REDUCE_ALL, MOTE_UINT32, 0},
};

#define QUESTIONS (sizeof(questions) / sizeof(questions[0]))

/* Lists around every length at which something changes. */
static const mote_lists_case around[] = {
    {"lengths around 32 and 64", {MOTE_LENGTH_BOUNDARY, 90, 0, 32, 0}, 3, 0},
    {"lengths around 256", {MOTE_LENGTH_BOUNDARY, 40, 0, 256, 0}, 0, 1},
    {"lengths around 4096", {MOTE_LENGTH_BOUNDARY, 12, 0, 4096, 0}, 0, 0},
    {"lengths around 6144", {MOTE_LENGTH_BOUNDARY, 9, 0, 6144, 0}, 2, 3},
    {"one huge", {MOTE_LENGTH_ONE_HUGE, 101, 40, 70000, 0}, 0, 0},
};

#define AROUNDS (sizeof(around) / sizeof(around[0]))

static void ask(bed *b, const char *tune, size_t q, size_t c, mote_type index)
{
    const question *what = &questions[q];
    size_t seed = q * AROUNDS + c + 1;
    trial t = {.what = {.type = what->values,
                        .result = what->result ? what->result
                                               : mote_segments_result_type(what->reduction,
                                                                           what->values, index),
                        .reduction = what->reduction,
                        .nan = seed % 2 ? MOTE_NAN_SKIP : MOTE_NAN_PROPAGATE,
                        .base_first = seed % 3 == 0}};

    ck_assert(mote_lists_case_make(&around[c], index, seed, &t.lists));
    snprintf(t.label, sizeof(t.label), "%s: reduction %d of %s, %s, %s", tune, what->reduction,
             mote_type_name(what->values), mote_type_name(index), around[c].name);
    trial_fill(&t, (int)(seed % KINDS), seed);
    trial_run(b, seed % 2 ? b->in_order : b->any_order, &t);
    trial_free(&t);
}

/* Every reduction of every type; the index types take turns, so that few kernels are built. */
START_TEST(every_reduction)
{
    const char *tune = _i ? tunes[5] : tunes[1];
    bed b;

    bed_open(&b, tune);
    for (size_t q = 0; q < QUESTIONS; q++)
        for (size_t c = 0; c < AROUNDS; c++)
            ask(&b, tune, q, c, index_types[questions[q].values % 3]);
    bed_close(&b);
}
END_TEST

Suite *segments_suite(void)
{
    Suite *suite = suite_create("segments");
    TCase *t = tcase_create("segments");

    tcase_set_timeout(t, 0);
    tcase_add_loop_test(t, sums_of_every_case, 0, TUNES);
    tcase_add_loop_test(t, every_reduction, 0, 2);
    suite_add_tcase(suite, t);
    return suite;
}
