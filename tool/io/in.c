/* SPDX-License-Identifier: Apache-2.0 */
#include "in.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAST_BYTES ((size_t)1 << 16)

static int grow(in_file *in, size_t *reserved, size_t bytes)
{
    char *more = bytes > *reserved ? realloc(in->bytes, bytes) : NULL;
    if (!more)
        return ENOMEM;
    in->bytes = more;
    *reserved = bytes;
    return 0;
}

static int read_all(int fd, size_t expected, in_file *in)
{
    size_t reserved = 0;
    int error = grow(in, &reserved, expected + LEAST_BYTES);
    while (!error) {
        if (in->count + 1 == reserved)
            error = grow(in, &reserved, 2 * reserved);
        if (error)
            break;
        ssize_t n = read(fd, in->bytes + in->count, reserved - 1 - in->count);
        if (n == 0)
            break;
        if (n > 0)
            in->count += (size_t)n;
        else if (errno != EINTR)
            error = errno;
    }
    if (!error)
        in->bytes[in->count] = '\n';
    return error;
}

/* A wrong length of the file only costs time. */
static int take(int fd, in_file *in)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return errno;
    if (S_ISDIR(info.st_mode))
        return EISDIR;
    return read_all(fd, S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size : 0, in);
}

int in_open(const char *path, in_file *in)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *in = (in_file){.name = is_stdin ? "standard input" : path};
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    int error = fd < 0 ? errno : take(fd, in);
    if (fd >= 0 && !is_stdin)
        close(fd);
    if (!error)
        return TOOL_DONE;
    const char *name = in->name;
    in_close(in);
    return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", name, strerror(error));
}

void in_close(in_file *in)
{
    free(in->bytes);
    *in = (in_file){0};
}
