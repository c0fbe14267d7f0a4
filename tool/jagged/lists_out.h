/* SPDX-License-Identifier: Apache-2.0 */
/* Declares counts and offsets, which have one result for each list, or one more. */
#ifndef MOTE_TOOL_JAGGED_LISTS_OUT_H
#define MOTE_TOOL_JAGGED_LISTS_OUT_H

#include "job.h"

typedef mote_status (*jagged_lists_call)(mote_context *ctx, mote_host *host,
                                         const mote_jagged_offsets_host_args *args);

typedef struct jagged_lists_out {
    tool_common common;
    jagged_lists lists; /* the input, unless `values` is set */
    const char *values; /* counts or parents, or NULL */
    bool from_parents;  /* true if the values are parents */
    uint64_t n_lists;   /* of parents */
    bool one_more;      /* results than lists */
    jagged_lists_call call;
} jagged_lists_out;

/* Runs the command; returns the exit code. */
int jagged_lists_out_run(const tool_command *self, jagged_lists_out *work);

#endif
