/* SPDX-License-Identifier: Apache-2.0 */
/* The jagged operations as mote_prepare() calls them. */
#ifndef MOTE_JAGGED_OPERATIONS_H
#define MOTE_JAGGED_OPERATIONS_H

#include "core/operation.h"
#include "mote/jagged.h"

mote_operation_enqueue mote_jagged_counts_enqueue;
mote_operation_enqueue mote_jagged_offsets_from_counts_enqueue;
mote_operation_enqueue mote_jagged_offsets_from_parents_enqueue;
mote_operation_enqueue mote_jagged_nonzero_enqueue;
mote_operation_enqueue mote_jagged_gather_by_parent_enqueue;
mote_operation_enqueue mote_jagged_product_enqueue;
mote_operation_enqueue mote_jagged_pairs_enqueue;
mote_operation_enqueue mote_jagged_parents_enqueue;
mote_operation_enqueue mote_jagged_local_index_enqueue;
mote_operation_enqueue mote_jagged_segments_enqueue;

#endif
