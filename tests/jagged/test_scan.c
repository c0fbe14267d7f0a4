/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_scan_host() on lists with known results, and combinations of arguments that
 * mote_jagged_scan() rejects. tests/trials compares both with the reference. */
#include <math.h>

#include "harness.h"
#include "testkit/rng.h"

/* Lists of 3, 0, 1 and 2 elements; the first element and the last two belong to no list. */
#define LISTS 4
#define N     9
static const int32_t offsets[LISTS + 1] = {1, 4, 4, 5, 7};

static const char *const forms[] = {"jagged.form=cpu", "jagged.form=gpu",
                                    "jagged.form=gpu,jagged.group=36"};

static mote_status scan(bed *b, mote_reduction reduction, bool exclusive, mote_type type,
                        const void *values, void *result)
{
    mote_jagged_scan_host_args args;

    mote_jagged_scan_host_args_init(&args);
    args.offsets_type = MOTE_INT32;
    args.lists = LISTS;
    args.offsets = offsets;
    args.values_type = type;
    args.values = values;
    args.values_length = N;
    args.reduction = reduction;
    args.exclusive = exclusive;
    args.result = result;
    return mote_jagged_scan_host(b->ctx, NULL, &args);
}

START_TEST(integers)
{
    static const int32_t values[N] = {7, 3, -1, 2000000000, 5, 4, 6, 8, 9};
    static const struct {
        mote_reduction reduction;
        bool exclusive;
        int64_t results[N];
    } rows[] = {
        {MOTE_REDUCE_SUM, false, {0, 3, 2, 2000000002, 5, 4, 10, 0, 0}},
        {MOTE_REDUCE_SUM, true, {0, 0, 3, 2, 0, 0, 4, 0, 0}},
        {MOTE_REDUCE_PROD, false, {1, 3, -3, -6000000000, 5, 4, 24, 1, 1}},
        {MOTE_REDUCE_PROD, true, {1, 1, 3, -3, 1, 1, 4, 1, 1}},
    };
    static const struct {
        mote_reduction reduction;
        bool exclusive;
        int32_t results[N];
    } extremes[] = {
        {MOTE_REDUCE_MIN, false, {INT32_MAX, 3, -1, -1, 5, 4, 4, INT32_MAX, INT32_MAX}},
        {MOTE_REDUCE_MAX,
         true,
         {INT32_MIN, INT32_MIN, 3, 3, INT32_MIN, INT32_MIN, 4, INT32_MIN, INT32_MIN}},
    };
    bed b;

    bed_open(&b, forms[_i]);
    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        int64_t got[N];
        bed_ok(scan(&b, rows[k].reduction, rows[k].exclusive, MOTE_INT32, values, got));
        for (size_t i = 0; i < N; i++)
            ck_assert_int_eq(got[i], rows[k].results[i]);
    }
    for (size_t k = 0; k < sizeof(extremes) / sizeof(extremes[0]); k++) {
        int32_t got[N];
        bed_ok(scan(&b, extremes[k].reduction, extremes[k].exclusive, MOTE_INT32, values, got));
        for (size_t i = 0; i < N; i++)
            ck_assert_int_eq(got[i], extremes[k].results[i]);
    }
    bed_close(&b);
}
END_TEST

/* A NaN makes the later results of its list NaN, and those of no other list; sums begin with +0. */
START_TEST(floats)
{
    static const float values[N] = {1, 2, NAN, 3, -0.0f, INFINITY, -INFINITY, 1, 1};
    static const float sums[N] = {0, 2, NAN, NAN, 0, INFINITY, NAN, 0, 0};
    static const float least[N] = {INFINITY, 2,         NAN,      NAN,     -0.0f,
                                   INFINITY, -INFINITY, INFINITY, INFINITY};
    float got[N];
    bed b;

    bed_open(&b, forms[_i]);
    for (int k = 0; k < 2; k++) {
        const float *want = k ? least : sums;

        bed_ok(scan(&b, k ? MOTE_REDUCE_MIN : MOTE_REDUCE_SUM, false, MOTE_FLOAT32, values, got));
        for (size_t i = 0; i < N; i++)
            ck_assert_msg(isnan(want[i]) ? isnan(got[i])
                                         : memcmp(&got[i], &want[i], sizeof(float)) == 0,
                          "element %zu is %g, not %g", i, (double)got[i], (double)want[i]);
    }
    bed_close(&b);
}
END_TEST

/* The GPU form keeps totals of tiles of 2^11 elements, of nodes of 2^8 tiles and of nodes of 2^8
 * such nodes: long lists that span several of these, and short lists, get the same bits as in the
 * CPU form. Groups whose size does not divide the number of runs of a tile must not write into the
 * next tile.
 */
START_TEST(long_lists)
{
    enum { MOST = 17 << 19, CUTS = 12 };
    static const size_t lengths[] = {(1 << 11) + 1, (1 << 19) + 5, (3 << 19) + 4096, MOST};
    const size_t n = lengths[_i];
    float *values = malloc(n * sizeof(*values)), *results[3];
    int32_t cuts[CUTS + 1];
    mote_rng rng;

    mote_rng_seed(&rng, 7);
    ck_assert_ptr_nonnull(values);
    for (size_t i = 0; i < n; i++)
        values[i] = (float)(int32_t)mote_rng_next(&rng) / 65536;
    for (size_t i = 0; i <= CUTS; i++) /* increasingly near the end */
        cuts[i] = (int32_t)(n - (i < CUTS ? (n >> 2 * i) : 0));
    const int compared = _i < 3 ? 3 : 2; /* the longest array takes long */
    for (int form = 0; form < compared; form++) {
        mote_jagged_scan_host_args args;
        bed b;

        results[form] = malloc(n * sizeof(float));
        ck_assert_ptr_nonnull(results[form]);
        mote_jagged_scan_host_args_init(&args);
        args.offsets_type = MOTE_INT32;
        args.lists = _i % 2 ? 1 : CUTS;
        args.offsets = _i % 2 ? (int32_t[]){0, (int32_t)n} : cuts;
        args.values_type = MOTE_FLOAT32;
        args.values = values;
        args.values_length = n;
        args.result = results[form];
        bed_open(&b, forms[form]);
        bed_ok(mote_jagged_scan_host(b.ctx, NULL, &args));
        bed_close(&b);
    }
    for (int form = 1; form < compared; form++) {
        for (size_t i = 0; i < n; i++)
            ck_assert_msg(results[0][i] == results[form][i], "%s: element %zu is %a, not %a",
                          forms[form], i, (double)results[form][i], (double)results[0][i]);
        free(results[form]);
    }
    free(values);
    free(results[0]);
}
END_TEST

START_TEST(refusals)
{
    mote_jagged_scan_host_args plain;
    mote_jagged_scan_args args;
    float values[N] = {0}, result[N];
    int32_t wrong[LISTS + 1] = {1, 4, 3, 5, 7};
    size_t bytes = 1;
    bed b;

    bed_open(&b, NULL);
    mote_jagged_scan_args_init(&args);
    args.offsets = (mote_view){.count = 1, .type = MOTE_INT32};
    args.values.type = args.result.type = MOTE_FLOAT32;
    args.reduction = MOTE_REDUCE_ARGMIN;
    ck_assert_int_eq(mote_jagged_scan_workspace_size(b.ctx, &args, &bytes),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "reduction is 4, but must be MOTE_REDUCE_SUM"));
    args.reduction = MOTE_REDUCE_SUM;
    args.values.count = args.result.count = (size_t)INT32_MAX + 1;
    ck_assert_int_eq(mote_jagged_scan_workspace_size(b.ctx, &args, &bytes), MOTE_ERROR_UNSUPPORTED);
    args.offsets.type = MOTE_UINT32;
    bed_ok(mote_jagged_scan_workspace_size(b.ctx, &args, &bytes));
    ck_assert_uint_gt(bytes, 0);
    plain = (mote_jagged_scan_host_args){.size = sizeof(plain),
                                         .offsets_type = MOTE_INT32,
                                         .lists = LISTS,
                                         .offsets = wrong,
                                         .values_type = MOTE_FLOAT32,
                                         .values = values,
                                         .values_length = N,
                                         .result = result};
    ck_assert_int_eq(mote_jagged_scan_host(b.ctx, NULL, &plain), MOTE_ERROR_OFFSETS_NOT_MONOTONIC);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "list 1: offsets[2] = 3 < offsets[1] = 4"));
    plain.result = NULL;
    ck_assert_int_eq(mote_jagged_scan_host(b.ctx, NULL, &plain), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "result is NULL"));
    bed_close(&b);
}
END_TEST

Suite *scan_suite(void)
{
    Suite *suite = suite_create("scan");
    TCase *t = suite_case(suite, "scan", NULL);

    tcase_add_loop_test(t, integers, 0, 2);
    tcase_add_loop_test(t, floats, 0, 2);
    tcase_add_loop_test(t, long_lists, 0, 3);
    tcase_add_test(t, refusals);
    tcase_add_loop_test(suite_case(suite, "longest", SUITE_THOROUGH), long_lists, 3, 4);
    return suite;
}
