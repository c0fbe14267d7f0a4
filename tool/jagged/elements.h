/* SPDX-License-Identifier: Apache-2.0 */
/* Declares parents and local-index, which have one result for each element. */
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
    /* Number of elements of the result, if given; otherwise the offsets determine it. */
    uint64_t length;
    jagged_call call;
    const char *columns; /* columns of CSV: "list,...", of which the first one is for lists only */
} jagged_elements;

/* Parses the value of --strategy. */
int jagged_strategy(const char *text, mote_jagged_strategy *strategy);

/* Runs the command; returns the exit code. */
int jagged_elements_run(const tool_command *self, jagged_elements *elements);

#endif
