/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the launches that mark elements of lists and write the marked elements, their positions,
 * and the offsets of the lists that they form. */
#ifndef MOTE_JAGGED_NONZERO_H
#define MOTE_JAGGED_NONZERO_H

#include "jagged/lists.h"
#include "mote/jagged.h"

typedef struct mote_nonzero_plan {
    mote_jagged_nonzero_args args;
    mote_lists lists;
    /* 0 if values that are not 0 are marked. Otherwise RUNS of cl/jagged/nonzero/runs.clh: values
     * that begin runs are marked, in addition to values that are already marked. */
    unsigned runs;
    size_t n;      /* largest number of values that the offsets may address */
    size_t padded; /* n rounded up to a whole block */
    bool cpu;
    size_t local, groups, each;
    size_t limit; /* the least capacity of an output */
    mote_view marks, blocks, sums;
} mote_nonzero_plan;

/* Completes a plan whose args, lists and runs are set and checked. */
void mote_nonzero_make(const mote_context *ctx, mote_nonzero_plan *p);

void mote_nonzero_carve(const mote_call *call, void *plan, mote_carve *carve);

/* Enqueues the plan as the next launches of `call`, which are its final ones if `last` is set. */
mote_status mote_nonzero_run(mote_call *call, const mote_nonzero_plan *p, bool last);

#endif
