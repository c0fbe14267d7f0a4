/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_segments() with bad offsets, and with too little memory. */
#include "testkit/cases/jagged/segments_run.h"
#include "common/suite.h"
#include "core/context.h"
#include "held.h"

#include <stdio.h>

/* The two forms, then other groups, tiles and items. */
static const char *const tunes[] = {
    "jagged.form=cpu,segments.items=13,segments.alone=4096",
    "jagged.form=gpu,segments.group=16,segments.tile=1024,segments.tiles=5,segments.alone=4096",
    "jagged.form=gpu,segments.group=128",
    "jagged.form=gpu,segments.alone=4096,segments.staged=1,segments.staged_group=16",
    "jagged.form=gpu,segments.alone=4096,segments.staged=3,segments.room=64",
};

#define TUNES (int)(sizeof(tunes) / sizeof(tunes[0]))

static void run(bed *b, mote_jagged_segments_trial *t, uint64_t seed, const char *label)
{
    char message[MESSAGE_SIZE];

    ck_assert(mote_jagged_segments_trial_fill(t, MOTE_SEGMENTS_PLAIN, seed));
    ck_assert_msg(mote_jagged_segments_trial_run(b->ctx, seed % 2 ? b->in_order : b->any_order, t,
                                                 message, sizeof(message)),
                  "%s: %s", label, message);
    mote_jagged_segments_trial_free(t);
}

static mote_jagged_segments_trial trial_of(mote_reduction reduction, mote_type index)
{
    return (mote_jagged_segments_trial){
        .what = {.type = MOTE_FLOAT32,
                 .reduction = reduction,
                 .result = mote_jagged_segments_result_type(reduction, MOTE_FLOAT32, index)}};
}

/* The lowest bad list is told, whichever way of validating is asked for. */
START_TEST(faults)
{
    char label[MESSAGE_SIZE];
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        for (mote_lists_fault fault = 0; fault < MOTE_FAULT_OVERLAP; fault++) {
            mote_type index = index_types[(k + fault) % 3];
            mote_jagged_segments_trial t =
                trial_of(k % 3 ? MOTE_REDUCE_SUM : MOTE_REDUCE_COUNT, index);

            t.validate = k % 2 ? MOTE_JAGGED_VALIDATE_FULL : MOTE_JAGGED_VALIDATE_DEFAULT;
            if (!mote_lists_case_make(mote_lists_case_at(k), index, k + 1, &t.lists))
                continue;
            bool near = t.lists.content < 1000000;

            snprintf(label, sizeof(label), "%s: %s, fault %d", tunes[_i],
                     mote_lists_case_at(k)->name, (int)fault);
            if (near && mote_case_lists_spoil(&t.lists, fault, k))
                run(&b, &t, k, label);
            else
                mote_case_lists_free(&t.lists);
        }
    bed_close(&b);
}
END_TEST

/* Offsets without any order. */
static void spoil_all(mote_case_lists *lists, uint64_t seed)
{
    mote_rng rng;

    mote_rng_seed(&rng, seed);
    for (size_t k = 0; k <= lists->count; k++) {
        int64_t value = mote_rng_between(&rng, -3, (int64_t)lists->content + 3);

        if (mote_rng_below(&rng, 4) == 0)
            value = (int64_t)mote_rng_next(&rng);
        if (mote_rng_below(&rng, 3) == 0)
            value = k % 2 ? (int64_t)lists->content : 0;
        mote_index_set(lists->offsets, lists->type, k, value);
    }
}

/* Offsets that end and begin at the same two places over and over. */
static void spoil_swing(mote_case_lists *lists, int64_t low, int64_t high)
{
    for (size_t k = 0; k <= lists->count; k++)
        mote_index_set(lists->offsets, lists->type, k, k % 2 ? high : low);
}

/* In each 1024 lists the same 32 elements over and over, in lists of 8. */
static void spoil_teeth(mote_case_lists *lists)
{
    for (size_t k = 0; k <= lists->count; k++)
        mote_index_set(lists->offsets, lists->type, k,
                       (int64_t)(k / 1024 * 64 + (k % 8 <= 4 ? k % 8 * 8 : 0)));
}

static void check_garbage(bed *b, size_t m, size_t n, uint64_t seed)
{
    mote_type index = index_types[seed % 3];
    mote_jagged_segments_trial t = trial_of(MOTE_REDUCE_SUM, index);
    char label[MESSAGE_SIZE];

    t.lists = (mote_case_lists){.type = index, .count = m, .content = n};
    t.lists.offsets = make_array(m + 1, MOTE_INT64);
    if (seed % 5 == 0)
        spoil_swing(&t.lists, 0, (int64_t)n);
    else if (seed % 5 == 1)
        spoil_swing(&t.lists, (int64_t)n / 2, (int64_t)n);
    else if (seed % 5 == 2)
        spoil_teeth(&t.lists);
    else
        spoil_all(&t.lists, seed);
    t.lists.status = mote_oracle_find_error(&t.lists, n, false, &t.lists.index);
    snprintf(label, sizeof(label), "garbage of %zu lists, %zu elements, seed %llu", m, n,
             (unsigned long long)seed);
    run(b, &t, seed, label);
}

/* They are told and the call ends, in a time that does not grow with lists times elements. */
START_TEST(garbage)
{
    static const size_t sizes[][2] = {{1, 1},       {2, 300},       {50, 7},
                                      {700, 5000},  {9000, 9000},   {70000, 500},
                                      {300, 70000}, {3000, 300000}, {2, 300000}};
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
        for (uint64_t seed = 0; seed < 15; seed++)
            check_garbage(&b, sizes[k][0], sizes[k][1], seed);
    bed_close(&b);
}
END_TEST

/* Offsets that pass the largest one and begin anew fall, though their differences are lengths. */
START_TEST(wrapping)
{
    const mote_type types[] = {MOTE_INT32, MOTE_UINT32};
    char label[MESSAGE_SIZE];
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < 4; k++) {
        mote_jagged_segments_trial t = trial_of(MOTE_REDUCE_SUM, types[k % 2]);
        int64_t most = mote_index_most(types[k % 2]);
        size_t m = 3 + 8 * (k / 2);

        t.what.base_first = true;
        t.validate = MOTE_JAGGED_VALIDATE_FULL;
        t.lists = (mote_case_lists){.type = types[k % 2], .count = m, .content = 4 * m};
        t.lists.offsets = make_array(m + 1, t.lists.type);
        for (size_t j = 0; j <= m; j++)
            mote_index_set(t.lists.offsets, t.lists.type, j,
                           (int64_t)(uint32_t)(most - 6 + 4 * (int64_t)j));
        t.lists.status = MOTE_ERROR_OFFSETS_NOT_MONOTONIC;
        t.lists.index = 1;
        snprintf(label, sizeof(label), "%s: %zu lists of %s that wrap", tunes[_i], m,
                 mote_type_name(t.lists.type));
        run(&b, &t, k, label);
    }
    bed_close(&b);
}
END_TEST

/* Lists of 5, but one of 3000 and 600 without elements, so that the group before a bound finds it
 * near and the one behind has to search for its other bound; the bad list lies between both answers
 * for that bound. */
START_TEST(searched_beside_guessed)
{
    mote_jagged_segments_trial t = trial_of(MOTE_REDUCE_SUM, MOTE_INT32);
    const size_t m = 20000, n = 100000;
    bed b;

    bed_open(&b, "jagged.form=gpu,segments.group=128,segments.tile=4096,segments.staged=0");
    t.validate = MOTE_JAGGED_VALIDATE_FULL;
    t.lists = (mote_case_lists){.type = MOTE_INT32, .count = m, .content = n};
    t.lists.offsets = make_array(m + 1, MOTE_INT32);
    for (size_t k = 0; k <= m; k++) {
        size_t at = 5 * k;

        if (k > 7000 && k < 7609)
            at = k < 7010 ? 38000 + 5 * (k - 7001) : 38045;
        mote_index_set(t.lists.offsets, MOTE_INT32, k, k == 6750 ? 34300 : (int64_t)at);
    }
    t.lists.status = MOTE_ERROR_OFFSETS_NOT_MONOTONIC;
    t.lists.index = 6750;
    run(&b, &t, 1, "a bound that is searched beside one that is guessed");
    bed_close(&b);
}
END_TEST

/* Lists of 50, of which one begins far outside of the values: so does a window. Nothing may be
 * copied from there. */
START_TEST(windows_from_anywhere)
{
    static const int64_t places[] = {INT32_MAX, -1 - INT32_MAX, (int64_t)1 << 29, -50};
    char label[MESSAGE_SIZE];
    bed b;

    bed_open(&b, "jagged.form=gpu,segments.staged=3,segments.window=1024");
    for (size_t k = 1; k < 64; k++) {
        mote_jagged_segments_trial t = trial_of(MOTE_REDUCE_SUM, MOTE_INT32);

        t.lists = (mote_case_lists){.type = MOTE_INT32, .count = 64, .content = 64 * 50};
        t.lists.offsets = make_array(t.lists.count + 1, MOTE_INT32);
        for (size_t j = 0; j <= t.lists.count; j++)
            mote_index_set(t.lists.offsets, MOTE_INT32, j,
                           j == k ? places[k % 4] : 50 * (int64_t)j);
        t.lists.status = mote_oracle_find_error(&t.lists, t.lists.content, false, &t.lists.index);
        snprintf(label, sizeof(label), "list %zu begins at %lld", k, (long long)places[k % 4]);
        run(&b, &t, k, label);
    }
    bed_close(&b);
}
END_TEST

/* Every other list has all values, so that each has all windows behind it. A launch that wrote them
 * for each list would take minutes. */
START_TEST(windows_behind_each_list)
{
    mote_jagged_segments_trial t = trial_of(MOTE_REDUCE_SUM, MOTE_INT32);
    const size_t m = 4000000, n = 20000000;
    bed b;

    bed_open(&b, "jagged.form=gpu,segments.staged=3,segments.window=256");
    t.lists = (mote_case_lists){.type = MOTE_INT32, .count = m, .content = n};
    t.lists.offsets = make_array(m + 1, MOTE_INT32);
    spoil_swing(&t.lists, 0, (int64_t)n);
    t.lists.status = mote_oracle_find_error(&t.lists, n, false, &t.lists.index);
    run(&b, &t, 1, "windows behind each list");
    bed_close(&b);
}
END_TEST

/* A workspace that is too small is refused before anything runs. */
START_TEST(small_workspace)
{
    mote_jagged_segments_trial t = trial_of(MOTE_REDUCE_SUM, MOTE_INT32);
    mote_jagged_segments_args args;
    size_t bytes = 0;
    bed b;

    bed_open(&b, tunes[_i]);
    mote_jagged_segments_args_init(&args);
    args.offsets = (mote_view){.count = 101, .type = MOTE_INT32};
    args.values = (mote_view){.count = 1000000, .type = MOTE_FLOAT32};
    args.result = (mote_view){.count = 100, .type = t.what.result};
    bed_ok(mote_jagged_segments_workspace_size(b.ctx, &args, &bytes));
    ck_assert_uint_gt(bytes, 64);
    mote_guard offsets = bed_array(&b, "offsets", MOTE_INT32, 101, NULL);
    mote_guard values = bed_array(&b, "values", MOTE_FLOAT32, 1000000, NULL);
    mote_guard result = bed_array(&b, "result", MOTE_FLOAT32, 100, NULL);
    mote_guard workspace = bed_array(&b, "workspace", MOTE_UINT32, bytes / 4 - 17, NULL);

    args.offsets = offsets.view;
    args.values = values.view;
    args.result = result.view;
    args.workspace = workspace.view;
    ck_assert_int_eq(mote_jagged_segments(b.ctx, b.in_order, &args, 0, NULL, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "workspace"));
    mote_guard_release(&offsets);
    mote_guard_release(&values);
    mote_guard_release(&result);
    mote_guard_release(&workspace);
    bed_close(&b);
}
END_TEST

/* Larger groups are wanted than 32 KiB of local memory hold: a launch that needs more is refused.
 */
START_TEST(little_local_memory)
{
    const mote_lists_case c = {"around 256", {MOTE_LENGTH_BOUNDARY, 40, 0, 256, 0}, 0, 0};
    bed b;

    bed_open(&b, "jagged.form=gpu,segments.group=1024,segments.staged=0");
    b.ctx->device.local_bytes = 32768;
    b.ctx->device.max_work_group = 1024;
    for (int k = 0; k < 2; k++) {
        mote_jagged_segments_trial t = trial_of(k ? MOTE_REDUCE_MAX : MOTE_REDUCE_MEAN, MOTE_INT64);

        ck_assert(mote_lists_case_make(&c, MOTE_INT64, 7, &t.lists));
        run(&b, &t, 7, "groups of 1024");
    }
    bed_close(&b);
}
END_TEST

Suite *segments_faults_suite(void)
{
    Suite *suite = suite_create("segments_faults");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    suite_split(forms, tuned, faults, 1, TUNES);
    suite_split(forms, tuned, garbage, 1, TUNES);
    suite_split(forms, tuned, wrapping, 1, TUNES);
    tcase_add_test(tuned, windows_behind_each_list);
    tcase_add_test(forms, searched_beside_guessed);
    tcase_add_test(tuned, windows_from_anywhere);
    tcase_add_test(tuned, little_local_memory);
    suite_split(forms, tuned, small_workspace, 1, TUNES);
    return suite;
}
