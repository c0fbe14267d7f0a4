/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_parents() from starts and stops: lists in any order, with gaps, in each other's way.
 */
#include "common/suite.h"
#include "labels.h"

#include <stdio.h>

/* The two forms, then other groups, tiles and items. */
static const char *const tunes[] = {
    NULL,
    "jagged.form=gpu",
    "jagged.form=cpu,jagged.items=1",
    "jagged.form=cpu,jagged.items=13",
};

#define FORMS 2
#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

static const mote_jagged_strategy strategies[] = {MOTE_JAGGED_AUTO, MOTE_JAGGED_EVENT,
                                                  MOTE_JAGGED_BALANCED};

static bool make_spans(size_t k, mote_type type, mote_case_lists *spans)
{
    mote_case_lists lists;

    if (!mote_lists_case_make(mote_lists_case_at(k), type, k + 7, &lists))
        return false;
    ck_assert(mote_case_lists_scatter(&lists, k + 1, spans));
    mote_case_lists_free(&lists);
    return true;
}

/* Lists that share nothing: the same with and without looking for it. */
START_TEST(scattered)
{
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        for (size_t t = 0; t < 3; t++) {
            labels_call how = {.strategy = strategies[(k + t) % 3],
                               .check_overlap = (k + t) % 2,
                               .shift = k % 4,
                               .gate = k % 7 == 3,
                               .workspace = k % 3 == 1};
            mote_case_lists spans;

            if (!make_spans(k, index_types[t], &spans))
                continue;
            labels_check(&b, k % 2 ? b.in_order : b.any_order, &spans, &how,
                         mote_lists_case_at(k)->name);
            mote_case_lists_free(&spans);
        }
    bed_close(&b);
}
END_TEST

START_TEST(faults)
{
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < mote_lists_case_count(); k++)
        for (mote_lists_fault fault = 0; fault < MOTE_FAULTS; fault++) {
            labels_call how = {.check_overlap = true, .shift = k % 2};
            mote_case_lists spans;

            if (!make_spans(k, index_types[(k + fault) % 3], &spans))
                continue;
            if (mote_case_lists_spoil(&spans, fault, k))
                labels_check_fault(&b, b.in_order, &spans, &how, spans.status, &spans.index,
                                   mote_lists_case_at(k)->name);
            mote_case_lists_free(&spans);
        }
    bed_close(&b);
}
END_TEST

/* m lists anywhere in n elements, up to `most` long. */
static mote_case_lists make_random(mote_type type, size_t m, size_t n, size_t most, uint64_t seed)
{
    mote_case_lists spans = {.type = type, .count = m, .content = n};
    mote_rng rng;

    mote_rng_seed(&rng, seed);
    spans.starts = malloc((m + 1) * sizeof(int64_t));
    spans.stops = malloc((m + 1) * sizeof(int64_t));
    ck_assert(spans.starts && spans.stops);
    for (size_t k = 0; k < m; k++) {
        int64_t start = mote_rng_below(&rng, (uint32_t)n);
        int64_t stop = start + mote_rng_below(&rng, (uint32_t)most + 1);

        mote_index_set(spans.starts, type, k, start);
        mote_index_set(spans.stops, type, k, stop < (int64_t)n ? stop : (int64_t)n);
    }
    return spans;
}

/* The highest list wins, or the lowest one that shares an element with a lower one is told. */
static void check_random(bed *b, mote_type type, size_t m, size_t n, size_t most, uint64_t seed)
{
    mote_case_lists spans = make_random(type, m, n, most, seed);
    labels_call how = {.shift = seed % 2};
    uint32_t index = 0;
    char name[MESSAGE_SIZE];

    snprintf(name, sizeof(name), "%zu lists up to %zu in %zu elements of %s, seed %llu", m, most, n,
             mote_type_name(type), (unsigned long long)seed);
    labels_check(b, b->in_order, &spans, &how, name);
    how.check_overlap = true;
    mote_status status = mote_oracle_find_error(&spans, n, true, &index);

    labels_check_fault(b, b->any_order, &spans, &how, status, &index, name);
    mote_case_lists_free(&spans);
}

START_TEST(overlaps)
{
    static const size_t sizes[][3] = {{2, 16, 9},        {3, 17, 5},         {40, 300, 20},
                                      {5, 5000, 300},    {300, 5000, 5000},  {40, 100000, 900},
                                      {9, 100000, 9000}, {20, 70000, 70000}, {2000, 70000, 3}};
    bed b;

    bed_open(&b, tunes[_i]);
    for (size_t k = 0; k < sizeof(sizes) / sizeof(sizes[0]); k++)
        for (uint64_t seed = 0; seed < 12; seed++)
            check_random(&b, index_types[seed % 3], sizes[k][0], sizes[k][1], sizes[k][2],
                         100 * k + seed);
    bed_close(&b);
}
END_TEST

/* Starts and stops that mean nothing: the lowest bad list is told. */
START_TEST(garbage)
{
    bed b;

    bed_open(&b, tunes[_i]);
    for (uint64_t seed = 0; seed < 30; seed++) {
        size_t m = 1 + seed * seed, n = 5 + 100 * seed;
        mote_case_lists spans = make_random(index_types[seed % 3], m, n, 3, seed);
        labels_call how = {.check_overlap = seed % 2};
        uint32_t index = 0;
        mote_rng rng;

        mote_rng_seed(&rng, seed);
        for (size_t k = 0; k < m; k++)
            if (mote_rng_below(&rng, 3) == 0)
                mote_index_set(mote_rng_below(&rng, 2) ? spans.starts : spans.stops, spans.type, k,
                               (int64_t)mote_rng_next(&rng));
        mote_status status = mote_oracle_find_error(&spans, n, how.check_overlap, &index);

        labels_check_fault(&b, b.in_order, &spans, &how, status, &index, "garbage");
        mote_case_lists_free(&spans);
    }
    bed_close(&b);
}
END_TEST

Suite *spans_suite(void)
{
    Suite *suite = suite_create("spans");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    suite_split(forms, tuned, scattered, FORMS, TUNES);
    suite_split(forms, tuned, faults, 1, TUNES);
    suite_split(forms, tuned, overlaps, 1, TUNES);
    suite_split(forms, tuned, garbage, 1, TUNES);
    return suite;
}
