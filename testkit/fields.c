/* SPDX-License-Identifier: Apache-2.0 */
#include "testkit/fields.h"

#include "mote/mote.h"
#include "reduce/reductions.h"

#define BIT(type) (1u << MOTE_##type)
#define INDEX     (BIT(INT32) | BIT(UINT32) | BIT(INT64))
#define REALS     (BIT(FLOAT32) | BIT(FLOAT64))
#define NARROW    (BIT(UINT16) | BIT(UINT32))
#define NUMBERS                                                                                    \
    (BIT(BOOL) | BIT(INT8) | BIT(UINT8) | BIT(INT16) | BIT(UINT16) | INDEX | BIT(UINT64) | REALS | \
     BIT(FLOAT16))
#define RESULTS (INDEX | BIT(UINT64) | REALS | BIT(BOOL) | BIT(UINT8)) /* of any reduction */

#define OPTIONAL FIELD_OPTIONAL
#define WRITTEN  FIELD_WRITTEN
#define EXACT    FIELD_EXACT
#define LEADS    FIELD_LEADS
#define FOLLOWS  FIELD_FOLLOWS
#define POSITION (OPTIONAL | LEADS | WRITTEN) /* all have one length */

/* clang-format off */
#define FIELD(args, field, ...)  {#field, offsetof(args, field), __VA_ARGS__}
#define CHOICE(args, field, count) {#field, offsetof(args, field), count}
#define CALL(call, args)         #call, #args "_init", sizeof(args)

#define REDUCE(call) {CALL(call, mote_reduce_args), {                                              \
    FIELD(mote_reduce_args, values, NUMBERS, OPTIONAL),                                            \
    FIELD(mote_reduce_args, result, RESULTS, WRITTEN | EXACT),                                     \
    FIELD(mote_reduce_args, result_low, BIT(FLOAT32), WRITTEN | OPTIONAL | EXACT)}, {              \
    CHOICE(mote_reduce_args, reduction, MOTE_REDUCTION_COUNT),                                                       \
    CHOICE(mote_reduce_args, accumulation, 3),                                                     \
    CHOICE(mote_reduce_args, nan, 2)}}

#define COMBINATIONS(call, ...) {CALL(call, mote_jagged_combinations_args), {                      \
    FIELD(mote_jagged_combinations_args, offsets_a, INDEX, LEADS),                                 \
    FIELD(mote_jagged_combinations_args, offsets_b, INDEX, FOLLOWS | EXACT),                       \
    FIELD(mote_jagged_combinations_args, offsets, INDEX, FOLLOWS | EXACT | WRITTEN),               \
    FIELD(mote_jagged_combinations_args, first, INDEX, FOLLOWS | EXACT | OPTIONAL | WRITTEN),      \
    FIELD(mote_jagged_combinations_args, second, INDEX, FOLLOWS | EXACT | OPTIONAL | WRITTEN),     \
    __VA_ARGS__}, {                                                                                \
    CHOICE(mote_jagged_combinations_args, validate, 3)}}

const mote_fields mote_all_fields[] = {
    REDUCE(mote_reduce),
    REDUCE(mote_reduce_rows),
    {CALL(mote_histogram, mote_histogram_args), {
        FIELD(mote_histogram_args, values, NUMBERS, OPTIONAL | LEADS),
        FIELD(mote_histogram_args, edges, NUMBERS, OPTIONAL | EXACT),
        FIELD(mote_histogram_args, weights, REALS, OPTIONAL | EXACT),
        FIELD(mote_histogram_args, result, REALS | BIT(INT64), LEADS | WRITTEN)}, {{0}}},
    {CALL(mote_jagged_parents, mote_jagged_parents_args), {
        FIELD(mote_jagged_parents_args, offsets, INDEX, OPTIONAL),
        FIELD(mote_jagged_parents_args, starts, INDEX, EXACT),
        FIELD(mote_jagged_parents_args, stops, INDEX, EXACT | FOLLOWS),
        FIELD(mote_jagged_parents_args, parents, INDEX, OPTIONAL | FOLLOWS | WRITTEN)}, {
        CHOICE(mote_jagged_parents_args, strategy, 4),
        CHOICE(mote_jagged_parents_args, validate, 3),
        CHOICE(mote_jagged_parents_args, overlap, 3)}},
    {CALL(mote_jagged_local_index, mote_jagged_local_index_args), {
        FIELD(mote_jagged_local_index_args, offsets, INDEX, OPTIONAL),
        FIELD(mote_jagged_local_index_args, local_index, INDEX, OPTIONAL | FOLLOWS | WRITTEN)}, {
        CHOICE(mote_jagged_local_index_args, strategy, 4),
        CHOICE(mote_jagged_local_index_args, validate, 3)}},
    {CALL(mote_jagged_counts, mote_jagged_counts_args), {
        FIELD(mote_jagged_counts_args, offsets, INDEX, LEADS),
        FIELD(mote_jagged_counts_args, starts, INDEX, EXACT),
        FIELD(mote_jagged_counts_args, stops, INDEX, EXACT | FOLLOWS),
        FIELD(mote_jagged_counts_args, counts, INDEX, EXACT | FOLLOWS | WRITTEN)}, {{0}}},
    {CALL(mote_jagged_offsets_from_counts, mote_jagged_offsets_from_counts_args), {
        FIELD(mote_jagged_offsets_from_counts_args, counts, INDEX, LEADS),
        FIELD(mote_jagged_offsets_from_counts_args, starts, INDEX, EXACT),
        FIELD(mote_jagged_offsets_from_counts_args, stops, INDEX, EXACT | FOLLOWS),
        FIELD(mote_jagged_offsets_from_counts_args, offsets, INDEX, EXACT | FOLLOWS | WRITTEN)}, {{0}}},
    {CALL(mote_jagged_offsets_from_parents, mote_jagged_offsets_from_parents_args), {
        FIELD(mote_jagged_offsets_from_parents_args, parents, INDEX, OPTIONAL | FOLLOWS),
        FIELD(mote_jagged_offsets_from_parents_args, offsets, INDEX, WRITTEN)}, {{0}}},
    {CALL(mote_jagged_reduce, mote_jagged_reduce_args), {
        FIELD(mote_jagged_reduce_args, offsets, INDEX, LEADS),
        FIELD(mote_jagged_reduce_args, values, NUMBERS, OPTIONAL),
        FIELD(mote_jagged_reduce_args, result, RESULTS, EXACT | WRITTEN)}, {
        CHOICE(mote_jagged_reduce_args, reduction, MOTE_REDUCTION_COUNT),
        CHOICE(mote_jagged_reduce_args, nan, 2),
        CHOICE(mote_jagged_reduce_args, validate, 3)}},
    {CALL(mote_jagged_scan, mote_jagged_scan_args), {
        FIELD(mote_jagged_scan_args, offsets, INDEX, 0),
        FIELD(mote_jagged_scan_args, values, NUMBERS, OPTIONAL | LEADS),
        FIELD(mote_jagged_scan_args, result, NUMBERS, OPTIONAL | EXACT | WRITTEN)}, {
        CHOICE(mote_jagged_scan_args, reduction, 4),
        CHOICE(mote_jagged_scan_args, validate, 3)}},
    {CALL(mote_jagged_sort, mote_jagged_sort_args), {
        FIELD(mote_jagged_sort_args, offsets, INDEX, 0),
        FIELD(mote_jagged_sort_args, values, NUMBERS, OPTIONAL | LEADS),
        FIELD(mote_jagged_sort_args, result, NUMBERS, OPTIONAL | EXACT | WRITTEN),
        FIELD(mote_jagged_sort_args, indices, INDEX, OPTIONAL | EXACT | WRITTEN)}, {
        CHOICE(mote_jagged_sort_args, validate, 3)}},
    {CALL(mote_jagged_gather_by_parent, mote_jagged_gather_by_parent_args), {
        FIELD(mote_jagged_gather_by_parent_args, offsets, INDEX, LEADS),
        FIELD(mote_jagged_gather_by_parent_args, values, NUMBERS, LEADS),
        FIELD(mote_jagged_gather_by_parent_args, result, NUMBERS, OPTIONAL | FOLLOWS | WRITTEN),
        FIELD(mote_jagged_gather_by_parent_args, elements, NUMBERS, OPTIONAL | EXACT)}, {
        CHOICE(mote_jagged_gather_by_parent_args, validate, 3)}},
    COMBINATIONS(mote_jagged_product, {0}),
    COMBINATIONS(mote_jagged_pairs, {0}),
    COMBINATIONS(mote_jagged_combinations,
        FIELD(mote_jagged_combinations_args, offsets_c, INDEX, FOLLOWS | EXACT),
        FIELD(mote_jagged_combinations_args, offsets_d, INDEX, FOLLOWS | EXACT),
        FIELD(mote_jagged_combinations_args, third, INDEX, FOLLOWS | EXACT | OPTIONAL | WRITTEN),
        FIELD(mote_jagged_combinations_args, fourth, INDEX, FOLLOWS | EXACT | OPTIONAL | WRITTEN)),
    {CALL(mote_jagged_nonzero, mote_jagged_nonzero_args), {
        FIELD(mote_jagged_nonzero_args, offsets, INDEX, LEADS),
        FIELD(mote_jagged_nonzero_args, values, NUMBERS, OPTIONAL),
        FIELD(mote_jagged_nonzero_args, offsets_out, INDEX, EXACT | FOLLOWS | WRITTEN),
        FIELD(mote_jagged_nonzero_args, positions, INDEX, OPTIONAL | FOLLOWS | WRITTEN),
        FIELD(mote_jagged_nonzero_args, elements, NUMBERS, OPTIONAL | EXACT),
        FIELD(mote_jagged_nonzero_args, filtered, NUMBERS, OPTIONAL | FOLLOWS | WRITTEN)}, {
        CHOICE(mote_jagged_nonzero_args, validate, 3)}},
    {CALL(mote_jagged_pad, mote_jagged_pad_args), {
        FIELD(mote_jagged_pad_args, offsets, INDEX, LEADS),
        FIELD(mote_jagged_pad_args, values, NUMBERS, OPTIONAL),
        FIELD(mote_jagged_pad_args, starts, INDEX, OPTIONAL | EXACT | FOLLOWS),
        FIELD(mote_jagged_pad_args, result, NUMBERS, EXACT | FOLLOWS | WRITTEN)}, {{0}}},
    {CALL(mote_jagged_slice, mote_jagged_slice_args), {
        FIELD(mote_jagged_slice_args, offsets, INDEX, LEADS),
        FIELD(mote_jagged_slice_args, values, NUMBERS, OPTIONAL),
        FIELD(mote_jagged_slice_args, offsets_out, INDEX, EXACT | FOLLOWS | WRITTEN),
        FIELD(mote_jagged_slice_args, sliced, NUMBERS, OPTIONAL | FOLLOWS | WRITTEN),
        FIELD(mote_jagged_slice_args, positions, INDEX, OPTIONAL | FOLLOWS | WRITTEN)}, {{0}}},
    {CALL(mote_jagged_quantile, mote_jagged_quantile_args), {
        FIELD(mote_jagged_quantile_args, offsets, INDEX, LEADS),
        FIELD(mote_jagged_quantile_args, values, NUMBERS, OPTIONAL),
        FIELD(mote_jagged_quantile_args, result, REALS, EXACT | FOLLOWS | WRITTEN)}, {{0}}},
    {CALL(mote_jagged_run_lengths, mote_jagged_run_lengths_args), {
        FIELD(mote_jagged_run_lengths_args, offsets, INDEX, LEADS),
        FIELD(mote_jagged_run_lengths_args, values, NUMBERS, OPTIONAL),
        FIELD(mote_jagged_run_lengths_args, offsets_out, INDEX, EXACT | FOLLOWS | WRITTEN),
        FIELD(mote_jagged_run_lengths_args, positions, INDEX, OPTIONAL | FOLLOWS | WRITTEN),
        FIELD(mote_jagged_run_lengths_args, run_values, NUMBERS, OPTIONAL | FOLLOWS | WRITTEN),
        FIELD(mote_jagged_run_lengths_args, lengths, INDEX, OPTIONAL | FOLLOWS | WRITTEN)}, {
        CHOICE(mote_jagged_run_lengths_args, validate, 3)}},
#define ARGS mote_pixels_cluster_args
    {CALL(mote_pixels_cluster, mote_pixels_cluster_args), {
        FIELD(ARGS, module_id, NARROW, LEADS),
        FIELD(ARGS, module_id_out, NARROW, OPTIONAL | EXACT | FOLLOWS | WRITTEN | FIELD_IN_PLACE),
        FIELD(ARGS, x, BIT(UINT16), EXACT),
        FIELD(ARGS, y, BIT(UINT16), EXACT),
        FIELD(ARGS, adc, NARROW, OPTIONAL | EXACT),
        FIELD(ARGS, event_offsets, BIT(UINT32), OPTIONAL),
        FIELD(ARGS, n_device, BIT(UINT32), OPTIONAL),
        FIELD(ARGS, charge_cuts, BIT(UINT32), OPTIONAL | EXACT),
        FIELD(ARGS, cluster_id, BIT(INT32), EXACT | WRITTEN),
        FIELD(ARGS, n_clusters, BIT(UINT32), OPTIONAL | EXACT | WRITTEN),
        FIELD(ARGS, cluster_start, BIT(UINT32), OPTIONAL | EXACT | WRITTEN),
        FIELD(ARGS, properties, BIT(PIXELS_CLUSTER_TYPE), OPTIONAL | WRITTEN),
        FIELD(ARGS, cluster_x, BIT(FLOAT32), POSITION),
        FIELD(ARGS, cluster_y, BIT(FLOAT32), POSITION),
        FIELD(ARGS, cluster_x_var, BIT(FLOAT32), POSITION),
        FIELD(ARGS, cluster_y_var, BIT(FLOAT32), POSITION),
        FIELD(ARGS, cluster_xy_cov, BIT(FLOAT32), POSITION),
        FIELD(ARGS, cluster_charge, BIT(FLOAT32) | BIT(UINT32), POSITION),
        FIELD(ARGS, cluster_charge_min, BIT(FLOAT32) | BIT(UINT32), POSITION),
        FIELD(ARGS, cluster_charge_max, BIT(FLOAT32) | BIT(UINT32), POSITION),
        FIELD(ARGS, cluster_size, BIT(FLOAT32) | BIT(UINT32), POSITION),
        FIELD(ARGS, origin_x, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, origin_y, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, pitch_x, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, pitch_y, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, mask, BIT(UINT32), OPTIONAL | EXACT),
        FIELD(ARGS, gain, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, pedestal, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, morph, BIT(UINT8), OPTIONAL | EXACT)}, {
        CHOICE(ARGS, order, 2),
        CHOICE(ARGS, strategy, 3),
        CHOICE(ARGS, duplicates, 4),
        CHOICE(ARGS, weight, 2)}},
#undef ARGS
    {CALL(mote_pixels_module_start, mote_pixels_module_start_args), {
        FIELD(mote_pixels_module_start_args, module_id, NARROW, OPTIONAL),
        FIELD(mote_pixels_module_start_args, event_offsets, BIT(UINT32), OPTIONAL),
        FIELD(mote_pixels_module_start_args, module_start, BIT(UINT32), WRITTEN),
        FIELD(mote_pixels_module_start_args, run_module, BIT(UINT32), OPTIONAL | WRITTEN),
        FIELD(mote_pixels_module_start_args, cluster_id, BIT(INT32), OPTIONAL | EXACT | WRITTEN)}, {{0}}},
    {CALL(mote_pixels_charge_cut, mote_pixels_charge_cut_args), {
        FIELD(mote_pixels_charge_cut_args, module_id, NARROW, LEADS),
        FIELD(mote_pixels_charge_cut_args, adc, NARROW, OPTIONAL | EXACT),
        FIELD(mote_pixels_charge_cut_args, event_offsets, BIT(UINT32), OPTIONAL | LEADS),
        FIELD(mote_pixels_charge_cut_args, charge_cuts, BIT(UINT32), OPTIONAL | EXACT),
        FIELD(mote_pixels_charge_cut_args, cluster_id, BIT(INT32), EXACT | WRITTEN | FIELD_READ),
        FIELD(mote_pixels_charge_cut_args, module_id_out, NARROW,
              OPTIONAL | EXACT | FOLLOWS | WRITTEN | FIELD_IN_PLACE),
        FIELD(mote_pixels_charge_cut_args, n_clusters, BIT(UINT32), EXACT | WRITTEN | FIELD_READ)}, {{0}}},
    {CALL(mote_pixels_cluster_start, mote_pixels_cluster_start_args), {
        FIELD(mote_pixels_cluster_start_args, n_clusters, BIT(UINT32), LEADS),
        FIELD(mote_pixels_cluster_start_args, cluster_start, BIT(UINT32), EXACT | WRITTEN)}, {{0}}},
#define ARGS mote_pixels_cluster_digis_args
    {CALL(mote_pixels_cluster_digis, mote_pixels_cluster_digis_args), {
        FIELD(ARGS, module_id, NARROW, LEADS),
        FIELD(ARGS, x, BIT(UINT16), EXACT),
        FIELD(ARGS, y, BIT(UINT16), EXACT),
        FIELD(ARGS, event_offsets, BIT(UINT32), OPTIONAL | LEADS),
        FIELD(ARGS, n_device, BIT(UINT32), OPTIONAL),
        FIELD(ARGS, cluster_id, BIT(INT32), EXACT),
        FIELD(ARGS, cluster_start, BIT(UINT32), EXACT),
        FIELD(ARGS, cluster_offsets, BIT(UINT32), WRITTEN),
        FIELD(ARGS, digis, BIT(UINT32), EXACT | WRITTEN)}, {{0}}},
#undef ARGS
#define ARGS mote_pixels_measure_args
    {CALL(mote_pixels_measure, mote_pixels_measure_args), {
        FIELD(ARGS, module_id, NARROW, LEADS),
        FIELD(ARGS, x, BIT(UINT16), EXACT),
        FIELD(ARGS, y, BIT(UINT16), EXACT),
        FIELD(ARGS, adc, NARROW, OPTIONAL | EXACT),
        FIELD(ARGS, cluster_offsets, BIT(UINT32), LEADS),
        FIELD(ARGS, digis, BIT(UINT32), OPTIONAL),
        FIELD(ARGS, design, BIT(UINT32), OPTIONAL | EXACT),
        FIELD(ARGS, row_offsets, BIT(UINT32), OPTIONAL | LEADS),
        FIELD(ARGS, row_edges, BIT(FLOAT32), OPTIONAL),
        FIELD(ARGS, column_offsets, BIT(UINT32), OPTIONAL | LEADS),
        FIELD(ARGS, column_edges, BIT(FLOAT32), OPTIONAL),
        FIELD(ARGS, shift_x, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, shift_y, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, gain, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, pedestal, BIT(FLOAT32), OPTIONAL | EXACT),
        FIELD(ARGS, x_var_by_rows, BIT(FLOAT32), OPTIONAL),
        FIELD(ARGS, y_var_by_columns, BIT(FLOAT32), OPTIONAL),
        FIELD(ARGS, cluster_module, BIT(UINT32), OPTIONAL | EXACT | WRITTEN),
        FIELD(ARGS, cluster_x, BIT(FLOAT32), OPTIONAL | EXACT | WRITTEN),
        FIELD(ARGS, cluster_y, BIT(FLOAT32), OPTIONAL | EXACT | WRITTEN),
        FIELD(ARGS, cluster_x_var, BIT(FLOAT32), OPTIONAL | EXACT | WRITTEN),
        FIELD(ARGS, cluster_y_var, BIT(FLOAT32), OPTIONAL | EXACT | WRITTEN),
        FIELD(ARGS, cluster_rows, BIT(UINT32), OPTIONAL | EXACT | WRITTEN),
        FIELD(ARGS, cluster_columns, BIT(UINT32), OPTIONAL | EXACT | WRITTEN)}, {
        CHOICE(ARGS, duplicates, 4),
        CHOICE(ARGS, weight, 2)}},
#undef ARGS
#define ARGS mote_pixels_cluster_time_args
    {CALL(mote_pixels_cluster_time, mote_pixels_cluster_time_args), {
        FIELD(ARGS, module_id, NARROW, LEADS),
        FIELD(ARGS, x, BIT(UINT16), EXACT),
        FIELD(ARGS, y, BIT(UINT16), EXACT),
        FIELD(ARGS, t, BIT(INT64), EXACT),
        FIELD(ARGS, charge, NARROW, OPTIONAL | EXACT),
        FIELD(ARGS, cluster_id, BIT(INT32), EXACT | WRITTEN),
        FIELD(ARGS, n_clusters, BIT(UINT32), EXACT | WRITTEN),
        FIELD(ARGS, properties, BIT(PIXELS_CLUSTER_TYPE), POSITION),
        FIELD(ARGS, cluster_module, BIT(UINT32), POSITION),
        FIELD(ARGS, cluster_first, BIT(INT64), POSITION),
        FIELD(ARGS, cluster_last, BIT(INT64), POSITION)}, {{0}}},
#undef ARGS
    {CALL(mote_pixels_decode_timepix3, mote_pixels_timepix3_args), {
        FIELD(mote_pixels_timepix3_args, packets, BIT(UINT64), LEADS),
        FIELD(mote_pixels_timepix3_args, chip, BIT(UINT16), OPTIONAL | EXACT),
        FIELD(mote_pixels_timepix3_args, module_id, BIT(UINT16), POSITION),
        FIELD(mote_pixels_timepix3_args, x, BIT(UINT16), POSITION),
        FIELD(mote_pixels_timepix3_args, y, BIT(UINT16), POSITION),
        FIELD(mote_pixels_timepix3_args, t, BIT(INT64), POSITION),
        FIELD(mote_pixels_timepix3_args, charge, BIT(UINT16), POSITION),
        FIELD(mote_pixels_timepix3_args, n_hits, BIT(UINT32), EXACT | WRITTEN)}, {{0}}},
    {CALL(mote_coordination_compute, mote_coordination_args), {
        FIELD(mote_coordination_args, positions, REALS, EXACT),
        FIELD(mote_coordination_args, box_device, REALS, OPTIONAL | EXACT),
        FIELD(mote_coordination_args, value, REALS, OPTIONAL | EXACT | WRITTEN),
        FIELD(mote_coordination_args, virial, REALS, OPTIONAL | EXACT | WRITTEN),
        FIELD(mote_coordination_args, derivatives, REALS, OPTIONAL | EXACT | WRITTEN),
        FIELD(mote_coordination_args, coordination, REALS, OPTIONAL | EXACT | WRITTEN),
        FIELD(mote_coordination_args, weights, REALS, OPTIONAL | EXACT)}, {
        CHOICE(mote_coordination_args, derivatives_of, 2)}},
    {CALL(mote_neighbours, mote_neighbours_args), {
        FIELD(mote_neighbours_args, positions, REALS, LEADS | EXACT),
        FIELD(mote_neighbours_args, other, REALS, OPTIONAL | LEADS | EXACT),
        FIELD(mote_neighbours_args, offsets, INDEX, EXACT | WRITTEN),
        FIELD(mote_neighbours_args, partner, INDEX, OPTIONAL | FOLLOWS | WRITTEN),
        FIELD(mote_neighbours_args, shift, BIT(INT32), OPTIONAL | WRITTEN),
        FIELD(mote_neighbours_args, distance, REALS, OPTIONAL | WRITTEN),
        FIELD(mote_neighbours_args, displacement, REALS, OPTIONAL | WRITTEN)}, {
        CHOICE(mote_neighbours_args, pbc, 8)}},
    {CALL(mote_pair_histogram, mote_pair_histogram_args), {
        FIELD(mote_pair_histogram_args, positions, REALS, OPTIONAL | EXACT),
        FIELD(mote_pair_histogram_args, other, REALS, OPTIONAL | EXACT),
        FIELD(mote_pair_histogram_args, counts, BIT(INT64), WRITTEN | FIELD_READ)}, {
        CHOICE(mote_pair_histogram_args, pbc, 8)}},
    {CALL(mote_steinhardt, mote_steinhardt_args), {
        FIELD(mote_steinhardt_args, positions, REALS, LEADS | EXACT),
        FIELD(mote_steinhardt_args, weights, REALS, OPTIONAL | EXACT),
        FIELD(mote_steinhardt_args, order, REALS, OPTIONAL | EXACT | WRITTEN),
        FIELD(mote_steinhardt_args, components, REALS, OPTIONAL | EXACT | WRITTEN),
        FIELD(mote_steinhardt_args, value, REALS, OPTIONAL | EXACT | WRITTEN),
        FIELD(mote_steinhardt_args, derivatives, REALS, OPTIONAL | EXACT | WRITTEN),
        FIELD(mote_steinhardt_args, virial, REALS, OPTIONAL | EXACT | WRITTEN)}, {
        CHOICE(mote_steinhardt_args, pbc, 8), CHOICE(mote_steinhardt_args, reduction, 5)}},
};
/* clang-format on */
const size_t mote_all_fields_count = sizeof(mote_all_fields) / sizeof(mote_all_fields[0]);
