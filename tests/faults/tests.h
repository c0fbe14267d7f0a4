/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FAULTS_TESTS_H
#define TESTS_FAULTS_TESTS_H

#include <check.h>

/* Operations with a defect each: what the harness must notice. */
Suite *fault_suite_planted(void);

/* Drivers that tell absurd sizes and numbers. */
Suite *fault_suite_lies(void);

/* A device that says that it is another vendor's GPU. */
Suite *fault_suite_devices(void);

/* Arguments that every call refuses. */
TCase *fault_case_refusals(void);

/* Data that are wrong in every way; the second one is small enough for simulators. */
Suite *fault_suite_hostile(void);
Suite *fault_suite_simulated(void);

#endif
