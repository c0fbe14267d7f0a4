/* SPDX-License-Identifier: Apache-2.0 */
/* The partial sums that pair kernels store, and the launch that adds them up into the outputs. */
#ifndef MOTE_COORDINATION_SUMS_H
#define MOTE_COORDINATION_SUMS_H

#include "coordination/frames.h"

/* Partial sums of the frames of one launch. In a frame, if derivatives or coordination numbers are
 * wanted: slices_a rows of n_a, then slices_b rows of n_b, each of g d and s, four reals; or with
 * planes slices_a rows of four planes, with 8 bytes per sum. Then groups x 8 totals, and for each
 * of bad_each groups that read positions, the lowest bad atom. */
typedef struct mote_coordination_sums {
    mote_coordination_params params; /* with slices and groups; frames of the launch */
    bool planes;
    size_t frames_at_once;
    double twice; /* how often each pair is counted in the totals: 1 or 2 */
    mote_view partial, totals, bad;
} mote_coordination_sums;

/* Returns whether derivatives or coordination numbers of entries are wanted. */
bool mote_coordination_wants_partials(const mote_coordination_job *job);

/* Decides how many frames a launch can process with `extra` additional bytes of scratch per
 * frame. */
void mote_coordination_sums_choose_frames(const mote_coordination_job *job,
                                          mote_coordination_sums *sums, size_t extra);

/* Carves memory for the sums of this number of frames. */
void mote_coordination_sums_carve(const mote_coordination_job *job, mote_coordination_sums *sums,
                                  mote_carve *carve);

/* Sets the frames of the next launch. */
void mote_coordination_sums_select(const mote_coordination_job *job, mote_coordination_sums *sums,
                                   const mote_frames *frames, size_t first);

/* Prepares the launch that computes the results of these frames. */
mote_status mote_coordination_finish(const mote_coordination_job *job, const mote_frames *frames,
                                     const mote_coordination_sums *sums);

#endif
