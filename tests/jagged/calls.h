/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of described operations on lists that a test provides. */
#ifndef MOTE_TESTS_JAGGED_CALLS_H
#define MOTE_TESTS_JAGGED_CALLS_H

#include "harness.h"
#include "testkit/operations/jagged.h"

/* Runs a call and compares its results. The seed selects plain arrays or one of the bed's queues. A
 * `small` call is suitable for a simulator. Returns false if the device cannot run the call. */
bool call_try(bed *b, const trial_operation *operation, const trial_choices *choices,
              const trial_lists_given *given, uint64_t seed, bool small);

/* Makes a call on device memory with lists of int64 offsets, converted to `type`, in a content of
 * `n` elements. Bad lists are detected. */
bool call_try_offsets(bed *b, const trial_operation *operation, const trial_choices *choices,
                      size_t lists, const int64_t *offsets, size_t n, uint64_t seed,
                      const char *label);

/* Returns the decisions of a call of mote_jagged_reduce(). */
trial_choices call_reduce(mote_type values, mote_reduction reduction, bool other_result,
                          mote_nan_policy nan, mote_type index, mote_jagged_validate validate);

#endif
