/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of a file of any length, read piece by piece from any source: lines of text, or
 * counted bytes. */
#ifndef MOTE_TOOL_FORMATS_TRAJECTORY_LINES_H
#define MOTE_TOOL_FORMATS_TRAJECTORY_LINES_H

#include <stdbool.h>
#include <stddef.h>

/* The largest length of a line in bytes. */
#define MOTE_LINES_LONGEST ((size_t)1 << 20)

/* Stores up to `bytes` of the next bytes; returns their number, 0 at the end, or -1 with errno set.
 */
typedef long (*mote_lines_source)(void *user, char *to, size_t bytes);

/* Skips the next `bytes` bytes without reading them; returns false, and changes nothing, if that is
 * impossible. */
typedef bool (*mote_lines_leap)(void *user, size_t bytes);

typedef enum mote_lines_status {
    MOTE_LINES_LINE,
    MOTE_LINES_END,
    MOTE_LINES_LONG,      /* the line is too long */
    MOTE_LINES_NUL,       /* the line has a NUL byte */
    MOTE_LINES_WIDE,      /* the text is in UTF-16 */
    MOTE_LINES_NO_MEMORY, /* memory for a line of this length ran out */
    MOTE_LINES_FAILED     /* the source failed; see error */
} mote_lines_status;

typedef struct mote_lines {
    mote_lines_source source;
    void *user;
    mote_lines_leap leap; /* NULL: the source cannot skip */
    char *buffer;
    size_t reserved, begin, end; /* text that has not been returned yet */
    bool ended;
    int error;     /* errno of the source */
    size_t number; /* number of the last returned line, from 1 */
    size_t bytes;  /* bytes read from the source */
    size_t nul;    /* position of the first NUL byte, from 1; 0 = there was none */
    bool cut;      /* the last returned line had no newline, because the text ended */
} mote_lines;

/* Text in memory as a source. */
typedef struct mote_lines_text {
    const char *at;
    size_t left;
    size_t piece; /* bytes at a time; 0 = all */
} mote_lines_text;

long mote_lines_from_text(void *text, char *to, size_t bytes);

/* Gives the next line without its end (LF or CRLF), unless the line contains a NUL byte; the byte
 * at *end may be read and is not a printing character. Both are valid until the next call. */
mote_lines_status mote_lines_next(mote_lines *lines, const char **begin, const char **end);

/* Writes a sentence that explains why there is no line, or no bytes, for any status except
 * MOTE_LINES_LINE and MOTE_LINES_END. */
void mote_lines_fault(const mote_lines *lines, mote_lines_status status, char *text, size_t size);

/* The message for a text with CR, but without LF, between lines. */
#define MOTE_LINES_CR "lines end in CR alone, as on old Macs: save the file with LF or CRLF instead"

/* The message for a text in UTF-16. */
#define MOTE_LINES_UTF16 "this text is in UTF-16: save it in UTF-8"

/* True if a text begins with the byte order mark of UTF-16. */
bool mote_lines_are_wide(const char *text, size_t count);

/* Returns whether a line has a CR that is followed by more than blanks. */
bool mote_lines_have_cr(const char *begin, const char *end);

/* Reads until at least `count` bytes lie at *at; MOTE_LINES_END when the file ends before. They are
 * valid until the next call, and are given again until they are taken. Memory grows with the bytes
 * that exist. */
mote_lines_status mote_lines_peek(mote_lines *lines, size_t count, const unsigned char **at);

/* Skips bytes that mote_lines_peek() has returned. */
void mote_lines_take(mote_lines *lines, size_t count);

/* Passes over the next `count` bytes, which need not be there yet; MOTE_LINES_END when the file
 * ends before. Memory does not grow. */
mote_lines_status mote_lines_pass(mote_lines *lines, size_t count);

/* Returns the position of the next byte, from 0. */
size_t mote_lines_place(const mote_lines *lines);

void mote_lines_free(mote_lines *lines);

#endif
