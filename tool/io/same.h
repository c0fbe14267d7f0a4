/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs that would overwrite an input or each other. */
#ifndef MOTE_TOOL_IO_SAME_H
#define MOTE_TOOL_IO_SAME_H

#include "../tool.h"

/* outputs may hold NULL. TOOL_GO_ON, or TOOL_USAGE after a message naming the two. */
int same_refuse(char *const *inputs, size_t n_inputs, const char *const *outputs, size_t n_outputs);

#endif
