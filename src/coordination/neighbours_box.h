/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the box of a search for neighbours, and computes its parameters. */
#ifndef MOTE_COORDINATION_NEIGHBOURS_BOX_H
#define MOTE_COORDINATION_NEIGHBOURS_BOX_H

#include "core/call.h"
#include "mote/neighbours.h"
#include "shared/neighbours.h"

/* Checks cutoff, pbc and box, and sets the parameters that follow from them. `as_double` is set if
 * the kernels compute in double precision. */
mote_status mote_neighbours_box(const mote_call *call, const mote_neighbours_args *args,
                                bool as_double, mote_neighbours_params *p);

#endif
