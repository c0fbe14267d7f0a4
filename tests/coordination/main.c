/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of coordination numbers. CK_RUN_SUITE selects one suite. */
#include "common/shared.h"
#include "common/suite.h"
#include "harness.h"

int main(void)
{
    Suite *const suites[] = {SUITES(SUITE_MADE)};
    if (shared_skips("shared"))
        return EXIT_SUCCESS;
    return suites_run(suites, sizeof(suites) / sizeof(suites[0]));
}
