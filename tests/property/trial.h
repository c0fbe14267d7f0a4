/* SPDX-License-Identifier: Apache-2.0 */
/* One call on device memory: guarded arrays whose views begin anywhere, a gate that opens only when
 * the call has returned, an error word, perhaps a workspace; and what must be there afterwards. */
#ifndef MOTE_TESTS_PROPERTY_TRIAL_H
#define MOTE_TESTS_PROPERTY_TRIAL_H

#include "cases/guard.h"
#include "property/property.h"

#define TRIAL_ARRAYS 6
#define TRIAL_POISON 0xA5 /* of cases/guard.h */

typedef struct trial {
    property_draw *draw;
    size_t shift; /* elements before each view */
    struct {
        mote_guard guard;
        unsigned char *image; /* what the memory must hold in the end */
        bool output;
    } array[TRIAL_ARRAYS];
    size_t arrays;
    mote_guard word, workspace;
    cl_event gate, done;
    bool failed; /* something could not be made */
    /* What the error word must report. */
    mote_status status;
    uint32_t index;
    bool any_error; /* nothing, or anything */
    bool anything;  /* outputs are unspecified */
} trial;

void trial_begin(trial *t, property_draw *draw);

/* An input, and an output that the call must fill with `expected`; the trial copies both. */
mote_view trial_input(trial *t, const char *name, mote_type type, size_t count, const void *from);
mote_view trial_output(trial *t, const char *name, mote_type type, size_t count,
                       const void *expected);

/* A workspace of so many bytes. */
mote_view trial_workspace(trial *t, size_t bytes);

/* Where the error word lies. */
#define TRIAL_ERROR(t, args)                                                                       \
    do {                                                                                           \
        (args)->error = (t)->word.view.mem;                                                        \
        (args)->error_offset = (t)->word.view.offset * sizeof(uint32_t);                           \
    } while (0)

/* The call, which waited for t->gate and gave t->done, returned `called`: false with a sentence in
 * the draw's message when anything is not as it must be. Releases everything. */
bool trial_end(trial *t, mote_status called);

#endif
