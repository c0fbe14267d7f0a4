/* SPDX-License-Identifier: Apache-2.0 */
/* Counts and parents of many lists, and counts that the type of offsets cannot add up. */
#include "common/suite.h"
#include "pending_call.h"

/* The two forms, then other sizes of groups, tiles and items. */
static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=gpu,jagged.group=64,reduce.scan_group=64,reduce.scan_one_group=0",
    ("jagged.form=gpu,jagged.group=48,reduce.scan_group=48,reduce.scan_one_group=0,"
     "jagged.from_parents_span=20,jagged.from_parents_mean=0"),
    "jagged.form=gpu,jagged.variant=3,jagged.from_parents_mean=1000000",
    "jagged.form=gpu,jagged.variant=2,jagged.interpolate=1,jagged.from_parents_mean=1000000",
    "jagged.form=gpu,jagged.variant=4,jagged.from_parents_mean=1000000",
    "jagged.form=gpu,jagged.variant=3,jagged.from_parents_mean=1000000,jagged.group=36,jagged.tile="
    "8",
    "jagged.form=gpu,jagged.from_parents_mean=1000000,jagged.group=36,jagged.tile=100",
};

#define FORMS 2
#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

static void check_from_counts(bed *b, cl_command_queue queue, mote_type type, size_t m,
                              const void *counts, bool workspace, const char *label)
{
    uint32_t index = 0;
    void *expected = make_array(m + 1, type);
    mote_status status = mote_oracle_offsets_from_counts(type, m, counts, expected, &index);
    mote_guard in = bed_array(b, "counts", type, m, counts), scratch = {0};
    mote_guard out = bed_array(b, "offsets", type, m + 1, NULL);
    mote_jagged_offsets_from_counts_args args;
    held h;

    mote_jagged_offsets_from_counts_args_init(&args);
    held_begin(b, &h);
    args.counts = in.view;
    args.offsets = out.view;
    HELD_ERROR(&h, &args);
    if (workspace) {
        size_t bytes = 0;

        bed_ok(mote_jagged_offsets_from_counts_workspace_size(b->ctx, &args, &bytes));
        scratch = held_workspace(b, bytes);
        args.workspace = scratch.view;
    }
    held_run(b, &h, mote_jagged_offsets_from_counts(b->ctx, queue, &args, 1, &h.gate, &h.done),
             status, index, label);
    bed_unchanged(b, &in, counts, h.done, label);
    if (workspace)
        held_margins(b, &h, &scratch, label);
    held_expect(b, &h, &out, expected, status, label);
    held_end(&h);
    free(expected);
}

static void check_from_parents(bed *b, cl_command_queue queue, mote_type type, size_t n,
                               const void *parents, size_t m, const char *label)
{
    uint32_t index = 0;
    void *expected = make_array(m + 1, type);
    mote_status status = mote_oracle_offsets_from_parents(type, n, parents, m, expected, &index);
    mote_guard in = bed_array(b, "parents", type, n, parents);
    mote_guard out = bed_array(b, "offsets", type, m + 1, NULL);
    mote_jagged_offsets_from_parents_args args;
    held h;

    mote_jagged_offsets_from_parents_args_init(&args);
    held_begin(b, &h);
    args.parents = in.view;
    args.offsets = out.view;
    HELD_ERROR(&h, &args);
    held_run(b, &h, mote_jagged_offsets_from_parents(b->ctx, queue, &args, 1, &h.gate, &h.done),
             status, index, label);
    bed_unchanged(b, &in, parents, h.done, label);
    held_expect(b, &h, &out, expected, status, label);
    held_end(&h);
    free(expected);
}

/* Tests millions of lists without elements between two labels, at the beginning and the end. */
START_TEST(huge_gaps)
{
    enum { LISTS = 3000000, MOST = 200000 };
    static const int32_t few[] = {0, 1, 1, 999999, 1000001, 2500000, 2500000, LISTS - 1};
    int32_t *many = make_array(MOST, MOTE_INT32);
    bed b;

    bed_open(&b, tunes[_i]);
    check_from_parents(&b, b.any_order, MOTE_INT32, 8, few, LISTS, "few");
    check_from_parents(&b, b.in_order, MOTE_INT32, 4, few + 3, LISTS, "few, none at the ends");
    check_from_parents(&b, b.in_order, MOTE_INT32, 0, few, LISTS, "none");
    for (size_t i = 0; i < MOST; i++)
        many[i] = i < MOST - 90 ? 77 : LISTS - 2000 + (int32_t)(i - (MOST - 90)) * 22;
    check_from_parents(&b, b.any_order, MOTE_INT32, MOST, many, LISTS, "one huge");
    for (size_t i = 0; i < MOST; i++)
        many[i] = (int32_t)(i / 3) * 45;
    check_from_parents(&b, b.any_order, MOTE_INT32, MOST, many, LISTS, "45 apart");
    for (size_t i = 0; i < MOST; i++)
        many[i] = (int32_t)(i / 60) * 900;
    check_from_parents(&b, b.any_order, MOTE_INT32, MOST, many, LISTS, "900 apart");
    free(many);
    bed_close(&b);
}
END_TEST

/* Tests tiles with lengths that are stored as bytes and others that are not, three or six rows per
 * tile, and more tiles than one work-group scans. */
START_TEST(many_tiles)
{
    static const char *const groups[] = {
        "jagged.form=gpu,reduce.scan_one_group=0",
        "jagged.form=gpu,reduce.scan_group=16,reduce.scan_one_group=0",
        "jagged.form=gpu,reduce.scan_group=4096,reduce.scan_one_group=0",
    };
    static const size_t sizes[] = {13000, 200003, ((size_t)1 << 20) + 77};
    mote_rng rng;
    bed b;

    bed_open(&b, groups[_i]);
    mote_rng_seed(&rng, fresh_seed());
    for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
        mote_type type = index_types[s];
        void *counts = make_array(sizes[s], type);

        for (size_t k = 0; k < sizes[s]; k++)
            mote_index_set(counts, type, k, mote_rng_below(&rng, k / 3000 % 3 ? 256 : 259));
        check_from_counts(&b, b.in_order, type, sizes[s], counts, s % 2, "many tiles");
        free(counts);
    }
    bed_close(&b);
}
END_TEST

static int64_t most_of(mote_type type)
{
    return mote_index_most(type);
}

/* The first list whose end the type cannot represent is reported, whatever lists follow it. */
START_TEST(overflow)
{
    enum { M = 20000 };
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    mote_type type = index_types[TURN_TYPE(_i)];
    void *counts = make_array(M, type);

    for (size_t k = 0; k < M; k++)
        mote_index_set(counts, type, k, most_of(type) / M);
    check_from_counts(&b, b.in_order, type, M, counts, true, "fits");
    if (type == MOTE_INT64) /* overflow beyond 2^63 is unspecified */
        mote_index_set(counts, type, M - 1, most_of(type) % M + most_of(type) / M);
    else
        mote_index_set(counts, type, 12345, most_of(type));
    check_from_counts(&b, b.any_order, type, M, counts, false, "beyond, or all there is");
    memset(counts, 0, M * mote_type_size(type));
    mote_index_set(counts, type, 7777, most_of(type));
    check_from_counts(&b, b.any_order, type, M, counts, false, "all of it");
    if (type != MOTE_INT64) {
        mote_index_set(counts, type, 9000, 1);
        check_from_counts(&b, b.any_order, type, M, counts, false, "one more");
        for (size_t k = 0; k < M; k++)
            mote_index_set(counts, type, k, most_of(type));
        check_from_counts(&b, b.any_order, type, M, counts, false, "all too many");
    }
    free(counts);
    bed_close(&b);
}
END_TEST

Suite *offsets_suite(void)
{
    Suite *suite = suite_create("offsets");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    suite_split(forms, tuned, huge_gaps, FORMS, TUNES);
    split_types(forms, tuned, overflow, TUNES);
    suite_split(forms, tuned, many_tiles, 1, 3);
    return suite;
}
