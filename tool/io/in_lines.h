/* SPDX-License-Identifier: Apache-2.0 */
/* An input of lines, which is read piece by piece and unpacked if it is compressed. */
#ifndef MOTE_TOOL_IO_IN_LINES_H
#define MOTE_TOOL_IO_IN_LINES_H

#include "unpack.h"

typedef struct in_lines {
    const char *name; /* for messages */
    int fd, wake;
    unpack_state *unpack; /* NULL if `lines` has a source of its own */
    mote_lines lines;
} in_lines;

/* path "-" = stdin. Reading ends, without a message, when the writing end of the pipe `wake` is
 * closed; -1 means that there is no pipe. Returns TOOL_GO_ON, or TOOL_INPUT after a message; in the
 * latter case only in_lines_close() may be called. The struct must stay where it is. */
int in_lines_open(const char *path, int wake, in_lines *in);
void in_lines_close(in_lines *in);

/* Prints why there is no next line; returns TOOL_INPUT. */
int in_lines_fail(const in_lines *in, mote_lines_status status);

/* Returns the number of bytes of the input that were read so far, packed or not. */
size_t in_lines_taken(const in_lines *in);

/* Waits until `fd` has bytes or has reached its end, at most `ms` milliseconds; -1 sets no limit. A
 * pipe may deliver nothing for a long time. Returns 1 when `fd` can be
 * read, 0 when the time is over, -1 when the writing end of the pipe `wake` was closed. */
int in_wait(int fd, int wake, int ms);

#endif
