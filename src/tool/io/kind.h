/* SPDX-License-Identifier: Apache-2.0 */
/* What an input's name says about it. */
#ifndef MOTE_TOOL_IO_KIND_H
#define MOTE_TOOL_IO_KIND_H

#include "../tool.h"

/* Pipes and the names the shell gives them have no ending. */
bool input_is_stream(const char *path);

/* The name ends so, or so and as a packed file's does: "a.csv", "a.csv.gz". Capitals count as small
 * letters. */
bool input_ends_with(const char *path, const char *ending);

#endif
