/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the pixel tests share: devices with tuning, queues, files of the shared data folder. */
#ifndef MOTE_TESTS_PIXELS_HARNESS_H
#define MOTE_TESTS_PIXELS_HARNESS_H

#include <check.h>
#include <stdio.h>

#include "testkit/cases/pixels/cases.h"
#include "common/bed.h"
#include "common/suite.h"
#include "mote/mote.h"

#define MESSAGE_SIZE 1024

/* Reads events/NAME.bin.xz of the shared folder; false without MOTE_SHARED. A file that is absent
 * or damaged fails the test. */
bool shared_events(const char *name, mote_digis *digis);

/* Opens a file of the shared folder for reading; without MOTE_SHARED prints a message and returns
 * NULL. */
FILE *shared_open(const char *path);

/* Returns the charge cut of a set of shared events: clusters with at least this charge are kept. */
mote_pixels_options shared_options(const char *name);

/* Runs digis and options and compares with the oracle; fails the test at the first difference. */
void check_run(bed *b, cl_command_queue queue, const char *name, const mote_digis *digis,
               const mote_pixels_options *options, unsigned how);

/* Checks that arguments are rejected, with a sentence that contains `word`. */
void check_refused(const bed *b, const mote_pixels_cluster_args *args, mote_status status,
                   const char *word);

/* The suites. */
#define SUITES(SUITE)                                                                              \
    SUITE(oracle_suite)                                                                            \
    SUITE(table_suite)                                                                             \
    SUITE(groups_suite)                                                                            \
    SUITE(invariance_suite)                                                                        \
    SUITE(calls_suite)                                                                             \
    SUITE(positions_suite)                                                                         \
    SUITE(simulated_suite)                                                                         \
    SUITE(companions_suite)                                                                        \
    SUITE(arguments_suite)                                                                         \
    SUITE(host_suite)                                                                              \
    SUITE(moments_suite)                                                                           \
    SUITE(measure_suite)                                                                           \
    SUITE(morph_suite)                                                                             \
    SUITE(decode_suite)                                                                            \
    SUITE(changing_suite)                                                                          \
    SUITE(time_suite)                                                                              \
    SUITE(data_suite)
SUITES(SUITE_DECLARED)

/* Functions by which other files add cases to a suite. */
void tcase_add_decode_plain(TCase *quick, TCase *rest);

#endif
