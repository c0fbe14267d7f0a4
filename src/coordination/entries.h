/* SPDX-License-Identifier: Apache-2.0 */
/* The coordinates of all entries, for methods that read them often. */
#ifndef MOTE_COORDINATION_ENTRIES_H
#define MOTE_COORDINATION_ENTRIES_H

#include "coordination/kept.h"

/* Returns the number of bytes of a frame's coordinates; with planes, params has their lengths. */
size_t mote_entries_bytes(const mote_coordination_job *job, const mote_coordination_sums *sums);

/* Sets params.bad_each, the number of groups that load a frame. */
void mote_entries_choose_shape(const mote_coordination_job *job, mote_coordination_sums *sums);

/* Carves memory for the frames of one launch. */
mote_view mote_entries_carve(const mote_coordination_job *job, const mote_coordination_sums *sums,
                             mote_carve *carve);

/* Returns the work-group size of launches over entries. */
size_t mote_entries_local(const mote_context *ctx);
uint32_t mote_entries_each(const mote_coordination_job *job, const mote_coordination_sums *sums);

/* Further outputs of the launch; each may be empty. */
typedef struct mote_entries_more {
    mote_view extents; /* receives 2 x 4 numbers of each group: lowest and highest coordinates */
    mote_view clear;   /* MOTE_UINT32, set to 0 */
    const mote_kept_call *kept; /* NULL: no skin; else decides whether lists are kept */
} mote_entries_more;

/* Prepares the launch that loads the frames of sums->params. more: NULL = no further outputs. */
mote_status mote_entries_run(const mote_coordination_job *job, const mote_frames *frames,
                             const mote_coordination_sums *sums, const mote_view *loaded,
                             const mote_entries_more *more);

#endif
