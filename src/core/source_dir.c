/* SPDX-License-Identifier: Apache-2.0 */
/* The same rules as in cl/embed.py, byte for byte: a test compares the two for every source. */
#include "core/source_dir.h"
#include "core/system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX  ((size_t)1 << 20)
#define TEXT_MAX  ((size_t)16 << 20) /* a file may be pasted many times */
#define DEPTH_MAX 64
#define NAME_ROOM 512
#define BLANKS    " \t\r\v\f"

static const char every_time[] = "/* embed: include every time */";
static const char *const roots[] = {"", "/../include"};

/* A file by its name below one of the roots. */
typedef struct place {
    size_t root;
    char name[NAME_ROOM];
} place;

/* The file that is being read and, through the frames above it, the files that include it. */
typedef struct frame {
    const struct frame *above;
    const place *file;
    size_t line, depth;
} frame;

typedef struct reader {
    const char *folder;
    const mote_source *source;
    mote_text *text;
    mote_text pasted; /* files that need no second copy, each as "\nROOT NAME\n" */
} reader;

static mote_status no_memory(const reader *r)
{
    return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, "%s: out of host memory", r->source->name);
}

static bool path_of(const reader *r, const place *file, char *path, size_t room)
{
    int length = snprintf(path, room, "%s%s/%s", r->folder, roots[file->root], file->name);
    return length > 0 && (size_t)length < room;
}

/* Joins a name, relative to the first `keep` bytes of `folder`, with "." and ".." resolved; returns
 * false if it leaves the root or is too long. */
static bool join(const char *folder, size_t keep, const char *name, char out[NAME_ROOM])
{
    if (keep + strlen(name) + 2 > NAME_ROOM)
        return false;
    memcpy(out, folder, keep);
    size_t length = keep;
    while (*name) {
        size_t part = strcspn(name, "/");
        if (part == 2 && strncmp(name, "..", 2) == 0) {
            if (length == 0)
                return false;
            while (length > 0 && out[--length] != '/')
                ;
        } else if (part > 0 && !(part == 1 && *name == '.')) {
            if (length > 0)
                out[length++] = '/';
            memcpy(out + length, name, part);
            length += part;
        }
        name += part + strspn(name + part, "/");
    }
    out[length] = '\0';
    return true;
}

static bool is_file(const reader *r, const place *file)
{
    char path[2 * NAME_ROOM];
    struct stat st;
    return path_of(r, file, path, sizeof(path)) && stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Searches in the including file's folder first, then below the roots. */
static bool find(const reader *r, const place *from, const char *name, place *out)
{
    const char *slash = strrchr(from->name, '/');
    size_t keep = slash ? (size_t)(slash - from->name) : 0;
    out->root = from->root;
    if (join(from->name, keep, name, out->name) && is_file(r, out))
        return true;
    for (out->root = 0; out->root < sizeof(roots) / sizeof(roots[0]); out->root++)
        if (join("", 0, name, out->name) && is_file(r, out))
            return true;
    return false;
}

/* Reads all bytes of a regular file. Returns false with errno, which is 0 for a file that is not
 * regular or too large. O_NONBLOCK prevents that opening a FIFO waits for a writer. */
static bool read_file(const char *path, char **data, size_t *length)
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    struct stat st;
    errno = 0;
    bool done = fstat(file, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= (off_t)FILE_MAX &&
                (*data = malloc((size_t)st.st_size + 1)) &&
                mote_read_whole(file, *data, (size_t)st.st_size, length);
    int code = errno;
    close(file);
    errno = code;
    return done;
}

static mote_status load(const reader *r, const place *file, char **data)
{
    char path[2 * NAME_ROOM];
    *data = NULL;
    errno = ENAMETOOLONG;
    size_t length = 0;
    if (!path_of(r, file, path, sizeof(path)) || !read_file(path, data, &length)) {
        int code = errno;
        free(*data);
        *data = NULL;
        return mote_fail(MOTE_ERROR_BUILD,
                         "%s: MOTE_CL_DIR is set, and %s%s/%s cannot be read: %s. MOTE_CL_DIR must "
                         "name the folder cl of mote's sources",
                         r->source->name, r->folder, roots[file->root], file->name,
                         code ? strerror(code) : "no regular file of at most 1 MiB");
    }
    (*data)[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if ((*data)[i] <= 0)
            return mote_fail(MOTE_ERROR_BUILD, "%s: MOTE_CL_DIR: %s: not ASCII at byte %zu",
                             r->source->name, path, i);
    return MOTE_SUCCESS;
}

/* Returns the word after '#' if the line is a directive, else an empty one; *rest is the text after
 * it. */
static size_t directive(const char *line, const char **word, const char **rest)
{
    line += strspn(line, BLANKS);
    if (*line != '#')
        return 0;
    *word = line + 1 + strspn(line + 1, BLANKS);
    size_t length = strspn(*word, "abcdefghijklmnopqrstuvwxyz");
    *rest = *word + length + strspn(*word + length, BLANKS);
    return length;
}

static bool is_word(const char *word, size_t length, const char *wanted)
{
    return length == strlen(wanted) && strncmp(word, wanted, length) == 0;
}

/* Splits a file into consecutive strings, one per line, without trailing blanks; returns their
 * number. */
static size_t split(char *data)
{
    size_t count = 0;
    char *to = data;
    for (char *from = data, *next; *from; from = next, count++) {
        size_t length = strcspn(from, "\n");
        next = from + length + (from[length] == '\n');
        while (length > 0 && strchr(BLANKS, from[length - 1]))
            length--;
        memmove(to, from, length);
        to[length] = '\0';
        to += length + 1;
    }
    return count;
}

/* Returns whether the first two directives are #ifndef X, #define X. */
static bool has_guard(const char *line, size_t count)
{
    const char *word, *rest, *name = NULL;
    for (; count > 0; count--, line += strlen(line) + 1) {
        size_t length = directive(line, &word, &rest);
        if (length == 0)
            continue;
        if (name)
            return is_word(word, length, "define") &&
                   strncmp(name, rest, strcspn(name, BLANKS)) == 0 &&
                   strcspn(name, BLANKS) == strcspn(rest, BLANKS);
        if (!is_word(word, length, "ifndef"))
            return false;
        name = rest;
    }
    return false;
}

static bool is_template(const char *line, size_t count)
{
    for (; count > 0; count--, line += strlen(line) + 1)
        if (strcmp(line, every_time) == 0)
            return true;
    return false;
}

/* Returns whether the file still has to be pasted; remembers it if this copy serves all
 * includes. */
static bool needs_copy(reader *r, const place *file, bool conditional)
{
    char key[NAME_ROOM + 16];
    snprintf(key, sizeof(key), "\n%zu %s\n", file->root, file->name);
    if (strstr(mote_text_get(&r->pasted), key))
        return false;
    if (!conditional)
        mote_text_add(&r->pasted, "%s", key);
    return true;
}

static mote_status paste(reader *r, const place *file, bool conditional, const frame *above);

/* Processes the file that an #include names; `rest` is the text after that word. */
static mote_status include(reader *r, const frame *at, const char *rest, bool conditional)
{
    char name[NAME_ROOM];
    size_t length = strcspn(rest + 1, "\"");
    place target;
    snprintf(name, sizeof(name), "%.*s", (int)(length < NAME_ROOM ? length : 0), rest + 1);
    if (!find(r, at->file, name, &target))
        return mote_fail(
            MOTE_ERROR_BUILD, "%s: MOTE_CL_DIR: %s:%zu: cannot find \"%s\" in %s or %s%s",
            r->source->name, at->file->name, at->line, name, r->folder, r->folder, roots[1]);
    for (const frame *f = at; f; f = f->above)
        if (f->file->root == target.root && strcmp(f->file->name, target.name) == 0)
            return mote_fail(MOTE_ERROR_BUILD, "%s: MOTE_CL_DIR: %s:%zu: \"%s\" includes itself",
                             r->source->name, at->file->name, at->line, name);
    return paste(r, &target, conditional, at);
}

static mote_status paste_lines(reader *r, frame *at, const char *line, size_t count,
                               bool conditional)
{
    int depth = has_guard(line, count) ? -1 : 0;
    mote_status status = MOTE_SUCCESS;
    mote_text_add(r->text, "#line 1 \"%s\"\n", at->file->name);
    for (at->line = 1; at->line <= count && !status; at->line++, line += strlen(line) + 1) {
        const char *word = "", *rest = "";
        size_t length = directive(line, &word, &rest);
        depth += (length >= 2 && strncmp(word, "if", 2) == 0) - is_word(word, length, "endif");
        if (!is_word(word, length, "include") || *rest != '"') {
            mote_text_add(r->text, "%s\n", line);
            continue;
        }
        status = include(r, at, rest, conditional || depth > 0);
        mote_text_add(r->text, "#line %zu \"%s\"\n", at->line + 1, at->file->name);
    }
    return status;
}

/* Appends a file; `conditional`: the preprocessor may skip this copy. */
static mote_status paste(reader *r, const place *file, bool conditional, const frame *above)
{
    frame at = {.above = above, .file = file, .depth = above ? above->depth + 1 : 0};
    if (at.depth > DEPTH_MAX || r->text->length > TEXT_MAX)
        return mote_fail(MOTE_ERROR_BUILD, "%s: MOTE_CL_DIR: %s: includes too much",
                         r->source->name, file->name);
    char *data;
    mote_status status = load(r, file, &data);
    size_t count = status ? 0 : split(data);
    if (!status && (is_template(data, count) || needs_copy(r, file, conditional)))
        status = paste_lines(r, &at, data, count, conditional);
    free(data);
    return status;
}

mote_status mote_source_read(const char *folder, const mote_source *source, mote_text *text)
{
    reader r = {.folder = folder, .source = source, .text = text};
    place file = {.root = 0};
    if (!join("", 0, source->name, file.name))
        return mote_fail(MOTE_ERROR_BUILD, "%s: MOTE_CL_DIR: the name is too long", source->name);
    mote_status status = paste(&r, &file, false, NULL);
    if (!status && (text->failed || r.pasted.failed))
        status = no_memory(&r);
    mote_text_free(&r.pasted);
    return status;
}
