/* SPDX-License-Identifier: Apache-2.0 */
/* Parses numbers and words in option values. */
#include "option.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool whole_number(const char *text, const char **end, uint64_t *value)
{
    if (!isdigit((unsigned char)*text))
        return false;
    char *stop;
    errno = 0;
    unsigned long long v = strtoull(text, &stop, 10);
    *end = stop;
    *value = v;
    return errno == 0;
}

int tool_number(const char *option, const char *text, uint64_t least, uint64_t most,
                uint64_t *value)
{
    const char *end;
    if (!whole_number(text, &end, value) || *end || *value < least || *value > most)
        return tool_fail(TOOL_USAGE, "%s: '%s' is not a whole number from %llu to %llu", option,
                         text, (unsigned long long)least, (unsigned long long)most);
    return TOOL_GO_ON;
}

int tool_real(const char *option, const char *text, long double *value)
{
    char *end = NULL;
    *value = 0.0L;
    if (isdigit((unsigned char)*text) || *text == '.')
        *value = strtold(text, &end);
    bool decimal = !strpbrk(text, "xXpP"); /* strtold() also reads hexadecimal numbers */
    if (!decimal || !end || end == text || *end || !isfinite(*value))
        return tool_fail(TOOL_USAGE, "%s: '%s' is not a number of at least 0", option, text);
    return TOOL_GO_ON;
}

int tool_size(const char *option, const char *text, uint32_t *rows, uint32_t *columns)
{
    uint64_t r = 0, c = 0;
    const char *end = text;
    bool good = whole_number(text, &end, &r) && (*end == 'x' || *end == 'X');
    good = good && whole_number(end + 1, &end, &c) && !*end;
    if (!good || r < 1 || r > 65536 || c < 1 || c > 65536)
        return tool_fail(TOOL_USAGE,
                         "%s: '%s' is not ROWSxCOLUMNS such as 160x416, each from 1 to 65536",
                         option, text);
    *rows = (uint32_t)r;
    *columns = (uint32_t)c;
    return TOOL_GO_ON;
}

static const char *word_at(const void *list, int i)
{
    const char *const *words = list;
    return words[i];
}

int tool_word(const char *option, const char *text, const char *const *words, int *place)
{
    char list[200] = "";
    for (int i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *place = i;
            return TOOL_GO_ON;
        }
        strncat(list, i ? ", " : "", sizeof(list) - strlen(list) - 1);
        strncat(list, words[i], sizeof(list) - strlen(list) - 1);
    }
    const char *near = tool_nearest(text, word_at, words);
    return tool_fail(TOOL_USAGE, "%s: '%s' is not one of %s%s%s%s", option, text, list,
                     near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}
