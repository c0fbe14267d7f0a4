/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file init.h
 * @brief C initialisers, equivalent to the initialising function, for every structure that has one.
 *
 *     mote_reduce_args args = MOTE_REDUCE_ARGS_INIT;
 *
 * In C++, use the functions.
 */
#ifndef MOTE_INIT_H
#define MOTE_INIT_H

#ifndef __cplusplus
/* clang-format off */
#define MOTE_MEMORY_INIT                            {.size = sizeof(mote_memory)}
#define MOTE_TUNING_INIT                            {.size = sizeof(mote_tuning)}
#define MOTE_SWITCH_INIT                            {.size = sizeof(mote_switch)}
#define MOTE_COORDINATION_PLAN_ARGS_INIT            {.size = sizeof(mote_coordination_plan_args), .function = MOTE_SWITCH_INIT}
#define MOTE_COORDINATION_ARGS_INIT                 {.size = sizeof(mote_coordination_args)}
#define MOTE_COORDINATION_HOST_ARGS_INIT            {.size = sizeof(mote_coordination_host_args)}
#define MOTE_HISTOGRAM_ARGS_INIT                    {.size = sizeof(mote_histogram_args)}
#define MOTE_HISTOGRAM_HOST_ARGS_INIT               {.size = sizeof(mote_histogram_host_args)}
#define MOTE_JAGGED_PARENTS_ARGS_INIT               {.size = sizeof(mote_jagged_parents_args)}
#define MOTE_JAGGED_LOCAL_INDEX_ARGS_INIT           {.size = sizeof(mote_jagged_local_index_args)}
#define MOTE_JAGGED_COUNTS_ARGS_INIT                {.size = sizeof(mote_jagged_counts_args)}
#define MOTE_JAGGED_OFFSETS_FROM_COUNTS_ARGS_INIT   {.size = sizeof(mote_jagged_offsets_from_counts_args)}
#define MOTE_JAGGED_OFFSETS_FROM_PARENTS_ARGS_INIT  {.size = sizeof(mote_jagged_offsets_from_parents_args)}
#define MOTE_JAGGED_REDUCE_ARGS_INIT                {.size = sizeof(mote_jagged_reduce_args)}
#define MOTE_JAGGED_SCAN_ARGS_INIT                  {.size = sizeof(mote_jagged_scan_args)}
#define MOTE_JAGGED_SORT_ARGS_INIT                  {.size = sizeof(mote_jagged_sort_args)}
#define MOTE_JAGGED_GATHER_BY_PARENT_ARGS_INIT      {.size = sizeof(mote_jagged_gather_by_parent_args)}
#define MOTE_JAGGED_COMBINATIONS_ARGS_INIT          {.size = sizeof(mote_jagged_combinations_args)}
#define MOTE_JAGGED_NONZERO_ARGS_INIT               {.size = sizeof(mote_jagged_nonzero_args)}
#define MOTE_JAGGED_RUN_LENGTHS_ARGS_INIT           {.size = sizeof(mote_jagged_run_lengths_args)}
#define MOTE_JAGGED_PARENTS_HOST_ARGS_INIT          {.size = sizeof(mote_jagged_parents_host_args)}
#define MOTE_JAGGED_OFFSETS_HOST_ARGS_INIT          {.size = sizeof(mote_jagged_offsets_host_args)}
#define MOTE_JAGGED_REDUCE_HOST_ARGS_INIT           {.size = sizeof(mote_jagged_reduce_host_args)}
#define MOTE_JAGGED_SCAN_HOST_ARGS_INIT             {.size = sizeof(mote_jagged_scan_host_args)}
#define MOTE_JAGGED_SORT_HOST_ARGS_INIT             {.size = sizeof(mote_jagged_sort_host_args)}
#define MOTE_JAGGED_GATHER_BY_PARENT_HOST_ARGS_INIT {.size = sizeof(mote_jagged_gather_by_parent_host_args)}
#define MOTE_JAGGED_COMBINATIONS_HOST_ARGS_INIT     {.size = sizeof(mote_jagged_combinations_host_args)}
#define MOTE_JAGGED_NONZERO_HOST_ARGS_INIT          {.size = sizeof(mote_jagged_nonzero_host_args)}
#define MOTE_JAGGED_RUN_LENGTHS_HOST_ARGS_INIT      {.size = sizeof(mote_jagged_run_lengths_host_args)}
#define MOTE_JAGGED_SLICE_HOST_ARGS_INIT            {.size = sizeof(mote_jagged_slice_host_args)}
#define MOTE_JAGGED_PAD_HOST_ARGS_INIT              {.size = sizeof(mote_jagged_pad_host_args)}
#define MOTE_JAGGED_QUANTILE_HOST_ARGS_INIT         {.size = sizeof(mote_jagged_quantile_host_args)}
#define MOTE_JAGGED_PAD_ARGS_INIT                   {.size = sizeof(mote_jagged_pad_args)}
#define MOTE_JAGGED_SLICE_ARGS_INIT                 {.size = sizeof(mote_jagged_slice_args)}
#define MOTE_JAGGED_QUANTILE_ARGS_INIT              {.size = sizeof(mote_jagged_quantile_args)}
#define MOTE_NEIGHBOURS_ARGS_INIT                   {.size = sizeof(mote_neighbours_args)}
#define MOTE_NEIGHBOURS_HOST_ARGS_INIT              {.size = sizeof(mote_neighbours_host_args)}
#define MOTE_PAIR_HISTOGRAM_ARGS_INIT               {.size = sizeof(mote_pair_histogram_args)}
#define MOTE_PIXELS_CLUSTER_ARGS_INIT               {.size = sizeof(mote_pixels_cluster_args)}
#define MOTE_PIXELS_MODULE_START_ARGS_INIT          {.size = sizeof(mote_pixels_module_start_args)}
#define MOTE_PIXELS_CHARGE_CUT_ARGS_INIT            {.size = sizeof(mote_pixels_charge_cut_args)}
#define MOTE_PIXELS_CLUSTER_START_ARGS_INIT         {.size = sizeof(mote_pixels_cluster_start_args)}
#define MOTE_PIXELS_HOST_ARGS_INIT                  {.size = sizeof(mote_pixels_host_args)}
#define MOTE_PIXELS_HOST_RESULT_INIT                {.size = sizeof(mote_pixels_host_result)}
#define MOTE_PIXELS_CLUSTER_DIGIS_ARGS_INIT         {.size = sizeof(mote_pixels_cluster_digis_args)}
#define MOTE_PIXELS_MEASURE_ARGS_INIT               {.size = sizeof(mote_pixels_measure_args)}
#define MOTE_PIXELS_MEASURE_HOST_ARGS_INIT          {.size = sizeof(mote_pixels_measure_host_args)}
#define MOTE_PIXELS_CLUSTER_TIME_ARGS_INIT          {.size = sizeof(mote_pixels_cluster_time_args)}
#define MOTE_PIXELS_TIME_HOST_ARGS_INIT             {.size = sizeof(mote_pixels_time_host_args)}
#define MOTE_PIXELS_TIME_HOST_RESULT_INIT           {.size = sizeof(mote_pixels_time_host_result)}
#define MOTE_PIXELS_TIMEPIX3_ARGS_INIT              {.size = sizeof(mote_pixels_timepix3_args)}
#define MOTE_PIXELS_TIMEPIX3_HOST_ARGS_INIT         {.size = sizeof(mote_pixels_timepix3_host_args)}
#define MOTE_REDUCE_ARGS_INIT                       {.size = sizeof(mote_reduce_args)}
#define MOTE_REDUCE_HOST_ARGS_INIT                  {.size = sizeof(mote_reduce_host_args)}
#define MOTE_STEINHARDT_ARGS_INIT                   {.size = sizeof(mote_steinhardt_args), .function = MOTE_SWITCH_INIT, .threshold = MOTE_SWITCH_INIT, .local_function = MOTE_SWITCH_INIT}
/* clang-format on */
#endif

#endif
