/* SPDX-License-Identifier: Apache-2.0 */
/* The jagged operations as mote_prepare() calls them. */
#ifndef MOTE_JAGGED_OPERATIONS_H
#define MOTE_JAGGED_OPERATIONS_H

#include "core/operation.h"
#include "mote/jagged.h"

mote_operation_enqueue mote_counts_enqueue;
mote_operation_enqueue mote_offsets_from_counts_enqueue;
mote_operation_enqueue mote_offsets_from_parents_enqueue;
mote_operation_enqueue mote_nonzero_enqueue;
mote_operation_enqueue mote_gather_by_parent_enqueue;
mote_operation_enqueue mote_product_enqueue;
mote_operation_enqueue mote_pairs_enqueue;
mote_operation_enqueue mote_parents_enqueue;
mote_operation_enqueue mote_local_index_enqueue;
mote_operation_enqueue mote_segments_enqueue;

#endif
