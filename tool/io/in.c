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

static int fail_nul(const in_file *in, const char *nul)
{
    size_t line = 1;
    const char *begin = in->bytes;
    for (const char *p = begin; p < nul; p++)
        if (*p == '\n') {
            line++;
            begin = p + 1;
        }
    return tool_fail(TOOL_INPUT,
                     "%s:%zu: byte %zu of the line is NUL: this is not a text in UTF-8, or it is "
                     "damaged",
                     in->name, line, (size_t)(nul - begin) + 1);
}

static int make_text(in_file *in)
{
    const char *nul = memchr(in->bytes, '\0', in->count);
    if (nul)
        return fail_nul(in, nul);
    if (in->count >= 3 && memcmp(in->bytes, "\xef\xbb\xbf", 3) == 0)
        memset(in->bytes, ' ', 3);
    bool has_lf = memchr(in->bytes, '\n', in->count);
    for (char *p = in->bytes; !has_lf && p < in->bytes + in->count; p++)
        *p = *p == '\r' ? '\n' : *p;
    return TOOL_DONE;
}

int in_open(const char *path, in_file *in)
{
    bool is_stdin = strcmp(path, "-") == 0;
    *in = (in_file){.name = is_stdin ? "standard input" : path};
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY);
    int error = fd < 0 ? errno : take(fd, in);
    if (fd >= 0 && !is_stdin)
        close(fd);
    int code = error ? tool_fail(TOOL_INPUT, "%s: cannot be read: %s", in->name, strerror(error))
                     : make_text(in);
    if (code != TOOL_DONE)
        in_close(in);
    return code;
}

void in_close(in_file *in)
{
    free(in->bytes);
    *in = (in_file){0};
}
