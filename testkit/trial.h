/* SPDX-License-Identifier: Apache-2.0 */
/* One call on device memory, and its expected results. It has guarded arrays whose views begin at
 * any element, an event that completes only after the call has returned, an error word, and
 * possibly a workspace. */
#ifndef MOTE_TESTKIT_TRIAL_H
#define MOTE_TESTKIT_TRIAL_H

#include "testkit/guard.h"
#include "mote/mote.h"

#define TRIAL_ARRAYS 30
#define TRIAL_POISON 0xA5 /* the same value as in testkit/guard.c */

/* The allowed differences between outputs and expected results. */
typedef struct trial_leeway {
    bool any_nan; /* a NaN may have any sign and payload */
    /* Returns whether element `at` is close enough. NULL: elements must be equal. */
    bool (*is_near)(const void *about, size_t at, const void *got, const void *expected);
    const void *about;
} trial_leeway;

typedef struct trial {
    mote_context *ctx;
    cl_command_queue queue;
    size_t shift; /* elements between the poison in front of each view and the view */
    char *message;
    size_t message_size;
    struct {
        mote_guard guard;
        unsigned char *image; /* the expected bytes after the call */
        size_t open;          /* elements at the end with unspecified contents */
        unsigned char *got;   /* all bytes after the call, of which a view begins at `shift` */
        bool output;
    } array[TRIAL_ARRAYS];
    size_t arrays;
    mote_guard word, workspace;
    cl_event gate, done;
    bool failed; /* an array or event could not be created */
    /* The expected content of the error word. */
    mote_status status;
    uint32_t index;
    bool any_error; /* any content is accepted */
    bool anything;  /* outputs are unspecified */
    trial_leeway leeway;
    /* Compares outputs and the error, which is in `status` and `index`, after a call before which
     * outputs held their expected bytes. NULL: the trial compares them. */
    bool (*judge)(struct trial *t);
} trial;

/* Begins a trial. A failure is described in `message`, of `size` bytes. */
void trial_begin(trial *t, mote_context *ctx, cl_command_queue queue, size_t shift, char *message,
                 size_t size);

/* An array of a call. */
typedef struct trial_contents {
    const char *name; /* static */
    mote_type type;
    size_t count, open; /* elements, and the number of them at the end with unspecified contents */
    const void *from;   /* the contents before the call; NULL: poison */
    const void *expected; /* those after it */
    bool output;
} trial_contents;

/* Adds an array. The trial copies the data. */
mote_view trial_add(trial *t, const trial_contents *contents);

/* Adds a workspace of `bytes` bytes. */
mote_view trial_workspace(trial *t, size_t bytes);

/* The first element of `count` that differs from the expected one, or `count`. */
size_t trial_differs(mote_type type, const void *got, const void *expected, size_t count,
                     const trial_leeway *leeway);

/* Ends a trial whose call waited for t->gate, set t->done and returned `called`. Compares the error
 * word and all arrays, and releases everything. On a difference, returns false and writes a
 * sentence to the message. */
bool trial_end(trial *t, mote_status called);

#endif
