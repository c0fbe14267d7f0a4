/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of pixel clustering. CK_RUN_SUITE picks one suite. */
#include <stdlib.h>

#include "harness.h"

int main(void)
{
    SRunner *runner = srunner_create(oracle_suite());

    srunner_add_suite(runner, table_suite());
    srunner_add_suite(runner, groups_suite());
    srunner_add_suite(runner, invariance_suite());
    srunner_add_suite(runner, module_start_suite());
    srunner_add_suite(runner, calls_suite());
    srunner_add_suite(runner, simulated_suite());
    srunner_add_suite(runner, companions_suite());
    srunner_add_suite(runner, arguments_suite());
    srunner_add_suite(runner, host_suite());
    srunner_add_suite(runner, data_suite());
    /* A child that enqueues work hangs under PoCL. */
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);

    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
