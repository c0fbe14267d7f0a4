/* SPDX-License-Identifier: Apache-2.0 */
/* Parents from starts and stops. */
#ifndef MOTE_JAGGED_STARTS_STOPS_H
#define MOTE_JAGGED_STARTS_STOPS_H

#include "jagged/lists.h"
#include "mote/jagged.h"

typedef struct mote_spans_plan {
    mote_jagged_parents_args args;
    mote_lists lists;
    bool cpu;     /* the form of the kernels */
    bool overlap; /* lists that share elements are an error */
    /* For the GPU form: */
    uint32_t levels;  /* of the tree of elements, including the elements */
    size_t nodes;     /* nodes of the levels above the elements */
    mote_view leaves; /* codes of the elements */
    mote_view tree;   /* codes of the nodes, level by level */
} mote_spans_plan;

/* args: checked ones. Carves scratch if the form needs any. */
mote_spans_plan mote_spans_make(const mote_context *ctx, const mote_jagged_parents_args *args,
                                const mote_lists *lists, mote_carve *carve);

/* Prepares the launches, including the clearing of the error word. */
mote_status mote_spans_run(mote_call *call, const mote_spans_plan *plan);

#endif
