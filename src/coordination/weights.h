/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of the entries, in the order in which a method reads its entries. */
#ifndef MOTE_COORDINATION_WEIGHTS_H
#define MOTE_COORDINATION_WEIGHTS_H

#include "coordination/sums.h"

/* Returns whether the call has weights. */
bool mote_coordination_is_weighted(const mote_coordination_job *job);

/* Carves memory for this number of elements, if the call has weights. */
mote_view mote_weights_carve(const mote_coordination_job *job, size_t places, mote_carve *carve);

/* Prepares the launch that stores the weights of the frames of sums->params: in the order `order`,
 * or with NULL frame by frame, in `row` elements each, of which those from `skip` on belong to list
 * B. Does nothing without weights. */
mote_status mote_weights_run(const mote_coordination_job *job, const mote_coordination_sums *sums,
                             const mote_view *weights, const mote_view *order, uint32_t row,
                             uint32_t skip);

/* Sets the last argument of a pair kernel, which exists if the call has weights. */
void mote_weights_set(mote_launch *launch, const mote_coordination_job *job,
                      const mote_view *weights);

#endif
