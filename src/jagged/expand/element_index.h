/* SPDX-License-Identifier: Apache-2.0 */
/* Computes for each element of an output the number of its list, or its position in the list: the
 * common code of mote_jagged_parents() and mote_jagged_local_index(). Lists are described by
 * offsets. */
#ifndef MOTE_JAGGED_EXPAND_ELEMENT_INDEX_H
#define MOTE_JAGGED_EXPAND_ELEMENT_INDEX_H

#include "jagged/expand/balanced.h"
#include "mote/jagged.h"

typedef struct mote_label_job {
    bool local_index; /* positions, not numbers */
    mote_lists lists;
    mote_view offsets, out;
    bool relative;
    size_t length; /* length of the content; SIZE_MAX = not known */
    mote_jagged_strategy strategy;
    bool full;
    mote_balanced_plan plan; /* set by mote_label_plan() */
} mote_label_job;

/* Chooses shapes of launches. */
void mote_label_plan(const mote_call *call, mote_label_job *job);

/* Prepares the launches, including the clearing of the error word. */
mote_status mote_label_run(mote_call *call, const mote_label_job *job);

#endif
