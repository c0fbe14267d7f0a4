/* SPDX-License-Identifier: Apache-2.0 */
/* Work-group sizes of launches on devices that allow only small groups. */
#ifndef TESTS_FAULTS_GROUPS_H
#define TESTS_FAULTS_GROUPS_H

#include "tables.h"

/* The largest allowed size, and the largest launched size. */
typedef struct fault_groups {
    size_t most, launched;
} fault_groups;

/* Records launches in *groups from now on; NULL: stops recording. */
void fault_groups_watch(fault_groups *groups);

/* Tries operations. Each must succeed or report how few work-items are allowed; the test fails
 * otherwise, and also if a larger group is launched. Returns the number of rejected operations. */
int fault_groups_try(fault_bed *b, const fault_operation *operations, size_t count,
                     const fault_groups *groups);

#endif
