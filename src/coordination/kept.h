/* SPDX-License-Identifier: Apache-2.0 */
/* The method of plans with a skin: lists of each entry's partners, which are used by later calls
 * while no atom has moved far. */
#ifndef MOTE_COORDINATION_KEPT_H
#define MOTE_COORDINATION_KEPT_H

#include <stdatomic.h>

#include "coordination/sums.h"

/* What a plan keeps in memory of the device; see cl/coordination/cells/kept.clh. */
typedef struct mote_kept {
    uint32_t slices, capacity; /* lists of an entry, and the elements of each */
    atomic_uint calls;
    atomic_int last_is_double; /* precision of the last call */
    cl_mem state, reference, counts, lists;
} mote_kept;

/* Equals kept_limits of cl/coordination/cells/kept.clh. */
typedef struct kept_limits {
    uint32_t near_2[2], moved_2[2];
} kept_limits;

/* A call that keeps lists. */
typedef struct mote_kept_call {
    const mote_kept *of;
    uint32_t number;
    kept_limits limits;
    size_t local;
    mote_frames frames;
    mote_coordination_sums sums;
    mote_view loaded, weights;
} mote_kept_call;

/* Allocates the memory of a plan with a skin, if its calls can use it. */
mote_status mote_kept_make(mote_coordination *plan);
void mote_kept_release(mote_kept *kept);

/* Returns the distance within which the nearest image of a pair must be exact. */
double mote_kept_reach(const mote_coordination *plan);

/* Returns the limits in the unit of d of cl/coordination/image.clh. */
kept_limits mote_kept_limits(const mote_coordination_job *job);

/* Returns whether a call that uses cells keeps lists instead. */
bool mote_kept_applies(const mote_coordination_job *job);

/* Chooses the launch shape, lays out scratch, and prepares the launches of such a call. */
void mote_kept_choose_shape(const mote_coordination_job *job, mote_kept_call *call);
void mote_kept_carve(const mote_coordination_job *job, mote_kept_call *call, mote_carve *carve);
mote_status mote_kept_run(const mote_coordination_job *job, const mote_kept_call *call);

/* Sets the last parameters of the launch that checks whether lists are kept. */
void mote_kept_set_check(mote_launch *launch, const mote_kept_call *call);

#endif
