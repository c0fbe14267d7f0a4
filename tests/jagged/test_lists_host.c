/* SPDX-License-Identifier: Apache-2.0 */
/* Capacities, error messages and rejected arguments of the calls on plain arrays whose results are
 * tested with those of the device (testkit/operations/). */
#include "harness.h"

#define REFUSED(status, words, call)                                                               \
    do {                                                                                           \
        ck_assert_int_eq(call, status);                                                            \
        ck_assert_msg(strstr(mote_last_error(), words), "\"%s\" is not in \"%s\"", words,          \
                      mote_last_error());                                                          \
    } while (0)

static const int32_t offsets[] = {1, 3, 3, 6};
static const float values[] = {9, 0, 2, 3, 0, 5, 6};

static mote_jagged_nonzero_host_args nonzero_args(int32_t *ends)
{
    mote_jagged_nonzero_host_args args;

    mote_jagged_nonzero_host_args_init(&args);
    args.offsets_type = MOTE_INT32;
    args.lists = 3;
    args.offsets = offsets;
    args.values_type = MOTE_FLOAT32;
    args.values = values;
    args.values_length = 7;
    args.offsets_out = ends;
    return args;
}

/* A call without arrays of results computes offsets; a short array receives the first results, and
 * a long one keeps its other elements. */
START_TEST(capacities)
{
    static const int32_t expected[] = {0, 1, 1, 3};
    bed b;

    bed_open(&b, _i ? "jagged.form=gpu" : "jagged.form=cpu");
    for (size_t capacity = 0; capacity < 6; capacity++) {
        int32_t ends[4], places[6] = {-7, -7, -7, -7, -7, -7};
        mote_jagged_nonzero_host_args args = nonzero_args(ends);
        static const int32_t kept[] = {2, 3, 5};

        args.capacity = capacity;
        bed_ok(mote_jagged_nonzero_host(b.ctx, NULL, &args));
        ck_assert_mem_eq(ends, expected, sizeof(ends));
        memset(ends, 0, sizeof(ends));
        args.positions = places;
        if (capacity < 3)
            REFUSED(MOTE_ERROR_CAPACITY, "results, but 3 are needed",
                    mote_jagged_nonzero_host(b.ctx, NULL, &args));
        else
            bed_ok(mote_jagged_nonzero_host(b.ctx, NULL, &args));
        ck_assert_mem_eq(ends, expected, sizeof(ends));
        for (size_t i = 0; i < 6; i++)
            ck_assert_int_eq(places[i], i < 3 && i < capacity ? kept[i] : -7);
    }
    bed_close(&b);
}
END_TEST

START_TEST(faults)
{
    static const int32_t bad[] = {0, 4, 3, 5}, many[] = {0, 2, 70000, 70001};
    int32_t ends[4];
    bed b;

    bed_open(&b, NULL);
    mote_jagged_combinations_host_args args;
    mote_jagged_combinations_host_args_init(&args);
    args.offsets_type = MOTE_INT32;
    args.lists = 3;
    args.offsets_a = offsets;
    args.offsets_b = bad;
    args.offsets = ends;
    REFUSED(MOTE_ERROR_OFFSETS_NOT_MONOTONIC, "list 1: offsets_b[2] = 3 < offsets_b[1] = 4",
            mote_jagged_combinations_host(b.ctx, NULL, &args));
    args.offsets_a = many;
    args.offsets_b = NULL;
    REFUSED(
        MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
        "list 1: int32 cannot count the combinations of the lists up to this one: use offsets of "
        "int64",
        mote_jagged_combinations_host(b.ctx, NULL, &args));
    args.offsets_a = bad;
    REFUSED(MOTE_ERROR_OFFSETS_NOT_MONOTONIC, "list 1: offsets[2] = 3 < offsets[1] = 4",
            mote_jagged_combinations_host(b.ctx, NULL, &args));
    args.n = 5;
    REFUSED(MOTE_ERROR_INVALID_ARGUMENT, "combinations have 2, 3 or 4 elements",
            mote_jagged_combinations_host(b.ctx, NULL, &args));
    bed_close(&b);
}
END_TEST

START_TEST(refusals)
{
    int32_t ends[4];
    bed b;

    bed_open(&b, NULL);
    mote_jagged_nonzero_host_args args = nonzero_args(NULL);
    REFUSED(MOTE_ERROR_INVALID_ARGUMENT, "offsets_out is NULL",
            mote_jagged_nonzero_host(b.ctx, NULL, &args));
    args = nonzero_args(ends);
    args.values_type = (mote_type)99;
    REFUSED(MOTE_ERROR_INVALID_TYPE, "the elements of values are",
            mote_jagged_nonzero_host(b.ctx, NULL, &args));
    args = nonzero_args(ends);
    args.values = NULL;
    REFUSED(MOTE_ERROR_INVALID_ARGUMENT, "values is NULL",
            mote_jagged_nonzero_host(b.ctx, NULL, &args));
    args = nonzero_args(ends);
    args.capacity = SIZE_MAX;
    args.positions = ends;
    REFUSED(MOTE_ERROR_INVALID_ARGUMENT,
            "positions would have more elements than all memory can hold",
            mote_jagged_nonzero_host(b.ctx, NULL, &args));
    args = nonzero_args(ends);
    args.values_length = 5;
    REFUSED(MOTE_ERROR_OFFSETS_OUT_OF_RANGE, "offsets[3] = 6 is beyond the content, which has 5",
            mote_jagged_nonzero_host(b.ctx, NULL, &args));
    mote_jagged_pad_host_args pad;
    mote_jagged_pad_host_args_init(&pad);
    pad.offsets_type = MOTE_INT32;
    pad.lists = 3;
    pad.offsets = offsets;
    pad.values_type = MOTE_FLOAT32;
    pad.values = values;
    pad.values_length = 7;
    pad.k = SIZE_MAX / 2;
    pad.result = ends;
    REFUSED(MOTE_ERROR_INVALID_ARGUMENT, "more elements than all memory can hold, for 3 lists",
            mote_jagged_pad_host(b.ctx, NULL, &pad));
    mote_jagged_gather_by_parent_host_args gather;
    mote_jagged_gather_by_parent_host_args_init(&gather);
    gather.offsets_type = MOTE_INT32;
    gather.lists = 3;
    gather.offsets = offsets;
    gather.values_type = MOTE_FLOAT32;
    gather.values = values;
    REFUSED(MOTE_ERROR_CAPACITY, "there is room for 0 results",
            mote_jagged_gather_by_parent_host(b.ctx, NULL, &gather));
    mote_jagged_reduce_host_args reduce;
    mote_jagged_reduce_host_args_init(&reduce);
    reduce.offsets_type = MOTE_INT32;
    reduce.lists = 3;
    reduce.offsets = offsets;
    reduce.values_type = MOTE_FLOAT32;
    reduce.values = values;
    reduce.values_length = 7;
    reduce.result = ends;
    reduce.reduction = (mote_reduction)99;
    REFUSED(MOTE_ERROR_INVALID_ARGUMENT, "reduction 99 is not a value",
            mote_jagged_reduce_host(b.ctx, NULL, &reduce));
    bed_close(&b);
}
END_TEST

/* Tests that empty content needs no elements to filter. */
START_TEST(empty_content)
{
    static const int32_t none[] = {0, 0, 0, 0};
    int32_t ends[4];
    float filtered[1];
    bed b;

    bed_open(&b, NULL);
    mote_jagged_nonzero_host_args args = nonzero_args(ends);
    args.offsets = none;
    args.values = NULL;
    args.values_length = 0;
    args.elements_type = MOTE_FLOAT32;
    args.filtered = filtered;
    bed_ok(mote_jagged_nonzero_host(b.ctx, NULL, &args));
    ck_assert_int_eq(ends[3], 0);
    bed_close(&b);
}
END_TEST

Suite *lists_host_suite(void)
{
    Suite *suite = suite_create("lists_host");
    TCase *all = tcase_create("lists_host");

    tcase_set_timeout(all, 0);
    tcase_add_loop_test(all, capacities, 0, 2);
    tcase_add_test(all, faults);
    tcase_add_test(all, refusals);
    tcase_add_test(all, empty_content);
    suite_add_tcase(suite, all);
    return suite;
}
