/* SPDX-License-Identifier: Apache-2.0 */
/* The boxes of a call as the kernels take them: by value, or made on the device. */
#ifndef MOTE_COORDINATION_FRAMES_H
#define MOTE_COORDINATION_FRAMES_H

#include "coordination/job.h"

typedef struct mote_frames {
    bool given;                    /* by value: no box, or one from the host */
    mote_coordination_frame frame; /* then */
    mote_view array;               /* else: MOTE_COORDINATION_FRAME_WORDS for each frame */
} mote_frames;

void mote_frames_carve(const mote_coordination_job *job, mote_frames *frames, mote_carve *carve);

/* Makes what is given, or makes the launches ready that fill the array. */
mote_status mote_frames_run(const mote_coordination_job *job, mote_frames *frames);

/* Arguments that every kernel with boxes takes: the given frame, and the array. */
void mote_frames_set(mote_launch *launch, const mote_frames *frames);

#endif
