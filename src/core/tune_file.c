/* SPDX-License-Identifier: Apache-2.0 */
#include "core/tune_file.h"
#include "core/log.h"
#include "core/system.h"
#include "core/tune.h"
#include "core/tune_keys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLANKS " \t\r"

enum { NAME = 1, PLATFORM = 2, DRIVER = 4, WHOLE = 7 };

typedef struct parser {
    const char *path;
    const mote_device_info *device;
    mote_text *text;
    size_t line;
    bool inside;           /* of a section */
    bool ignored;          /* the remaining part of the section */
    size_t before;         /* length of the text at the section's beginning */
    unsigned given, other; /* keys of the device that the section has, and those that belong to
                              another device */
} parser;

static void choose_path(mote_text *path)
{
    const char *own = mote_variable("MOTE_TUNE_FILE"), *base = mote_variable("XDG_CONFIG_HOME"),
               *home = mote_variable("HOME");
    if (own)
        mote_text_add(path, "%s", own);
    else if (base && *base == '/') /* the XDG specification requires relative paths to be ignored */
        mote_text_add(path, "%s/mote/tune", base);
    else if (home && *home)
        mote_text_add(path, "%s/.config/mote/tune", home);
}

size_t mote_tune_path(char *path, size_t room)
{
    mote_text chosen = {0};
    choose_path(&chosen);
    return mote_text_hand_over(&chosen, path, room);
}

/* Removes blanks at both ends. */
static char *trim(char *text)
{
    text += strspn(text, BLANKS);
    size_t length = strlen(text);
    while (length && strchr(BLANKS, text[length - 1]))
        length--;
    text[length] = '\0';
    return text;
}

/* Names from drivers may have blanks around them. */
static bool is_same(const char *value, const char *own)
{
    size_t length = strlen(value);
    own += strspn(own, BLANKS);
    return strncmp(value, own, length) == 0 && own[length + strspn(own + length, BLANKS)] == '\0';
}

/* Parses a line that names the section's device; returns false for other lines. */
static bool take_identity(parser *p, const char *key, const char *value)
{
    const struct {
        const char *key, *value;
        unsigned flag;
    } parts[] = {{"name", p->device->name, NAME},
                 {"platform", p->device->platform, PLATFORM},
                 {"driver", p->device->driver, DRIVER}};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (strcmp(key, parts[i].key) == 0) {
            p->given |= parts[i].flag;
            p->other |= is_same(value, parts[i].value) ? 0 : parts[i].flag;
            return true;
        }
    return false;
}

static void take_value(const parser *p, const char *key, const char *value)
{
    if (!mote_tune_is_key(key))
        mote_log(MOTE_LOG_WARN, "%s, line %zu: there is no key \"%.80s\"", p->path, p->line, key);
    else if (!mote_tune_takes(key, value))
        mote_log(MOTE_LOG_WARN, "%s, line %zu: \"%.80s\" is no value of %s", p->path, p->line,
                 value, key);
    else
        mote_text_add(p->text, "%s%s=%s", p->text->length ? "," : "", key, value);
}

/* Returns what is wrong with a line, or NULL. */
static const char *take_line(parser *p, char *line)
{
    line = trim(line);
    if (!*line || *line == '#')
        return NULL;
    if (strcmp(line, "[device]") == 0) {
        p->inside = true;
        p->ignored = false;
        p->given = p->other = 0;
        p->before = p->text->length;
        return NULL;
    }
    if (p->ignored)
        return NULL;
    char *value = strchr(line, '=');
    if (!value || value == line)
        return "expected [device] or KEY = VALUE";
    if (!p->inside)
        return "no [device] above it";
    *value++ = '\0';
    char *key = trim(line);
    value = trim(value);
    if (!strchr(key, '.'))
        return take_identity(p, key, value) ? NULL : "expected name, platform, driver or area.name";
    if (p->given != WHOLE)
        return "name, platform and driver of the device must stand above it";
    if (!p->other)
        take_value(p, key, value);
    return NULL;
}

/* Reports the error, and discards the values of the section. */
static void ignore(parser *p, const char *wrong)
{
    mote_log(MOTE_LOG_WARN, "%s, line %zu: %s: the %s is ignored (mote tune writes another)",
             p->path, p->line, wrong, p->inside ? "section" : "file");
    p->ignored = true;
    mote_text_cut(p->text, p->before);
}

void mote_tune_file_parse(char *bytes, size_t length, const char *path,
                          const mote_device_info *device, mote_text *text)
{
    parser p = {.path = path, .device = device, .text = text};
    if (strlen(bytes) < length) {
        ignore(&p, "it is no text");
        return;
    }
    for (char *line = bytes, *next; line && (p.inside || !p.ignored); line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        p.line++;
        const char *wrong = take_line(&p, line);
        if (wrong)
            ignore(&p, wrong);
    }
}

/* Reads a file of at most `room` bytes; returns what is wrong with it, or NULL. */
static const char *read_whole(int fd, char *bytes, size_t room, size_t *length)
{
    struct stat info;
    if (fstat(fd, &info) != 0)
        return strerror(errno);
    if (!S_ISREG(info.st_mode))
        return "it is no regular file";
    if (!mote_read_whole(fd, bytes, room, length))
        return strerror(errno);
    return *length < room ? NULL : "it is longer than 64 KiB";
}

static void read_path(const char *path, const mote_device_info *device, mote_text *text)
{
    size_t length = 0;
    /* The open must not wait for a FIFO, nor make a terminal the process's controlling terminal. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) {
        /* The file must exist only if a variable names it. */
        if (mote_variable("MOTE_TUNE_FILE") || (errno != ENOENT && errno != ENOTDIR))
            mote_log(MOTE_LOG_WARN, "tune file %s: %s", path, strerror(errno));
        return;
    }
    char *bytes = malloc(MOTE_TUNE_FILE_MOST + 2);
    const char *wrong =
        bytes ? read_whole(fd, bytes, MOTE_TUNE_FILE_MOST + 1, &length) : "out of memory";
    close(fd);
    if (wrong) {
        mote_log(MOTE_LOG_WARN, "tune file %s: %s", path, wrong);
    } else {
        bytes[length] = '\0';
        mote_tune_file_parse(bytes, length, path, device, text);
    }
    free(bytes);
}

void mote_tune_file_read(const mote_device_info *device, mote_text *text)
{
    mote_text path = {0};
    choose_path(&path);
    if (path.length && !path.failed)
        read_path(path.data, device, text);
    mote_text_free(&path);
}
