/* SPDX-License-Identifier: Apache-2.0 */
/* A whole text in memory, unpacked if it is compressed, and followed by one newline that is not
 * counted. A byte order mark is replaced by blanks, and CR by LF in a text that has no LF. Read and
 * not mapped: a file that shrinks meanwhile then ends short instead of killing the process. */
#ifndef MOTE_TOOL_IO_IN_H
#define MOTE_TOOL_IO_IN_H

#include "../tool.h"

typedef struct in_file {
    const char *name; /* for messages */
    char *bytes;
    size_t count;
} in_file;

/* path "-" = stdin. Returns TOOL_DONE, or TOOL_INPUT after a message, as for a text with a NUL
 * byte or in UTF-16; release with in_close(). */
int in_open(const char *path, in_file *in);
void in_close(in_file *in);

#endif
