/* SPDX-License-Identifier: Apache-2.0 */
/* Every operation: its number in mote_operation, and its descriptor. */
#ifndef MOTE_OPERATIONS_H
#define MOTE_OPERATIONS_H

#include "core/operation.h"

#define MOTE_OPERATIONS(OPERATION)                                                                 \
    OPERATION(MOTE_OPERATION_PIXELS_MODULE_START, mote_pixels_module_start_operation)              \
    OPERATION(MOTE_OPERATION_PIXELS_CLUSTER, mote_pixels_cluster_operation)                        \
    OPERATION(MOTE_OPERATION_PIXELS_CHARGE_CUT, mote_pixels_charge_cut_operation)                  \
    OPERATION(MOTE_OPERATION_PIXELS_CLUSTER_START, mote_pixels_cluster_start_operation)            \
    OPERATION(MOTE_OPERATION_PIXELS_CLUSTER_TIME, mote_pixels_cluster_time_operation)              \
    OPERATION(MOTE_OPERATION_PIXELS_CLUSTER_DIGIS, mote_pixels_cluster_digis_operation)            \
    OPERATION(MOTE_OPERATION_PIXELS_MEASURE, mote_pixels_measure_operation)                        \
    OPERATION(MOTE_OPERATION_PIXELS_DECODE_TIMEPIX3, mote_pixels_decode_timepix3_operation)        \
    OPERATION(MOTE_OPERATION_JAGGED_COUNTS, mote_jagged_counts_operation)                          \
    OPERATION(MOTE_OPERATION_JAGGED_OFFSETS_FROM_COUNTS,                                           \
              mote_jagged_offsets_from_counts_operation)                                           \
    OPERATION(MOTE_OPERATION_JAGGED_OFFSETS_FROM_PARENTS,                                          \
              mote_jagged_offsets_from_parents_operation)                                          \
    OPERATION(MOTE_OPERATION_JAGGED_NONZERO, mote_jagged_nonzero_operation)                        \
    OPERATION(MOTE_OPERATION_JAGGED_RUN_LENGTHS, mote_jagged_run_lengths_operation)                \
    OPERATION(MOTE_OPERATION_JAGGED_SCAN, mote_jagged_scan_operation)                              \
    OPERATION(MOTE_OPERATION_JAGGED_SORT, mote_jagged_sort_operation)                              \
    OPERATION(MOTE_OPERATION_JAGGED_PAD, mote_jagged_pad_operation)                                \
    OPERATION(MOTE_OPERATION_JAGGED_SLICE, mote_jagged_slice_operation)                            \
    OPERATION(MOTE_OPERATION_JAGGED_QUANTILE, mote_jagged_quantile_operation)                      \
    OPERATION(MOTE_OPERATION_JAGGED_GATHER_BY_PARENT, mote_jagged_gather_by_parent_operation)      \
    OPERATION(MOTE_OPERATION_JAGGED_PRODUCT, mote_jagged_product_operation)                        \
    OPERATION(MOTE_OPERATION_JAGGED_PAIRS, mote_jagged_pairs_operation)                            \
    OPERATION(MOTE_OPERATION_JAGGED_COMBINATIONS, mote_jagged_combinations_operation)              \
    OPERATION(MOTE_OPERATION_JAGGED_PARENTS, mote_jagged_parents_operation)                        \
    OPERATION(MOTE_OPERATION_JAGGED_LOCAL_INDEX, mote_jagged_local_index_operation)                \
    OPERATION(MOTE_OPERATION_HISTOGRAM, mote_histogram_operation)                                  \
    OPERATION(MOTE_OPERATION_REDUCE, mote_reduce_operation)                                        \
    OPERATION(MOTE_OPERATION_NEIGHBOURS, mote_neighbours_operation)                                \
    OPERATION(MOTE_OPERATION_PAIR_HISTOGRAM, mote_pair_histogram_operation)                        \
    OPERATION(MOTE_OPERATION_STEINHARDT, mote_steinhardt_operation)                                \
    OPERATION(MOTE_OPERATION_COORDINATION, mote_coordination_compute_operation)                    \
    OPERATION(MOTE_OPERATION_JAGGED_REDUCE, mote_jagged_reduce_operation)

#define MOTE_DECLARE(number, descriptor) extern const mote_descriptor descriptor;
MOTE_OPERATIONS(MOTE_DECLARE)
#undef MOTE_DECLARE

#endif
