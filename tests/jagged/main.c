/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of jagged arrays. CK_RUN_SUITE picks one suite. */
#include "harness.h"

int main(void)
{
    SRunner *runner = srunner_create(cases_suite());

    srunner_add_suite(runner, offsets_suite());
    srunner_add_suite(runner, shared_suite());
    srunner_add_suite(runner, parents_suite());
    srunner_add_suite(runner, offsets_host_suite());
    srunner_add_suite(runner, parents_faults_suite());
    srunner_add_suite(runner, spans_suite());
    srunner_add_suite(runner, parents_host_suite());
    srunner_add_suite(runner, parents_args_suite());
    srunner_add_suite(runner, expansions_suite());
    srunner_add_suite(runner, expansions_args_suite());
    srunner_add_suite(runner, segments_suite());
    srunner_add_suite(runner, combinations_suite());
    srunner_add_suite(runner, simulated_suite());
    srunner_add_suite(runner, segments_cpu_suite());
    srunner_add_suite(runner, segments_gpu_suite());
    srunner_add_suite(runner, segments_faults_suite());
    /* A child that enqueues work hangs under PoCL. */
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    int failed = srunner_ntests_failed(runner);

    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
