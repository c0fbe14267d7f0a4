/* SPDX-License-Identifier: Apache-2.0 */
/* What an input's name says about it. */
#ifndef MOTE_TOOL_IO_KIND_H
#define MOTE_TOOL_IO_KIND_H

#include "../tool.h"

/* Pipes and the names the shell gives them have no ending. */
bool input_is_stream(const char *path);

/* True if the name has this extension, with or without that of a packed file: "a.csv" or
 * "a.csv.gz". Case is ignored. */
bool input_ends_with(const char *path, const char *ending);

/* Refuses a file whose name says that another program's format is in it, one that the command does
 * not read: TOOL_INPUT after a message with the remedy. Otherwise TOOL_GO_ON. */
int input_refuse_foreign(const char *path, const char *remedy);

/* Returns the end of the extension of a packed file at `at`, such as ".gz"; `at` if there is none.
 */
const char *input_skip_packing(const char *at);

#endif
