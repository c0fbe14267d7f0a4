/* SPDX-License-Identifier: Apache-2.0 */
/* A fixed part of a plan's pairs. */
#ifndef MOTE_COORDINATION_SHARES_H
#define MOTE_COORDINATION_SHARES_H

#include "coordination/plan.h"

#define MOTE_COORDINATION_MOST_SHARES 65536u

/* Gives a plan the parts of one of several shares. */
mote_status mote_coordination_divide(mote_coordination *plan, uint32_t share, uint32_t shares);

#endif
