/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle of mote_jagged_reduce(). */
#include "common/suite.h"
#include "pending_call.h"
#include "testkit/cases/jagged/values.h"

#include <float.h>
#include <math.h>

/* Lists near every length at which the algorithm changes. */
static const mote_lists_case around[] = {
    {"lengths around 32 and 64", {MOTE_LENGTH_BOUNDARY, 90, 0, 32, 0}, 3, 0},
    {"lengths around 256", {MOTE_LENGTH_BOUNDARY, 40, 0, 256, 0}, 0, 1},
    {"lengths around 4096", {MOTE_LENGTH_BOUNDARY, 12, 0, 4096, 0}, 0, 0},
    {"lengths around 6144", {MOTE_LENGTH_BOUNDARY, 9, 0, 6144, 0}, 2, 3},
    {"one huge", {MOTE_LENGTH_ONE_HUGE, 101, 40, 70000, 0}, 0, 0},
};

#define AROUNDS (sizeof(around) / sizeof(around[0]))

/* The oracle's own sums are near the exact ones: for each list within the error that its longest
 * chain of additions can have. */
START_TEST(oracle_is_accurate)
{
    for (size_t c = 0; c < AROUNDS; c++) {
        mote_jagged_reduce_what what = {.type = MOTE_FLOAT64, .result = MOTE_FLOAT64};
        mote_case_lists lists;
        mote_rng rng;

        mote_rng_seed(&rng, c);
        ck_assert(mote_lists_case_make(&around[c], MOTE_INT64, c + 1, &lists));
        double *values = make_array(lists.content, MOTE_FLOAT64);
        double *sums = make_array(lists.count, MOTE_FLOAT64);
        const int64_t *offsets = lists.offsets;

        mote_jagged_values_fill(&lists, &what, MOTE_VALUES_PLAIN, lists.content, &rng, values);
        what.values = values;
        mote_oracle_jagged_reduce(&lists, &what, sums);
        for (size_t k = 0; k < lists.count; k++) {
            long double exact = 0, all = 0;

            for (int64_t i = offsets[k]; i < offsets[k + 1]; i++) {
                exact += values[i];
                all += fabsl((long double)values[i]);
            }
            ck_assert(fabsl(sums[k] - exact) <= 48 * DBL_EPSILON / 2 * all);
        }
        free(values);
        free(sums);
        mote_case_lists_free(&lists);
    }
}
END_TEST

Suite *reduce_suite(void)
{
    Suite *suite = suite_create("reduce");

    tcase_add_test(suite_case(suite, "oracle", NULL), oracle_is_accurate);
    return suite;
}
