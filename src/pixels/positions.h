/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MOTE_PIXELS_POSITIONS_H
#define MOTE_PIXELS_POSITIONS_H

#include "core/call.h"
#include "shared/pixels_params.h"
#include "mote/pixels.h"

#define MOTE_PIXELS_POSITION_OUTPUTS 9

/* Clusters that the outputs of positions have room for, 0 when none is wanted; and those of them
 * that there can be. */
size_t mote_pixels_positions_capacity(const mote_pixels_cluster_args *a);
size_t mote_pixels_positions_room(const mote_pixels_cluster_args *a);

/* What is special to positions; their views' memory is checked with the other views. */
mote_status mote_pixels_check_positions(const mote_call *call, const mote_pixels_cluster_args *a);

/* Fills the outputs of positions from checked arguments and finished labels. cluster_start, copies:
 * as for mote_pixels_launch_properties(). sums: scratch, MOTE_PIXELS_SUMS_WORDS for each cluster.
 */
mote_status mote_pixels_launch_positions(mote_call *call, const mote_pixels_cluster_args *a,
                                         const mote_pixels_params *prm,
                                         const mote_view *cluster_start, const mote_view *copies,
                                         const mote_view *sums);

#endif
