/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the tests of jagged arrays share: devices with tuning, both kinds of queue, the shared
 * folder. */
#ifndef MOTE_TESTS_JAGGED_HARNESS_H
#define MOTE_TESTS_JAGGED_HARNESS_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/guard.h"
#include "testkit/reference/jagged/oracle.h"
#include "common/bed.h"
#include "common/suite.h"
#include "mote/mote.h"

#define MESSAGE_SIZE 1024

/* A guarded array on the device; contents NULL = poison. */
mote_guard bed_array(bed *b, const char *name, mote_type type, size_t count, const void *contents);

/* Waits for `done`, compares the guarded array with `expected` (count elements of its type), checks
 * its margins and releases it; the test fails with `label` and the first element that differs. */
void bed_expect(bed *b, mote_guard *array, const void *expected, cl_event done, const char *label);

/* Waits for `done`; only the margins must be unchanged. Releases the array. */
void bed_margins(bed *b, mote_guard *array, cl_event done, const char *label);

/* Waits for `done`; the input and its margins must be unchanged. Releases it. */
void bed_unchanged(bed *b, mote_guard *array, const void *contents, cl_event done,
                   const char *label);

/* Waits for `done`; the error word must report `status` and, if that is not MOTE_SUCCESS, `index`.
 * Releases it. */
mote_guard bed_error_word(bed *b);
void bed_expect_error(bed *b, mote_guard *word, mote_status status, uint32_t index, cl_event done,
                      const char *label);

/* A user event that blocks a call until it has returned, and its completion. */
cl_event bed_gate(bed *b);
void bed_open_gate(cl_event gate);

/* The types of offsets. */
#define INDEX_TYPES 3
extern const mote_type index_types[INDEX_TYPES];

/* A loop test over tunes and all types of offsets has one turn for each combination. */
#define TURN_TUNE(i) ((i) / INDEX_TYPES)
#define TURN_TYPE(i) ((size_t)(i) % INDEX_TYPES)

/* Adds the turns of the first type with tunes 0 and 1 (the two forms) to `usual` and all others to
 * `rest`, because each type needs its own set of programs. */
void split_types(TCase *usual, TCase *rest, const TTest *test, size_t tunes);

/* The suites. */
#define SUITES(SUITE)                                                                              \
    SUITE(calls_suite)                                                                             \
    SUITE(cases_suite)                                                                             \
    SUITE(changing_suite)                                                                          \
    SUITE(layout_suite)                                                                            \
    SUITE(offsets_suite)                                                                           \
    SUITE(shared_suite)                                                                            \
    SUITE(simulated_suite)                                                                         \
    SUITE(offsets_host_suite)                                                                      \
    SUITE(lists_host_suite)                                                                        \
    SUITE(parents_host_suite)                                                                      \
    SUITE(parents_args_suite)                                                                      \
    SUITE(expansions_args_suite)                                                                   \
    SUITE(scan_suite)                                                                              \
    SUITE(sort_suite)                                                                              \
    SUITE(reduce_suite)                                                                            \
    SUITE(combinations_suite)                                                                      \
    SUITE(reduce_args_suite)                                                                       \
    SUITE(reduce_faults_suite)
SUITES(SUITE_DECLARED)

#endif
