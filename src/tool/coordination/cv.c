/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers from actions of PLUMED: a table of the actions that are taken. */
#include "cv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*action_fn)(coordination_cv *cv, const coordination_words *words);

/* NLIST and what goes with it change how PLUMED finds pairs: all that count are found here. */
static const char *const coordination_keys[] = {
    "GROUPA=", "GROUPB=", "R_0=",  "NN=",        "MM=",        "D_0=", "SWITCH=",
    "PAIR",    "NOPBC",   "NLIST", "NL_CUTOFF=", "NL_STRIDE=", NULL};

static int fail_switch(const coordination_words *words)
{
    const char *sentence = mote_last_error(), *colon = strstr(sentence, ": ");
    return tool_fail(words->code, "%s: %s", words->where,
                     colon && strncmp(sentence, "mote_", 5) == 0 ? colon + 2 : sentence);
}

/* R_0 and its like, which PLUMED stretches to an automatic d_max. Numbers may be expressions. */
static int take_keywords(coordination_cv *cv, const coordination_words *words)
{
    static const char *const keys[] = {"R_0", "D_0", "NN", "MM"};
    char text[400] = "RATIONAL";
    size_t used = strlen(text);
    for (int k = 0; k < 4; k++) {
        const char *value = words_value(words, keys[k]);
        if (value && strcmp(value, "0") == 0 && k == 3)
            continue; /* 2 NN */
        if (value && used < sizeof(text))
            used += (size_t)snprintf(text + used, sizeof(text) - used, " %s=%s", keys[k], value);
    }
    if (used >= sizeof(text))
        return tool_fail(words->code, "%s: the numbers of the function are too long", words->where);
    if (mote_switch_parse(text, &cv->function))
        return fail_switch(words);
    cv->function.d_max = 0.0;
    return mote_switch_complete(&cv->function) ? fail_switch(words) : TOOL_GO_ON;
}

static int take_coordination(coordination_cv *cv, const coordination_words *words)
{
    const char *text = words_value(words, "SWITCH");
    bool keywords = words_value(words, "R_0") || words_value(words, "NN") ||
                    words_value(words, "MM") || words_value(words, "D_0");
    int code = words_check(words, coordination_keys);
    if (code != TOOL_GO_ON)
        return code;
    cv->pair = words_flag(words, "PAIR");
    cv->no_pbc = words_flag(words, "NOPBC");
    if (text && keywords)
        return tool_fail(words->code, "%s: SWITCH says all that R_0, NN, MM and D_0 say",
                         words->where);
    if (!text && !words_value(words, "R_0"))
        return tool_fail(words->code, "%s: give R_0 or SWITCH", words->where);
    if (!words_value(words, "GROUPA") && (cv->pair || words_value(words, "GROUPB")))
        return tool_fail(words->code, "%s: GROUPA is missing", words->where);
    if (cv->pair && !words_value(words, "GROUPB"))
        return tool_fail(words->code, "%s: PAIR needs GROUPB", words->where);
    if (!text)
        return take_keywords(cv, words);
    return mote_switch_parse(text, &cv->function) ? fail_switch(words) : TOOL_GO_ON;
}

/* The actions that are coordination numbers. */
static const struct {
    const char *name;
    action_fn take;
} actions[] = {
    {"COORDINATION", take_coordination},
};

static int take_group(coordination_group *group, const coordination_words *words, const char *key,
                      cv_lookup lookup, void *user)
{
    char where[200];
    const char *list = words_value(words, key), *meant = NULL;
    if (!list)
        return TOOL_GO_ON;
    if (lookup)
        meant = lookup(user, list);
    snprintf(where, sizeof(where), "%.180s: %s", words->where, key);
    return group_take(group, where, words->code, meant ? meant : list);
}

int cv_take(coordination_cv *cv, coordination_words *words, cv_lookup lookup, void *user,
            bool *taken)
{
    action_fn take = NULL;
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
        if (words->count && strcmp(words->word[0], actions[i].name) == 0)
            take = actions[i].take;
    *taken = take != NULL;
    if (!take)
        return TOOL_GO_ON;
    int code = take(cv, words);
    if (code == TOOL_GO_ON)
        code = take_group(&cv->group_a, words, "GROUPA", lookup, user);
    if (code == TOOL_GO_ON)
        code = take_group(&cv->group_b, words, "GROUPB", lookup, user);
    return code;
}

void cv_free(coordination_cv *cv)
{
    group_free(&cv->group_a);
    group_free(&cv->group_b);
    free(cv->label);
    *cv = (coordination_cv){0};
}
