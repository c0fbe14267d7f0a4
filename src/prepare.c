/* SPDX-License-Identifier: Apache-2.0 */
/* Every area's operations by number. */
#include "coordination/operations.h"
#include "core/fail.h"
#include "jagged/operations.h"
#include "pixels/operations.h"
#include "reduce/operations.h"

static mote_operation_enqueue *const operations[] = {
    [MOTE_OPERATION_PIXELS_MODULE_START] = mote_pixels_module_start_enqueue,
    [MOTE_OPERATION_PIXELS_CLUSTER] = mote_pixels_cluster_enqueue,
    [MOTE_OPERATION_PIXELS_CHARGE_CUT] = mote_pixels_charge_cut_enqueue,
    [MOTE_OPERATION_PIXELS_CLUSTER_START] = mote_pixels_cluster_start_enqueue,
    [MOTE_OPERATION_JAGGED_COUNTS] = mote_jagged_counts_enqueue,
    [MOTE_OPERATION_JAGGED_OFFSETS_FROM_COUNTS] = mote_jagged_offsets_from_counts_enqueue,
    [MOTE_OPERATION_JAGGED_OFFSETS_FROM_PARENTS] = mote_jagged_offsets_from_parents_enqueue,
    [MOTE_OPERATION_JAGGED_NONZERO] = mote_jagged_nonzero_enqueue,
    [MOTE_OPERATION_JAGGED_GATHER_BY_PARENT] = mote_jagged_gather_by_parent_enqueue,
    [MOTE_OPERATION_JAGGED_PRODUCT] = mote_jagged_product_enqueue,
    [MOTE_OPERATION_JAGGED_PAIRS] = mote_jagged_pairs_enqueue,
    [MOTE_OPERATION_JAGGED_PARENTS] = mote_jagged_parents_enqueue,
    [MOTE_OPERATION_JAGGED_LOCAL_INDEX] = mote_jagged_local_index_enqueue,
    [MOTE_OPERATION_REDUCE] = mote_reduce_enqueue,
    [MOTE_OPERATION_COORDINATION] = mote_coordination_compute_enqueue,
    [MOTE_OPERATION_JAGGED_SEGMENTS] = mote_jagged_segments_enqueue,
};

mote_status mote_prepare(mote_context *ctx, mote_operation operation, const void *args)
{
    size_t number = (size_t)operation;
    if (number >= sizeof(operations) / sizeof(operations[0]) || !operations[number])
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "mote_prepare: operation %d is none of mote_operation", (int)operation);
    return operations[number](ctx, NULL, true, args, 0, NULL, NULL);
}
