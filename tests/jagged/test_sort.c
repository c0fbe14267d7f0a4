/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_sort_host() on lists with known order, and combinations of arguments that
 * mote_jagged_sort() rejects. tests/trials compares both with the reference. */
#include <math.h>

#include "harness.h"

/* Lists of 3, 0, 1 and 3 elements; the first element and the last belong to no list. */
#define LISTS 4
#define N     9
static const int32_t offsets[LISTS + 1] = {1, 4, 4, 5, 8};

static const char *const forms[] = {"jagged.form=cpu", "jagged.form=gpu"};

static mote_jagged_sort_host_args arguments(const float *values, float *result, int64_t *indices)
{
    mote_jagged_sort_host_args args;

    mote_jagged_sort_host_args_init(&args);
    args.offsets_type = MOTE_INT32;
    args.lists = LISTS;
    args.offsets = offsets;
    args.values_type = MOTE_FLOAT32;
    args.values = values;
    args.values_length = N;
    args.result = result;
    args.indices_type = MOTE_INT64;
    args.indices = indices;
    return args;
}

/* Equal values, including zeros of both signs, keep their order, and NaN come last. */
START_TEST(known)
{
    static const float values[N] = {9, 0.0f, -0.0f, -1, 7, NAN, 3, 5, 1};
    static const struct {
        float results[N];
        int64_t indices[N];
    } rows[] = {
        {{9, -1, 0.0f, -0.0f, 7, 3, 5, NAN, 1}, {0, 2, 0, 1, 0, 1, 2, 0, 0}},
        {{9, 0.0f, -0.0f, -1, 7, 5, 3, NAN, 1}, {0, 0, 1, 2, 0, 2, 1, 0, 0}},
    };
    bed b;

    bed_open(&b, forms[_i]);
    for (uint32_t descending = 0; descending < 2; descending++) {
        float got[N];
        int64_t indices[N];
        mote_jagged_sort_host_args args = arguments(values, got, indices);

        args.descending = descending;
        bed_ok(mote_jagged_sort_host(b.ctx, NULL, &args));
        for (size_t i = 0; i < N; i++) {
            float want = rows[descending].results[i];

            ck_assert_msg(isnan(want) ? isnan(got[i]) : memcmp(&got[i], &want, sizeof(want)) == 0,
                          "element %zu is %g, not %g", i, (double)got[i], (double)want);
            ck_assert_int_eq(indices[i], rows[descending].indices[i]);
        }
    }
    bed_close(&b);
}
END_TEST

/* More lists begin in a part of the array than a group marks one by one. All but every 8000th of
 * them are empty; the others and their values decrease. */
START_TEST(crowded)
{
    enum { CROWD = 40000, EVERY = 8000, LENGTH = 7 };
    static int32_t many[CROWD + 1];
    float values[CROWD / EVERY * LENGTH], got[CROWD / EVERY * LENGTH];
    int64_t indices[CROWD / EVERY * LENGTH];
    const size_t n = sizeof(values) / sizeof(values[0]);
    mote_jagged_sort_host_args args;
    bed b;

    for (size_t j = 0; j < CROWD; j++)
        many[j + 1] = many[j] + (j % EVERY == EVERY - 1 ? LENGTH : 0);
    for (size_t i = 0; i < n; i++)
        values[i] = (float)(n - i);
    args = arguments(values, got, indices);
    args.offsets = many;
    args.lists = CROWD;
    args.values_length = n;
    bed_open(&b, forms[_i]);
    bed_ok(mote_jagged_sort_host(b.ctx, NULL, &args));
    for (size_t i = 0; i < n; i++) {
        size_t from = i / LENGTH * LENGTH + (LENGTH - 1 - i % LENGTH);

        ck_assert_float_eq(got[i], values[from]);
        ck_assert_int_eq(indices[i], (int64_t)(from % LENGTH));
    }
    bed_close(&b);
}
END_TEST

START_TEST(refusals)
{
    static const int32_t wrong[LISTS + 1] = {1, 4, 3, 5, 8};
    float values[N] = {0}, result[N];
    mote_jagged_sort_host_args plain = arguments(values, result, NULL);
    mote_jagged_sort_args args;
    size_t bytes = 1;
    bed b;

    bed_open(&b, NULL);
    mote_jagged_sort_args_init(&args);
    args.offsets = (mote_view){.count = 1, .type = MOTE_UINT32};
    args.values = (mote_view){.count = N, .type = MOTE_FLOAT32};
    ck_assert_int_eq(mote_jagged_sort_workspace_size(b.ctx, &args, &bytes),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "neither result nor indices is given"));
    args.indices = (mote_view){.count = (size_t)INT32_MAX + 1, .type = MOTE_INT32};
    args.values.count = args.indices.count;
    ck_assert_int_eq(mote_jagged_sort_workspace_size(b.ctx, &args, &bytes), MOTE_ERROR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "with int32 offsets or indices"));
    args.indices.type = MOTE_UINT32;
    bed_ok(mote_jagged_sort_workspace_size(b.ctx, &args, &bytes));
    args.values.count = args.indices.count = (size_t)UINT32_MAX + 1;
    ck_assert_int_eq(mote_jagged_sort_workspace_size(b.ctx, &args, &bytes), MOTE_ERROR_UNSUPPORTED);
    plain.offsets = wrong;
    ck_assert_int_eq(mote_jagged_sort_host(b.ctx, NULL, &plain), MOTE_ERROR_OFFSETS_NOT_MONOTONIC);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "list 1: offsets[2] = 3 < offsets[1] = 4"));
    plain.result = NULL;
    ck_assert_int_eq(mote_jagged_sort_host(b.ctx, NULL, &plain), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "give one of them"));
    plain = arguments(values, NULL, (int64_t[N]){0});
    plain.indices_type = MOTE_FLOAT32;
    ck_assert_int_eq(mote_jagged_sort_host(b.ctx, NULL, &plain), MOTE_ERROR_INVALID_TYPE);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "indices is float32"));
    bed_close(&b);
}
END_TEST

Suite *sort_suite(void)
{
    Suite *suite = suite_create("sort");
    TCase *t = suite_case(suite, "sort", NULL);

    tcase_add_loop_test(t, known, 0, 2);
    tcase_add_loop_test(t, crowded, 0, 2);
    tcase_add_test(t, refusals);
    return suite;
}
