/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of groups that are launched, where few are allowed. */
#ifndef TESTS_FAULTS_GROUPS_H
#define TESTS_FAULTS_GROUPS_H

#include "tables.h"

/* The largest allowed, and the largest launched. */
typedef struct fault_groups {
    size_t most, launched;
} fault_groups;

/* From now on launches are noted in *groups; NULL: no longer. */
void fault_groups_watch(fault_groups *groups);

/* Tries operations. Each must succeed or report how few work-items are allowed; the test fails
 * otherwise, and also if a larger group is launched. Returns how many were refused. */
int fault_groups_try(fault_bed *b, const fault_operation *operations, size_t count,
                     const fault_groups *groups);

#endif
