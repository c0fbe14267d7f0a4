/* SPDX-License-Identifier: Apache-2.0 */
/* Every public operation that can fail, by area: one row each. */
#ifndef TESTS_FAULTS_TABLES_H
#define TESTS_FAULTS_TABLES_H

#include "harness.h"
#include "mote/mote.h"

extern const fault_operation fault_jagged[], fault_pixels[], fault_coordination[];
extern const size_t fault_jagged_count, fault_pixels_count, fault_coordination_count;

/* Rows for described operations (testkit/operation.h). fault_described_make() must run first: it
 * adds a row for each call, also for those on plain arrays, unless another table has one. */
extern fault_operation fault_described[];
extern size_t fault_described_count;
void fault_described_make(void);

extern const fault_operation fault_special[];
extern const size_t fault_special_small, fault_special_count;
/* Both forms of all areas: names, and the tuning that selects them. */
#define FAULT_FORMS 2
extern const char *const fault_forms[FAULT_FORMS], *const fault_form_tunes[FAULT_FORMS];

extern const fault_operation fault_core[], fault_buffer[], fault_build[];
extern const size_t fault_core_count, fault_buffer_count, fault_build_count;

#endif
