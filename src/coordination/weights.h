/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of the entries, in the order in which a method reads its entries. */
#ifndef MOTE_COORDINATION_WEIGHTS_H
#define MOTE_COORDINATION_WEIGHTS_H

#include "coordination/sums.h"

/* The call has some. */
bool mote_coordination_is_weighted(const mote_coordination_job *job);

/* Takes memory for so many places, if the call has weights. */
mote_view mote_weights_carve(const mote_coordination_job *job, size_t places, mote_carve *carve);

/* Makes the launch ready that fills the places of the frames of sums->params: by `order`, or NULL:
 * frame by frame, in `row` places each, of which those from `skip` on are of list B. Nothing to do
 * without weights. */
mote_status mote_weights_run(const mote_coordination_job *job, const mote_coordination_sums *sums,
                             const mote_view *weights, const mote_view *order, uint32_t row,
                             uint32_t skip);

/* The last argument of a pair kernel, which has it when the call has weights. */
void mote_weights_set(mote_launch *launch, const mote_coordination_job *job,
                      const mote_view *weights);

#endif
