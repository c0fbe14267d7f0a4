/* SPDX-License-Identifier: Apache-2.0 */
/* The method that a call uses. */
#ifndef MOTE_COORDINATION_METHOD_H
#define MOTE_COORDINATION_METHOD_H

#include "coordination/all_pairs.h"
#include "coordination/cells.h"
#include "coordination/kept.h"

typedef struct mote_method {
    bool cells; /* else all pairs */
    bool kept;  /* lists are kept instead of cells */
    union {
        mote_all_pairs all_pairs;
        mote_cells of_cells;
        mote_kept_call kept;
    } of;
} mote_method;

/* Returns whether the call uses cells: the plan's method, or with AUTO the one that is expected to
 * be faster. */
bool mote_method_is_cells(const mote_coordination_job *job);

/* Returns whether AUTO decides from the arguments of a call, so that another call may use the other
 * method.
 */
bool mote_method_is_open(const mote_coordination_job *job);

/* Chooses the launch shape. */
void mote_method_choose_shape(const mote_coordination_job *job, bool cells, mote_method *method);

/* Lays out scratch. */
void mote_method_carve(const mote_coordination_job *job, mote_method *method, mote_carve *carve);

/* Prepares the launches of the call. */
mote_status mote_method_run(const mote_coordination_job *job, const mote_method *method);

#endif
