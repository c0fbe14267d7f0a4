/* SPDX-License-Identifier: Apache-2.0 */
/* Methods that evaluate every pair: all pairs of lists, and pairs that are listed one by one. */
#ifndef MOTE_COORDINATION_ALL_PAIRS_H
#define MOTE_COORDINATION_ALL_PAIRS_H

#include "coordination/sums.h"
#include "core/quirks.h"
#include "core/size.h"

typedef struct mote_all_pairs mote_all_pairs;

/* One way to divide the pairs of a call. */
typedef struct mote_all_pairs_variant {
    const char *name; /* for messages */
    bool (*applies)(const mote_coordination_job *job);
    /* Sets the lengths of the launch, from `load` to `split`, and those in sums. */
    void (*choose_shape)(const mote_coordination_job *job, mote_all_pairs *all);
    /* Prepares the launch that stores the sums. */
    mote_status (*launch)(const mote_coordination_job *job, const mote_all_pairs *all);
} mote_all_pairs_variant;

struct mote_all_pairs {
    const mote_all_pairs_variant *variant;
    mote_frames frames;
    mote_coordination_sums sums;
    bool load; /* entries are loaded by a separate launch */
    bool skip; /* pairs beyond d_max are skipped by a branch */
    mote_view loaded, weights;
    size_t local, own, tile; /* work-group size; entries of a work-item; entries of a tile */
    size_t split;            /* rows: teams of a work-group */
    size_t row;              /* elements for the weights of a frame; 0: the call has none */
};

/* The variants: mode PAIR; the CPU form; the GPU form that evaluates each pair once; and the GPU
 * form for few pairs, which evaluates each from both sides and always applies. */
extern const mote_all_pairs_variant mote_all_pairs_listed, mote_all_pairs_cpu, mote_all_pairs_tiles,
    mote_all_pairs_rows;

/* Chooses the variant and its launch shape. */
void mote_all_pairs_choose_shape(const mote_coordination_job *job, mote_all_pairs *all);

/* Lays out scratch. */
void mote_all_pairs_carve(const mote_coordination_job *job, mote_all_pairs *all, mote_carve *carve);

/* Prepares the launches of the call. */
mote_status mote_all_pairs_run(const mote_coordination_job *job, const mote_all_pairs *all);

/* Returns the number of entries of a work-item: `usual`, but on Intel's GPUs at most `doubles` in
 * double precision and two for a stretched function. With more entries, these GPUs keep the numbers
 * in memory. */
static inline size_t mote_all_pairs_own(const mote_coordination_job *job, size_t usual,
                                        size_t doubles)
{
    if (!mote_has_quirk(job->call->ctx, MOTE_QUIRK_FEW_REGISTERS))
        return usual;
    if (mote_coordination_is_double(job))
        return min_size(usual, doubles);
    return job->plan->numbers.stretched ? min_size(usual, 2) : usual;
}

#endif
