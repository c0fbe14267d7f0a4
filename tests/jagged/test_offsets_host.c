/* SPDX-License-Identifier: Apache-2.0 */
/* Counts and offsets of plain arrays, their sentences, and rejected calls. */
#include "pending_call.h"

#include <stdio.h>

static mote_jagged_offsets_host_args host_args(mote_type type, size_t lists, const void *in,
                                               size_t n, void *out)
{
    mote_jagged_offsets_host_args args;

    mote_jagged_offsets_host_args_init(&args);
    args.type = type;
    args.lists = lists;
    args.in = in;
    args.n = n;
    args.out = out;
    return args;
}

static void same(const void *got, const void *expected, size_t count, mote_type type,
                 const char *name)
{
    ck_assert_msg(memcmp(got, expected, count * mote_type_size(type)) == 0, "%s differs", name);
}

/* Converts in both directions. */
static void check_lists(bed *b, mote_host *host, const mote_case_lists *lists, const char *name)
{
    mote_type type = lists->type;
    size_t m = lists->count, n = mote_case_lists_elements(lists);
    void *counts = make_array(m, type), *offsets = make_array(m + 1, type),
         *parents = make_array(n, type);
    void *expected = make_array(m + 1, type);
    mote_case_lists spans;

    mote_oracle_counts(lists, expected);
    mote_jagged_offsets_host_args args = host_args(type, m, lists->offsets, 0, counts);
    bed_ok(mote_jagged_counts_host(b->ctx, host, &args));
    same(counts, expected, m, type, name);

    for (size_t k = 0; k <= m; k++)
        mote_index_set(expected, type, k,
                       mote_index_get(lists->offsets, type, k) -
                           mote_index_get(lists->offsets, type, 0));
    args = host_args(type, m, counts, 0, offsets);
    bed_ok(mote_jagged_offsets_from_counts_host(b->ctx, host, &args));
    same(offsets, expected, m + 1, type, name);

    mote_oracle_parents(lists, false, n, parents);
    memset(offsets, 0xA5, (m + 1) * mote_type_size(type));
    args = host_args(type, m, parents, n, offsets);
    bed_ok(mote_jagged_offsets_from_parents_host(b->ctx, host, &args));
    same(offsets, expected, m + 1, type, name);

    ck_assert(mote_case_lists_scatter(lists, 1, &spans));
    memset(offsets, 0xA5, (m + 1) * mote_type_size(type));
    args = host_args(type, m, NULL, 0, offsets);
    args.starts = spans.starts;
    args.stops = spans.stops;
    bed_ok(mote_jagged_offsets_from_counts_host(b->ctx, host, &args));
    mote_oracle_counts(&spans, counts);
    uint32_t index;
    ck_assert_int_eq(mote_oracle_offsets_from_counts(type, m, counts, expected, &index), 0);
    same(offsets, expected, m + 1, type, name);
    mote_case_lists_free(&spans);
    free(counts);
    free(offsets);
    free(parents);
    free(expected);
}

START_TEST(arrays_of_the_host)
{
    bed b;
    mote_host *host;

    bed_open(&b, NULL);
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    for (size_t c = 0; c < mote_lists_case_count(); c += 2) {
        const mote_lists_case *one = mote_lists_case_at(c);
        mote_type type = index_types[c / 2 % 3];
        mote_case_lists lists;

        if (!mote_lists_case_make(one, type, 0, &lists))
            continue;
        check_lists(&b, c % 8 == 0 ? NULL : host, &lists, one->name);
        mote_case_lists_free(&lists);
    }
    mote_host_release(host);
    bed_close(&b);
}
END_TEST

typedef mote_status host_call(mote_context *, mote_host *, const mote_jagged_offsets_host_args *);

static void expect(bed *b, host_call *call, const mote_jagged_offsets_host_args *args,
                   mote_status status, const char *sentence)
{
    mote_status got = call(b->ctx, NULL, args);

    ck_assert_msg(got == status && strcmp(mote_last_error(), sentence) == 0, "%s: %s, not %s: %s",
                  mote_status_name(got), mote_last_error(), mote_status_name(status), sentence);
}

START_TEST(sentences)
{
    static const int32_t down[] = {2, 9, 5, 4}, negative[] = {0, -3, 7, 9};
    static const int64_t starts[] = {0, 8, -2, 3}, stops[] = {5, 7, 4, 1};
    static const uint32_t many[] = {4000000000u, 294967295u, 0, 1, 5};
    int64_t out[8];
    bed b;

    bed_open(&b, NULL);
    mote_jagged_offsets_host_args args = host_args(MOTE_INT32, 3, down, 0, out);
    expect(&b, mote_jagged_counts_host, &args, MOTE_ERROR_OFFSETS_NOT_MONOTONIC,
           "mote_jagged_counts_host: list 1: offsets[2] = 5 < offsets[1] = 9");
    args.in = negative;
    expect(&b, mote_jagged_counts_host, &args, MOTE_ERROR_OFFSETS_NOT_MONOTONIC,
           "mote_jagged_counts_host: list 0: offsets[1] = -3 < offsets[0] = 0");
    args.in = negative + 1;
    args.lists = 2;
    expect(&b, mote_jagged_counts_host, &args, MOTE_ERROR_OFFSETS_NEGATIVE,
           "mote_jagged_counts_host: list 0: offsets[0] = -3 is negative");
    expect(&b, mote_jagged_offsets_from_counts_host, &args, MOTE_ERROR_OFFSETS_NEGATIVE,
           "mote_jagged_offsets_from_counts_host: list 0: counts[0] = -3 is negative");

    args = host_args(MOTE_INT64, 4, NULL, 0, out);
    args.starts = starts;
    args.stops = stops;
    expect(&b, mote_jagged_counts_host, &args, MOTE_ERROR_STOP_BEFORE_START,
           "mote_jagged_counts_host: list 1: stops[1] = 7 < starts[1] = 8");
    args.starts = starts + 2;
    args.stops = stops + 2;
    args.lists = 2;
    expect(&b, mote_jagged_offsets_from_counts_host, &args, MOTE_ERROR_OFFSETS_NEGATIVE,
           "mote_jagged_offsets_from_counts_host: list 0: starts[0] = -2 is negative");

    args = host_args(MOTE_UINT32, 5, many, 0, out);
    expect(&b, mote_jagged_offsets_from_counts_host, &args, MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
           "mote_jagged_offsets_from_counts_host: list 3: offsets[4] would be 4294967296, which is "
           "more "
           "than uint32 can hold");
    args = host_args(MOTE_INT32, 10, down, 4, out);
    expect(&b, mote_jagged_offsets_from_parents_host, &args, MOTE_ERROR_PARENTS,
           "mote_jagged_offsets_from_parents_host: element 2: parents[2] = 5 < parents[1] = 9");
    args.lists = 9;
    expect(&b, mote_jagged_offsets_from_parents_host, &args, MOTE_ERROR_PARENTS,
           "mote_jagged_offsets_from_parents_host: element 1: parents[1] = 9 is not below the "
           "number of "
           "lists, 9");
    args.in = negative;
    expect(&b, mote_jagged_offsets_from_parents_host, &args, MOTE_ERROR_PARENTS,
           "mote_jagged_offsets_from_parents_host: element 1: parents[1] = -3 is negative");
    bed_close(&b);
}
END_TEST

START_TEST(host_arguments)
{
    int32_t in[4] = {0}, out[4];
    bed b, other;
    mote_host *host;

    bed_open(&b, NULL);
    bed_open(&other, NULL);
    bed_ok(mote_host_create(other.ctx, NULL, &host));
    mote_jagged_offsets_host_args good = host_args(MOTE_INT32, 3, in, 3, out), args;
    host_call *const calls[] = {mote_jagged_counts_host, mote_jagged_offsets_from_counts_host,
                                mote_jagged_offsets_from_parents_host};
    for (size_t c = 0; c < 3; c++) {
        ck_assert_int_eq(calls[c](b.ctx, host, &good), MOTE_ERROR_WRONG_CONTEXT);
        ck_assert_int_eq(calls[c](NULL, NULL, &good), MOTE_ERROR_INVALID_ARGUMENT);
        ck_assert_int_eq(calls[c](b.ctx, NULL, NULL), MOTE_ERROR_INVALID_ARGUMENT);
        args = good;
        args.size = 0;
        ck_assert_int_eq(calls[c](b.ctx, NULL, &args), MOTE_ERROR_INVALID_STRUCT);
        args = good;
        args.type = MOTE_FLOAT32;
        ck_assert_int_eq(calls[c](b.ctx, NULL, &args), MOTE_ERROR_INVALID_TYPE);
        args.type = (mote_type)77;
        ck_assert_int_eq(calls[c](b.ctx, NULL, &args), MOTE_ERROR_INVALID_TYPE);
        args = good;
        args.lists = (size_t)1 << 31;
        ck_assert_int_eq(calls[c](b.ctx, NULL, &args), MOTE_ERROR_UNSUPPORTED);
        args = good;
        args.in = NULL;
        ck_assert_int_eq(calls[c](b.ctx, NULL, &args), MOTE_ERROR_INVALID_ARGUMENT);
        args.starts = in;
        ck_assert_int_eq(calls[c](b.ctx, NULL, &args), MOTE_ERROR_INVALID_ARGUMENT);
        args.in = args.stops = in;
        ck_assert_int_eq(calls[c](b.ctx, NULL, &args), MOTE_ERROR_INVALID_ARGUMENT);
        args = good;
        args.out = NULL;
        ck_assert_int_eq(calls[c](b.ctx, NULL, &args), MOTE_ERROR_INVALID_ARGUMENT);
        args = host_args(MOTE_INT32, 0, NULL, 0, out);
        out[0] = 7;
        bed_ok(calls[c](b.ctx, NULL, &args));
        ck_assert_int_eq(out[0], c == 0 ? 7 : 0);
    }
    mote_host_release(host);
    bed_close(&other);
    bed_close(&b);
}
END_TEST

/* Checks that a call is rejected, that nothing is enqueued and no event created. */
static void refused(mote_status got, mote_status status, cl_event event, const char *what)
{
    ck_assert_msg(got == status && !event, "%s: %s, not %s", what, mote_status_name(got),
                  mote_status_name(status));
}

START_TEST(device_arguments)
{
    bed b;

    bed_open(&b, NULL);
    mote_guard in = bed_array(&b, "in", MOTE_INT32, 10, NULL), out = in;
    out = bed_array(&b, "out", MOTE_INT32, 10, NULL);
    mote_jagged_counts_args counts;
    cl_event event = NULL;
    mote_jagged_counts_args_init(&counts);
    counts.offsets = in.view;
    counts.counts = out.view;
    refused(mote_jagged_counts(b.ctx, b.in_order, &counts, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "10 counts of 9 lists");
    counts.counts.count = 9;
    counts.starts = counts.stops = in.view;
    refused(mote_jagged_counts(b.ctx, b.in_order, &counts, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "offsets and starts");
    counts.starts = counts.stops = (mote_view){0};
    counts.counts = in.view;
    counts.counts.count = 9;
    refused(mote_jagged_counts(b.ctx, b.in_order, &counts, 0, NULL, &event),
            MOTE_ERROR_INVALID_VIEW, event, "in place");
    counts.counts = out.view;
    counts.counts.count = 9;
    counts.counts.type = MOTE_UINT32;
    refused(mote_jagged_counts(b.ctx, b.in_order, &counts, 0, NULL, &event),
            MOTE_ERROR_INVALID_TYPE, event, "two types");
    counts.size = 0;
    refused(mote_jagged_counts(b.ctx, b.in_order, &counts, 0, NULL, &event),
            MOTE_ERROR_INVALID_STRUCT, event, "no size");

    mote_jagged_offsets_from_counts_args from;
    mote_jagged_offsets_from_counts_args_init(&from);
    from.counts = in.view;
    from.offsets = out.view;
    refused(mote_jagged_offsets_from_counts(b.ctx, b.in_order, &from, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "10 offsets of 10 lists");
    from.counts.count = 9;
    from.error = out.view.mem;
    from.error_offset = 1 << 20;
    refused(mote_jagged_offsets_from_counts(b.ctx, b.in_order, &from, 0, NULL, &event),
            MOTE_ERROR_INVALID_VIEW, event, "an error word far away");
    ck_assert_int_eq(mote_jagged_offsets_from_counts_workspace_size(b.ctx, &from, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);

    mote_jagged_offsets_from_parents_args parents;
    mote_jagged_offsets_from_parents_args_init(&parents);
    parents.parents = in.view;
    refused(mote_jagged_offsets_from_parents(b.ctx, b.in_order, &parents, 0, NULL, &event),
            MOTE_ERROR_INVALID_ARGUMENT, event, "no offsets");
    parents.offsets = out.view;
    parents.parents.count = UINT32_MAX;
    refused(mote_jagged_offsets_from_parents(b.ctx, b.in_order, &parents, 0, NULL, &event),
            MOTE_ERROR_UNSUPPORTED, event, "too many parents");
    parents.parents.count = (size_t)1 << 31;
    refused(mote_jagged_offsets_from_parents(b.ctx, b.in_order, &parents, 0, NULL, &event),
            MOTE_ERROR_UNSUPPORTED, event, "too many for int32");
    mote_guard_release(&in);
    mote_guard_release(&out);
    bed_close(&b);
}
END_TEST

/* After mote_prepare() a call builds nothing and needs no more scratch. */
START_TEST(prepared)
{
    bed b;
    mote_memory before, after;

    bed_open(&b, NULL);
    mote_guard in = bed_array(&b, "in", MOTE_INT64, 100001, NULL);
    mote_guard out = bed_array(&b, "out", MOTE_INT64, 100001, NULL);
    mote_jagged_offsets_from_counts_args from;
    mote_jagged_offsets_from_counts_args_init(&from);
    from.counts = in.view;
    from.counts.count = 100000;
    from.offsets = out.view;
    mote_jagged_offsets_from_counts_args blank = from;
    blank.counts.mem = blank.offsets.mem = NULL;
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_JAGGED_OFFSETS_FROM_COUNTS, &blank));
    mote_memory_init(&before);
    mote_memory_init(&after);
    bed_ok(mote_context_memory(b.ctx, &before));
    bed_ok(mote_jagged_offsets_from_counts(b.ctx, b.in_order, &from, 0, NULL, NULL));
    bed_ok(mote_context_memory(b.ctx, &after));
    ck_assert_uint_eq(after.scratch_peak, before.scratch_peak);
    ck_assert_uint_eq(after.programs, before.programs);

    mote_jagged_counts_args counts;
    mote_jagged_counts_args_init(&counts);
    counts.offsets = in.view;
    counts.counts = out.view;
    counts.counts.count = 100000;
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_JAGGED_COUNTS, &counts));
    mote_jagged_offsets_from_parents_args parents;
    mote_jagged_offsets_from_parents_args_init(&parents);
    parents.parents = in.view;
    parents.offsets = out.view;
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_JAGGED_OFFSETS_FROM_PARENTS, &parents));
    ck_assert_int_eq(mote_prepare(b.ctx, MOTE_OPERATION_JAGGED_COUNTS, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    clFinish(b.in_order);
    mote_guard_release(&in);
    mote_guard_release(&out);
    bed_close(&b);
}
END_TEST

Suite *offsets_host_suite(void)
{
    Suite *suite = suite_create("offsets_host");
    TCase *all = tcase_create("offsets_host");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, arrays_of_the_host);
    tcase_add_test(all, sentences);
    tcase_add_test(all, host_arguments);
    tcase_add_test(all, device_arguments);
    tcase_add_test(all, prepared);
    suite_add_tcase(suite, all);
    return suite;
}
