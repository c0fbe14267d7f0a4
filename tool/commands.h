/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the sub-commands, each of which is in a file of its own. */
#ifndef MOTE_TOOL_COMMANDS_H
#define MOTE_TOOL_COMMANDS_H

#include "option.h"

/* The commands that --help lists, in this order. */
/* clang-format off */
#define TOOL_COMMANDS(COMMAND)                                                                     \
    COMMAND(devices) COMMAND(selftest) COMMAND(generate) COMMAND(clusters) COMMAND(coordination)   \
    COMMAND(neighbours) COMMAND(rdf) COMMAND(merge) COMMAND(parents) COMMAND(local_index)          \
    COMMAND(counts) COMMAND(offsets) COMMAND(reduce) COMMAND(scan) COMMAND(sort) COMMAND(topk)     \
    COMMAND(filter) COMMAND(nonzero) COMMAND(slice) COMMAND(pad) COMMAND(quantile) COMMAND(median) \
    COMMAND(run_lengths) COMMAND(unique) COMMAND(gather) COMMAND(pairs) COMMAND(combinations)      \
    COMMAND(product) COMMAND(histogram) COMMAND(bench) COMMAND(tune) COMMAND(prepare)              \
    COMMAND(cache) COMMAND(version)
/* clang-format on */

#define TOOL_DECLARE(name) extern const tool_command tool_##name;
TOOL_COMMANDS(TOOL_DECLARE)
#undef TOOL_DECLARE
extern const tool_command tool_completion; /* omitted from the list */

/* The same; NULL ends the array. */
extern const tool_command *const tool_command_list[];

#endif
