/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions and sizes that mote_jagged_reduce() rejects, and calls without work.
 * tests/faults/test_refusals.c tests all other rejections. */
#include "common/suite.h"
#include "pending_call.h"

typedef struct views {
    bed bed;
    mote_guard offsets, values, result, other;
    mote_jagged_reduce_args args;
} views;

static void views_open(views *v)
{
    const int32_t offsets[] = {0, 2, 3};
    const float values[] = {1, 2, 4};

    bed_open(&v->bed, NULL);
    v->offsets = bed_array(&v->bed, "offsets", MOTE_INT32, 3, offsets);
    v->values = bed_array(&v->bed, "values", MOTE_FLOAT32, 3, values);
    v->result = bed_array(&v->bed, "result", MOTE_FLOAT32, 2, NULL);
    v->other = bed_array(&v->bed, "other", MOTE_INT64, 3, NULL);
    mote_jagged_reduce_args_init(&v->args);
    v->args.offsets = v->offsets.view;
    v->args.values = v->values.view;
    v->args.result = v->result.view;
}

static void views_close(views *v)
{
    mote_guard_release(&v->offsets);
    mote_guard_release(&v->values);
    mote_guard_release(&v->result);
    mote_guard_release(&v->other);
    bed_close(&v->bed);
}

/* The call, its preparation and its workspace function must agree. */
static void refused(views *v, const mote_jagged_reduce_args *args, mote_status status,
                    const char *words)
{
    size_t bytes;
    cl_event done = NULL;
    mote_status got = mote_jagged_reduce(v->bed.ctx, v->bed.in_order, args, 0, NULL, &done);

    ck_assert_msg(got == status && strstr(mote_last_error(), words), "%s: %s, not \"%s\"",
                  mote_status_name(got), mote_last_error(), words);
    ck_assert_ptr_null(done);
    ck_assert_int_eq(mote_prepare(v->bed.ctx, MOTE_OPERATION_JAGGED_REDUCE, args), status);
    ck_assert_int_eq(mote_jagged_reduce_workspace_size(v->bed.ctx, args, &bytes), status);
}

START_TEST(refusals)
{
    views v;
    size_t bytes;

    views_open(&v);
    mote_jagged_reduce_args a = v.args;

    a.result = v.other.view;
    a.result.count = 2;
    refused(&v, &a, MOTE_ERROR_INVALID_TYPE, "result is int64 (type 6), but must be float32 or");
    a.reduction = MOTE_REDUCE_ARGMIN;
    refused(&v, &a, MOTE_ERROR_INVALID_TYPE, "but must be int32");
    a.reduction = MOTE_REDUCE_ANY;
    refused(&v, &a, MOTE_ERROR_INVALID_TYPE, "but must be bool or uint8");
    a = v.args;
    a.values.type = MOTE_UINT16;
    refused(&v, &a, MOTE_ERROR_INVALID_TYPE, "must be uint64");
    a = v.args;
    a.ddof = 1 << 20;
    refused(&v, &a, MOTE_ERROR_INVALID_ARGUMENT, "ddof is 1048576, but must be at most 1048575");
    a = v.args;
    a.values.count = (size_t)1 << 45;
    refused(&v, &a, MOTE_ERROR_UNSUPPORTED, "fewer than 2^43");
    a = v.args;
    a.offsets.count = 0;
    refused(&v, &a, MOTE_ERROR_INVALID_ARGUMENT, "offsets has no elements");
    a = v.args;
    a.offsets.count = ((size_t)1 << 31) + 1;
    refused(&v, &a, MOTE_ERROR_UNSUPPORTED, "fewer than 2^31");
    ck_assert_int_eq(mote_jagged_reduce_workspace_size(v.bed.ctx, &v.args, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    bed_ok(mote_jagged_reduce_workspace_size(v.bed.ctx, &v.args, &bytes));
    views_close(&v);
}
END_TEST

/* Empty inputs: no lists, no values, or neither; counting without values. */
START_TEST(nothing)
{
    const int32_t zeros[] = {0, 0, 0};
    const float infinite[] = {(float)1e300, (float)1e300};
    views v;

    views_open(&v);
    mote_jagged_reduce_args a = v.args;

    a.offsets.count = 1;
    a.result = (mote_view){0};
    bed_ok(mote_jagged_reduce(v.bed.ctx, v.bed.any_order, &a, 0, NULL, NULL));
    a.values = (mote_view){0};
    bed_ok(mote_jagged_reduce(v.bed.ctx, v.bed.any_order, &a, 0, NULL, NULL));
    clFinish(v.bed.any_order);
    mote_guard offsets = bed_array(&v.bed, "offsets", MOTE_INT32, 3, zeros);

    a = v.args;
    a.offsets = offsets.view;
    a.values = (mote_view){0};
    a.reduction = MOTE_REDUCE_MIN;
    bed_ok(mote_jagged_reduce(v.bed.ctx, v.bed.in_order, &a, 0, NULL, NULL));
    bed_expect(&v.bed, &v.result, infinite, NULL, "minima of nothing");
    v.result = bed_array(&v.bed, "counts", MOTE_INT32, 2, NULL);
    a = v.args;
    a.values = (mote_view){0};
    a.result = v.result.view;
    a.reduction = MOTE_REDUCE_COUNT;
    bed_ok(mote_jagged_reduce(v.bed.ctx, v.bed.in_order, &a, 0, NULL, NULL));
    bed_expect(&v.bed, &v.result, (int32_t[]){2, 1}, NULL, "counts without values");
    mote_guard_release(&offsets);
    views_close(&v);
}
END_TEST

START_TEST(without_fp64)
{
    mote_jagged_reduce_args args;
    size_t bytes;
    bed b;

    bed_open(&b, "jagged_reduce.fp64=0");
    mote_jagged_reduce_args_init(&args);
    args.offsets = (mote_view){.count = 3, .type = MOTE_INT32};
    args.values = (mote_view){.count = 3, .type = MOTE_FLOAT32};
    args.result = (mote_view){.count = 2, .type = MOTE_FLOAT64};
    ck_assert_int_eq(mote_jagged_reduce_workspace_size(b.ctx, &args, &bytes),
                     MOTE_ERROR_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "result is float64"));
    bed_close(&b);
}
END_TEST

Suite *reduce_args_suite(void)
{
    Suite *suite = suite_create("reduce_args");
    TCase *all = suite_case(suite, "all", NULL);

    tcase_add_test(all, refusals);
    tcase_add_test(all, without_fp64);
    tcase_add_test(all, nothing);
    return suite;
}
