/* SPDX-License-Identifier: Apache-2.0 */
/* The difference between two words, for "did you mean". This is a header, because the command can
 * use only exported symbols of the library. */
#ifndef MOTE_CORE_EDITS_H
#define MOTE_CORE_EDITS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* A longer word is not similar to any word. */
#define MOTE_EDITS_LONGEST 40

static inline char mote_edits_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Returns the number of edits (insert, remove, replace) from a word of `length` letters to the
 * other, ignoring case. */
static inline size_t mote_edits(const char *word, size_t length, const char *other)
{
    size_t row[MOTE_EDITS_LONGEST + 1], n = strlen(other);
    if (length > MOTE_EDITS_LONGEST || n > MOTE_EDITS_LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 0; i < length; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t up = row[j + 1];
            size_t best = diagonal + (mote_edits_lower(word[i]) != mote_edits_lower(other[j]));
            best = up + 1 < best ? up + 1 : best;
            row[j + 1] = row[j] + 1 < best ? row[j] + 1 : best;
            diagonal = up;
        }
    }
    return row[n];
}

#endif
