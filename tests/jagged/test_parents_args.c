/* SPDX-License-Identifier: Apache-2.0 */
/* Combinations of arguments that mote_jagged_parents() and mote_jagged_local_index() reject, and
 * calls without work. tests/faults/test_refusals.c tests all other rejections. */
#include "harness.h"

typedef struct views {
    bed bed;
    mote_guard offsets, starts, stops, out, other;
    mote_jagged_parents_args parents;
    mote_jagged_local_index_args local_index;
} views;

static void views_open(views *v)
{
    const int32_t offsets[] = {0, 2, 3};

    bed_open(&v->bed, NULL);
    v->offsets = bed_array(&v->bed, "offsets", MOTE_INT32, 3, offsets);
    v->starts = bed_array(&v->bed, "starts", MOTE_INT32, 2, offsets);
    v->stops = bed_array(&v->bed, "stops", MOTE_INT32, 2, offsets + 1);
    v->out = bed_array(&v->bed, "out", MOTE_INT32, 3, NULL);
    v->other = bed_array(&v->bed, "other", MOTE_INT64, 3, NULL);
    mote_jagged_parents_args_init(&v->parents);
    v->parents.offsets = v->offsets.view;
    v->parents.parents = v->out.view;
    mote_jagged_local_index_args_init(&v->local_index);
    v->local_index.offsets = v->offsets.view;
    v->local_index.local_index = v->out.view;
}

static void views_close(views *v)
{
    char message[MESSAGE_SIZE];
    mote_guard *all[] = {&v->offsets, &v->starts, &v->stops, &v->out, &v->other};

    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        ck_assert_msg(
            mote_guard_read(all[i], v->bed.in_order, NULL, 0, NULL, message, sizeof(message)), "%s",
            message);
        mote_guard_release(all[i]);
    }
    bed_close(&v->bed);
}

/* The call, its preparation and its workspace function must agree. */
static void refused(views *v, const mote_jagged_parents_args *args, mote_status status,
                    const char *words)
{
    size_t bytes;
    cl_event done = NULL;
    mote_status got = mote_jagged_parents(v->bed.ctx, v->bed.in_order, args, 0, NULL, &done);

    ck_assert_msg(got == status && strstr(mote_last_error(), words), "%s: %s, not \"%s\"",
                  mote_status_name(got), mote_last_error(), words);
    ck_assert_ptr_null(done);
    ck_assert_int_eq(mote_prepare(v->bed.ctx, MOTE_OPERATION_JAGGED_PARENTS, args), status);
    ck_assert_int_eq(mote_jagged_parents_workspace_size(v->bed.ctx, args, &bytes), status);
}

START_TEST(parents_refusals)
{
    views v;

    views_open(&v);
    mote_jagged_parents_args a = v.parents;

    a.offsets.count = 0;
    refused(&v, &a, MOTE_ERROR_INVALID_ARGUMENT, "offsets has no elements");
    a = v.parents;
    a.offsets.count = (size_t)1 << 33;
    refused(&v, &a, MOTE_ERROR_UNSUPPORTED, "fewer than 2^31");
    a = v.parents;
    a.starts = v.starts.view;
    refused(&v, &a, MOTE_ERROR_INVALID_ARGUMENT, "not both");
    a.offsets = (mote_view){0};
    refused(&v, &a, MOTE_ERROR_INVALID_ARGUMENT, "starts has 2 elements and stops 0");
    a.stops = v.other.view;
    a.stops.count = 2;
    refused(&v, &a, MOTE_ERROR_INVALID_TYPE, "starts is int32 and stops int64");
    a.stops = v.stops.view;
    a.strategy = MOTE_JAGGED_SEARCH;
    refused(&v, &a, MOTE_ERROR_INVALID_ARGUMENT, "strategy search needs lists in order");
    views_close(&v);
}
END_TEST

START_TEST(local_index_refusals)
{
    views v;

    views_open(&v);
    mote_jagged_local_index_args a = v.local_index;
    mote_context *ctx = v.bed.ctx;

    a.offsets.count = 0;
    ck_assert_int_eq(mote_jagged_local_index(ctx, v.bed.in_order, &a, 0, NULL, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_jagged_local_index_workspace_size(ctx, &v.local_index, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_jagged_parents_workspace_size(ctx, &v.parents, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_jagged_parents(ctx, v.bed.in_order, NULL, 0, NULL, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    views_close(&v);
}
END_TEST

static void runs(views *v, const mote_jagged_parents_args *args)
{
    cl_event done = NULL;

    bed_ok(mote_jagged_parents(v->bed.ctx, v->bed.any_order, args, 0, NULL, &done));
    ck_assert_ptr_nonnull(done);
    ck_assert_int_eq(clWaitForEvents(1, &done), CL_SUCCESS);
    clReleaseEvent(done);
    bed_ok(mote_jagged_parents(v->bed.ctx, v->bed.in_order, args, 0, NULL, NULL));
    ck_assert_int_eq(clFinish(v->bed.in_order), CL_SUCCESS);
}

/* No output, no lists, or neither: the event is valid nevertheless. */
START_TEST(nothing_to_do)
{
    views v;

    views_open(&v);
    mote_jagged_parents_args a = v.parents;

    a.parents = (mote_view){0};
    runs(&v, &a);
    a.offsets.count = 1;
    runs(&v, &a);
    a.offsets = (mote_view){0};
    runs(&v, &a);
    a.parents = v.out.view;
    runs(&v, &a);
    a.starts = v.starts.view;
    a.stops = v.stops.view;
    a.starts.count = a.stops.count = 0;
    runs(&v, &a);
    mote_jagged_local_index_args b = v.local_index;

    b.local_index = (mote_view){0};
    bed_ok(mote_jagged_local_index(v.bed.ctx, v.bed.in_order, &b, 0, NULL, NULL));
    ck_assert_int_eq(clFinish(v.bed.in_order), CL_SUCCESS);
    views_close(&v);
}
END_TEST

Suite *parents_args_suite(void)
{
    Suite *suite = suite_create("parents_args");
    TCase *t = tcase_create("parents_args");

    tcase_set_timeout(t, 0);
    tcase_add_test(t, parents_refusals);
    tcase_add_test(t, local_index_refusals);
    tcase_add_test(t, nothing_to_do);
    suite_add_tcase(suite, t);
    return suite;
}
