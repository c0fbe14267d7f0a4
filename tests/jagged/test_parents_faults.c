/* SPDX-License-Identifier: Apache-2.0 */
/* Bad offsets: the lowest bad list is told, and nothing beside the views is touched. */
#include "common/suite.h"
#include "labels.h"

#include <stdio.h>

/* The two forms, then other groups, tiles and items. */
static const char *const tunes[] = {
    "jagged.form=cpu,jagged.items=61",
    "jagged.form=gpu",
    "jagged.form=gpu,jagged.tile=100,jagged.tiles=3",
    "jagged.form=gpu,jagged.variant=2",
    "jagged.form=gpu,jagged.variant=2,jagged.near=1,jagged.tile=60",
    "jagged.form=gpu,jagged.variant=3",
    "jagged.form=gpu,jagged.variant=4",
    "jagged.form=gpu,jagged.variant=3,jagged.group=36,jagged.tile=8",
    "jagged.form=gpu,jagged.group=36,jagged.tile=2016,jagged.tiles=15",
};

#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

static const mote_jagged_strategy strategies[] = {MOTE_JAGGED_BALANCED, MOTE_JAGGED_SEARCH,
                                                  MOTE_JAGGED_EVENT};

/* One fault in case k: with every offset looked at it is found, else nothing happens. */
static void check_fault(bed *b, size_t k, mote_type type, mote_lists_fault fault,
                        mote_jagged_strategy strategy)
{
    labels_call how = {.strategy = strategy, .full = true, .shift = k % 3};
    mote_case_lists lists;
    char name[MESSAGE_SIZE];

    if (!mote_lists_case_make(mote_lists_case_at(k), type, k + 1, &lists))
        return;
    how.count = mote_case_lists_elements(&lists);
    if (lists.content < 1000000 && k % 2) {
        how.absolute = true;
        how.count = lists.content;
    }
    how.local_index = !how.absolute && k % 4 == 0;
    if (how.count && mote_case_lists_spoil(&lists, fault, k)) {
        if (how.absolute)
            how.count = lists.content;
        snprintf(name, sizeof(name), "%s, %s, fault %d, strategy %d", mote_lists_case_at(k)->name,
                 mote_type_name(type), (int)fault, (int)strategy);
        labels_check_fault(b, b->in_order, &lists, &how, lists.status, &lists.index, name);
        how.full = false;
        labels_check_fault(b, b->any_order, &lists, &how, 0, NULL, name);
    }
    mote_case_lists_free(&lists);
}

START_TEST(faults)
{
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        for (mote_lists_fault fault = 0; fault < MOTE_FAULT_OVERLAP; fault++)
            for (size_t s = 0; s < 3; s++)
                check_fault(&b, k, index_types[(k + s) % 3], fault, strategies[s]);
    bed_close(&b);
}
END_TEST

/* One element too few of the output: as many as needed are told, and those that fit are right. */
START_TEST(capacity)
{
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        labels_call how = {.strategy = strategies[k % 3], .fewer = 1 + k % 40};
        const mote_lists_case *c = mote_lists_case_at(k);
        mote_case_lists lists;

        if (!mote_lists_case_make(c, index_types[_i % 3], k, &lists))
            continue;
        uint32_t needed = (uint32_t)mote_case_lists_elements(&lists);

        how.full = k % 2;
        if (needed)
            labels_check_fault(&b, b.in_order, &lists, &how, MOTE_ERROR_CAPACITY, &needed, c->name);
        mote_case_lists_free(&lists);
    }
    bed_close(&b);
}
END_TEST

/* Offsets without any order, of all sizes: they are told with every offset looked at, and the call
 * ends. */
static void check_garbage(bed *b, mote_type type, size_t m, size_t n, uint64_t seed)
{
    mote_case_lists lists = {.type = type, .count = m, .content = n};
    uint32_t index = 0;
    mote_rng rng;
    char name[MESSAGE_SIZE];

    mote_rng_seed(&rng, seed);
    lists.offsets = malloc((m + 1) * sizeof(int64_t));
    ck_assert_ptr_nonnull(lists.offsets);
    for (size_t k = 0; k <= m; k++) {
        int64_t value = mote_rng_between(&rng, -3, (int64_t)n + 3);

        if (mote_rng_below(&rng, 4) == 0)
            value = (int64_t)mote_rng_next(&rng);
        if (mote_rng_below(&rng, 3) == 0)
            value = k % 2 ? (int64_t)n : 0;
        mote_index_set(lists.offsets, type, k, value);
    }
    for (unsigned turn = 0; turn < 12; turn++) {
        labels_call how = {.strategy = strategies[turn % 3],
                           .absolute = turn / 3 % 2,
                           .full = turn / 6,
                           .count = n,
                           .shift = turn % 2};
        mote_status status = mote_oracle_find_error(&lists, n, false, &index);

        snprintf(name, sizeof(name), "garbage of %s, %zu lists, %zu elements, turn %u",
                 mote_type_name(type), m, n, turn);
        how.local_index = !how.absolute && turn % 2;
        labels_check_fault(b, b->in_order, &lists, &how, status, how.full && status ? &index : NULL,
                           name);
    }
    free(lists.offsets);
}

START_TEST(garbage)
{
    static const size_t sizes[][2] = {{1, 1},       {2, 300},     {50, 7},     {700, 5000},
                                      {9000, 9000}, {70000, 500}, {300, 70000}};
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
        for (size_t t = 0; t < 3; t++)
            check_garbage(&b, index_types[t], sizes[k][0], sizes[k][1], 100 * k + t);
    bed_close(&b);
}
END_TEST

Suite *parents_faults_suite(void)
{
    Suite *suite = suite_create("parents_faults");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    suite_split(forms, tuned, faults, 1, TUNES);
    suite_split(forms, tuned, capacity, 1, TUNES);
    suite_split(forms, tuned, garbage, 1, TUNES);
    return suite;
}
