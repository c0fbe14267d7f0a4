/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of coordination numbers. CK_RUN_SUITE picks one suite. */
#include "common/shared.h"
#include "common/suite.h"
#include "harness.h"

int main(void)
{
    Suite *const suites[] = {
        switch_suite(),     parse_suite(),     box_suite(),       oracle_suite(),
        random_suite(),     all_pairs_suite(), corners_suite(),   calls_suite(),
        methods_suite(),    data_suite(),      arguments_suite(), host_suite(),
        identities_suite(), narrow_suite(),    shared_suite(),    extremes_suite(),
    };
    if (shared_skips("shared"))
        return EXIT_SUCCESS;
    return suites_run(suites, sizeof(suites) / sizeof(suites[0]));
}
