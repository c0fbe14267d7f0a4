/* SPDX-License-Identifier: Apache-2.0 */
/* The properties of each reduction: the table of cl/shared/reductions.h for C. */
#ifndef MOTE_REDUCE_REDUCTIONS_H
#define MOTE_REDUCE_REDUCTIONS_H

#include <stdbool.h>
#include "mote/reduce.h"
#include "shared/reductions.h"

/* The types of values that can be reduced. */
#define MOTE_REDUCTION_VALUES                                                                      \
    (MOTE_TYPE_BIT(MOTE_BOOL) | MOTE_TYPE_BIT(MOTE_INT8) | MOTE_TYPE_BIT(MOTE_UINT8) |             \
     MOTE_TYPE_BIT(MOTE_INT16) | MOTE_TYPE_BIT(MOTE_UINT16) | MOTE_TYPE_BIT(MOTE_INT32) |          \
     MOTE_TYPE_BIT(MOTE_UINT32) | MOTE_TYPE_BIT(MOTE_INT64) | MOTE_TYPE_BIT(MOTE_UINT64) |         \
     MOTE_TYPE_BIT(MOTE_FLOAT16) | MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64))

#define MOTE_REDUCTION_ONE(member, word, whole, kernel, how, of_integers, of_floats, about) +1
#define MOTE_REDUCTION_COUNT                                                                (0 MOTE_REDUCTIONS(MOTE_REDUCTION_ONE))

typedef struct mote_reduction_row {
    const char *name, *word;         /* "MOTE_REDUCE_SUM", "sum" */
    bool whole;                      /* mote_reduce() accepts it */
    int kernel;                      /* MOTE_JAGGED_REDUCE_SUM, ... */
    uint32_t how;                    /* MOTE_JAGGED_REDUCE_LARGEST, ... */
    uint32_t of_integers, of_floats; /* types of results, MOTE_RESULT_AS_VALUES, ... */
    const char *about;
} mote_reduction_row;

/* Returns NULL for a number that is not a mote_reduction. */
const mote_reduction_row *mote_reduction_find(mote_reduction reduction);

/* Returns the default type of results; MOTE_TYPE_NONE if there is none. */
mote_type mote_reduction_usual_result(mote_reduction reduction, mote_type values,
                                      mote_type offsets);

/* Fails with a sentence that names the reductions that mote_reduce() accepts. */
mote_status mote_reduction_check_whole(const char *function, mote_reduction reduction);

#endif
