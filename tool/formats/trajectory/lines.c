/* SPDX-License-Identifier: Apache-2.0 */
#include "tool/formats/trajectory/lines.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES ((size_t)1 << 16)
#define LEAST_LEAP  (4 * FIRST_BYTES) /* fewer bytes are read faster than they are skipped */

long mote_lines_from_text(void *user, char *to, size_t bytes)
{
    mote_lines_text *text = user;
    size_t count = text->left < bytes ? text->left : bytes;
    if (text->piece && text->piece < count)
        count = text->piece;
    if (count)
        memcpy(to, text->at, count);
    text->at += count;
    text->left -= count;
    return (long)count;
}

/* Makes room for more text after the existing text; one byte is reserved for a newline. */
static mote_lines_status make_room(mote_lines *lines, size_t longest)
{
    size_t count = lines->end - lines->begin;
    if (lines->begin) {
        memmove(lines->buffer, lines->buffer + lines->begin, count);
        lines->begin = 0;
        lines->end = count;
    }
    if (count + 1 < lines->reserved)
        return MOTE_LINES_LINE;
    if (count > longest)
        return MOTE_LINES_LONG;
    size_t bytes = lines->reserved ? 2 * lines->reserved : FIRST_BYTES;
    char *more = realloc(lines->buffer, bytes);
    if (!more)
        return MOTE_LINES_NO_MEMORY;
    lines->buffer = more;
    lines->reserved = bytes;
    return MOTE_LINES_LINE;
}

static mote_lines_status read_more(mote_lines *lines, size_t longest)
{
    mote_lines_status status = make_room(lines, longest);
    if (status != MOTE_LINES_LINE)
        return status;
    long n;
    do {
        n = lines->source(lines->user, lines->buffer + lines->end,
                          lines->reserved - 1 - lines->end);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        lines->error = errno;
        return MOTE_LINES_FAILED;
    }
    const char *more = lines->buffer + lines->end;
    const char *nul = lines->nul ? NULL : memchr(more, '\0', (size_t)n);
    if (nul)
        lines->nul = lines->bytes + (size_t)(nul - more) + 1;
    lines->end += (size_t)n;
    lines->bytes += (size_t)n;
    lines->ended = n == 0;
    return MOTE_LINES_LINE;
}

static void give(mote_lines *lines, size_t length, const char **begin, const char **end)
{
    const char *first = lines->buffer + lines->begin, *last = first + length;
    lines->begin += length;
    if (last > first && last[-1] == '\r')
        last--;
    *begin = first;
    *end = last;
}

/* True if the first NUL byte is among the next `length` bytes. */
static bool has_nul(const mote_lines *lines, size_t length)
{
    size_t place = mote_lines_place(lines);
    return lines->nul > place && lines->nul <= place + length;
}

bool mote_lines_are_wide(const char *text, size_t count)
{
    return count >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
}

mote_lines_status mote_lines_next(mote_lines *lines, const char **begin, const char **end)
{
    size_t looked = 0;
    lines->number++;
    lines->cut = false;
    for (;;) {
        size_t count = lines->end - lines->begin;
        char *text = lines->buffer ? lines->buffer + lines->begin : NULL;
        char *newline = count > looked ? memchr(text + looked, '\n', count - looked) : NULL;
        size_t length = newline ? (size_t)(newline - text) : count;
        if (mote_lines_place(lines) == 0 && mote_lines_are_wide(text, count))
            return MOTE_LINES_WIDE;
        if (has_nul(lines, length < MOTE_LINES_LONGEST ? length : MOTE_LINES_LONGEST))
            return MOTE_LINES_NUL;
        if (length > MOTE_LINES_LONGEST)
            return MOTE_LINES_LONG;
        if (newline || (lines->ended && count)) {
            lines->cut = !newline;
            text[length] = '\n';
            give(lines, length, begin, end);
            lines->begin += newline != NULL;
            return MOTE_LINES_LINE;
        }
        if (lines->ended)
            return MOTE_LINES_END;
        looked = count;
        mote_lines_status status = read_more(lines, MOTE_LINES_LONGEST);
        if (status != MOTE_LINES_LINE)
            return status;
    }
}

bool mote_lines_have_cr(const char *begin, const char *end)
{
    const char *p = memchr(begin, '\r', (size_t)(end - begin));
    while (p && p < end && (*p == '\r' || *p == ' ' || *p == '\t'))
        p++;
    return p && p < end;
}

void mote_lines_fault(const mote_lines *lines, mote_lines_status status, char *text, size_t size)
{
    const char *at = lines->buffer ? lines->buffer + lines->begin : "";
    if (status == MOTE_LINES_NUL)
        snprintf(text, size,
                 "byte %zu of the line is NUL: this is not a text in UTF-8, or it is damaged",
                 lines->nul - mote_lines_place(lines));
    else if (status == MOTE_LINES_WIDE)
        snprintf(text, size, MOTE_LINES_UTF16);
    else if (status == MOTE_LINES_NO_MEMORY)
        snprintf(text, size, "out of memory for a line as long as this one");
    else if (status == MOTE_LINES_FAILED)
        snprintf(text, size, "%s", strerror(lines->error));
    else
        snprintf(text, size, "the line is longer than %zu bytes%s", MOTE_LINES_LONGEST,
                 mote_lines_have_cr(at, at + (lines->end - lines->begin)) ? ": " MOTE_LINES_CR
                                                                          : "");
}

mote_lines_status mote_lines_peek(mote_lines *lines, size_t count, const unsigned char **at)
{
    mote_lines_status status = MOTE_LINES_LINE;
    while (status == MOTE_LINES_LINE && lines->end - lines->begin < count)
        status = lines->ended ? MOTE_LINES_END : read_more(lines, SIZE_MAX);
    *at = lines->buffer ? (const unsigned char *)lines->buffer + lines->begin
                        : (const unsigned char *)"";
    return status;
}

void mote_lines_take(mote_lines *lines, size_t count)
{
    lines->begin += count;
}

mote_lines_status mote_lines_pass(mote_lines *lines, size_t count)
{
    mote_lines_status status = MOTE_LINES_LINE;
    for (;;) {
        size_t there = lines->end - lines->begin;
        size_t taken = there < count ? there : count;
        lines->begin += taken;
        count -= taken;
        if (!count)
            return MOTE_LINES_LINE;
        if (count >= LEAST_LEAP && lines->leap && lines->leap(lines->user, count)) {
            lines->bytes += count;
            return MOTE_LINES_LINE;
        }
        status = lines->ended ? MOTE_LINES_END : read_more(lines, SIZE_MAX);
        if (status != MOTE_LINES_LINE)
            return status;
    }
}

size_t mote_lines_place(const mote_lines *lines)
{
    return lines->bytes - (lines->end - lines->begin);
}

void mote_lines_free(mote_lines *lines)
{
    free(lines->buffer);
    lines->buffer = NULL;
    lines->reserved = lines->begin = lines->end = 0;
}
