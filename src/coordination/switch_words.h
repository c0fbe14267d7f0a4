/* SPDX-License-Identifier: Apache-2.0 */
/* Words and numbers of a switching function's text. */
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

/* Returns the next word, which ends at a blank outside of braces that follow an =; *text is moved
 * past it; false at the end. */
bool mote_word_next(const char **text, mote_word *word);

/* Exactly `name`. */
bool mote_word_is(mote_word word, const char *name);

/* Which of the names, in capitals, is most like the word; NULL when none is. */
const char *mote_word_nearest(mote_word word, const char *const *names, size_t count);

/* The decimal number without a sign that a text begins with, as 1.5e-3: its length, or 0 where
 * there is none. The same in every locale. What follows the text must not continue the number. */
size_t mote_word_number(const char *text, size_t length, double *value);

#endif
