/* SPDX-License-Identifier: Apache-2.0 */
#include "in_lines.h"
#include "../tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

int in_wait(int fd, int wake, int ms)
{
    struct pollfd states[] = {{.fd = fd, .events = POLLIN}, {.fd = wake}};
    int ready;
    do
        ready = poll(states, 2, ms);
    while (ready < 0 && errno == EINTR);
    if (states[1].revents)
        return -1;
    return ready != 0;
}

/* A mote_lines_source. */
static long read_some(void *user, char *to, size_t bytes)
{
    const in_lines *in = user;
    if (in->wake < 0 || in_wait(in->fd, in->wake, -1) > 0)
        return (long)read(in->fd, to, bytes);
    errno = ECANCELED;
    return -1;
}

int in_lines_open(const char *path, int wake, in_lines *in)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *in = (in_lines){.name = is_stdin ? "standard input" : path, .wake = wake};
    in->fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    if (in->fd < 0)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", in->name, strerror(errno));
    in->unpack = unpack_open(read_some, NULL, in);
    in->lines.source = unpack_read;
    in->lines.user = in->unpack;
    return in->unpack ? TOOL_GO_ON : tool_fail(TOOL_INPUT, "%s: out of memory", in->name);
}

void in_lines_close(in_lines *in)
{
    if (in->unpack)
        unpack_close(in->unpack);
    if (in->fd > STDIN_FILENO)
        close(in->fd);
    mote_lines_free(&in->lines);
    in->unpack = NULL;
    in->fd = -1;
}

int in_lines_fail(const in_lines *in, mote_lines_status status)
{
    const char *fault = in->unpack ? unpack_fault(in->unpack) : NULL;
    if (!fault && in->lines.error == ECANCELED)
        return TOOL_INPUT; /* the caller prints why the run ends */
    char text[300];
    mote_lines_fault(&in->lines, status, text, sizeof(text));
    if (status == MOTE_LINES_FAILED)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", in->name, fault ? fault : text);
    return tool_fail(TOOL_INPUT, "%s:%zu: %s", in->name, in->lines.number, text);
}

size_t in_lines_taken(const in_lines *in)
{
    return in->unpack ? unpack_taken(in->unpack) : in->lines.bytes;
}
