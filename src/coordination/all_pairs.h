/* SPDX-License-Identifier: Apache-2.0 */
/* Methods that evaluate every pair: all pairs of lists, and pairs listed one by one. */
#ifndef MOTE_COORDINATION_ALL_PAIRS_H
#define MOTE_COORDINATION_ALL_PAIRS_H

#include "coordination/sums.h"
#include "core/quirks.h"
#include "core/size.h"

typedef struct mote_all_pairs mote_all_pairs;

/* A way of sharing out the pairs of a call. */
typedef struct mote_all_pairs_variant {
    const char *name; /* for messages */
    bool (*applies)(const mote_coordination_job *job);
    /* Sets the lengths of the launch, from `load` to `split`, and those in sums. */
    void (*choose_shape)(const mote_coordination_job *job, mote_all_pairs *all);
    /* Makes the launch ready that leaves the sums. */
    mote_status (*launch)(const mote_coordination_job *job, const mote_all_pairs *all);
} mote_all_pairs_variant;

struct mote_all_pairs {
    const mote_all_pairs_variant *variant;
    mote_frames frames;
    mote_coordination_sums sums;
    bool load; /* entries are loaded by a launch of their own */
    bool skip; /* pairs beyond d_max are branched around */
    mote_view loaded, weights;
    size_t local, own, tile; /* work-group, entries of a work-item, entries at once against them */
    size_t split;            /* rows: teams of a work-group */
    size_t row;              /* places of the weights of a frame; 0: the call has none */
};

/* Mode PAIR; the CPU form; the GPU form that evaluates each pair once; and the one for few pairs,
 * each from both sides, which always applies. */
extern const mote_all_pairs_variant mote_all_pairs_listed, mote_all_pairs_cpu, mote_all_pairs_tiles,
    mote_all_pairs_rows;

/* Chooses the variant and its launch shape. */
void mote_all_pairs_choose_shape(const mote_coordination_job *job, mote_all_pairs *all);

/* Lays out scratch. */
void mote_all_pairs_carve(const mote_coordination_job *job, mote_all_pairs *all, mote_carve *carve);

/* Makes the launches of the call ready. */
mote_status mote_all_pairs_run(const mote_coordination_job *job, const mote_all_pairs *all);

/* Entries of a work-item: `usual`, on Intel's GPUs at most `doubles` in double precision and two
 * for a stretched function. They keep the numbers of more in memory. */
static inline size_t mote_all_pairs_own(const mote_coordination_job *job, size_t usual,
                                        size_t doubles)
{
    if (!mote_has_quirk(job->call->ctx, MOTE_QUIRK_FEW_REGISTERS))
        return usual;
    if (mote_coordination_is_double(job))
        return smaller(usual, doubles);
    return job->plan->numbers.stretched ? smaller(usual, 2) : usual;
}

#endif
