/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination --plumed: the lines of a PLUMED input that describe what is computed. */
#include "options.h"

#include "../io/in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plumed_input {
    coordination_options *options;
    const char *path;
    size_t line; /* line at which the current action begins */
    size_t actions;
    bool ended;                    /* ENDPLUMED was read */
    coordination_group_line *last; /* of the GROUP lines so far */
} plumed_input;

typedef int (*line_fn)(plumed_input *input, const char *label, const coordination_words *words);

/* Frees the last GROUP line and moves to the one before it. */
static void drop_line(plumed_input *input)
{
    coordination_group_line *line = input->last;
    input->last = line->before;
    free(line->label);
    free(line->list);
    free(line->remove);
    free(line);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int no_memory(const coordination_words *words)
{
    return tool_fail(TOOL_INPUT, "%s: out of memory", words->where);
}

static int keep_group(plumed_input *input, const char *label, const char *list,
                      const coordination_words *words)
{
    const char *remove = words_value(words, "REMOVE");
    size_t n_lines = 1 + cv_count_lines(input->last, list) + cv_count_lines(input->last, remove);
    int code = cv_check_lines(words, n_lines);
    if (code != TOOL_GO_ON)
        return code;
    coordination_group_line *line = calloc(1, sizeof(*line));
    if (!line)
        return no_memory(words);
    *line = (coordination_group_line){.label = strdup(label),
                                      .list = strdup(list),
                                      .remove = remove ? strdup(remove) : NULL,
                                      .sort = words_flag(words, "SORT"),
                                      .unique = words_flag(words, "UNIQUE"),
                                      .before = input->last,
                                      .n_lines = n_lines};
    input->last = line;
    if (line->label && line->list && (!remove || line->remove))
        return TOOL_GO_ON;
    drop_line(input);
    return no_memory(words);
}

/* Reads "label: GROUP ATOMS=LIST", whose words are atoms and labels of GROUP lines above, or
 * NDX_FILE= and NDX_GROUP= instead of ATOMS=. REMOVE=, SORT and UNIQUE edit the list. */
static int take_group(plumed_input *input, const char *label, const coordination_words *words)
{
    static const char *const keys[] = {
        "ATOMS=", "NDX_FILE=", "NDX_GROUP=", "REMOVE=", "SORT", "UNIQUE", NULL};
    const char *atoms = words_value(words, "ATOMS"), *file = words_value(words, "NDX_FILE");
    const char *name = words_value(words, "NDX_GROUP");
    int code = words_check(words, keys);
    if (code != TOOL_GO_ON)
        return code;
    if (!atoms == !file || !label)
        return tool_fail(words->code,
                         atoms && file ? "%s: GROUP takes ATOMS or NDX_FILE, not both"
                                       : "%s: GROUP needs a label and ATOMS or NDX_FILE",
                         words->where);
    if (cv_find_line(input->last, label, strlen(label)))
        return tool_fail(words->code, "%s: the label '%.40s' is given twice", words->where, label);
    char list[1200];
    if (file && snprintf(list, sizeof(list), "@%s:%s", file, name ? name : "") >= (int)sizeof(list))
        return tool_fail(words->code, "%s: the name of the file is too long", words->where);
    return keep_group(input, label, file ? list : atoms, words);
}

static int take_units(plumed_input *input, const char *label, const coordination_words *words)
{
    static const char *const keys[] = {"LENGTH=", "TIME=", "ENERGY=", "MASS=", "CHARGE=", NULL};
    static const struct {
        const char *name;
        double ps;
    } times[] = {{"ps", 1.0}, {"fs", 0.001}, {"ns", 1000.0}};
    const char *length = words_value(words, "LENGTH"), *time = words_value(words, "TIME");
    int code = words_check(words, keys);
    (void)label;
    if (code != TOOL_GO_ON)
        return code;
    if (length && strcmp(length, "nm") != 0 && strcmp(length, "A") != 0)
        return tool_fail(words->code, "%s: LENGTH=%.40s: lengths in nm or A are taken",
                         words->where, length);
    if (length)
        input->options->rules.unit = *length == 'A' ? 0.1 : 1.0;
    for (size_t i = 0; i < sizeof(times) / sizeof(times[0]) && time; i++)
        if (strcmp(time, times[i].name) == 0) {
            input->options->time_scale = 1.0 / times[i].ps;
            input->options->time_unit = times[i].name;
            return TOOL_GO_ON;
        }
    return time ? tool_fail(words->code, "%s: TIME=%.40s: times in ps, fs or ns are taken",
                            words->where, time)
                : TOOL_GO_ON;
}

/* Matches the label; a function of numbers also as n_mean, its name in PLUMED from 2.10 on, and all
 * functions of an action as n.*. */
static bool is_named(const char *label, const char *name, size_t length)
{
    size_t stem = strcspn(label, ".");
    if (label[stem] && length == stem + 2 && strncmp(name + stem, ".*", 2) == 0)
        return strncmp(label, name, stem) == 0;
    if (strlen(label) != length || strncmp(label, name, stem) != 0)
        return false;
    return !label[stem] || ((name[stem] == '.' || name[stem] == '_') &&
                            strncmp(label + stem + 1, name + stem + 1, length - stem - 1) == 0);
}

/* Reads one argument of a PRINT line; arguments that are not computed here are omitted, and named
 * in a message. */
static void take_argument(plumed_input *input, coordination_print *print, const char *name,
                          size_t length, const coordination_words *words)
{
    coordination_options *options = input->options;
    bool found = false;
    for (size_t i = 0; i < options->n_cvs; i++) {
        const char *label = options->cvs[i].label;
        if (!(length == 1 && *name == '*') && !is_named(label, name, length))
            continue;
        print->cvs[print->n_cvs++] = i;
        found = true;
    }
    if (!found)
        tool_note(&options->common,
                  "%s: ARG=%.*s is not taken: no line before it gives this "
                  "number",
                  words->where, (int)(length < 60 ? length : 60), name);
}

static int take_print_words(plumed_input *input, coordination_print *print,
                            const coordination_words *words)
{
    const char *file = words_value(words, "FILE"), *stride = words_value(words, "STRIDE");
    const char *format = words_value(words, "FMT"), *arguments = words_value(words, "ARG");
    strcpy(print->format, "%f");
    if (stride) {
        int code = tool_number(words->where, stride, 1, INT64_MAX, &print->stride);
        if (code != TOOL_GO_ON)
            return words->code;
    }
    if (format && !coordination_digits(format, print->format))
        return tool_fail(words->code, "%s: FMT=%.40s is not the format of a number", words->where,
                         format);
    size_t names = 1;
    for (const char *p = arguments; *p; p++)
        names += *p == ',';
    print->path = file ? strdup(file) : NULL;
    print->cvs = calloc(names * (input->options->n_cvs + 1), sizeof(*print->cvs));
    if ((file && !print->path) || !print->cvs)
        return no_memory(words);
    for (const char *p = arguments; *p;) {
        size_t length = strcspn(p, ",");
        if (length)
            take_argument(input, print, p, length, words);
        p += length + (p[length] == ',');
    }
    return TOOL_GO_ON;
}

static int take_print(plumed_input *input, const char *label, const coordination_words *words)
{
    static const char *const keys[] = {"ARG=", "FILE=", "STRIDE=", "FMT=", NULL};
    coordination_options *options = input->options;
    int code = words_check(words, keys);
    (void)label;
    if (code == TOOL_GO_ON && !words_value(words, "ARG"))
        return tool_fail(words->code, "%s: PRINT needs ARG", words->where);
    coordination_print *print = code == TOOL_GO_ON ? coordination_add_print(options) : NULL;
    if (code == TOOL_GO_ON)
        code = print ? take_print_words(input, print, words) : no_memory(words);
    if (code != TOOL_GO_ON || print->n_cvs)
        return code;
    options->n_prints--; /* none of its arguments is known */
    free(print->path);
    free(print->cvs);
    return TOOL_GO_ON;
}

static int take_end(plumed_input *input, const char *label, const coordination_words *words)
{
    (void)label;
    (void)words;
    input->ended = true;
    return TOOL_GO_ON;
}

/* The lines that are accepted in addition to coordination numbers. */
static const struct {
    const char *name;
    line_fn take;
} lines[] = {
    {"GROUP", take_group},
    {"UNITS", take_units},
    {"PRINT", take_print},
    {"ENDPLUMED", take_end},
};

/* Numbers without a label get a name that cannot be a label. */
static int take_number(plumed_input *input, char **label, coordination_words *words, bool *taken)
{
    coordination_cv cv = {0};
    char number[32];
    int code = cv_take(&cv, words, &input->last, taken);
    snprintf(number, sizeof(number), "@%zu", input->actions);
    if (code == TOOL_GO_ON && *taken) {
        cv.label = *label ? *label : strdup(number);
        *label = NULL;
        if (!cv.label)
            code = no_memory(words);
        else
            code = coordination_add(input->options, &cv, words->where, words->code);
        if (code == TOOL_GO_ON && (words_flag(words, "NLIST") || words_flag(words, "NLISTCELLS")))
            tool_note(&input->options->common,
                      "%s: NLIST is not needed: all pairs up to d_max are found in every frame",
                      words->where);
        if (code == TOOL_GO_ON && words_value(words, "DEVICE"))
            tool_note(&input->options->common,
                      "%s: DEVICE has no effect here: the option -d selects the device",
                      words->where);
    }
    if (code != TOOL_GO_ON)
        cv_free(&cv);
    return code;
}

static int take_action(plumed_input *input, const char *text)
{
    coordination_words words;
    char where[200];
    char *label = NULL;
    bool taken = false;
    snprintf(where, sizeof(where), "%.170s:%zu", input->path, input->line);
    int code = words_split(&words, where, TOOL_INPUT, text);
    if (code == TOOL_GO_ON)
        code = words_label(&words, &label);
    if (code == TOOL_GO_ON && words.count)
        code = take_number(input, &label, &words, &taken);
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (code == TOOL_GO_ON && !taken && words.count &&
            strcmp(words.word[0], lines[i].name) == 0) {
            code = lines[i].take(input, label, &words);
            taken = true;
        }
    if (code == TOOL_GO_ON && !taken && words.count)
        tool_note(&input->options->common, "%s: %.60s is not taken", where, words.word[0]);
    input->actions += words.count != 0;
    free(label);
    words_free(&words);
    return code;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* Removes the comment of a line and the blanks around it. */
static void trim(const char **begin, const char **end)
{
    const char *comment = memchr(*begin, '#', (size_t)(*end - *begin));
    if (comment)
        *end = comment;
    while (*begin < *end && strchr(" \t\r", **begin))
        ++*begin;
    while (*begin < *end && strchr(" \t\r", (*end)[-1]))
        --*end;
}

static bool begins_with_dots(const char *begin, const char *end)
{
    return end - begin >= 3 && memcmp(begin, "...", 3) == 0;
}

/* Three dots as the last word: the action continues up to a line that begins with them. */
static bool ends_with_dots(const char *begin, const char *end)
{
    return end - begin >= 4 && memcmp(end - 3, "...", 3) == 0 && strchr(" \t", end[-4]);
}

static int take_lines(plumed_input *input, const in_file *in, char *action)
{
    const char *p = in->bytes, *stop = p + in->count;
    size_t length = 0;
    bool open = false;
    int code = TOOL_GO_ON;
    for (size_t number = 1; p < stop && code == TOOL_GO_ON && !input->ended; number++) {
        const char *begin = p, *end = memchr(p, '\n', (size_t)(stop - p));
        p = end ? end + 1 : stop;
        if (!end)
            end = stop;
        trim(&begin, &end);
        if (!open)
            input->line = number;
        bool closes = open && begins_with_dots(begin, end);
        bool opens = !open && ends_with_dots(begin, end);
        if (closes)
            end = begin;
        memcpy(action + length, begin, (size_t)(end - begin));
        length += (size_t)(end - begin) - (opens ? 3 : 0);
        action[length++] = ' ';
        open = (open || opens) && !closes;
        if (open)
            continue;
        action[length] = '\0';
        length = 0;
        code = take_action(input, action);
    }
    if (open && code == TOOL_GO_ON)
        return tool_fail(TOOL_INPUT, "%s:%zu: no line that begins with ... ends this action",
                         input->path, input->line);
    return code;
}

int coordination_plumed(coordination_options *options, const char *path)
{
    in_file in;
    plumed_input input = {.options = options, .path = path};
    int code = in_open(path, &in);
    if (code != TOOL_DONE)
        return code;
    if (strcmp(path, "-") == 0)
        input.path = "standard input";
    options->plumed = true;
    options->rules.unit = 1.0;
    char *action = malloc(2 * in.count + 4);
    code = action ? take_lines(&input, &in, action)
                  : tool_fail(TOOL_INPUT, "%s: out of memory", input.path);
    if (code == TOOL_GO_ON && !options->n_cvs)
        code = tool_fail(
            TOOL_INPUT,
            "%s: no line is COORDINATION, COORDINATIONNUMBER, MOTE_Q, MOTE_LOCAL_Q, Q3, Q4 or Q6",
            input.path);
    while (input.last)
        drop_line(&input);
    free(action);
    in_close(&in);
    return code;
}
