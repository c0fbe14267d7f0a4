/* SPDX-License-Identifier: Apache-2.0 */
/* A whole input in memory, followed by one newline that is not counted. Read and not mapped: a file
 * that shrinks meanwhile then ends short instead of killing the process. */
#ifndef MOTE_TOOL_IO_IN_H
#define MOTE_TOOL_IO_IN_H

#include "../tool.h"

typedef struct in_file {
    const char *name; /* for messages */
    char *bytes;
    size_t count;
} in_file;

/* path "-" = stdin. Returns TOOL_DONE, or TOOL_INPUT after a message; release with in_close(). */
int in_open(const char *path, in_file *in);
void in_close(in_file *in);

#endif
