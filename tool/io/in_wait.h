/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for an input that may give nothing for long, as a pipe, until the run ends for another
 * reason. */
#ifndef MOTE_TOOL_IO_IN_WAIT_H
#define MOTE_TOOL_IO_IN_WAIT_H

/* Waits for bytes, or the end, of `fd`, for `ms` at most (-1: without end). Returns 1 when it can
 * be read, 0 when the time is over, -1 when the writing end of the pipe `wake` was closed. */
int in_wait(int fd, int wake, int ms);

#endif
