/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/switch_words.h"
#include "core/edits.h"

#include <string.h>

const char *mote_word_nearest(mote_word word, const char *const *names, size_t count)
{
    const char *best = NULL;
    size_t limit = word.length / 2 + 1;
    for (size_t i = 0; i < count; i++) {
        size_t distance = mote_edits(word.text, word.length, names[i]);
        if (distance < limit) {
            best = names[i];
            limit = distance;
        }
    }
    return best;
}

bool mote_word_is(mote_word word, const char *name)
{
    return strlen(name) == word.length && memcmp(word.text, name, word.length) == 0;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool mote_word_next(const char **text, mote_word *word)
{
    const char *at = *text;
    while (blank(*at))
        at++;
    *word = (mote_word){.text = at};
    size_t open = 0; /* number of open braces; blanks inside braces do not end a value */
    while (at[word->length] && (open || !blank(at[word->length]))) {
        char c = at[word->length++];
        if (c == '{' && (open || (word->length > 1 && at[word->length - 2] == '=')))
            open++;
        else if (c == '}' && open)
            open--;
    }
    *text = at + word->length;
    return word->length > 0;
}
