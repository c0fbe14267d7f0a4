/* SPDX-License-Identifier: Apache-2.0 */
/* parents and local-index: one result for each element. */
#ifndef MOTE_TOOL_JAGGED_ELEMENTS_H
#define MOTE_TOOL_JAGGED_ELEMENTS_H

#include "job.h"

typedef mote_status (*jagged_call)(mote_context *ctx, mote_host *host,
                                   const mote_jagged_parents_host_args *args);

typedef struct jagged_elements {
    tool_common common;
    jagged_lists lists;
    mote_jagged_strategy strategy;
    bool absolute, has_length;
    uint64_t length; /* elements of the result; else as many as the offsets span */
    jagged_call call;
    const char *columns; /* of CSV: "list,...", the first one for lists only */
} jagged_elements;

/* Takes the value of --strategy. */
int jagged_strategy(const char *text, mote_jagged_strategy *strategy);

/* Runs the command; returns the exit code. */
int jagged_elements_run(const tool_command *self, jagged_elements *elements);

#endif
