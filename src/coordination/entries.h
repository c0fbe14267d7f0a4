/* SPDX-License-Identifier: Apache-2.0 */
/* The coordinates of all entries, for methods that read them often. */
#ifndef MOTE_COORDINATION_ENTRIES_H
#define MOTE_COORDINATION_ENTRIES_H

#include "coordination/sums.h"

/* Bytes of a frame's coordinates; with planes, params has their lengths. */
size_t mote_entries_bytes(const mote_coordination_job *job, const mote_coordination_sums *sums);

/* Decides how many groups load a frame: params.bad_each. */
void mote_entries_share(const mote_coordination_job *job, mote_coordination_sums *sums);

/* Takes memory for the frames of one launch. */
mote_view mote_entries_carve(const mote_coordination_job *job, const mote_coordination_sums *sums,
                             mote_carve *carve);

/* Makes the launch ready that loads the frames of sums->params. */
mote_status mote_entries_run(const mote_coordination_job *job, const mote_frames *frames,
                             const mote_coordination_sums *sums, const mote_view *loaded);

#endif
