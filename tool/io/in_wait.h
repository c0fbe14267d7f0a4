/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for an input that may deliver nothing for a long time, such as a pipe, until the run ends
 * for another reason. */
#ifndef MOTE_TOOL_IO_IN_WAIT_H
#define MOTE_TOOL_IO_IN_WAIT_H

/* Waits at most `ms` milliseconds (-1: without a limit) until `fd` has bytes or has reached its
 * end. Returns 1 when `fd` can be read, 0 when the time is over, -1 when the writing end of the
 * pipe `wake` was closed. */
int in_wait(int fd, int wake, int ms);

#endif
