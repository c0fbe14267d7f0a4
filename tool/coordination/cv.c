/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers from actions of PLUMED: a table of the supported actions. */
#include "cv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int (*action_fn)(coordination_cv *cv, const coordination_words *words);

/* Keys of every action. The last six are accepted by mote's actions in PLUMED, too, and have no
 * effect: all pairs that count are found in every frame, and -d selects the device. */
#define COMMON_KEYS                                                                                \
    "SWITCH=", "R_0=", "NN=", "MM=", "D_0=", "D_MAX=", "NOPBC", "NLIST", "NLISTCELLS",             \
        "NL_CUTOFF=", "NL_STRIDE=", "SERIAL", "DEVICE=", NULL
#define FUNCTION_KEYS "MEAN", "SUM", "MOMENTS=", "LESS_THAN#=", "MORE_THAN#=", COMMON_KEYS
#define SPECIES_KEYS  "SPECIES=", "SPECIESA=", "SPECIESB="

static const char *const coordination_keys[] = {"GROUPA=", "GROUPB=", "PAIR", COMMON_KEYS};
static const char *const number_keys[] = {SPECIES_KEYS, FUNCTION_KEYS};
static const char *const order_keys[] = {SPECIES_KEYS, "L=", FUNCTION_KEYS};
static const char *const local_keys[] = {"SPECIES=", "LOCAL_SWITCH=", "L=", FUNCTION_KEYS};

/* The most GROUP lines that are read for one list, repetitions included. Without a limit, forty
 * lines that each name the previous line twice would take 2^40 reads. */
#define MOST_LINES 4096

static int fail_switch(const coordination_words *words)
{
    const char *sentence = mote_last_error(), *colon = strstr(sentence, ": ");
    return tool_fail(words->code, "%s: %s", words->where,
                     colon && strncmp(sentence, "mote_", 5) == 0 ? colon + 2 : sentence);
}

/* R_0 and its like, which PLUMED stretches to an automatic d_max. Numbers may be expressions. */
static int take_keywords(coordination_cv *cv, const coordination_words *words)
{
    static const char *const keys[] = {"R_0", "D_0", "NN", "MM", "D_MAX"};
    char text[400] = "RATIONAL";
    size_t used = strlen(text);
    for (int k = 0; k < 5; k++) {
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
    if (words_value(words, "D_MAX"))
        return TOOL_GO_ON;
    cv->function.d_max = 0.0;
    return mote_switch_complete(&cv->function) ? fail_switch(words) : TOOL_GO_ON;
}

static int take_function(coordination_cv *cv, const coordination_words *words)
{
    const char *text = words_value(words, "SWITCH");
    bool keywords = words_value(words, "R_0") || words_value(words, "NN") ||
                    words_value(words, "MM") || words_value(words, "D_0") ||
                    words_value(words, "D_MAX");
    cv->no_pbc = words_flag(words, "NOPBC");
    if (text && keywords)
        return tool_fail(words->code, "%s: SWITCH says all that R_0, NN, MM, D_0 and D_MAX say",
                         words->where);
    if (!text && !words_value(words, "R_0"))
        return tool_fail(words->code, "%s: give R_0 or SWITCH", words->where);
    if (!text)
        return take_keywords(cv, words);
    return mote_switch_parse(text, &cv->function) ? fail_switch(words) : TOOL_GO_ON;
}

static int take_coordination(coordination_cv *cv, const coordination_words *words)
{
    int code = words_check(words, coordination_keys);
    cv->pair = words_flag(words, "PAIR");
    if (code == TOOL_GO_ON)
        code = take_function(cv, words);
    if (code != TOOL_GO_ON)
        return code;
    if (!words_value(words, "GROUPA") && (cv->pair || words_value(words, "GROUPB")))
        return tool_fail(words->code, "%s: GROUPA is missing", words->where);
    if (cv->pair && !words_value(words, "GROUPB"))
        return tool_fail(words->code, "%s: PAIR needs GROUPB", words->where);
    return TOOL_GO_ON;
}

/* LESS_THAN={...}, or LESS_THAN1={...}, LESS_THAN2={...}, ... */
static int take_switches(coordination_cv *cv, const coordination_words *words, const char *key,
                         component_kind kind)
{
    int code = TOOL_GO_ON;
    for (unsigned number = 0; number < 1000 && code == TOOL_GO_ON; number++) {
        char where[260];
        const char *text = number ? words_numbered(words, key, number) : words_value(words, key);
        if (!text && number)
            break;
        snprintf(where, sizeof(where), "%s: %s", words->where, key);
        if (text)
            code = component_add_switch(&cv->functions, where, words->code, kind, number, text);
    }
    return code;
}

/* Functions of one number of each atom. */
static int take_functions(coordination_cv *cv, const coordination_words *words,
                          const char *const *keys)
{
    const char *moments = words_value(words, "MOMENTS");
    bool a = words_value(words, "SPECIESA"), b = words_value(words, "SPECIESB");
    int code = words_check(words, keys);
    if (code == TOOL_GO_ON)
        code = take_function(cv, words);
    if (code == TOOL_GO_ON && (a != b || a == (words_value(words, "SPECIES") != NULL)))
        return tool_fail(words->code, "%s: give SPECIES, or SPECIESA and SPECIESB", words->where);
    if (code == TOOL_GO_ON && words_flag(words, "MEAN"))
        code = component_add_mean(&cv->functions, words->where);
    if (code == TOOL_GO_ON && words_flag(words, "SUM"))
        code = component_add_sum(&cv->functions, words->where);
    if (code == TOOL_GO_ON && moments) {
        char where[260];
        snprintf(where, sizeof(where), "%s: MOMENTS", words->where);
        code = component_add_moments(&cv->functions, where, words->code, moments);
    }
    if (code == TOOL_GO_ON)
        code = take_switches(cv, words, "LESS_THAN", COMPONENT_LESS_THAN);
    if (code == TOOL_GO_ON)
        code = take_switches(cv, words, "MORE_THAN", COMPONENT_MORE_THAN);
    if (code == TOOL_GO_ON && !cv->functions.count)
        return tool_fail(
            words->code,
            "%s: nothing to calculate: give MEAN, SUM, MOMENTS, LESS_THAN or MORE_THAN",
            words->where);
    return code;
}

static int take_numbers(coordination_cv *cv, const coordination_words *words)
{
    return take_functions(cv, words, number_keys);
}

static int take_order(coordination_cv *cv, const coordination_words *words)
{
    const char *name = words->word[0], *degree = words_value(words, "L");
    cv->order.local = strcmp(name, "MOTE_LOCAL_Q") == 0;
    bool named = name[0] == 'Q';
    int code = take_functions(cv, words, cv->order.local ? local_keys : order_keys);
    const char *text = cv->order.local ? words_value(words, "LOCAL_SWITCH") : NULL;
    if (code != TOOL_GO_ON)
        return code;
    if (named && degree)
        return tool_fail(words->code, "%s: the name says the degree: leave out L", words->where);
    degree = named ? name + 1 : degree ? degree : "6";
    if (strlen(degree) != 1 || !strchr("346", *degree))
        return tool_fail(words->code, "%s: L=%.20s must be 3, 4 or 6", words->where, degree);
    cv->order.l = (uint32_t)(*degree - '0');
    mote_switch_init(&cv->order.local_function);
    if (text && mote_switch_parse(text, &cv->order.local_function))
        return fail_switch(words);
    if (isinf(cv->function.d_max) || (text && isinf(cv->order.local_function.d_max)))
        return tool_fail(words->code, "%s: the switching function of order parameters needs D_MAX",
                         words->where);
    return TOOL_GO_ON;
}

/* The actions that are coordination numbers or order parameters. */
static const struct {
    const char *name;
    action_fn take;
    const char *lists[3]; /* the keys of group A, or of the only group, and of group B */
} actions[] = {
    {"COORDINATION", take_coordination, {"GROUPA", NULL, "GROUPB"}},
    {"COORDINATIONNUMBER", take_numbers, {"SPECIES", "SPECIESA", "SPECIESB"}},
    {"MOTE_Q", take_order, {"SPECIES", "SPECIESA", "SPECIESB"}},
    {"MOTE_LOCAL_Q", take_order, {"SPECIES"}},
    {"Q3", take_order, {"SPECIES", "SPECIESA", "SPECIESB"}},
    {"Q4", take_order, {"SPECIES", "SPECIESA", "SPECIESB"}},
    {"Q6", take_order, {"SPECIES", "SPECIESA", "SPECIESB"}},
};
#define ACTIONS (sizeof(actions) / sizeof(actions[0]))

/* The reader of a list: the position in error messages, the exit code of an error, and the GROUP
 * lines whose labels the list may contain. */
typedef struct list_taker {
    const char *where;
    int code;
    const coordination_group_line *last;
    bool labels; /* labels of such lines are allowed */
} list_taker;

const coordination_group_line *cv_find_line(const coordination_group_line *last, const char *word,
                                            size_t length)
{
    if (strspn(word, "0123456789-:") >= length)
        return NULL;
    while (last && !(strlen(last->label) == length && memcmp(last->label, word, length) == 0))
        last = last->before;
    return last;
}

static int take_label(void *user, const char *word, size_t length, coordination_group *group,
                      bool *known);

/* Reads a list of atoms and labels into an empty group. */
static int take_list(coordination_group *group, list_taker *taker, const char *list)
{
    const group_labels labels = {take_label, taker};
    return group_take(group, taker->where, taker->code, list, taker->labels ? &labels : NULL);
}

/* Reads the list of a GROUP line with all its edits. */
static int take_line(coordination_group *group, list_taker *taker,
                     const coordination_group_line *line)
{
    coordination_group *removed;
    int code = take_list(group, taker, line->list);
    if (code == TOOL_GO_ON && line->remove) {
        code = group_edit(group, EDIT_REMOVE, &removed);
        if (code == TOOL_GO_ON)
            code = take_list(removed, taker, line->remove);
        group->named = group->named || (code == TOOL_GO_ON && removed->named);
    }
    if (code == TOOL_GO_ON && line->sort)
        code = group_edit(group, EDIT_SORT, NULL);
    if (code == TOOL_GO_ON && line->unique)
        code = group_edit(group, EDIT_UNIQUE, NULL);
    return code;
}

/* Callback of the reader of lists: adds the atoms of a label to the group. */
static int take_label(void *user, const char *word, size_t length, coordination_group *group,
                      bool *known)
{
    const list_taker *taker = user;
    const coordination_group_line *line = cv_find_line(taker->last, word, length);
    *known = line != NULL;
    if (!line)
        return TOOL_GO_ON;
    list_taker inner = {taker->where, taker->code, line->before, true};
    return take_line(group, &inner, line);
}

size_t cv_count_lines(const coordination_group_line *last, const char *list)
{
    size_t count = 0;
    for (const char *p = list; p && *p != '@' && *p; p += strspn(p, GROUP_SEPARATORS)) {
        size_t length = strcspn(p, GROUP_SEPARATORS);
        const coordination_group_line *line = cv_find_line(last, p, length);
        count += line ? line->n_lines : 0;
        p += length;
    }
    return count;
}

int cv_check_lines(const coordination_words *words, size_t n_lines)
{
    return n_lines <= MOST_LINES
               ? TOOL_GO_ON
               : tool_fail(words->code,
                           "%s: %zu GROUP lines would be read for this list, but at most %d are: "
                           "write its atoms to a file and give @FILE",
                           words->where, n_lines, MOST_LINES);
}

static int take_group(coordination_group *group, const coordination_words *words, const char *key,
                      coordination_group_line *const *last)
{
    char where[200];
    const char *list = key ? words_value(words, key) : NULL;
    list_taker taker = {where, words->code, last ? *last : NULL, last != NULL};
    if (!list)
        return TOOL_GO_ON;
    snprintf(where, sizeof(where), "%.180s: %s", words->where, key);
    int code = cv_check_lines(words, cv_count_lines(taker.last, list));
    return code == TOOL_GO_ON ? take_list(group, &taker, list) : code;
}

int cv_take(coordination_cv *cv, coordination_words *words, coordination_group_line *const *last,
            bool *taken)
{
    size_t i = 0;
    while (i < ACTIONS && !(words->count && strcmp(words->word[0], actions[i].name) == 0))
        i++;
    *taken = i < ACTIONS;
    if (!*taken)
        return TOOL_GO_ON;
    int code = actions[i].take(cv, words);
    for (int k = 0; k < 3 && code == TOOL_GO_ON; k++)
        code = take_group(k < 2 ? &cv->group_a : &cv->group_b, words, actions[i].lists[k], last);
    return code;
}

size_t cv_label_length(const coordination_cv *cv)
{
    return cv->component.kind == COMPONENT_NONE ? strlen(cv->label) : strcspn(cv->label, ".");
}

void cv_free(coordination_cv *cv)
{
    group_free(&cv->group_a);
    group_free(&cv->group_b);
    free(cv->functions.component);
    free(cv->label);
    *cv = (coordination_cv){0};
}
