/* SPDX-License-Identifier: Apache-2.0 */
#include "file.h"

#include "core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST_BYTES    65536 /* limit for files that the library reads */
#define SECTION_BYTES 4096  /* room that is kept free for a section */
#define LOCK_TURNS    1000  /* of 10 ms */
#define HEAD          "[device]"
#define BLANKS        " \t\r\n"

/* Before its sections, a tune file has only blank lines and comments. */
static bool is_tune_file(const char *text)
{
    text += strspn(text, BLANKS);
    while (*text == '#') {
        text += strcspn(text, "\n");
        text += strspn(text, BLANKS);
    }
    return !*text || strncmp(text, HEAD, strlen(HEAD)) == 0;
}

/* Reads the text of an open file; returns NULL and the reason if that fails. */
static char *read_whole(int fd, const char **wrong)
{
    struct stat info;
    *wrong = fstat(fd, &info) != 0    ? strerror(errno)
             : !S_ISREG(info.st_mode) ? "it is no regular file"
                                      : NULL;
    char *text = *wrong ? NULL : malloc(MOST_BYTES + 2);
    if (!text) {
        *wrong = *wrong ? *wrong : "out of memory";
        return NULL;
    }
    size_t length = 0;
    bool done = mote_read_whole(fd, text, MOST_BYTES + 1, &length);
    text[length] = '\0';
    if (!done)
        *wrong = strerror(errno);
    else if (length > MOST_BYTES - SECTION_BYTES)
        *wrong = "it is too long for another section: 64 KiB are read of a tune file";
    else if (strlen(text) != length || !is_tune_file(text))
        *wrong = "it is no tune file";
    if (!*wrong)
        return text;
    free(text);
    return NULL;
}

int tune_file_read(const char *path, char **text)
{
    const char *wrong = NULL;
    *text = NULL;
    /* The command must not wait for a FIFO, and a terminal must not become its controlling
     * terminal. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        *text = calloc(1, 1);
        return *text ? TOOL_DONE : tool_fail(TOOL_DEVICE, "out of memory");
    }
    if (fd < 0)
        return tool_fail(TOOL_INPUT, "%s: cannot be read: %s", path, strerror(errno));
    *text = read_whole(fd, &wrong);
    close(fd);
    return *text ? TOOL_DONE
                 : tool_fail(TOOL_INPUT, "%s: %s; move it away, or name another with -o", path,
                             wrong);
}

static size_t line_length(const char *line)
{
    size_t length = strcspn(line, "\n");
    return length + (line[length] == '\n');
}

/* True if the line is "KEY = VALUE", with blanks anywhere around them. */
static bool says(const char *line, size_t length, const char *key, const char *value)
{
    const char *end = line + length;
    const char *const words[] = {key, "=", value};
    for (size_t i = 0; i < 3; i++) {
        size_t word;
        const char *own = words[i] + strspn(words[i], BLANKS);
        for (word = strlen(own); word && strchr(BLANKS, own[word - 1]);)
            word--;
        line += strspn(line, " \t");
        if ((size_t)(end - line) < word || strncmp(line, own, word) != 0)
            return false;
        line += word;
    }
    return line + strspn(line, BLANKS) >= end;
}

/* A section extends to the next head, or to the end. */
static size_t section_length(const char *section)
{
    size_t length = line_length(section);
    while (section[length] &&
           strncmp(section + length + strspn(section + length, " \t"), HEAD, strlen(HEAD)) != 0)
        length += line_length(section + length);
    return length;
}

static bool is_of(const char *section, size_t length, const mote_device_info *device)
{
    unsigned same = 0;
    for (size_t at = 0, next; at < length; at += next) {
        next = line_length(section + at);
        same |= says(section + at, next, "name", device->name) ? 1 : 0;
        same |= says(section + at, next, "platform", device->platform) ? 2 : 0;
        same |= says(section + at, next, "driver", device->driver) ? 4 : 0;
    }
    return same == 7;
}

void tune_file_write(out_file *out, const char *text, const mote_device_info *device,
                     const char *values)
{
    size_t length;
    if (!*text)
        out_text(out, "# Tuning values of mote, made by mote tune: docs/tuning.md.\n");
    for (; *text; text += length) {
        length = section_length(text);
        if (!is_of(text, length, device))
            out_bytes(out, text, length);
        if (!text[length] && length && text[length - 1] != '\n')
            out_text(out, "\n");
    }
    out_print(out, HEAD "\nname = %s\nplatform = %s\ndriver = %s\n", device->name, device->platform,
              device->driver);
    for (size_t part; *values; values += part) {
        part = strcspn(values, ",");
        const char *equals = memchr(values, '=', part);
        size_t key = equals ? (size_t)(equals - values) : part;
        out_print(out, "%.*s = %.*s\n", (int)key, values, equals ? (int)(part - key - 1) : 0,
                  equals ? equals + 1 : "");
        part += values[part] == ',';
    }
}

void tune_file_folders(const char *path)
{
    char *copy = strdup(path);
    for (char *slash = copy && *copy ? strchr(copy + 1, '/') : NULL; slash;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(copy, 0700);
        *slash = '/';
    }
    free(copy);
}

bool tune_file_lock(const char *path, int *lock)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    *lock = fd;
    for (int turn = 0; fd >= 0 && turn < LOCK_TURNS; turn++) {
        const struct timespec pause = {.tv_nsec = 10000000};
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true;
        nanosleep(&pause, NULL);
    }
    return fd < 0;
}

void tune_file_unlock(int fd)
{
    if (fd >= 0)
        close(fd);
}
