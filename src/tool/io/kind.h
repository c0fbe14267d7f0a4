/* SPDX-License-Identifier: Apache-2.0 */
/* What an input's name says about it. */
#ifndef MOTE_TOOL_IO_KIND_H
#define MOTE_TOOL_IO_KIND_H

#include "../tool.h"

/* Pipes and the names the shell gives them have no ending. */
bool input_is_stream(const char *path);

/* TOOL_GO_ON, or TOOL_INPUT after a message for names of compressed files. */
int input_refuse_packed(const char *path);

#endif
