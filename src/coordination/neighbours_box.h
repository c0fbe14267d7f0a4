/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the box of a search for neighbours, and computes its parameters. */
#ifndef MOTE_COORDINATION_NEIGHBOURS_BOX_H
#define MOTE_COORDINATION_NEIGHBOURS_BOX_H

#include "core/call.h"
#include "mote/neighbours.h"
#include "shared/neighbours.h"

/* What the arguments of a search say about its range. */
typedef struct mote_neighbours_range {
    const char *name; /* of the cutoff, for messages */
    double cutoff;
    const double *box;
    uint32_t pbc;
} mote_neighbours_range;

/* Checks cutoff, pbc and box, and sets the parameters that follow from them. `as_double` is set if
 * the kernels compute in double precision. */
mote_status mote_neighbours_box(const mote_call *call, const mote_neighbours_range *range,
                                bool as_double, mote_neighbours_params *p);

#endif
