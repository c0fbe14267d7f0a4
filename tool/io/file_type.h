/* SPDX-License-Identifier: Apache-2.0 */
/* Determines the kind of a file from its name. */
#ifndef MOTE_TOOL_IO_KIND_H
#define MOTE_TOOL_IO_KIND_H

#include "../tool.h"

/* True for pipes, and for the names that the shell gives them, which have no extension. */
bool input_is_stream(const char *path);

/* True if the name has this extension, with or without that of a packed file: "a.csv" or
 * "a.csv.gz". Case is ignored. */
bool input_ends_with(const char *path, const char *ending);

/* Returns TOOL_INPUT, after a message with the remedy, for a file whose extension is that of
 * another program's format that the command does not read. Otherwise returns TOOL_GO_ON. */
int input_refuse_foreign(const char *path, const char *remedy);

/* Returns TOOL_USAGE, after a message with the remedy, for an output whose extension is that of a
 * format that the command does not write. NPY is one of them unless `arrays` is set. Otherwise
 * returns TOOL_GO_ON. */
int output_refuse_foreign(const char *path, bool arrays, const char *remedy);

/* Returns the end of the extension of a packed file at `at`, such as ".gz"; `at` if there is none.
 */
const char *input_skip_packing(const char *at);

#endif
