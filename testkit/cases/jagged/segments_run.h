/* SPDX-License-Identifier: Apache-2.0 */
/* Lists with values, run through mote_jagged_segments() and compared with the oracle. */
#ifndef MOTE_TESTKIT_CASES_JAGGED_SEGMENTS_RUN_H
#define MOTE_TESTKIT_CASES_JAGGED_SEGMENTS_RUN_H

#include "testkit/reference/jagged/segments_oracle.h"

typedef struct mote_jagged_segments_trial {
    mote_case_lists lists; /* offsets; with an error, what the error word must report */
    mote_jagged_segments_what what;
    mote_jagged_validate validate;
    size_t shift;   /* elements of each array before its view */
    bool workspace; /* the call gets one */
    bool any_error; /* which error is reported does not matter */
    bool silent;    /* no error word */
    bool loose;     /* float32 sums and products may be as two floats give them */
    size_t n;       /* values */
    void *memory;   /* shift elements, then the values */
} mote_jagged_segments_trial;

/* Values with which reductions can go wrong in different ways. */
typedef enum mote_jagged_segments_values {
    MOTE_SEGMENTS_PLAIN,
    MOTE_SEGMENTS_TIES,    /* few different ones, zeros of both signs */
    MOTE_SEGMENTS_SPECIAL, /* NaN, infinities and the types' extremes among others */
    MOTE_SEGMENTS_ROUNDED, /* sums and products of two or more floats are rounded but finite */
    MOTE_SEGMENTS_KINDS
} mote_jagged_segments_values;

/* Makes the values, as many as the content has. Lists that begin beyond a million get values that
 * begin with the first list. False when memory ran out. */
bool mote_jagged_segments_trial_fill(mote_jagged_segments_trial *trial,
                                     mote_jagged_segments_values kind, uint64_t seed);

/* Frees values and lists. */
void mote_jagged_segments_trial_free(mote_jagged_segments_trial *trial);

/* Runs a trial behind a user event that completes only after the call has returned. Result, error
 * word, inputs and everything beside the views must be as they should; else false with a sentence.
 */
bool mote_jagged_segments_trial_run(mote_context *ctx, cl_command_queue queue,
                                    const mote_jagged_segments_trial *trial, char *message,
                                    size_t size);

#endif
