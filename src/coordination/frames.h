/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a call in the form that kernels read: passed by value, or computed on the device. */
#ifndef MOTE_COORDINATION_FRAMES_H
#define MOTE_COORDINATION_FRAMES_H

#include "coordination/job.h"

typedef struct mote_frames {
    bool given;                    /* passed by value: no box, or one from the host */
    mote_coordination_frame frame; /* then */
    mote_view array;               /* otherwise: MOTE_COORDINATION_FRAME_WORDS for each frame */
} mote_frames;

void mote_frames_carve(const mote_coordination_job *job, mote_frames *frames, mote_carve *carve);

/* Fills in the frame that is passed by value, or prepares the launches that fill the array. */
mote_status mote_frames_run(const mote_coordination_job *job, mote_frames *frames);

/* Sets the arguments of every kernel with boxes: the frame passed by value, and the array. */
void mote_frames_set(mote_launch *launch, const mote_frames *frames);

#endif
