/* SPDX-License-Identifier: Apache-2.0 */
/* Counts, and offsets from counts, from starts and stops, and from parents. */
#include "common/suite.h"
#include "checks.h"

#include <stdio.h>

/* The two forms, then other groups, tiles and items. */
static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=gpu,jagged.group=64,reduce.scan_group=64,reduce.scan_one_group=0",
    ("jagged.form=gpu,jagged.group=48,reduce.scan_group=48,reduce.scan_one_group=0,"
     "jagged.from_parents_span=20,jagged.from_parents_mean=0"),
    "jagged.form=gpu,jagged.variant=3,jagged.from_parents_mean=1000000",
    "jagged.form=gpu,jagged.variant=2,jagged.near=1,jagged.from_parents_mean=1000000",
    "jagged.form=gpu,jagged.variant=4,jagged.from_parents_mean=1000000",
    "jagged.form=gpu,jagged.variant=3,jagged.from_parents_mean=1000000,jagged.group=36,jagged.tile="
    "8",
    "jagged.form=gpu,jagged.from_parents_mean=1000000,jagged.group=36,jagged.tile=100",
};

#define FORMS 2
#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

START_TEST(every_case)
{
    bed b;
    unsigned turn = 0;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    for (size_t c = 0; c < mote_lists_case_count(); c++) {
        const mote_lists_case *one = mote_lists_case_at(c);
        const mote_type type = index_types[TURN_TYPE(_i)];
        mote_case_lists lists;
        char label[128];

        snprintf(label, sizeof(label), "%s, %s", one->name, mote_type_name(type));
        if (!mote_lists_case_make(one, type, 0, &lists))
            continue;
        check_offsets(&b, turn % 2 ? b.in_order : b.any_order, &lists, turn % 3 == 0, label);
        turn++;
        mote_case_lists_free(&lists);
    }
    ck_assert_uint_ge(INDEX_TYPES * turn, 100);
    bed_close(&b);
}
END_TEST

/* Sizes around those of groups and tiles, of fresh random lists. */
START_TEST(around_tiles)
{
    static const size_t sizes[] = {0,  1,   2,   3,   4,    5,    63,   64,
                                   65, 255, 256, 257, 1023, 1024, 1025, 8193};
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    for (size_t s = TURN_TYPE(_i); s < sizeof(sizes) / sizeof(sizes[0]); s += INDEX_TYPES) {
        mote_lists_case one = {.name = "sizes",
                               .lengths = {.kind = MOTE_LENGTH_POISSON,
                                           .lists = sizes[s],
                                           .mean = s % 2 ? 0.7 : 5,
                                           .seed = fresh_seed()}};
        mote_case_lists lists;
        char label[64];

        snprintf(label, sizeof(label), "%zu lists, seed %llu", sizes[s],
                 (unsigned long long)one.lengths.seed);
        ck_assert(mote_lists_case_make(&one, index_types[TURN_TYPE(_i)], 0, &lists));
        check_offsets(&b, s % 2 ? b.in_order : b.any_order, &lists, true, label);
        mote_case_lists_free(&lists);
    }
    bed_close(&b);
}
END_TEST

/* Millions of lists without elements between two labels, at the beginning and the end. */
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

/* Tiles with lengths that are stored as bytes and others that are not, three or six rows per tile,
 * and more tiles than one work-group scans. */
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

/* The first list whose end the type cannot represent is reported, whatever lists follow. */
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

static void spoil_counts(bed *b, mote_type type, size_t m, uint64_t seed)
{
    void *counts = make_array(m, type);
    mote_rng rng;
    char label[64];

    mote_rng_seed(&rng, seed);
    snprintf(label, sizeof(label), "counts, %s, seed %llu", mote_type_name(type),
             (unsigned long long)seed);
    for (size_t k = 0; k < m; k++)
        mote_index_set(counts, type, k, mote_rng_below(&rng, 9));
    for (size_t k = 0; k < 3; k++)
        mote_index_set(counts, type, mote_rng_below(&rng, (uint32_t)m), -1 - (int64_t)k);
    check_from_counts(b, b->any_order, type, m, counts, false, label);
    free(counts);
}

static void spoil_parents(bed *b, mote_type type, size_t n, uint64_t seed)
{
    void *parents = make_array(n, type);
    size_t m = n / 3 + 1;
    mote_rng rng;
    char label[64];

    mote_rng_seed(&rng, seed);
    snprintf(label, sizeof(label), "parents, %s, seed %llu", mote_type_name(type),
             (unsigned long long)seed);
    for (size_t i = 0; i < n; i++)
        mote_index_set(parents, type, i, (int64_t)(i / 3));
    for (size_t k = 0; k < 3; k++) {
        const int64_t bad[] = {-1, (int64_t)m, most_of(type), (int64_t)m - 1, 0};

        mote_index_set(parents, type, mote_rng_below(&rng, (uint32_t)n),
                       bad[mote_rng_below(&rng, 5)]);
    }
    check_from_parents(b, b->in_order, type, n, parents, m, label);
    free(parents);
}

START_TEST(errors)
{
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    for (unsigned k = (unsigned)TURN_TYPE(_i); k < 40; k += INDEX_TYPES) {
        mote_type type = index_types[TURN_TYPE(_i)];
        uint64_t seed = fresh_seed();
        mote_lists_case one = {.lengths = {.kind = MOTE_LENGTH_POISSON, .lists = 500, .mean = 3}};
        mote_case_lists lists, spans;
        char label[64];

        snprintf(label, sizeof(label), "%s, seed %llu", mote_type_name(type),
                 (unsigned long long)seed);
        ck_assert(mote_lists_case_make(&one, type, seed, &lists));
        ck_assert(mote_case_lists_scatter(&lists, seed, &spans));
        mote_lists_fault fault = k % 2 ? MOTE_FAULT_NEGATIVE : MOTE_FAULT_DECREASING;
        if (mote_case_lists_spoil(&lists, fault, seed))
            check_counts(&b, b.in_order, &lists, label);
        if (mote_case_lists_spoil(&spans, fault, seed)) {
            check_counts(&b, b.any_order, &spans, label);
            check_from_spans(&b, b.any_order, &spans, label);
        }
        mote_case_lists_free(&lists);
        mote_case_lists_free(&spans);
        if (type != MOTE_UINT32)
            spoil_counts(&b, type, k < 20 ? 700 : 30000, seed);
        spoil_parents(&b, type, k < 20 ? 700 : 30000, seed);
    }
    bed_close(&b);
}
END_TEST

/* Any bits at all: what is reported must be right, and nothing else is touched. */
START_TEST(garbage)
{
    enum { N = 5000 };
    uint64_t *bits = make_array(N, MOTE_INT64);
    mote_rng rng;
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    mote_rng_seed(&rng, fresh_seed());
    for (unsigned k = (unsigned)TURN_TYPE(_i); k < 30; k += INDEX_TYPES) {
        mote_type type = index_types[TURN_TYPE(_i)];
        size_t m = k % 4 ? 1 + mote_rng_below(&rng, N) : mote_rng_below(&rng, 100);

        for (size_t i = 0; i < N; i++)
            bits[i] = mote_rng_next(&rng) >> (k % 2 ? 0 : mote_rng_below(&rng, 60));
        check_from_parents(&b, k % 2 ? b.in_order : b.any_order, type, N, bits, m, "garbage");
        mote_case_lists lists = {.type = type, .count = N - 1, .offsets = bits};

        check_counts(&b, k % 2 ? b.in_order : b.any_order, &lists, "garbage");
    }
    free(bits);
    bed_close(&b);
}
END_TEST

Suite *offsets_suite(void)
{
    Suite *suite = suite_create("offsets");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    split_types(forms, tuned, every_case, TUNES);
    split_types(forms, tuned, around_tiles, TUNES);
    suite_split(forms, tuned, huge_gaps, FORMS, TUNES);
    split_types(forms, tuned, overflow, TUNES);
    split_types(forms, tuned, errors, TUNES);
    split_types(forms, tuned, garbage, TUNES);
    suite_split(forms, tuned, many_tiles, 1, 3);
    return suite;
}
