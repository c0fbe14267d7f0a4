/* SPDX-License-Identifier: Apache-2.0 */
/* Methods that look at every pair: all pairs of lists, and pairs listed one by one. */
#ifndef MOTE_COORDINATION_ALL_PAIRS_H
#define MOTE_COORDINATION_ALL_PAIRS_H

#include "coordination/sums.h"

/* How the pairs of a call are shared out. */
typedef struct mote_all_pairs {
    mote_coordination_form form;
    mote_frames frames;
    mote_coordination_sums sums;
    size_t local, own, tile; /* work-group, entries of a work-item, entries in local memory */
} mote_all_pairs;

/* Decides, and takes scratch; run first to count it, then to have it. */
void mote_all_pairs_carve(const mote_coordination_job *job, mote_all_pairs *all, mote_carve *carve);

/* Makes the launches of the call ready. */
mote_status mote_all_pairs_run(const mote_coordination_job *job, mote_all_pairs *all);

#endif
