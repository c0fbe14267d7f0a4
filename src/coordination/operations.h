/* SPDX-License-Identifier: Apache-2.0 */
/* The coordination operations as mote_prepare() calls them. */
#ifndef MOTE_COORDINATION_OPERATIONS_H
#define MOTE_COORDINATION_OPERATIONS_H

#include "core/operation.h"
#include "mote/coordination.h"

mote_operation_enqueue mote_coordination_compute_enqueue;

#endif
