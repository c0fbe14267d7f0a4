/* SPDX-License-Identifier: Apache-2.0 */
/* Growing text: messages, build options, cache keys. */
#ifndef MOTE_CORE_TEXT_H
#define MOTE_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/fail.h"

/* All members are zero at the start. If memory runs out, the text keeps its contents and `failed`
 * is set. */
typedef struct mote_text {
    char *data; /* zero-terminated; NULL while empty */
    size_t length;
    size_t room;
    bool failed;
} mote_text;

void mote_text_add(mote_text *text, const char *format, ...) MOTE_PRINTF(2, 3);
void mote_text_free(mote_text *text);

/* Truncates the text to `length` bytes. */
void mote_text_cut(mote_text *text, size_t length);

/* Returns the text so far; "" if nothing was added. */
const char *mote_text_get(const mote_text *text);

/* Copies as much as fits into `room` bytes ("" if memory ran out), and frees the text. Returns the
 * whole length, or 0 if memory ran out. */
size_t mote_text_hand_over(mote_text *text, char *out, size_t room);

/* Returns true if `words` occurs in `text`, ignoring case; "" occurs everywhere. */
bool mote_text_contains(const char *text, const char *words);

/* Returns true if both are equal, ignoring case. */
bool mote_text_same(const char *a, const char *b);

#endif
