/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of jagged arrays. CK_RUN_SUITE picks one suite. */
#include "common/shared.h"
#include "common/suite.h"
#include "harness.h"

int main(void)
{
    Suite *const suites[] = {
        cases_suite(),        offsets_suite(),         shared_suite(),
        parents_suite(),      offsets_host_suite(),    parents_faults_suite(),
        spans_suite(),        parents_host_suite(),    parents_args_suite(),
        expansions_suite(),   expansions_args_suite(), segments_suite(),
        combinations_suite(), simulated_suite(),       segments_cpu_suite(),
        segments_gpu_suite(), segments_faults_suite(),
    };
    if (shared_skips("shared"))
        return EXIT_SUCCESS;
    return suites_run(suites, sizeof(suites) / sizeof(suites[0]));
}
