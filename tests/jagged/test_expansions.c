/* SPDX-License-Identifier: Apache-2.0 */
/* What lists are expanded to: kept elements. */
#include "common/suite.h"
#include "checks.h"

#include <stdio.h>

/* The two forms, then other groups, tiles and items. */
static const char *const tunes[] = {
    "jagged.form=cpu",
    "jagged.form=gpu",
    "jagged.form=gpu,jagged.group=64,jagged.variant=2,jagged.nonzero_groups_a_unit=1",
    "jagged.form=gpu,jagged.group=24,jagged.variant=3",
};

#define TUNES (sizeof(tunes) / sizeof(tunes[0]))

static const mote_type value_types[] = {MOTE_BOOL,   MOTE_INT8,    MOTE_UINT8,   MOTE_INT16,
                                        MOTE_UINT16, MOTE_INT32,   MOTE_UINT32,  MOTE_INT64,
                                        MOTE_UINT64, MOTE_FLOAT16, MOTE_FLOAT32, MOTE_FLOAT64};

/* Positions longer than this do not fit a test. */
#define MOST_CONTENT 400000

START_TEST(nonzero_of_every_case)
{
    static const uint32_t every[] = {1, 2, 3, 100, 1000000};
    const mote_type type = index_types[TURN_TYPE(_i)];
    bed b;

    bed_open(&b, tunes[TURN_TUNE(_i)]);
    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        const mote_lists_case *one = mote_lists_case_at(k);
        const size_t turn = INDEX_TYPES * k + TURN_TYPE(_i);
        uint64_t seed = fresh_seed();
        mote_case_lists lists;
        char label[128];

        if (one->first > MOST_CONTENT || !mote_lists_case_make(one, type, 0, &lists))
            continue;
        nonzero_case c = {.lists = &lists,
                          .type =
                              value_types[turn % (sizeof(value_types) / sizeof(value_types[0]))],
                          .n = lists.content,
                          .capacity = turn % 4 == 3 ? lists.content / 3 : lists.content,
                          .workspace = turn % 5 == 0,
                          .label = label};
        snprintf(label, sizeof(label), "%s, %s of %s, seed %llu", one->name, mote_type_name(type),
                 mote_type_name(c.type), (unsigned long long)seed);
        void *values = make_values(c.n, c.type, every[turn / 3 % 5], seed);
        c.values = values;
        check_nonzero(&b, turn % 2 ? b.in_order : b.any_order, &c);
        free(values);
        mote_case_lists_free(&lists);
    }
    bed_close(&b);
}
END_TEST

/* Room for none, for one less, for just enough, for more. */
START_TEST(nonzero_capacity)
{
    static const int32_t offsets[] = {1, 4, 4, 9000};
    const mote_case_lists lists = {
        .type = MOTE_INT32, .count = 3, .offsets = (void *)(uintptr_t)offsets, .content = 9001};
    void *values = make_values(9001, MOTE_FLOAT32, 3, fresh_seed());
    int32_t out[4], *positions = make_array(9001, MOTE_INT32);
    size_t n = mote_oracle_nonzero(&lists, values, MOTE_FLOAT32, out, positions, 9001);
    bed b;

    bed_open(&b, tunes[_i]);
    const size_t capacities[] = {0, 1, n - 1, n, n + 1};
    for (size_t k = 0; k < 5; k++) {
        nonzero_case c = {.lists = &lists,
                          .values = values,
                          .type = MOTE_FLOAT32,
                          .n = 9001,
                          .capacity = capacities[k],
                          .label = "capacity"};
        check_nonzero(&b, b.any_order, &c);
    }
    free(values);
    free(positions);
    bed_close(&b);
}
END_TEST

/* Faults at random places, and any bits at all. */
START_TEST(nonzero_errors)
{
    mote_rng rng;
    bed b;

    bed_open(&b, tunes[_i]);
    for (unsigned k = 0; k < 30; k++) {
        mote_type type = index_types[k % 3];
        uint64_t seed = fresh_seed();
        mote_lists_case one = {.lengths = {.kind = MOTE_LENGTH_POISSON, .lists = 900, .mean = 5}};
        mote_case_lists lists;
        char label[64];

        snprintf(label, sizeof(label), "%s, seed %llu", mote_type_name(type),
                 (unsigned long long)seed);
        mote_rng_seed(&rng, seed);
        ck_assert(mote_lists_case_make(&one, type, seed, &lists));
        nonzero_case c = {.lists = &lists,
                          .type = MOTE_INT32,
                          .n = lists.content,
                          .capacity = 50,
                          .label = label};
        void *values = make_values(c.n, c.type, 2, seed);
        c.values = values;
        if (k < 20) {
            mote_case_lists_spoil(&lists, (mote_lists_fault)(k % 4), seed);
            c.n = lists.content;
        } else {
            unsigned char *bytes = lists.offsets;

            for (size_t i = 0; i < 901 * mote_type_size(type); i++)
                bytes[i] = (unsigned char)mote_rng_next(&rng);
        }
        if (mote_oracle_find_error(&lists, c.n, false, &(uint32_t){0}))
            check_nonzero(&b, b.in_order, &c);
        free(values);
        mote_case_lists_free(&lists);
    }
    bed_close(&b);
}
END_TEST

Suite *expansions_suite(void)
{
    Suite *suite = suite_create("expansions");
    TCase *forms = suite_case(suite, "forms", NULL);
    TCase *tuned = suite_case(suite, "tuned", SUITE_THOROUGH);
    split_types(forms, tuned, nonzero_of_every_case, TUNES);
    suite_split(forms, tuned, nonzero_capacity, 1, TUNES);
    suite_split(forms, tuned, nonzero_errors, 1, TUNES);
    return suite;
}
