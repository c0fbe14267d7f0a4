/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_reduce() with bad offsets that a kernel could mistake for valid ones, and with too
 * little memory. */
#include "calls.h"
#include "common/suite.h"
#include "core/context.h"
#include "pending_call.h"

/* The two forms, then other sizes of groups, tiles and items. */
static const char *const tunes[] = {
    "jagged.form=cpu,jagged_reduce.items=13,jagged_reduce.single_group=4096",
    "jagged.form=gpu,jagged_reduce.group=16,jagged_reduce.tile=1024,jagged_reduce.tiles=5,jagged_"
    "reduce.alone=4096",
    "jagged.form=gpu,jagged_reduce.group=128",
    "jagged.form=gpu,jagged_reduce.single_group=4096,jagged_reduce.staged=1,jagged_reduce.staged_"
    "group=16",
    "jagged.form=gpu,jagged_reduce.single_group=4096,jagged_reduce.staged=3,jagged_reduce.staged_"
    "values=64",
};

#define TUNES (int)(sizeof(tunes) / sizeof(tunes[0]))

static trial_choices choose(mote_reduction reduction, mote_type index,
                            mote_jagged_validate validate)
{
    return call_reduce(MOTE_FLOAT32, reduction, false, MOTE_NAN_PROPAGATE, index, validate);
}

static void run(bed *b, mote_type index, size_t m, const int64_t *offsets, size_t n, uint64_t seed,
                const char *label)
{
    trial_choices choices = choose(MOTE_REDUCE_SUM, index, MOTE_JAGGED_VALIDATE_FULL);

    ck_assert(call_try_offsets(b, &trial_jagged_reduce, &choices, m, offsets, n, seed, label));
}

/* Offsets that wrap around decrease, although their differences are valid lengths. */
START_TEST(wrapping)
{
    const mote_type types[] = {MOTE_INT32, MOTE_UINT32};
    int64_t offsets[12];
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < 24; k++) {
        int64_t most = mote_index_most(types[k % 2]);
        size_t m = 3 + 8 * (k / 2 % 2);

        for (size_t j = 0; j <= m; j++)
            offsets[j] = (int64_t)(uint32_t)(most - 6 + 4 * (int64_t)j);
        run(&b, types[k % 2], m, offsets, 4 * m, k, "offsets that wrap");
    }
    bed_close(&b);
}
END_TEST

/* Lists of 5, except one of 3000 and 600 without elements, so that the group before a bound finds
 * it near its guess and the group after it has to search for its other bound; the bad list is
 * between both results for that bound. */
START_TEST(searched_beside_guessed)
{
    enum { LISTS = 20000, N = 100000 };
    int64_t *offsets = make_array(LISTS + 1, MOTE_INT64);
    bed b;

    bed_open(
        &b,
        "jagged.form=gpu,jagged_reduce.group=128,jagged_reduce.tile=4096,jagged_reduce.staged=0");
    for (size_t k = 0; k <= LISTS; k++) {
        size_t at = 5 * k;

        if (k > 7000 && k < 7609)
            at = k < 7010 ? 38000 + 5 * (k - 7001) : 38045;
        offsets[k] = k == 6750 ? 34300 : (int64_t)at;
    }
    run(&b, MOTE_INT32, LISTS, offsets, N, 1,
        "a bound that is searched beside one that is guessed");
    free(offsets);
    bed_close(&b);
}
END_TEST

/* Lists of 50, of which one begins far outside of the values, and so does a window. Nothing may be
 * copied from that position. */
START_TEST(windows_from_anywhere)
{
    enum { LISTS = 64 };
    static const int64_t places[] = {INT32_MAX, -1 - INT32_MAX, (int64_t)1 << 29, -50};
    int64_t offsets[LISTS + 1];
    bed b;

    bed_open(&b, "jagged.form=gpu,jagged_reduce.staged=3,jagged_reduce.window=1024");
    for (size_t k = 1; k < LISTS; k++) {
        trial_choices choices = choose(MOTE_REDUCE_SUM, MOTE_INT32, MOTE_JAGGED_VALIDATE_TOUCHED);

        for (size_t j = 0; j <= LISTS; j++)
            offsets[j] = j == k ? places[k % 4] : 50 * (int64_t)j;
        ck_assert(call_try_offsets(&b, &trial_jagged_reduce, &choices, LISTS, offsets, 50 * LISTS,
                                   k, "a list that begins outside"));
    }
    bed_close(&b);
}
END_TEST

/* Every other list has all values, so that all windows follow each of them. A launch that wrote
 * them for each list would take minutes. */
START_TEST(windows_behind_each_list)
{
    const size_t m = 4000000, n = 20000000;
    int64_t *offsets = make_array(m + 1, MOTE_INT64);
    bed b;

    bed_open(&b, "jagged.form=gpu,jagged_reduce.staged=3,jagged_reduce.window=256");
    for (size_t k = 0; k <= m; k++)
        offsets[k] = k % 2 ? (int64_t)n : 0;
    run(&b, MOTE_INT32, m, offsets, n, 1, "windows behind each list");
    free(offsets);
    bed_close(&b);
}
END_TEST

/* A workspace that is too small is refused before anything runs. */
START_TEST(small_workspace)
{
    mote_jagged_reduce_args args;
    size_t bytes = 0;
    bed b;

    bed_open(&b, tunes[_i]);
    mote_jagged_reduce_args_init(&args);
    args.offsets = (mote_view){.count = 101, .type = MOTE_INT32};
    args.values = (mote_view){.count = 1000000, .type = MOTE_FLOAT32};
    args.result = (mote_view){.count = 100, .type = MOTE_FLOAT32};
    bed_ok(mote_jagged_reduce_workspace_size(b.ctx, &args, &bytes));
    ck_assert_uint_gt(bytes, 64);
    mote_guard offsets = bed_array(&b, "offsets", MOTE_INT32, 101, NULL);
    mote_guard values = bed_array(&b, "values", MOTE_FLOAT32, 1000000, NULL);
    mote_guard result = bed_array(&b, "result", MOTE_FLOAT32, 100, NULL);
    mote_guard workspace = bed_array(&b, "workspace", MOTE_UINT32, bytes / 4 - 17, NULL);

    args.offsets = offsets.view;
    args.values = values.view;
    args.result = result.view;
    args.workspace = workspace.view;
    ck_assert_int_eq(mote_jagged_reduce(b.ctx, b.in_order, &args, 0, NULL, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "workspace"));
    mote_guard_release(&offsets);
    mote_guard_release(&values);
    mote_guard_release(&result);
    mote_guard_release(&workspace);
    bed_close(&b);
}
END_TEST

/* Groups larger than 32 KiB of local memory allow are requested: a launch that needs more is
 * rejected.
 */
START_TEST(little_local_memory)
{
    const mote_lists_case c = {"around 256", {MOTE_LENGTH_BOUNDARY, 40, 0, 256, 0}, 0, 0};
    bed b;

    bed_open(&b, "jagged.form=gpu,jagged_reduce.group=1024,jagged_reduce.staged=0");
    b.ctx->device.local_bytes = 32768;
    b.ctx->device.max_work_group = 1024;
    for (uint64_t k = 0; k < 2; k++) {
        trial_choices choices = choose(k ? MOTE_REDUCE_MAX : MOTE_REDUCE_MEAN, MOTE_INT64,
                                       MOTE_JAGGED_VALIDATE_TOUCHED);

        ck_assert(call_try(&b, &trial_jagged_reduce, &choices,
                           &(trial_lists_given){.shape = &c, .fault = -1}, k, false));
    }
    bed_close(&b);
}
END_TEST

Suite *reduce_faults_suite(void)
{
    Suite *suite = suite_create("reduce_faults");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_LONG);
    suite_split(forms, tuned, wrapping, 1, TUNES);
    tcase_add_test(tuned, windows_behind_each_list);
    tcase_add_test(forms, searched_beside_guessed);
    tcase_add_test(tuned, windows_from_anywhere);
    tcase_add_test(tuned, little_local_memory);
    suite_split(forms, tuned, small_workspace, 1, TUNES);
    return suite;
}
