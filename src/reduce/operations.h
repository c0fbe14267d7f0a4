/* SPDX-License-Identifier: Apache-2.0 */
/* The reductions as mote_prepare() calls them. */
#ifndef MOTE_REDUCE_OPERATIONS_H
#define MOTE_REDUCE_OPERATIONS_H

#include "core/operation.h"
#include "mote/reduce.h"

mote_operation_enqueue mote_reduce_enqueue;

#endif
