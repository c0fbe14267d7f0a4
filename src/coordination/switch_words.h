/* SPDX-License-Identifier: Apache-2.0 */
/* Words and numbers in the text of a switching function. */
#ifndef MOTE_COORDINATION_SWITCH_WORDS_H
#define MOTE_COORDINATION_SWITCH_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A part of a longer text. */
typedef struct mote_word {
    const char *text;
    size_t length;
} mote_word;

/* Returns the next word, which ends at a blank outside of braces after an =; *text is moved past
 * it; returns false at the end. */
bool mote_word_next(const char **text, mote_word *word);

/* Exactly `name`. */
bool mote_word_is(mote_word word, const char *name);

/* Returns the name, in capitals, that is most similar to the word; NULL if none is similar. */
const char *mote_word_nearest(mote_word word, const char *const *names, size_t count);

/* Reads the decimal number without a sign at the beginning of a text, such as 1.5e-3; returns its
 * length, or 0 if there is none. The result is the same in every locale. The bytes after the text
 * must not continue the number. */
size_t mote_word_number(const char *text, size_t length, double *value);

#endif
