/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the nearest word for "did you mean". */
#include "core/edits.h"
#include "option.h"

#include <string.h>
#include <strings.h>

const char *tool_nearest(const char *text, const char *(*next)(const void *list, int i),
                         const void *list)
{
    const char *best = NULL;
    size_t length = strlen(text);
    size_t limit = length < 2   ? 1 /* a word that needs this many edits is not suggested */
                   : length < 4 ? 2
                                : length / 3 + 2;
    const char *word;
    for (int i = 0; (word = next(list, i)); i++) {
        bool begins = length >= 3 && strncmp(word, text, length) == 0;
        size_t distance = begins ? 0 : mote_edits(text, length, word);
        if (distance < limit) {
            best = word;
            limit = distance;
        }
    }
    return best;
}

bool tool_ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), e = strlen(ending);
    return n >= e && strcasecmp(name + n - e, ending) == 0;
}
