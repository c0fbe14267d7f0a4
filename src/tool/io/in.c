/* SPDX-License-Identifier: Apache-2.0 */
#include "in.h"
#include "unpack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST_BYTES ((size_t)1 << 16)
#define NO_LINES    (-1) /* beside the values of errno */

static int grow(in_file *in, size_t *reserved, size_t bytes)
{
    char *more = bytes > *reserved ? realloc(in->bytes, bytes) : NULL;
    if (!more)
        return ENOMEM;
    in->bytes = more;
    *reserved = bytes;
    return 0;
}

/* What goes on for ever, or is no text at all, need not be read to its end to be refused. */
static bool has_lines(const in_file *in, size_t before)
{
    return before >= IN_FIRST_LINE || in->count < IN_FIRST_LINE ||
           memchr(in->bytes, '\n', IN_FIRST_LINE);
}

/* A mote_lines_source. */
static long read_some(void *user, char *to, size_t bytes)
{
    const int *fd = user;
    ssize_t n;
    do
        n = read(*fd, to, bytes);
    while (n < 0 && errno == EINTR);
    return (long)n;
}

/* Reads to the end; a wrong `expected` length only costs time. */
static int read_all(mote_lines_source source, void *user, size_t expected, bool lines, in_file *in)
{
    size_t reserved = 0;
    int error = grow(in, &reserved, expected + LEAST_BYTES);
    while (!error) {
        if (in->count + 1 == reserved)
            error = grow(in, &reserved, 2 * reserved);
        if (error)
            break;
        long n = source(user, in->bytes + in->count, reserved - 1 - in->count);
        if (n == 0)
            break;
        if (n > 0) {
            in->count += (size_t)n;
            error = !lines || has_lines(in, in->count - (size_t)n) ? 0 : NO_LINES;
        } else {
            error = errno;
        }
    }
    if (!error)
        in->bytes[in->count] = '\n';
    return error;
}

/* Text that may be packed; what is wrong with packed data goes to *fault. */
static int read_text(int fd, size_t expected, in_file *in, const char **fault)
{
    unpack_state *state = unpack_open(read_some, NULL, &fd);
    if (!state)
        return ENOMEM;
    int error = read_all(unpack_read, state, expected, true, in);
    *fault = unpack_fault(state);
    in->taken = unpack_taken(state);
    unpack_close(state);
    return error;
}

static int take(int fd, bool lines, in_file *in, const char **fault)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return errno;
    if (S_ISDIR(info.st_mode))
        return EISDIR;
    size_t expected = S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size : 0;
    if (lines)
        return read_text(fd, expected, in, fault);
    int error = read_all(read_some, &fd, expected, false, in);
    in->taken = in->count;
    return error;
}

int in_open(const char *path, bool lines, in_file *in)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *in = (in_file){.name = is_stdin ? "standard input" : path};
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    const char *fault = NULL;
    int error = fd < 0 ? errno : take(fd, lines, in, &fault);
    if (fd >= 0 && !is_stdin)
        close(fd);
    if (!error)
        return TOOL_DONE;
    const char *name = in->name;
    in_close(in);
    if (error == NO_LINES)
        return tool_fail(TOOL_INPUT, "%s:1: the line is longer than %zu bytes", name,
                         IN_FIRST_LINE);
    return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", name, fault ? fault : strerror(error));
}

void in_close(in_file *in)
{
    free(in->bytes);
    *in = (in_file){0};
}
