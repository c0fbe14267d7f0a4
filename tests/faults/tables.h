/* SPDX-License-Identifier: Apache-2.0 */
/* Every public operation that can fail, by area: one row each. */
#ifndef TESTS_FAULTS_TABLES_H
#define TESTS_FAULTS_TABLES_H

#include "harness.h"
#include "mote/mote.h"

extern const fault_operation fault_reduce[], fault_jagged[], fault_pixels[], fault_coordination[];
extern const size_t fault_reduce_count, fault_jagged_count, fault_pixels_count;
extern const size_t fault_coordination_count;

#endif
