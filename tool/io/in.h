/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a whole text into memory; it is unpacked if it is compressed, and followed by one newline
 * that is not counted. A byte order mark is replaced by blanks, and CR by LF in a text that has no
 * LF. The file is read and not mapped: if it shrinks meanwhile, the text ends early and the process
 * is not killed. */
#ifndef MOTE_TOOL_IO_IN_H
#define MOTE_TOOL_IO_IN_H

#include "../tool.h"

typedef struct in_file {
    const char *name; /* for messages */
    char *bytes;
    size_t count;
} in_file;

/* path "-" = stdin. Returns TOOL_DONE, or TOOL_INPUT after a message, for example for a text with a
 * NUL byte or in UTF-16; release it with in_close(). */
int in_open(const char *path, in_file *in);
void in_close(in_file *in);

#endif
