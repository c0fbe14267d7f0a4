/* SPDX-License-Identifier: Apache-2.0 */
#include "core/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool grow(mote_text *text, size_t more)
{
    size_t need = text->length + more + 1;
    if (need <= text->room)
        return true;
    size_t room = need < 128 ? 128 : need + need / 2;
    char *data = realloc(text->data, room);
    if (!data) {
        text->failed = true;
        return false;
    }
    text->data = data;
    text->room = room;
    return true;
}

void mote_text_add(mote_text *text, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    if (length < 0)
        text->failed = true;
    else if (grow(text, (size_t)length)) {
        vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void mote_text_cut(mote_text *text, size_t length)
{
    if (length >= text->length)
        return;
    text->length = length;
    text->data[length] = '\0';
}

void mote_text_free(mote_text *text)
{
    free(text->data);
    *text = (mote_text){0};
}

size_t mote_text_hand_over(mote_text *text, char *out, size_t room)
{
    size_t length = text->failed ? 0 : text->length;
    if (room)
        snprintf(out, room, "%s", length ? text->data : "");
    mote_text_free(text);
    return length;
}

const char *mote_text_get(const mote_text *text)
{
    return text->data ? text->data : "";
}

/* ASCII only: the caller's locale must not change the meaning of a device string. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool mote_text_contains(const char *text, const char *words)
{
    for (;; text++) {
        size_t i = 0;
        while (words[i] && lower(text[i]) == lower(words[i]))
            i++;
        if (!words[i])
            return true;
        if (!*text)
            return false;
    }
}

bool mote_text_same(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}
