/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_FAULTS_TESTS_H
#define TESTS_FAULTS_TESTS_H

#include <check.h>

/* Operations with a defect each, which the harness must detect. */
Suite *fault_suite_planted(void);

/* Drivers that report absurd sizes and numbers. */
Suite *fault_suite_bad_answers(void);

/* A device that reports another vendor's GPU. */
Suite *fault_suite_devices(void);

/* Arguments that every call rejects. */
TCase *fault_case_refusals(void);

/* Data with every kind of error; the second suite is small enough for simulators. */
Suite *fault_suite_corrupt_inputs(void);
Suite *fault_suite_simulated(void);

#endif
