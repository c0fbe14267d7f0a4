/* SPDX-License-Identifier: Apache-2.0 */
/* Finds outputs that would overwrite an input or each other. */
#ifndef MOTE_TOOL_IO_SAME_H
#define MOTE_TOOL_IO_SAME_H

#include "../tool.h"

/* `outputs` may contain NULL. Returns TOOL_GO_ON, or TOOL_USAGE after a message that names the two
 * files. */
int same_refuse(char *const *inputs, size_t n_inputs, const char *const *outputs, size_t n_outputs);

#endif
