/* SPDX-License-Identifier: Apache-2.0 */
/* Descriptions of lists: offsets, or starts and stops. */
#ifndef MOTE_JAGGED_LISTS_H
#define MOTE_JAGGED_LISTS_H

#include "core/check.h"

/* The types of offsets. */
#define MOTE_JAGGED_INDEX                                                                          \
    (MOTE_TYPE_BIT(MOTE_INT32) | MOTE_TYPE_BIT(MOTE_UINT32) | MOTE_TYPE_BIT(MOTE_INT64))

#define MOTE_JAGGED_MOST_LISTS ((size_t)1 << 31)

typedef struct mote_lists {
    bool spans; /* starts and stops, not offsets */
    size_t count;
    mote_type type; /* type of offsets, or of starts */
} mote_lists;

/* Fills in `lists` from either offsets, or starts and stops; exactly one of the two must be given.
 * An absent view is all zero (if there are no lists, starts and stops may both be absent views, and
 * `type` states their type). offsets must have at least one element. Fails for 2^31 lists or more.
 * mote_check_views() checks the views themselves (types, memory). */
mote_status mote_lists_make(const mote_call *call, const mote_view *offsets,
                            const mote_view *starts, const mote_view *stops, mote_type type,
                            mote_lists *lists);

/* Like mote_lists_make(), for calls that only accept offsets. */
mote_status mote_lists_of_offsets(const mote_call *call, const mote_view *offsets,
                                  mote_lists *lists);

/* Like mote_lists_make(), for calls that accept counts, or starts and stops. */
mote_status mote_lists_of_counts(const mote_call *call, const mote_view *counts,
                                 const mote_view *starts, const mote_view *stops, mote_type type,
                                 mote_lists *lists);

/* Returns the types of a view besides the lists: the lists' own type, if it is an offset type. */
uint32_t mote_lists_types(const mote_lists *lists);

/* "-DINDEX=int -DINDEX_SIGNED=1 -DINDEX_LONG=0" and so on, for cl/jagged/lists.clh. */
const char *mote_lists_defines(mote_type type);

#endif
