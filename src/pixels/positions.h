/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MOTE_PIXELS_POSITIONS_H
#define MOTE_PIXELS_POSITIONS_H

#include "core/call.h"
#include "shared/pixels_params.h"
#include "shared/pixels_positions.h"
#include "mote/pixels.h"

/* Number of clusters for which the outputs of positions have room, 0 if no output is wanted; and
 * the largest number of clusters that can occur. */
size_t mote_pixels_positions_capacity(const mote_pixels_cluster_args *a);
size_t mote_pixels_positions_room(const mote_pixels_cluster_args *a);

/* Checks the properties that are special to positions; their views' memory is checked with the
 * other views. */
mote_status mote_pixels_check_positions(const mote_call *call, const mote_pixels_cluster_args *a);

/* MOTE_POSITIONS_* of shared/pixels_positions.h. */
uint32_t mote_pixels_positions_options(const mote_pixels_cluster_args *a);

/* Sets the arguments of a kernel: origins and pitches. */
void mote_pixels_geometry_arguments(mote_launch *l, const mote_pixels_cluster_args *a);

/* Returns whether the sums of every cluster are below 2^63. */
bool mote_pixels_sums_fit(const mote_pixels_cluster_args *a);

/* Entries of the CPU form for computed clusters, and the 64-bit words of a work-item's sums. */
size_t mote_pixels_formed_places(const mote_pixels_cluster_args *a, size_t slots);
size_t mote_pixels_own_sums_words(const mote_pixels_cluster_args *a);

struct mote_pixels_plan;

/* The inputs of positions besides the arguments. */
typedef struct mote_pixels_positions_parts {
    const mote_view *cluster_start, *copies; /* as for mote_pixels_launch_properties() */
    const mote_view *sums;       /* GPUs: scratch, MOTE_PIXELS_SUMS_WORDS for each cluster */
    const mote_view *n_clusters; /* GPUs: clusters of each module of each event */
    bool finds_starts;           /* GPUs: cluster_start has not been filled in yet */
    const mote_view *begins;     /* GPUs: beginning of each module of each event */
    const mote_view *position_key, *record; /* GPUs, any order: the moved digis */
    size_t group;     /* GPUs: work-items that sort by cluster; 0: sums in global memory are used */
    size_t registers; /* GPUs: register limit of a work-item; 0: the compiler's choice */
    const struct mote_pixels_plan *plan; /* GPUs: describes how digis have been moved */
    const mote_view *formed;             /* CPUs: outputs that are computed already, by module */
    const mote_view *first_formed;       /* CPUs: the first entry of each module in `formed` */
} mote_pixels_positions_parts;

/* Fills the outputs of positions from checked arguments and finished labels; `last`: no other
 * launch of the call follows. */
mote_status mote_pixels_launch_positions(mote_call *call, const mote_pixels_cluster_args *a,
                                         const mote_pixels_params *prm,
                                         const mote_pixels_positions_parts *of, bool last);

/* Returns the group size of positions_tiles.cl for these numbers of digis and slots, or 0 if sums
 * in global memory are used instead. */
size_t mote_pixels_positions_group(const mote_context *ctx, size_t n, size_t slots);

/* Returns whether such groups compute the beginnings of the modules' clusters themselves: with few
 * modules, if all groups run at once, that takes less time than a launch. */
bool mote_pixels_positions_find_starts(const mote_context *ctx, const mote_pixels_cluster_args *a,
                                       size_t group, size_t slots);

#endif
