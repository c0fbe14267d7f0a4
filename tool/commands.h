/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the sub-commands, each of which is in a file of its own. */
#ifndef MOTE_TOOL_COMMANDS_H
#define MOTE_TOOL_COMMANDS_H

#include "option.h"

extern const tool_command tool_devices;
extern const tool_command tool_selftest;
extern const tool_command tool_generate;
extern const tool_command tool_clusters;
extern const tool_command tool_coordination;
extern const tool_command tool_neighbours;
extern const tool_command tool_rdf;
extern const tool_command tool_parents;
extern const tool_command tool_local_index;
extern const tool_command tool_counts;
extern const tool_command tool_offsets;
extern const tool_command tool_reduce;
extern const tool_command tool_scan;
extern const tool_command tool_sort;
extern const tool_command tool_filter;
extern const tool_command tool_nonzero;
extern const tool_command tool_slice;
extern const tool_command tool_topk;
extern const tool_command tool_pad;
extern const tool_command tool_quantile;
extern const tool_command tool_median;
extern const tool_command tool_run_lengths;
extern const tool_command tool_unique;
extern const tool_command tool_gather;
extern const tool_command tool_pairs;
extern const tool_command tool_combinations;
extern const tool_command tool_product;
extern const tool_command tool_histogram;
extern const tool_command tool_merge;
extern const tool_command tool_bench;
extern const tool_command tool_tune;
extern const tool_command tool_prepare;
extern const tool_command tool_cache;
extern const tool_command tool_version;
extern const tool_command tool_completion; /* omitted from the list */

/* The commands that --help lists; NULL ends the array. */
extern const tool_command *const tool_command_list[];

#endif
