/* SPDX-License-Identifier: Apache-2.0 */
/* Words in PLUMED's syntax. */
#include "cv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Braces may contain blanks and braces; NULL if a brace is not closed. */
static const char *end_of_word(const char *p)
{
    int depth = 0;
    for (; *p && (depth || !is_blank(*p)); p++)
        depth += *p == '{' ? 1 : *p == '}' && depth ? -1 : 0;
    return depth ? NULL : p;
}

/* KEY={VALUE} without the braces. */
static char *copy_word(const char *begin, const char *end)
{
    size_t length = (size_t)(end - begin);
    char *word = strndup(begin, length), *equals = word ? strchr(word, '=') : NULL;
    if (equals && equals[1] == '{' && word[length - 1] == '}') {
        memmove(equals + 1, equals + 2, strlen(equals + 2) + 1);
        word[length - 2] = '\0';
    }
    return word;
}

int words_split(coordination_words *words, const char *where, int code, const char *text)
{
    *words = (coordination_words){.code = code};
    snprintf(words->where, sizeof(words->where), "%s", where);
    words->word = malloc((strlen(text) / 2 + 2) * sizeof(*words->word));
    for (const char *p = text; words->word;) {
        while (is_blank(*p))
            p++;
        if (!*p)
            return TOOL_GO_ON;
        const char *end = end_of_word(p);
        if (!end)
            return tool_fail(code, "%s: a brace is not closed: '%.60s'", where, p);
        char *word = copy_word(p, end);
        if (!word)
            break;
        words->word[words->count++] = word;
        p = end;
    }
    return tool_fail(TOOL_INPUT, "%s: out of memory", where);
}

void words_free(coordination_words *words)
{
    for (size_t i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
    *words = (coordination_words){0};
}

const char *words_value(const coordination_words *words, const char *key)
{
    size_t n = strlen(key);
    for (size_t i = 1; i < words->count; i++)
        if (strncmp(words->word[i], key, n) == 0 && words->word[i][n] == '=')
            return words->word[i] + n + 1;
    return NULL;
}

const char *words_numbered(const coordination_words *words, const char *key, unsigned number)
{
    char name[40];
    snprintf(name, sizeof(name), "%s%u", key, number);
    return words_value(words, name);
}

bool words_flag(const coordination_words *words, const char *flag)
{
    for (size_t i = 1; i < words->count; i++)
        if (strcmp(words->word[i], flag) == 0)
            return true;
    return false;
}

/* The key of a word with its equals sign, or a flag. */
static size_t key_length(const char *word)
{
    const char *equals = strchr(word, '=');
    return equals ? (size_t)(equals - word) + 1 : strlen(word);
}

/* "KEY#=" is KEY= and KEY1=, KEY2=, ... */
static bool is_key(const char *key, const char *word, size_t n)
{
    const char *hash = strchr(key, '#');
    if (!hash)
        return strlen(key) == n && strncmp(key, word, n) == 0;
    size_t stem = (size_t)(hash - key), digits;
    if (strncmp(key, word, stem) != 0)
        return false;
    digits = strspn(word + stem, "0123456789");
    return digits < 4 && word[stem] != '0' && word[stem + digits] == '=';
}

int words_check(const coordination_words *words, const char *const *keys)
{
    char list[400] = "";
    for (size_t k = 0, used = 0; keys[k] && used < sizeof(list); k++) {
        int stem = (int)strcspn(keys[k], "#");
        used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%.*s%s", k ? ", " : "", stem,
                                 keys[k], keys[k][stem] ? "=" : "");
    }
    for (size_t i = 1; i < words->count; i++) {
        const char *word = words->word[i];
        size_t n = key_length(word);
        bool known = false;
        for (size_t k = 0; keys[k] && !known; k++)
            known = is_key(keys[k], word, n);
        if (!known)
            return tool_fail(words->code, "%s: %s does not take '%.60s' here; it takes %s",
                             words->where, words->word[0], word, list);
        for (size_t k = 1; k < i; k++)
            if (key_length(words->word[k]) == n && strncmp(words->word[k], word, n) == 0)
                return tool_fail(words->code, "%s: %.*s is given twice", words->where, (int)n,
                                 word);
    }
    return TOOL_GO_ON;
}

static void drop_word(coordination_words *words, size_t i)
{
    free(words->word[i]);
    words->count--;
    memmove(words->word + i, words->word + i + 1, (words->count - i) * sizeof(*words->word));
}

static bool is_label(const char *label)
{
    return *label &&
           strspn(label, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") ==
               strlen(label);
}

int words_label(coordination_words *words, char **label)
{
    *label = NULL;
    size_t n = words->count ? strlen(words->word[0]) : 0;
    if (n > 1 && words->word[0][n - 1] == ':') {
        *label = strndup(words->word[0], n - 1);
        drop_word(words, 0);
    }
    for (size_t i = 1; i < words->count; i++) {
        if (strncmp(words->word[i], "LABEL=", 6) != 0)
            continue;
        if (*label)
            return tool_fail(words->code, "%s: two labels: '%s' and '%s'", words->where, *label,
                             words->word[i] + 6);
        *label = strdup(words->word[i] + 6);
        drop_word(words, i--);
    }
    if (*label && !is_label(*label))
        return tool_fail(words->code,
                         "%s: the label '%.60s' may hold letters, digits, _ and - only",
                         words->where, *label);
    return TOOL_GO_ON;
}
