/* SPDX-License-Identifier: Apache-2.0 */
/* One call of mote_coordination_compute(), checked. */
#ifndef MOTE_COORDINATION_JOB_H
#define MOTE_COORDINATION_JOB_H

#include "coordination/plan.h"
#include "core/call.h"

typedef struct mote_coordination_job {
    mote_call *call;
    const mote_coordination *plan;
    mote_coordination_args args; /* with the defaults filled in */
    size_t entries, rows;        /* rows of derivatives in a frame */
} mote_coordination_job;

/* Fills in a job from the caller's arguments; fails, before anything is enqueued, when one of them
 * is wrong. */
mote_status mote_coordination_check(mote_call *call, const void *args, mote_coordination_job *job);

#endif
