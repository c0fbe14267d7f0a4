/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that all output printed through stdio, such as that of --help, was written. */
#include "out.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool stderr_counts;

const char *out_reason(int error)
{
    return error == EBADF ? "it is closed" : strerror(error);
}

/* True for a pipe or socket whose reading end is closed. */
static bool has_no_reader(int fd)
{
    struct pollfd state = {.fd = fd, .events = POLLOUT};
    return poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLHUP));
}

/* Closes a copy of the descriptor, because some file systems report write errors only at close().
 * Returns 0 or an error number. */
static int close_copy(int fd)
{
    int copy = dup(fd);
    return copy < 0 || close(copy) == 0 ? 0 : errno;
}

void out_expect_stderr(void)
{
    stderr_counts = true;
}

int out_close_stdio(void)
{
    int error = fflush(stdout) == 0 ? close_copy(STDOUT_FILENO) : errno;
    if (!error && ferror(stdout)) /* an earlier write failed; errno is lost */
        error = (fcntl(STDOUT_FILENO, F_GETFL) & O_ACCMODE) == O_RDONLY ? EBADF : EIO;
    if (error && !has_no_reader(STDOUT_FILENO))
        return tool_fail(TOOL_OUTPUT, "standard output: cannot be written: %s", out_reason(error));
    /* If stderr cannot be written, no message can be printed. */
    bool lost = stderr_counts && ferror(stderr) && !has_no_reader(STDERR_FILENO);
    return lost ? TOOL_OUTPUT : TOOL_DONE;
}
