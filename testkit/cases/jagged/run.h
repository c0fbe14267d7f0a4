/* SPDX-License-Identifier: Apache-2.0 */
/* The calls that compute offsets, counts and parents, on a case in arrays of the host: inputs, the
 * call, and expected results. */
#ifndef MOTE_TESTKIT_CASES_JAGGED_RUN_H
#define MOTE_TESTKIT_CASES_JAGGED_RUN_H

#include "testkit/reference/jagged/oracle.h"
#include "mote/jagged.h"

/* The first four have the number of their strategy. */
typedef enum mote_jagged_work {
    MOTE_WORK_PARENTS,
    MOTE_WORK_SEARCH,
    MOTE_WORK_EVENT,
    MOTE_WORK_BALANCED,
    MOTE_WORK_SPANS, /* parents from starts and stops */
    MOTE_WORK_LOCAL_INDEX,
    MOTE_WORK_COUNTS,
    MOTE_WORK_FROM_COUNTS,
    MOTE_WORK_FROM_PARENTS,
    MOTE_WORKS
} mote_jagged_work;

typedef struct mote_jagged_run {
    mote_jagged_work work;
    mote_case_lists lists; /* starts and stops for MOTE_WORK_SPANS, else offsets */
    void *input;           /* counts or parents, if the call reads them */
    size_t elements;
    size_t count; /* number of results, all of the type of the lists */
} mote_jagged_run;

/* Returns false if the type cannot hold the case, or memory ran out. seed: as in
 * mote_lists_case_make(). */
bool mote_jagged_run_make(mote_jagged_run *run, const mote_lists_case *c, mote_type type,
                          uint64_t seed, mote_jagged_work work);
void mote_jagged_run_free(mote_jagged_run *run);

/* Writes `count` results. */
mote_status mote_jagged_run_call(const mote_jagged_run *run, mote_context *ctx, mote_host *host,
                                 void *results);

#endif
