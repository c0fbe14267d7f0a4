/* SPDX-License-Identifier: Apache-2.0 */
/* Which method a call takes. */
#ifndef MOTE_COORDINATION_METHOD_H
#define MOTE_COORDINATION_METHOD_H

#include "coordination/all_pairs.h"
#include "coordination/cells.h"

typedef struct mote_method {
    bool cells; /* else all pairs */
    union {
        mote_all_pairs all_pairs;
        mote_cells of_cells;
    } of;
} mote_method;

/* Whether the call takes cells: what the plan says, or with AUTO what is expected to be faster. */
bool mote_method_is_cells(const mote_coordination_job *job);

/* Whether AUTO decides it by what a call is given, so that another one may take the other method.
 */
bool mote_method_is_open(const mote_coordination_job *job);

/* Chooses the launch shape. */
void mote_method_choose_shape(const mote_coordination_job *job, bool cells, mote_method *method);

/* Lays out scratch. */
void mote_method_carve(const mote_coordination_job *job, mote_method *method, mote_carve *carve);

/* Makes the launches of the call ready. */
mote_status mote_method_run(const mote_coordination_job *job, const mote_method *method);

#endif
