/* SPDX-License-Identifier: Apache-2.0 */
/* What mote_jagged_reduce() must give: plain loops that follow the virtual layout of
 * mote/jagged.h, so that devices with double precision give the same bits. A NaN is written as C's
 * NAN. */
#ifndef MOTE_REFERENCE_JAGGED_REDUCE_ORACLE_H
#define MOTE_REFERENCE_JAGGED_REDUCE_ORACLE_H

#include "testkit/cases/jagged/lists.h"
#include "mote/jagged.h"

/* One reduction of a jagged array of the host. */
typedef struct mote_jagged_reduce_what {
    const void *values;
    mote_type type; /* of the values */
    bool base_first;
    mote_reduction reduction;
    mote_nan_policy nan;
    mote_type result; /* one that the reduction can have */
} mote_jagged_reduce_what;

/* result[k] for each list; index results have the type of the lists. */
void mote_oracle_jagged_reduce(const mote_case_lists *lists, const mote_jagged_reduce_what *what,
                               void *result);

/* The usual type of the results of a reduction, float32 for float32 sums. */
mote_type mote_jagged_reduce_result_type(mote_reduction reduction, mote_type values,
                                         mote_type offsets);

/* Whether results are rounded, so that their bits depend on the order in which they are formed. */
bool mote_jagged_reduce_rounds(mote_reduction reduction, mote_type values);

#endif
