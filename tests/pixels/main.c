/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of pixel clustering. CK_RUN_SUITE picks one suite. */
#include "common/shared.h"
#include "common/suite.h"
#include "harness.h"

int main(void)
{
    Suite *const suites[] = {
        oracle_suite(),       table_suite(), groups_suite(),    invariance_suite(),
        module_start_suite(), calls_suite(), simulated_suite(), companions_suite(),
        arguments_suite(),    host_suite(),  data_suite(),
    };
    if (shared_skips("data"))
        return EXIT_SUCCESS;
    return suites_run(suites, sizeof(suites) / sizeof(suites[0]));
}
