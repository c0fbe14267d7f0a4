/* SPDX-License-Identifier: Apache-2.0 */
/* One call that a user event blocks until it has returned, and the comparisons afterwards. */
#ifndef MOTE_TESTS_JAGGED_HELD_H
#define MOTE_TESTS_JAGGED_HELD_H

#include "harness.h"

typedef struct held {
    cl_event gate, done;
    mote_guard error;
} held;

/* Creates an error word and a gate: the call waits for held.gate and sets held.done. */
void held_begin(bed *b, held *h);

/* Sets the error fields of an argument structure. */
#define HELD_ERROR(h, args)                                                                        \
    do {                                                                                           \
        (args)->error = (h)->error.view.mem;                                                       \
        (args)->error_offset = (h)->error.view.offset * sizeof(uint32_t);                          \
    } while (0)

/* Lets a call run that has returned `called`; the error word must report `status` and `index`. */
void held_run(bed *b, held *h, mote_status called, mote_status status, uint32_t index,
              const char *label);

/* Compares a result or, after an error, when the contents are unspecified, only its margins. */
void held_expect(bed *b, const held *h, mote_guard *out, const void *expected, mote_status status,
                 const char *label);

/* Compares only the margins of an array with unspecified contents, and releases it. */
void held_margins(bed *b, const held *h, mote_guard *array, const char *label);

/* Returns a workspace of the `bytes` that a call requires. */
mote_guard held_workspace(bed *b, size_t bytes);

/* Releases held.done. */
void held_end(held *h);

/* A seed that differs in every call and in every run; labels contain it. */
uint64_t fresh_seed(void);

/* Zeros; never NULL. */
void *make_array(size_t count, mote_type type);

#endif
