/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the coordination tests share: devices with tuning, queues, checked calls, the shared
 * cases.
 */
#ifndef MOTE_TESTS_COORDINATION_HARNESS_H
#define MOTE_TESTS_COORDINATION_HARNESS_H

#include <check.h>
#include <stdio.h>

#include "testkit/cases/coordination/cases.h"
#include "testkit/reference/coordination/nearest.h"
#include "testkit/reference/coordination/oracle.h"
#include "testkit/reference/coordination/oracle_switch.h"
#include "testkit/cases/coordination/run.h"
#include "common/bed.h"
#include "common/suite.h"
#include "common/plumed.h"
#include "coordination/switch.h"
#include "mote/mote.h"

#define MESSAGE_SIZE 1024
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- checked calls --------------------------------------------------------------------------- */

#define functions   mote_coordination_functions
#define n_functions mote_coordination_function_count
#define blur_of     mote_coordination_blur
#define relative_of mote_coordination_relative

/* The methods of a plan with a finite d_max. */
static const mote_coordination_method methods[] = {MOTE_COORDINATION_ALL_PAIRS,
                                                   MOTE_COORDINATION_CELLS};

/* Runs the system with one set of options and compares with the oracle; fails the test at the first
 * difference. Positions given as float32 are rounded for both. */
void check_run(bed *b, cl_command_queue queue, const char *name, const mote_system *s,
               const mote_coordination_options *options);

/* A deep copy. */
mote_system copy_of(const mote_system *s);

/* ---- shared cases ---------------------------------------------------------------------------- */

/* Calls `check` for every case of coordination/ in the shared folder and prints their number;
 * without MOTE_SHARED it prints this and calls none. */
void shared_each(const char *what, void *with,
                 void (*check)(void *with, const char *name, const mote_plumed_case *c));

/* Compares the oracle with all of them: a part of the suite `shared`. */
TCase *oracle_shared_cases(void);

/* ---- the suites ------------------------------------------------------------------------------ */

#define SUITES(SUITE)                                                                              \
    SUITE(switch_suite)                                                                            \
    SUITE(parse_suite)                                                                             \
    SUITE(expression_suite)                                                                        \
    SUITE(box_suite)                                                                               \
    SUITE(boxes_suite)                                                                             \
    SUITE(changing_suite)                                                                          \
    SUITE(oracle_suite)                                                                            \
    SUITE(random_suite)                                                                            \
    SUITE(all_pairs_suite)                                                                         \
    SUITE(corners_suite)                                                                           \
    SUITE(calls_suite)                                                                             \
    SUITE(methods_suite)                                                                           \
    SUITE(data_suite)                                                                              \
    SUITE(arguments_suite)                                                                         \
    SUITE(host_suite)                                                                              \
    SUITE(identities_suite)                                                                        \
    SUITE(narrow_suite)                                                                            \
    SUITE(shared_suite)                                                                            \
    SUITE(shares_suite)                                                                            \
    SUITE(extremes_suite)                                                                          \
    SUITE(weights_suite)                                                                           \
    SUITE(skin_suite)                                                                              \
    SUITE(few_suite)                                                                               \
    SUITE(neighbours_suite)                                                                        \
    SUITE(pair_histogram_suite)                                                                    \
    SUITE(steinhardt_suite)
SUITES(SUITE_DECLARED)

/* Cases of the suite `host` in a separate file. */
void tcase_add_same_positions(TCase *cpu);

#endif
