/* SPDX-License-Identifier: Apache-2.0 */
/* The nearest word, for "did you mean". */
#include "option.h"

#include <string.h>
#include <strings.h>

#define LONGEST_WORD 40

static int least_of(int a, int b, int c)
{
    int m = a < b ? a : b;
    return m < c ? m : c;
}

/* Edits (insert, remove, replace) from a to b. */
static int edits(const char *a, const char *b)
{
    size_t na = strlen(a), nb = strlen(b);
    if (na > LONGEST_WORD || nb > LONGEST_WORD)
        return LONGEST_WORD;
    int row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= nb; j++)
        row[j] = (int)j;
    for (size_t i = 1; i <= na; i++) {
        int diagonal = row[0];
        row[0] = (int)i;
        for (size_t j = 1; j <= nb; j++) {
            int up = row[j];
            row[j] = least_of(up + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = up;
        }
    }
    return row[nb];
}

const char *tool_nearest(const char *text, const char *(*next)(const void *list, int i),
                         const void *list)
{
    const char *best = NULL;
    size_t length = strlen(text);
    int limit = length < 4 ? 1 : (int)(length / 3 + 1);
    const char *word;
    for (int i = 0; (word = next(list, i)); i++) {
        bool begins = length >= 3 && strncmp(word, text, length) == 0;
        int distance = begins ? 0 : edits(text, word);
        if (distance <= limit) {
            best = word;
            limit = distance - 1;
        }
    }
    return best;
}

bool tool_ends_with(const char *name, const char *ending)
{
    size_t n = strlen(name), e = strlen(ending);
    return n >= e && strcasecmp(name + n - e, ending) == 0;
}
