/* SPDX-License-Identifier: Apache-2.0 */
/* Methods that evaluate every pair: all pairs of lists, and pairs listed one by one. */
#ifndef MOTE_COORDINATION_ALL_PAIRS_H
#define MOTE_COORDINATION_ALL_PAIRS_H

#include "coordination/sums.h"

/* How the pairs of a call are shared out. */
typedef enum mote_all_pairs_variant {
    MOTE_ALL_PAIRS_LISTED, /* mode PAIR */
    MOTE_ALL_PAIRS_ROWS,   /* GPU form, few pairs: each from both sides */
    MOTE_ALL_PAIRS_TILES,  /* GPU form: each pair once */
    MOTE_ALL_PAIRS_CPU     /* CPU form */
} mote_all_pairs_variant;

typedef struct mote_all_pairs {
    mote_all_pairs_variant variant;
    const mote_kernel_constants *constants;
    mote_frames frames;
    mote_coordination_sums sums;
    bool load; /* entries are loaded by a launch of their own */
    mote_view loaded, weights;
    size_t local, own, tile; /* work-group, entries of a work-item, entries at once against them */
    size_t split;            /* ROWS: teams of a work-group */
    bool skip;               /* pairs beyond d_max are branched around */
} mote_all_pairs;

/* Chooses the launch shape and lays out scratch. Call once with an empty carve to get the size,
 * again to assign. */
void mote_all_pairs_carve(const mote_coordination_job *job, mote_all_pairs *all, mote_carve *carve);

/* Makes the launches of the call ready. */
mote_status mote_all_pairs_run(const mote_coordination_job *job, mote_all_pairs *all);

/* Entries of a work-item: `usual`, on Intel's GPUs at most `doubles` in double precision and two
 * for a stretched function. They keep the numbers of more in memory. */
size_t mote_all_pairs_own(const mote_coordination_job *job, size_t usual, size_t doubles);

/* One variant: sets everything but memory, and makes ready the launch that leaves the sums. */
void mote_all_pairs_rows_choose_shape(const mote_coordination_job *job, mote_all_pairs *all);
mote_status mote_all_pairs_rows_launch(const mote_coordination_job *job, const mote_all_pairs *all);
bool mote_all_pairs_tiles_fill(const mote_coordination_job *job); /* a device, so well as rows */
void mote_all_pairs_tiles_choose_shape(const mote_coordination_job *job, mote_all_pairs *all);
mote_status mote_all_pairs_tiles_launch(const mote_coordination_job *job,
                                        const mote_all_pairs *all);
void mote_all_pairs_cpu_choose_shape(const mote_coordination_job *job, mote_all_pairs *all);
mote_status mote_all_pairs_cpu_launch(const mote_coordination_job *job, const mote_all_pairs *all);

#endif
