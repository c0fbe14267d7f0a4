/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest cases, of a size that a simulator can run, tuned by MOTE_TUNE from outside; smaller
 * ones still by MOTE_TEST_ELEMENTS. */
#include "checks.h"

#include <stdio.h>

#define MOST 1100

static void check_expansions(bed *b, const mote_case_lists *lists, unsigned turn, const char *label)
{
    static const mote_type value_types[] = {MOTE_BOOL, MOTE_FLOAT32, MOTE_FLOAT16, MOTE_INT64,
                                            MOTE_FLOAT64};
    mote_type type = value_types[turn % (sizeof(value_types) / sizeof(value_types[0]))];
    void *values = make_values(lists->content, type, 3, turn);
    nonzero_case kept = {.lists = lists,
                         .values = values,
                         .type = type,
                         .n = lists->content,
                         .capacity = turn % 3 ? lists->content : lists->content / 4,
                         .label = label};
    combine_case all = {.a = lists, .b = turn % 2 ? lists : NULL, .capacity = 300, .label = label};

    if (lists->content <= 2 * MOST)
        check_nonzero(b, b->in_order, &kept);
    check_gather(b, b->in_order, lists, type, mote_case_lists_elements(lists),
                 turn % 2 ? MOTE_JAGGED_VALIDATE_FULL : MOTE_JAGGED_VALIDATE_DEFAULT, label);
    check_differences(b, b->in_order, lists, type, turn % 4 == 0, label);
    check_combine(b, b->in_order, &all);
    free(values);
}

/* More lists than one work-item of the CPU form takes. */
static void check_many_lists(bed *b)
{
    static const mote_lists_case many = {"5000 of 1", {MOTE_LENGTH_CONSTANT, 5000, 1, 0, 0}, 0, 0};
    mote_case_lists lists;

    ck_assert(mote_lists_case_make(&many, MOTE_INT32, 0, &lists));
    check_offsets(b, b->in_order, &lists, false, many.name);
    mote_case_lists_free(&lists);
}

START_TEST(small_cases)
{
    const char *given = getenv("MOTE_TEST_ELEMENTS");
    size_t most = given ? strtoul(given, NULL, 10) : MOST;
    bed b;
    unsigned ran = 0;

    bed_open(&b, getenv("MOTE_TUNE"));
    for (size_t k = 0; k < mote_lists_case_count(); k++) {
        const mote_lists_case *one = mote_lists_case_at(k);
        mote_case_lists lists;
        char label[128];

        snprintf(label, sizeof(label), "%s, %s", one->name, mote_type_name(index_types[k % 3]));
        if (one->lengths.lists > most || (size_t)one->first > most ||
            !mote_lists_case_make(one, index_types[k % 3], 0, &lists))
            continue;
        if (mote_case_lists_elements(&lists) <= most) {
            check_offsets(&b, b.in_order, &lists, ran % 2, label);
            check_expansions(&b, &lists, ran, label);
            ran++;
        }
        mote_case_lists_free(&lists);
    }
    ck_assert_uint_ge(ran, 10);
    if (!given)
        check_many_lists(&b);
    bed_close(&b);
}
END_TEST

Suite *simulated_suite(void)
{
    Suite *suite = suite_create("simulated");
    TCase *all = tcase_create("simulated");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, small_cases);
    suite_add_tcase(suite, all);
    return suite;
}
