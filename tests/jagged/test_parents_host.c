/* SPDX-License-Identifier: Apache-2.0 */
/* Parents and local indices of plain arrays, and their sentences. */
#include "harness.h"

static mote_jagged_parents_host_args args_of(const mote_case_lists *lists, void *out, size_t n)
{
    mote_jagged_parents_host_args args;

    mote_jagged_parents_host_args_init(&args);
    args.type = lists->type;
    args.lists = lists->count;
    args.offsets = lists->offsets;
    args.starts = lists->starts;
    args.stops = lists->stops;
    args.out = out;
    args.n = n;
    return args;
}

static void check_lists(bed *b, mote_host *host, const mote_case_lists *lists, const char *name)
{
    size_t n = lists->offsets ? mote_case_lists_elements(lists) : lists->content;
    size_t bytes = n * mote_type_size(lists->type);
    void *out = malloc(bytes + 1), *expected = malloc(bytes + 1);

    ck_assert(out && expected);
    mote_jagged_parents_host_args args = args_of(lists, out, n);

    args.content_length = lists->offsets ? lists->content : 0;
    mote_oracle_parents(lists, !lists->offsets, n, expected);
    bed_ok(mote_jagged_parents_host(b->ctx, host, &args));
    ck_assert_msg(bytes == 0 || memcmp(out, expected, bytes) == 0, "%s: parents differ", name);
    if (lists->offsets) {
        mote_oracle_local_index(lists, n, expected);
        bed_ok(mote_jagged_local_index_host(b->ctx, host, &args));
        ck_assert_msg(bytes == 0 || memcmp(out, expected, bytes) == 0, "%s: indices differ", name);
    }
    free(out);
    free(expected);
}

START_TEST(all_cases)
{
    mote_host *host = NULL;
    bed b;

    bed_open(&b, NULL);
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        mote_case_lists lists, spans;
        const char *name = mote_lists_case_at(k)->name;

        if (!mote_lists_case_make(mote_lists_case_at(k), index_types[k % 3], k, &lists))
            continue;
        ck_assert(mote_case_lists_scatter(&lists, k, &spans));
        check_lists(&b, k % 5 ? host : NULL, &lists, name);
        check_lists(&b, k % 5 ? host : NULL, &spans, name);
        mote_case_lists_free(&lists);
        mote_case_lists_free(&spans);
    }
    mote_host_release(host);
    bed_close(&b);
}
END_TEST

/* An error, and the words of its sentence. */
typedef struct sentence {
    int32_t offsets[5], starts[4], stops[4];
    bool spans;
    size_t n;
    uint32_t absolute;
    size_t content_length;
    mote_status status;
    const char *words;
} sentence;

static const sentence sentences[] = {
    {.offsets = {0, 4, 9, 5, 9},
     .n = 9,
     .status = MOTE_ERROR_OFFSETS_NOT_MONOTONIC,
     .words = "list 2: offsets[3] = 5 < offsets[2] = 9"},
    {.offsets = {-3, 4, 9, 9, 9},
     .n = 12,
     .status = MOTE_ERROR_OFFSETS_NEGATIVE,
     .words = "list 0: offsets[0] = -3 is negative"},
    {.offsets = {0, 4, 4, 12, 14},
     .n = 11,
     .absolute = 1,
     .status = MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
     .words = "list 2: offsets[3] = 12 is beyond the content, which has 11 elements"},
    {.offsets = {2, 4, 4, 12, 14},
     .n = 12,
     .content_length = 13,
     .status = MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
     .words = "list 3: offsets[4] = 14 is beyond the content, which has 13 elements"},
    {.offsets = {2, 4, 4, 12, 14},
     .n = 11,
     .status = MOTE_ERROR_CAPACITY,
     .words = "must have room for 12 elements"},
    {.spans = true,
     .starts = {0, 7, -1, 3},
     .stops = {2, 9, 2, 4},
     .n = 10,
     .status = MOTE_ERROR_OFFSETS_NEGATIVE,
     .words = "list 2: starts[2] = -1 is negative"},
    {.spans = true,
     .starts = {0, 7, 3, 3},
     .stops = {2, 9, 2, 4},
     .n = 10,
     .status = MOTE_ERROR_STOP_BEFORE_START,
     .words = "list 2: stops[2] = 2 < starts[2] = 3"},
    {.spans = true,
     .starts = {0, 7, 90, 3},
     .stops = {2, 11, 90, 4},
     .n = 10,
     .status = MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
     .words = "list 1: stops[1] = 11 is beyond the content, which has 10 elements"},
    {.spans = true,
     .starts = {4, 7, 5, 6},
     .stops = {4, 9, 5, 8},
     .n = 10,
     .status = MOTE_ERROR_OVERLAP,
     .words =
         "list 3: starts[3] = 6 to stops[3] = 8 overlaps list 1: starts[1] = 7 to stops[1] = 9"},
};

START_TEST(sentences_of_faults)
{
    const sentence *s = &sentences[_i];
    mote_jagged_parents_host_args args;
    int32_t out[16];
    bed b;

    bed_open(&b, NULL);
    mote_jagged_parents_host_args_init(&args);
    args.type = MOTE_INT32;
    args.lists = 4;
    args.offsets = s->spans ? NULL : s->offsets;
    args.starts = s->spans ? s->starts : NULL;
    args.stops = s->spans ? s->stops : NULL;
    args.out = out;
    args.n = s->n;
    args.absolute = s->absolute;
    args.content_length = s->content_length;
    for (args.strategy = MOTE_JAGGED_AUTO; args.strategy <= MOTE_JAGGED_BALANCED; args.strategy++) {
        if (s->spans && args.strategy == MOTE_JAGGED_SEARCH)
            continue;
        ck_assert_int_eq(mote_jagged_parents_host(b.ctx, NULL, &args), s->status);
        ck_assert_msg(strstr(mote_last_error(), s->words), "\"%s\" is not in \"%s\"", s->words,
                      mote_last_error());
        if (s->spans || s->absolute)
            continue;
        ck_assert_int_eq(mote_jagged_local_index_host(b.ctx, NULL, &args), s->status);
        ck_assert_msg(strstr(mote_last_error(), s->words), "\"%s\" is not in \"%s\"", s->words,
                      mote_last_error());
    }
    bed_close(&b);
}
END_TEST

/* Tests overlaps that are not checked. */
START_TEST(overlap_ignored)
{
    const int32_t starts[] = {0, 2, 1}, stops[] = {3, 5, 3}, expected[] = {0, 2, 2, 1, 1, -1};
    const mote_case_lists lists = {
        .type = MOTE_INT32, .count = 3, .starts = (void *)starts, .stops = (void *)stops};
    int32_t out[6];
    bed b;

    bed_open(&b, NULL);
    mote_jagged_parents_host_args args = args_of(&lists, out, 6);

    ck_assert_int_eq(mote_jagged_parents_host(b.ctx, NULL, &args), MOTE_ERROR_OVERLAP);
    args.overlap = MOTE_JAGGED_OVERLAP_IGNORE;
    bed_ok(mote_jagged_parents_host(b.ctx, NULL, &args));
    ck_assert_mem_eq(out, expected, sizeof(expected));
    bed_close(&b);
}
END_TEST

static void refused(bed *b, const mote_jagged_parents_host_args *args, bool local_index,
                    mote_status status, const char *words)
{
    mote_status got = local_index ? mote_jagged_local_index_host(b->ctx, NULL, args)
                                  : mote_jagged_parents_host(b->ctx, NULL, args);

    ck_assert_msg(got == status && strstr(mote_last_error(), words), "%s: %s, not \"%s\"",
                  mote_status_name(got), mote_last_error(), words);
}

START_TEST(refusals)
{
    int32_t offsets[3] = {0, 1, 2}, out[2];
    const mote_case_lists lists = {.type = MOTE_INT32, .count = 2, .offsets = offsets};
    bed b;

    bed_open(&b, NULL);
    const mote_jagged_parents_host_args good = args_of(&lists, out, 2);
    mote_jagged_parents_host_args bad = good;

    bad.type = MOTE_FLOAT32;
    refused(&b, &bad, false, MOTE_ERROR_INVALID_TYPE, "type is float32");
    bad = good;
    bad.lists = (size_t)1 << 31;
    refused(&b, &bad, true, MOTE_ERROR_UNSUPPORTED, "fewer than 2^31");
    bad = good;
    bad.n = SIZE_MAX;
    refused(&b, &bad, false, MOTE_ERROR_INVALID_ARGUMENT, "exceeds all memory");
    bad = good;
    bad.out = NULL;
    refused(&b, &bad, true, MOTE_ERROR_INVALID_ARGUMENT, "out is NULL");
    bad = good;
    bad.starts = offsets;
    refused(&b, &bad, false, MOTE_ERROR_INVALID_ARGUMENT, "not both");
    refused(&b, &bad, true, MOTE_ERROR_INVALID_ARGUMENT, "it takes offsets");
    bad.offsets = NULL;
    refused(&b, &bad, false, MOTE_ERROR_INVALID_ARGUMENT, "stops is NULL");
    bad.starts = NULL;
    refused(&b, &bad, false, MOTE_ERROR_INVALID_ARGUMENT, "offsets is NULL");
    refused(&b, &bad, true, MOTE_ERROR_INVALID_ARGUMENT, "offsets is NULL");
    bad.starts = bad.stops = offsets;
    bad.strategy = MOTE_JAGGED_SEARCH;
    refused(&b, &bad, false, MOTE_ERROR_INVALID_ARGUMENT, "strategy search needs lists in order");
    bad = good;
    bad.size = 0;
    refused(&b, &bad, false, MOTE_ERROR_INVALID_STRUCT, "mote_jagged_parents_host_args_init");
    ck_assert_int_eq(mote_jagged_parents_host(NULL, NULL, &good), MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_jagged_parents_host(b.ctx, NULL, NULL), MOTE_ERROR_INVALID_ARGUMENT);
    bad = good;
    bad.offsets = NULL;
    bad.lists = 0;
    bad.n = 0;
    bad.out = NULL;
    bed_ok(mote_jagged_parents_host(b.ctx, NULL, &bad));
    bed_close(&b);
}
END_TEST

Suite *parents_host_suite(void)
{
    Suite *suite = suite_create("parents_host");
    TCase *t = tcase_create("parents_host");

    tcase_set_timeout(t, 0);
    tcase_add_test(t, all_cases);
    tcase_add_loop_test(t, sentences_of_faults, 0, sizeof(sentences) / sizeof(sentences[0]));
    tcase_add_test(t, overlap_ignored);
    tcase_add_test(t, refusals);
    suite_add_tcase(suite, t);
    return suite;
}
