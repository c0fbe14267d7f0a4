/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of coordination numbers. CK_RUN_SUITE picks one suite. */
#include <stdlib.h>

#include "harness.h"

int main(void)
{
    SRunner *runner = srunner_create(switch_suite());
    srunner_add_suite(runner, parse_suite());
    srunner_add_suite(runner, box_suite());
    srunner_add_suite(runner, oracle_suite());
    srunner_add_suite(runner, random_suite());
    srunner_add_suite(runner, all_pairs_suite());
    srunner_add_suite(runner, corners_suite());
    srunner_add_suite(runner, calls_suite());
    srunner_add_suite(runner, methods_suite());
    srunner_add_suite(runner, data_suite());
    srunner_add_suite(runner, arguments_suite());
    srunner_add_suite(runner, host_suite());
    srunner_add_suite(runner, identities_suite());
    srunner_add_suite(runner, narrow_suite());
    srunner_add_suite(runner, shared_suite());
    /* A child that enqueues work hangs under PoCL. */
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
