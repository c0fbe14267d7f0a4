/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the generators and oracles, on which the other suites rely. */
#include "harness.h"

static int32_t offsets_of(mote_length_kind kind, size_t lists, double mean, int64_t size,
                          int32_t *offsets)
{
    mote_lengths how = {kind, lists, mean, size, 7};

    ck_assert(mote_lengths_fill(&how, MOTE_INT32, 0, offsets));
    return offsets[lists];
}

/* Sums of many lengths are near lists x mean; the same seed gives the same lengths. */
START_TEST(lengths_have_their_mean)
{
    static const struct {
        mote_length_kind kind;
        double mean, error;
    } rows[] = {{MOTE_LENGTH_POISSON, 0.1, 0.03}, {MOTE_LENGTH_POISSON, 1, 0.02},
                {MOTE_LENGTH_POISSON, 100, 0.01}, {MOTE_LENGTH_POWER, 20, 0.15},
                {MOTE_LENGTH_FILLED, 0.1, 0.03},  {MOTE_LENGTH_CONSTANT, 9, 0}};
    enum { LISTS = 100000 };
    int32_t *offsets = malloc((LISTS + 1) * sizeof(*offsets));
    int32_t *again = malloc((LISTS + 1) * sizeof(*again));

    ck_assert(offsets && again);
    for (size_t r = 0; r < sizeof(rows) / sizeof(rows[0]); r++) {
        double total = offsets_of(rows[r].kind, LISTS, rows[r].mean, 0, offsets);
        double expected = rows[r].mean * LISTS;

        ck_assert_double_le(total, expected * (1 + rows[r].error));
        ck_assert_double_ge(total, expected * (1 - rows[r].error));
        offsets_of(rows[r].kind, LISTS, rows[r].mean, 0, again);
        ck_assert_mem_eq(offsets, again, (LISTS + 1) * sizeof(*offsets));
    }
    free(offsets);
    free(again);
}
END_TEST

START_TEST(lengths_of_each_kind)
{
    int32_t o[12];

    ck_assert_int_eq(offsets_of(MOTE_LENGTH_SEED, 4, 0, 0, o), 11);
    ck_assert_int_eq(o[2], 5);
    ck_assert_int_eq(offsets_of(MOTE_LENGTH_PRIMES, 7, 0, 11, o), 2 + 3 + 5 + 7 + 11 + 2 + 3);
    ck_assert_int_eq(offsets_of(MOTE_LENGTH_TWO_HUGE, 9, 0, 50, o), 100);
    ck_assert_int_eq(o[8], 50);
    ck_assert_int_eq(offsets_of(MOTE_LENGTH_ALTERNATE, 5, 3, 0, o), 9);
    ck_assert_int_eq(o[2], 3);
    ck_assert_int_eq(offsets_of(MOTE_LENGTH_LEAD, 11, 40, 9, o), o[11]);
    ck_assert_int_eq(o[9], 0);
    ck_assert_int_gt(o[10], 0);
    offsets_of(MOTE_LENGTH_TRAIL, 11, 40, 9, o);
    ck_assert_int_eq(o[2], o[11]);
    offsets_of(MOTE_LENGTH_ENDS, 11, 40, 4, o);
    ck_assert_int_eq(o[4], 0);
    ck_assert_int_eq(o[7], o[11]);
    mote_lengths how = {MOTE_LENGTH_CONSTANT, 3, 800000000, 0, 1};

    ck_assert(!mote_lengths_fill(&how, MOTE_INT32, 0, o));
    ck_assert(mote_lengths_fill(&how, MOTE_UINT32, 0, o));
}
END_TEST

/* Every case of the table, in each type that can hold it, is valid in both forms, and counts,
 * parents and offsets can be converted to each other. */
START_TEST(cases_are_valid)
{
    mote_type type = index_types[_i];
    uint32_t index = 0;

    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        mote_case_lists lists, spans;

        if (!mote_lists_case_make(mote_lists_case_at(k), type, k + 1, &lists))
            continue;
        size_t m = lists.count, n = mote_case_lists_elements(&lists);
        void *parents = malloc((n + 1) * sizeof(int64_t));
        void *counts = malloc((m + 1) * sizeof(int64_t));
        void *offsets = malloc((m + 1) * sizeof(int64_t));
        void *again = malloc((m + 1) * sizeof(int64_t));

        ck_assert(parents && counts && offsets && again);
        ck_assert_int_eq(mote_oracle_find_error(&lists, lists.content, false, &index), 0);
        ck_assert(mote_case_lists_scatter(&lists, k + 1, &spans));
        ck_assert_int_eq(mote_oracle_find_error(&spans, spans.content, true, &index), 0);
        ck_assert_uint_eq(mote_case_lists_elements(&spans), n);
        mote_case_lists_free(&spans);
        ck_assert(mote_case_lists_split(&lists, &spans));
        ck_assert_int_eq(mote_oracle_find_error(&spans, spans.content, false, &index), 0);
        ck_assert_uint_eq(mote_case_lists_elements(&spans), n);
        mote_oracle_counts(&lists, counts);
        bed_ok(mote_oracle_offsets_from_counts(type, m, counts, offsets, &index));
        mote_oracle_parents(&lists, false, n, parents);
        bed_ok(mote_oracle_offsets_from_parents(type, n, parents, m, again, &index));
        ck_assert_mem_eq(offsets, again, (m + 1) * mote_type_size(type));
        ck_assert_int_eq(mote_index_get(offsets, type, m), (int64_t)n);
        free(parents);
        free(counts);
        free(offsets);
        free(again);
        mote_case_lists_free(&lists);
        mote_case_lists_free(&spans);
    }
}
END_TEST

static unsigned check_faults(mote_case_lists *lists, mote_lists_fault fault, uint64_t seed)
{
    uint32_t index = 0;

    if (!mote_case_lists_spoil(lists, fault, seed))
        return 0;
    mote_status status =
        mote_oracle_find_error(lists, lists->content, lists->starts != NULL, &index);

    ck_assert_int_eq(status, lists->status);
    ck_assert_uint_eq(index, lists->index);
    return 1;
}

/* The oracle finds each error at its position; every error occurs in every type that can have it.
 */
START_TEST(faults_are_found)
{
    mote_type type = index_types[_i];

    for (mote_lists_fault fault = 0; fault < MOTE_FAULTS; fault++) {
        unsigned by_offsets = 0, by_spans = 0;

        for (size_t k = 0; k < mote_lists_case_count(); k++) {
            mote_case_lists lists, spans;

            if (!mote_lists_case_make(mote_lists_case_at(k), type, k + 1, &lists))
                continue;
            ck_assert(mote_case_lists_scatter(&lists, k + 1, &spans));
            by_offsets += check_faults(&lists, fault, k);
            by_spans += check_faults(&spans, fault, k);
            mote_case_lists_free(&lists);
            mote_case_lists_free(&spans);
        }
        bool possible = type != MOTE_UINT32 || fault != MOTE_FAULT_NEGATIVE;

        ck_assert_int_eq(by_spans > 10, possible);
        ck_assert_int_eq(by_offsets > 10, possible && fault != MOTE_FAULT_OVERLAP);
    }
}
END_TEST

/* Tests a known example of each oracle: lists 1 2, none, 3 4 5 of a content that begins at 1. */
START_TEST(oracles_by_hand)
{
    int32_t offsets[] = {1, 3, 3, 6}, out[8], first[8], second[8];
    const int32_t parents[] = {-1, 0, 0, 2, 2, 2, -1}, index[] = {0, 1, 0, 1, 2, -1};
    const int32_t pair_offsets[] = {0, 1, 1, 4}, pair_first[] = {1, 3, 3, 4};
    const int32_t pair_second[] = {2, 4, 5, 5}, kept_offsets[] = {0, 1, 1, 3}, kept[] = {2, 3, 5};
    const float values[] = {9, 0, 1, 2, -0.0f, 4, 9};
    mote_case_lists lists = {.type = MOTE_INT32, .count = 3, .offsets = offsets, .content = 7};

    const mote_case_lists *const twice[] = {&lists, &lists};
    void *const found[] = {first, second};

    mote_oracle_parents(&lists, true, 7, out);
    ck_assert_mem_eq(out, parents, sizeof(parents));
    mote_oracle_parents(&lists, false, 6, out);
    ck_assert_mem_eq(out, parents + 1, 6 * sizeof(int32_t));
    mote_oracle_local_index(&lists, 6, out);
    ck_assert_mem_eq(out, index, sizeof(index));
    ck_assert_uint_eq(mote_oracle_combinations(twice, false, 2, out, found, 8), 4);
    ck_assert_mem_eq(out, pair_offsets, sizeof(pair_offsets));
    ck_assert_mem_eq(first, pair_first, sizeof(pair_first));
    ck_assert_mem_eq(second, pair_second, sizeof(pair_second));
    ck_assert_uint_eq(mote_oracle_combinations(twice, true, 2, out, found, 2), 13);
    ck_assert_int_eq(out[3], 13);
    ck_assert(first[1] == 1 && second[1] == 2);
    ck_assert_uint_eq(mote_oracle_nonzero(&lists, values, MOTE_FLOAT32, out, first, 8), 3);
    ck_assert_mem_eq(out, kept_offsets, sizeof(kept_offsets));
    ck_assert_mem_eq(first, kept, sizeof(kept));
    mote_oracle_gather(&lists, "abc", 1, out);
    ck_assert_mem_eq(out, "aaccc", 5);
}
END_TEST

Suite *cases_suite(void)
{
    Suite *suite = suite_create("cases");
    TCase *t = tcase_create("cases");

    tcase_set_timeout(t, 0);
    tcase_add_test(t, lengths_have_their_mean);
    tcase_add_test(t, lengths_of_each_kind);
    tcase_add_loop_test(t, cases_are_valid, 0, 3);
    tcase_add_loop_test(t, faults_are_found, 0, 3);
    tcase_add_test(t, oracles_by_hand);
    suite_add_tcase(suite, t);
    return suite;
}
