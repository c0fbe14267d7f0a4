/* SPDX-License-Identifier: Apache-2.0 */
#include "out.h"
#include "pack.h"
#include "partial_outputs.h"
#include "../option.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES ((size_t)1 << 18)
#define ROOM_BYTES   ((size_t)4096)

static bool reader_left;
static char *written; /* the result of out_written(); never freed */

struct out_file {
    int fd;
    int error; /* errno of the first failure */
    bool told; /* the message about it was printed */
    bool is_stdout;
    bool closed;
    char *name;       /* as given by the user */
    char *target;     /* for regular files: the name after links were resolved */
    char *temp;       /* for regular files: the temporary file */
    pack_state *pack; /* NULL if bytes are not packed */
    long long written;
    char head[OUT_MOST_HEAD]; /* the first bytes of the file, which are written again */
    size_t head_bytes;        /* 0: nothing new */
    size_t used;
    char buffer[];
};

void out_remove_on_signals(void)
{
    unfinished_watch();
}

/* Returns the descriptor that a name such as /dev/stdout or /dev/fd/5 stands for, or -1. */
static int standard_stream(const char *path)
{
    static const char *const names[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    for (int i = 0; i < 3; i++)
        if (strcmp(path, names[i]) == 0)
            return i;
    int fd, end = 0;
    if (sscanf(path, "/dev/fd/%d%n", &fd, &end) == 1 && !path[end])
        return fd;
    if (sscanf(path, "/proc/self/fd/%d%n", &fd, &end) == 1 && end && !path[end])
        return fd;
    return -1;
}

static int open_direct(out_file *out, const char *path)
{
    int stream = standard_stream(path);
    out->is_stdout = stream == STDOUT_FILENO;
    out->fd = stream >= 0 ? dup(stream) : open(path, O_WRONLY);
    return out->fd < 0 ? errno : 0;
}

static int open_regular(out_file *out, const char *path, bool exists, bool part)
{
    if (exists && access(path, W_OK) != 0)
        return errno;
    out->target = out_target(path);
    if (!out->target)
        return errno;
    out->temp = malloc(strlen(out->target) + 8);
    if (!out->temp)
        return ENOMEM;
    out->fd = part ? unfinished_make_part(out->target, out->temp)
                   : unfinished_make(out->target, out->temp);
    int error = out->fd < 0 ? errno : 0;
    if (error) {
        free(out->temp);
        out->temp = NULL;
    }
    return error;
}

static int open_path(out_file *out, const char *path, bool part)
{
    if (!path) {
        out->is_stdout = true;
        out->fd = dup(STDOUT_FILENO);
        return out->fd < 0 ? errno : 0;
    }
    struct stat info;
    bool exists = stat(path, &info) == 0;
    int error = exists ? 0 : errno;
    if (!*path)
        return ENOENT;
    if (exists && S_ISDIR(info.st_mode))
        return EISDIR;
    if (standard_stream(path) >= 0 || (exists && !S_ISREG(info.st_mode)))
        return open_direct(out, path);
    if (error && error != ENOENT)
        return error;
    return open_regular(out, path, exists, part);
}

static void release(out_file *out)
{
    pack_close(out->pack);
    if (out->fd >= 0)
        close(out->fd);
    if (out->temp)
        unfinished_settle(out->temp, NULL);
    free(out->temp);
    free(out->target);
    free(out->name);
    free(out);
}

static void write_all(out_file *out, const char *from, size_t left)
{
    while (left && !out->error && !out->closed) {
        ssize_t n = write(out->fd, from, left);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EPIPE && out->is_stdout) {
            out->closed = true;
            reader_left = true;
        } else if (n < 0) {
            out->error = errno;
        } else {
            from += n;
            left -= (size_t)n;
            out->written += n;
        }
    }
}

static void write_packed(void *user, const char *bytes, size_t count)
{
    write_all(user, bytes, count);
}

/* Files whose names end in .gz are packed. */
static int start_packing(out_file *out)
{
    if (!tool_ends_with(out->name, ".gz"))
        return TOOL_DONE;
    if (!pack_is_there())
        return tool_fail(TOOL_OUTPUT,
                         "%s: this mote was built without zlib: leave .gz out of the name",
                         out->name);
    out->pack = pack_open(write_packed, out);
    return out->pack ? TOOL_DONE : tool_fail(TOOL_OUTPUT, "%s: out of memory", out->name);
}

static int open_named(const char *path, bool part, out_file **result)
{
    *result = NULL;
    const char *name = path ? path : "standard output";
    out_file *out = calloc(1, sizeof(*out) + BUFFER_BYTES);
    if (!out)
        return tool_fail(TOOL_OUTPUT, "%s: out of memory", name);
    out->fd = -1;
    out->name = strdup(name);
    int error = out->name ? open_path(out, path, part) : ENOMEM;
    if (error) {
        release(out);
        return tool_fail(TOOL_OUTPUT, "%s: cannot be written: %s", name, out_reason(error));
    }
    int code = start_packing(out);
    if (code == TOOL_DONE)
        *result = out;
    else
        release(out);
    return code;
}

int out_open(const char *path, out_file **result)
{
    return open_named(path, false, result);
}

int out_open_part(const char *path, out_file **result)
{
    return open_named(path, true, result);
}

char *out_part_name(const char *path)
{
    struct stat info;
    bool exists = stat(path, &info) == 0;
    if (standard_stream(path) >= 0 || (exists && !S_ISREG(info.st_mode)))
        return NULL;
    char *target = out_target(path);
    char *name = target ? malloc(strlen(target) + 8) : NULL;
    if (name)
        sprintf(name, "%s.part", target);
    free(target);
    return name;
}

static void put(out_file *out, const char *from, size_t count)
{
    if (out->pack)
        pack_bytes(out->pack, from, count);
    else
        write_all(out, from, count);
}

static void flush(out_file *out)
{
    put(out, out->buffer, out->used);
    out->used = 0;
}

char *out_room(out_file *out, size_t bytes)
{
    if (BUFFER_BYTES - out->used < bytes)
        flush(out);
    return out->buffer + out->used;
}

void out_used(out_file *out, const char *end)
{
    out->used = (size_t)(end - out->buffer);
}

static void write_head(out_file *out)
{
    size_t count = out->head_bytes;
    out->head_bytes = 0;
    if (count && !out->error && pwrite(out->fd, out->head, count, 0) != (ssize_t)count)
        out->error = errno ? errno : EIO;
}

/* A process that sees the bytes in a part may send a signal, which is held until they are kept.
 * Other outputs may block, and must not delay signals. An incomplete packed file is of no use and
 * is removed. */
void out_keep(out_file **outs, size_t count, const char *note)
{
    unfinished_length lengths[UNFINISHED_MOST];
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (outs[i] && !outs[i]->temp)
            flush(outs[i]);
    unfinished_hold();
    for (size_t i = 0; i < count; i++) {
        if (!outs[i] || !outs[i]->temp || outs[i]->pack ||
            n == sizeof(lengths) / sizeof(lengths[0]))
            continue;
        flush(outs[i]);
        write_head(outs[i]);
        lengths[n++] = (unfinished_length){outs[i]->temp, outs[i]->written};
    }
    unfinished_keep(lengths, n, note);
}

void out_bytes(out_file *out, const void *bytes, size_t count)
{
    const char *from = bytes;
    if (count >= BUFFER_BYTES) {
        flush(out);
        put(out, from, count);
        return;
    }
    while (count) {
        size_t part = count < ROOM_BYTES ? count : ROOM_BYTES;
        char *room = out_room(out, part);
        memcpy(room, from, part);
        out_used(out, room + part);
        from += part;
        count -= part;
    }
}

bool out_can_begin_again(const out_file *out)
{
    return out->temp && !out->pack;
}

void out_begin_again(out_file *out, const void *bytes, size_t count)
{
    memcpy(out->head, bytes, count);
    out->head_bytes = count;
}

void out_text(out_file *out, const char *text)
{
    out_bytes(out, text, strlen(text));
}

void out_print(out_file *out, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    char *room = out_room(out, ROOM_BYTES);
    int n = vsnprintf(room, ROOM_BYTES, format, values);
    va_end(values);
    if (n > 0)
        out_used(out, room + (n < (int)ROOM_BYTES ? n : (int)ROOM_BYTES - 1));
}

bool out_reader_left(void)
{
    return reader_left;
}

bool out_is_closed(const out_file *out)
{
    return out->closed;
}

int out_check(out_file *out)
{
    if (!out->error)
        return TOOL_GO_ON;
    if (!out->told)
        tool_fail(TOOL_OUTPUT, "%s: cannot be written: %s", out->name, out_reason(out->error));
    out->told = true;
    return TOOL_OUTPUT;
}

/* Writes everything to the disk and closes the descriptor. */
static int complete(out_file *out)
{
    flush(out);
    write_head(out);
    if (out->pack)
        pack_end(out->pack);
    if (!out->error && out->temp && fsync(out->fd) != 0 && errno != EINVAL && errno != EROFS)
        out->error = errno;
    if (close(out->fd) != 0 && !out->error && !out->closed)
        out->error = errno;
    out->fd = -1;
    return out_check(out);
}

/* Adds a name to the list of written files. If memory runs out, the name is omitted. */
static void note_written(const char *name)
{
    size_t length = written ? strlen(written) : 0;
    char *grown = realloc(written, length + strlen(name) + sizeof("; written: "));
    if (!grown)
        return;
    sprintf(grown + length, "%s%s", length ? ", " : "; written: ", name);
    written = grown;
}

const char *out_written(void)
{
    return written ? written : "";
}

static int settle(out_file *out)
{
    if (!out->temp)
        return TOOL_GO_ON;
    if (unfinished_settle(out->temp, out->target) != 0) {
        out->error = errno;
        return out_check(out);
    }
    free(out->temp);
    out->temp = NULL;
    note_written(out->name);
    return TOOL_GO_ON;
}

int out_finish(out_file **outs, size_t count)
{
    int code = TOOL_GO_ON;
    for (size_t i = 0; i < count && code == TOOL_GO_ON; i++)
        code = outs[i] ? complete(outs[i]) : TOOL_GO_ON;
    for (size_t i = 0; i < count && code == TOOL_GO_ON; i++)
        code = outs[i] ? settle(outs[i]) : TOOL_GO_ON;
    out_discard(outs, count);
    return code == TOOL_GO_ON ? TOOL_DONE : code;
}

void out_discard(out_file **outs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (outs[i])
            release(outs[i]);
        outs[i] = NULL;
    }
}
