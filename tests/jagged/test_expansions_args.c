/* SPDX-License-Identifier: Apache-2.0 */
/* Tests combinations of arguments that calls on lists reject, and calls with minimal arguments.
 * tests/faults/test_refusals.c tests all other rejections. */
#include "pending_call.h"

#include <math.h>

/* Arrays of 10 elements for calls, and calls that are valid except for a test's change. */
typedef struct arrays {
    mote_guard a, b, made, first, second, values, word;
} arrays;

static void open_arrays(bed *b, arrays *x)
{
    int32_t offsets[10] = {0};

    bed_open(b, NULL);
    x->a = bed_array(b, "a", MOTE_INT32, 10, offsets);
    x->b = bed_array(b, "b", MOTE_INT32, 10, offsets);
    x->made = bed_array(b, "made", MOTE_INT32, 10, NULL);
    x->first = bed_array(b, "first", MOTE_INT32, 10, NULL);
    x->second = bed_array(b, "second", MOTE_INT32, 10, NULL);
    x->values = bed_array(b, "values", MOTE_FLOAT32, 9, NULL);
    x->word = bed_error_word(b);
}

static void close_arrays(bed *b, arrays *x)
{
    mote_guard *const all[] = {&x->a, &x->b, &x->made, &x->first, &x->second, &x->values, &x->word};

    clFinish(b->in_order);
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        mote_guard_release(all[k]);
    bed_close(b);
}

/* Checks that nothing is enqueued, and no event created. */
static void refused(mote_status got, mote_status status, cl_event event, const char *what)
{
    ck_assert_msg(got == status && !event, "%s: %s, not %s", what, mote_status_name(got),
                  mote_status_name(status));
}

static mote_jagged_combinations_args good_product(const arrays *x)
{
    mote_jagged_combinations_args args;

    mote_jagged_combinations_args_init(&args);
    args.offsets_a = x->a.view;
    args.offsets_b = x->b.view;
    args.offsets = x->made.view;
    args.first = x->first.view;
    args.second = x->second.view;
    return args;
}

START_TEST(product_refuses)
{
    bed b;
    arrays x;

    open_arrays(&b, &x);
    mote_jagged_combinations_args pairs = good_product(&x);
    cl_event event = NULL;
    refused(mote_jagged_pairs(b.ctx, b.in_order, &pairs, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "pairs of two arrays");
    pairs.offsets_c = x.b.view;
    refused(mote_jagged_product(b.ctx, b.in_order, &pairs, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "product of three arrays");
    pairs.third = pairs.fourth = x.values.view;
    refused(mote_jagged_combinations(b.ctx, b.in_order, &pairs, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "a fourth element of three arrays");
    pairs.n = 3;
    refused(mote_jagged_combinations(b.ctx, b.in_order, &pairs, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "n with several arrays");
    pairs.offsets_b = pairs.offsets_c = pairs.fourth = (mote_view){0};
    refused(mote_jagged_combinations(b.ctx, b.in_order, &pairs, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "less room for the third element");
    pairs.third = (mote_view){0};
    pairs.first.count = pairs.second.count = 0;
    refused(mote_jagged_pairs(b.ctx, b.in_order, &pairs, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "pairs of three elements");
    pairs.n = 5;
    refused(mote_jagged_combinations(b.ctx, b.in_order, &pairs, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "combinations of five elements");
    pairs = good_product(&x);
    pairs.offsets_a.count = ((size_t)1 << 31) + 1;
    refused(mote_jagged_product(b.ctx, b.in_order, &pairs, 0, NULL, &event), MOTE_ERROR_UNSUPPORTED,
            event, "too many lists");
    ck_assert_int_eq(mote_jagged_combinations_workspace_size(b.ctx, &pairs, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    close_arrays(&b, &x);
}
END_TEST

static mote_jagged_nonzero_args good_nonzero(const arrays *x)
{
    mote_jagged_nonzero_args args;

    mote_jagged_nonzero_args_init(&args);
    args.offsets = x->a.view;
    args.values = x->values.view;
    args.offsets_out = x->made.view;
    args.positions = x->first.view;
    return args;
}

static mote_jagged_gather_by_parent_args good_gather(const arrays *x)
{
    mote_jagged_gather_by_parent_args args;

    mote_jagged_gather_by_parent_args_init(&args);
    args.offsets = x->a.view;
    args.values = x->values.view;
    args.result = x->first.view;
    args.result.type = MOTE_FLOAT32;
    return args;
}

/* Differences in 4 lists, valid except for a test's change: each array has room for 4 doubles. */
static void differences(mote_jagged_gather_by_parent_args *args, const arrays *x)
{
    args->offsets.count = 5;
    args->values = mote_view_make(x->values.view.mem, 4, MOTE_FLOAT64);
    args->result = mote_view_make(x->first.view.mem, 4, MOTE_FLOAT64);
    args->elements = mote_view_make(x->second.view.mem, 4, MOTE_INT32);
}

START_TEST(gather_refuses)
{
    bed b;
    arrays x;

    open_arrays(&b, &x);
    mote_jagged_gather_by_parent_args args = good_gather(&x);
    size_t bytes = 1;
    cl_event event = NULL;
    args.elements = x.second.view;
    refused(mote_jagged_gather_by_parent(b.ctx, b.in_order, &args, 0, NULL, &event),
            MOTE_ERROR_INVALID_TYPE, event, "elements of values of float32");
    args.elements = (mote_view){0};
    ck_assert_int_eq(mote_jagged_gather_by_parent_workspace_size(b.ctx, &args, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    bed_ok(mote_jagged_gather_by_parent_workspace_size(b.ctx, &args, &bytes));
    ck_assert_uint_eq(bytes, 0);
    differences(&args, &x);
    if (mote_context_device(b.ctx)->has_fp64)
        bed_ok(mote_jagged_gather_by_parent_workspace_size(b.ctx, &args, &bytes));
    close_arrays(&b, &x);
}
END_TEST

START_TEST(filter_refuses)
{
    bed b;
    arrays x;

    open_arrays(&b, &x);
    mote_jagged_nonzero_args args = good_nonzero(&x);
    cl_event event = NULL;
    args.elements = x.values.view;
    refused(mote_jagged_nonzero(b.ctx, b.in_order, &args, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "elements without filtered");
    args.elements = (mote_view){0};
    args.filtered = x.second.view;
    refused(mote_jagged_nonzero(b.ctx, b.in_order, &args, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "filtered without elements");
    close_arrays(&b, &x);
}
END_TEST

START_TEST(run_lengths_refuse)
{
    bed b;
    arrays x;

    open_arrays(&b, &x);
    mote_jagged_run_lengths_args args;
    cl_event event = NULL;
    mote_jagged_run_lengths_args_init(&args);
    args.offsets = x.a.view;
    args.values = x.values.view;
    args.offsets_out = x.made.view;
    args.lengths = x.second.view;
    refused(mote_jagged_run_lengths(b.ctx, b.in_order, &args, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "lengths without positions");
    args.positions = x.first.view;
    args.lengths.count--;
    refused(mote_jagged_run_lengths(b.ctx, b.in_order, &args, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "fewer lengths than positions");
    args.lengths = (mote_view){0};
    args.run_values = x.second.view;
    refused(mote_jagged_run_lengths(b.ctx, b.in_order, &args, 0, NULL, &event),
            MOTE_ERROR_INVALID_TYPE, event, "values of another type");
    close_arrays(&b, &x);
}
END_TEST

/* No error word, no event, and no outputs except the offsets. */
START_TEST(little)
{
    static const int32_t zeros[10] = {0};
    bed b;
    arrays x;

    open_arrays(&b, &x);
    mote_jagged_combinations_args product = good_product(&x);
    product.first = product.second = (mote_view){0};
    bed_ok(mote_jagged_product(b.ctx, b.in_order, &product, 0, NULL, NULL));
    product.offsets_b = (mote_view){0};
    bed_ok(mote_jagged_pairs(b.ctx, b.in_order, &product, 0, NULL, NULL));
    mote_jagged_nonzero_args nonzero = good_nonzero(&x);
    nonzero.positions = nonzero.values = (mote_view){0};
    bed_ok(mote_jagged_nonzero(b.ctx, b.in_order, &nonzero, 0, NULL, NULL));
    nonzero.elements.type = nonzero.filtered.type = MOTE_FLOAT64;
    bed_ok(mote_jagged_nonzero(b.ctx, b.in_order, &nonzero, 0, NULL, NULL));
    mote_jagged_gather_by_parent_args gather = good_gather(&x);
    gather.result = (mote_view){0};
    bed_ok(mote_jagged_gather_by_parent(b.ctx, b.in_order, &gather, 0, NULL, NULL));
    bed_expect(&b, &x.made, zeros, NULL, "offsets of nothing");
    close_arrays(&b, &x);
}
END_TEST

/* A call that was prepared, with views without memory, builds no more programs. */
START_TEST(prepared)
{
    bed b;
    arrays x;
    mote_memory before, after;

    open_arrays(&b, &x);
    mote_jagged_combinations_args product = good_product(&x), pairs = product;
    mote_jagged_nonzero_args nonzero = good_nonzero(&x);
    mote_jagged_gather_by_parent_args gather = good_gather(&x);
    pairs.offsets_b = (mote_view){0};
    product.error = pairs.error = nonzero.error = gather.error = x.word.view.mem;
    mote_jagged_combinations_args blank = product;
    blank.offsets_a.mem = blank.offsets_b.mem = blank.offsets.mem = NULL;
    blank.first.mem = blank.second.mem = blank.error = NULL;
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_JAGGED_PRODUCT, &blank));
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_JAGGED_PAIRS, &pairs));
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_JAGGED_NONZERO, &nonzero));
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_JAGGED_GATHER_BY_PARENT, &gather));
    mote_memory_init(&before);
    mote_memory_init(&after);
    bed_ok(mote_context_memory(b.ctx, &before));
    bed_ok(mote_jagged_product(b.ctx, b.in_order, &product, 0, NULL, NULL));
    bed_ok(mote_jagged_pairs(b.ctx, b.in_order, &pairs, 0, NULL, NULL));
    bed_ok(mote_jagged_nonzero(b.ctx, b.in_order, &nonzero, 0, NULL, NULL));
    bed_ok(mote_jagged_gather_by_parent(b.ctx, b.in_order, &gather, 0, NULL, NULL));
    bed_ok(mote_context_memory(b.ctx, &after));
    ck_assert_uint_eq(after.programs, before.programs);
    ck_assert_uint_eq(after.scratch_peak, before.scratch_peak);
    close_arrays(&b, &x);
}
END_TEST

/* Fails unless the message of the last error contains `words`. */
static void says(const char *words)
{
    ck_assert_msg(strstr(mote_last_error(), words) != NULL, "%s", mote_last_error());
}

/* Tests numbers that no view determines: k, capacities and quantiles. */
START_TEST(selections_refuse)
{
    static const double wrong[] = {0.5, -0.1, 1.5, NAN};
    mote_jagged_pad_args pad = {0};
    mote_jagged_slice_args slice = {0};
    mote_jagged_quantile_args quantile = {0};
    bed b;
    arrays x;
    cl_event event = NULL;

    open_arrays(&b, &x);
    mote_jagged_pad_args_init(&pad);
    pad.offsets = x.a.view;
    pad.values = x.values.view;
    pad.k = SIZE_MAX / 8;
    refused(mote_jagged_pad(b.ctx, b.in_order, &pad, 0, NULL, &event), MOTE_ERROR_INVALID_ARGUMENT,
            event, "too large a k");
    says("9 lists allow at most");
    mote_jagged_slice_args_init(&slice);
    slice.offsets = x.a.view;
    slice.values = x.values.view;
    slice.offsets_out = x.made.view;
    slice.sliced = x.first.view;
    slice.sliced.type = MOTE_FLOAT32;
    slice.positions = x.second.view;
    slice.positions.count = 9;
    refused(mote_jagged_slice(b.ctx, b.in_order, &slice, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "two capacities");
    says("sliced has room for 10 elements and positions for 9");
    mote_jagged_quantile_args_init(&quantile);
    quantile.offsets = x.a.view;
    quantile.values = x.values.view;
    quantile.count = 1;
    refused(mote_jagged_quantile(b.ctx, b.in_order, &quantile, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "no quantiles");
    for (size_t i = 1; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        quantile.quantiles = wrong + i;
        refused(mote_jagged_quantile(b.ctx, b.in_order, &quantile, 0, NULL, &event),
                MOTE_ERROR_INVALID_ARGUMENT, event, "a wrong quantile");
        says("must be from 0 to 1");
    }
    quantile.count = 257;
    refused(mote_jagged_quantile(b.ctx, b.in_order, &quantile, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "too many quantiles");
    close_arrays(&b, &x);
}
END_TEST

Suite *expansions_args_suite(void)
{
    Suite *suite = suite_create("expansions_args");
    TCase *all = tcase_create("expansions_args");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, product_refuses);
    tcase_add_test(all, gather_refuses);
    tcase_add_test(all, filter_refuses);
    tcase_add_test(all, selections_refuse);
    tcase_add_test(all, run_lengths_refuse);
    tcase_add_test(all, little);
    tcase_add_test(all, prepared);
    suite_add_tcase(suite, all);
    return suite;
}
