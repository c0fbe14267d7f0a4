/* SPDX-License-Identifier: Apache-2.0 */
/* mote coordination: checks that need all options together. */
#include "options.h"

#include "../io/refuse_overwrite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- coordination numbers -------------------------------------------------------------------- */

static int append(coordination_options *options, const coordination_cv *cv, const char *where)
{
    size_t n = options->n_cvs;
    coordination_cv *more = realloc(options->cvs, (n + 1) * sizeof(*more));
    if (!more)
        return tool_fail(TOOL_INPUT, "%s: out of memory", where);
    options->cvs = more;
    options->cvs[n] = *cv;
    options->n_cvs = n + 1;
    return TOOL_GO_ON;
}

/* Makes each function of single atoms' numbers a number; the first of them has the lists. */
static int append_functions(coordination_options *options, coordination_cv *cv, const char *where)
{
    int code = TOOL_GO_ON;
    for (size_t k = 0; k < cv->functions.count && code == TOOL_GO_ON; k++) {
        coordination_cv one = {.function = cv->function, .no_pbc = cv->no_pbc, .behind = k};
        one.order = cv->order;
        one.component = cv->functions.component[k];
        size_t length = strlen(cv->label) + strlen(one.component.name) + 2;
        one.label = malloc(length);
        if (!one.label)
            return tool_fail(TOOL_INPUT, "%s: out of memory", where);
        snprintf(one.label, length, "%s.%s", cv->label, one.component.name);
        if (k == 0) {
            one.group_a = cv->group_a;
            one.group_b = cv->group_b;
        }
        code = append(options, &one, where);
        if (code != TOOL_GO_ON)
            free(one.label);
        else if (k == 0)
            cv->group_a = cv->group_b = (coordination_group){0};
    }
    if (code == TOOL_GO_ON)
        cv_free(cv);
    return code;
}

int coordination_add(coordination_options *options, coordination_cv *cv, const char *where,
                     int code)
{
    for (size_t i = 0; i < options->n_cvs; i++) {
        const coordination_cv *other = &options->cvs[i];
        size_t length = cv_label_length(other);
        if (strlen(cv->label) == length && strncmp(other->label, cv->label, length) == 0)
            return tool_fail(code, "%s: the label '%s' is given twice", where, cv->label);
    }
    if (cv->functions.count)
        return append_functions(options, cv, where);
    code = append(options, cv, where);
    if (code == TOOL_GO_ON)
        *cv = (coordination_cv){0};
    return code;
}

int coordination_take_cv(coordination_options *options, const char *text)
{
    coordination_words words;
    coordination_cv cv = {0};
    bool taken = false;
    int code = words_split(&words, "--cv", TOOL_USAGE, text);
    if (code == TOOL_GO_ON)
        code = words_label(&words, &cv.label);
    if (code == TOOL_GO_ON && !cv.label)
        code =
            tool_fail(TOOL_USAGE, "--cv: no label in '%.60s': write NAME: COORDINATION ...", text);
    if (code == TOOL_GO_ON) {
        snprintf(words.where, sizeof(words.where), "--cv %.60s", cv.label);
        code = cv_take(&cv, &words, NULL, &taken);
    }
    if (code == TOOL_GO_ON && !taken)
        code = tool_fail(TOOL_USAGE,
                         "%s: '%.60s' is not COORDINATION, COORDINATIONNUMBER, MOTE_Q, "
                         "MOTE_LOCAL_Q, Q3, Q4 or Q6",
                         words.where, words.count ? words.word[0] : "");
    if (code == TOOL_GO_ON)
        code = coordination_add(options, &cv, "--cv", TOOL_USAGE);
    if (code != TOOL_GO_ON)
        cv_free(&cv);
    words_free(&words);
    return code;
}

static int check_function(coordination_state *state)
{
    mote_switch *f = &state->cv.function;
    if (state->text && state->keywords)
        return tool_fail(TOOL_USAGE,
                         "--switch says all that --r0, --nn, --mm, --d0 and --dmax say: "
                         "give the one or the others");
    if (!state->text && !state->has_r0)
        return tool_fail(TOOL_USAGE, "give --r0 R, or --switch TEXT for another function (see mote "
                                     "coordination --help)");
    bool automatic = !state->text && f->d_max == 0.0;
    mote_status status = state->text ? mote_switch_parse(state->text, f) : mote_switch_complete(f);
    if (status)
        return tool_fail(TOOL_USAGE, "%s%s", state->text ? "--switch: " : "", tool_sentence());
    if (automatic && f->nn > f->mm)
        tool_note(&state->options.common,
                  "warning: the function increases, because nn = %d is above mm = %d, and ends at "
                  "d_max = %g, below r_0: exchange --nn and --mm, or give --dmax",
                  (int)f->nn, (int)f->mm, f->d_max);
    return TOOL_GO_ON;
}

/* Adds the number that --r0 or --switch and the groups describe. */
static int take_one(coordination_state *state)
{
    coordination_cv *cv = &state->cv;
    if (cv->pair && !(cv->group_a.n_ranges && cv->group_b.n_ranges))
        return tool_fail(TOOL_USAGE, "--pair needs --group-a and --group-b");
    if (cv->group_b.n_ranges && !cv->group_a.n_ranges)
        return tool_fail(TOOL_USAGE, "--group-b needs --group-a");
    if (cv->pair && cv->functions.count)
        return tool_fail(TOOL_USAGE, "--pair counts pairs: --mean, --moments, --less-than and "
                                     "--more-than are of single atoms' numbers");
    int code = check_function(state);
    if (code != TOOL_GO_ON)
        return code;
    cv->label = strdup("cn");
    code = cv->label ? coordination_add(&state->options, cv, "--r0", TOOL_USAGE)
                     : tool_fail(TOOL_INPUT, "out of memory");
    return code;
}

static int take_numbers(coordination_state *state)
{
    coordination_options *options = &state->options;
    const coordination_cv *cv = &state->cv;
    bool one = state->text || state->keywords || cv->group_a.n_ranges || cv->group_b.n_ranges ||
               cv->pair || cv->functions.count;
    if (options->n_cvs && state->plumed)
        return tool_fail(TOOL_USAGE, "give --cv or --plumed, not both");
    if (one && (options->n_cvs || state->plumed))
        return tool_fail(TOOL_USAGE,
                         "%s describes functions and groups itself: leave out --r0, "
                         "--switch, --group-a and the like",
                         state->plumed ? "--plumed" : "--cv");
    if (state->plumed && options->rules.unit > 0.0)
        return tool_fail(TOOL_USAGE, "UNITS of --plumed says the unit: leave out --length-unit");
    int code = state->plumed     ? coordination_plumed(options, state->plumed)
               : !options->n_cvs ? take_one(state)
                                 : TOOL_GO_ON;
    for (size_t i = 0; i < options->n_cvs && code == TOOL_GO_ON; i++)
        if (options->method == MOTE_COORDINATION_CELLS && isinf(options->cvs[i].function.d_max))
            code = tool_fail(TOOL_USAGE,
                             "--method cells needs a finite d_max: give D_MAX in --switch");
    return code;
}

/* ---- tables ---------------------------------------------------------------------------------- */

coordination_print *coordination_add_print(coordination_options *options)
{
    size_t n = options->n_prints;
    coordination_print *more = realloc(options->prints, (n + 1) * sizeof(*more));
    if (!more)
        return NULL;
    options->prints = more;
    options->n_prints = n + 1;
    more[n] = (coordination_print){.stride = 1};
    return &more[n];
}

/* One conversion of a double, whose result is not long. */
bool coordination_digits(const char *text, char format[24])
{
    static const char flags[] = "-+0#", digits[] = "0123456789";
    while (*text == ' ')
        text++;
    const char *p = text;
    if (*p++ != '%' || strlen(text) >= 24)
        return false;
    p += strspn(p, flags);
    long width = strtol(p, NULL, 10), precision = 0;
    p += strspn(p, digits);
    if (*p == '.') {
        precision = strtol(++p, NULL, 10);
        p += strspn(p, digits);
    }
    if (!*p || !strchr("eEfFgG", *p) || p[1] || width > 60 || precision > 60)
        return false;
    strcpy(format, text);
    return true;
}

/* One table of all numbers, unless an input of PLUMED has requested others. */
static int take_tables(coordination_state *state)
{
    coordination_options *options = &state->options;
    char format[24] = "";
    if (state->digits && !coordination_digits(state->digits, format))
        return tool_fail(TOOL_USAGE,
                         "--fmt: '%.60s' is not the format of a number, as %%f or %%12.6g",
                         state->digits);
    if (options->n_prints && options->common.output)
        return tool_fail(TOOL_USAGE, "the PRINT lines of %s name the files: leave out -o",
                         state->plumed);
    if (!options->n_prints) {
        coordination_print *print = coordination_add_print(options);
        const char *output = options->common.output;
        if (print && output)
            print->path = strdup(output);
        if (print)
            print->cvs = calloc(options->n_cvs, sizeof(*print->cvs));
        if (!print || !print->cvs || (output && !print->path))
            return tool_fail(TOOL_INPUT, "out of memory");
        for (size_t i = 0; i < options->n_cvs; i++)
            print->cvs[print->n_cvs++] = i;
        strcpy(print->format, options->plumed ? "%f" : "");
    }
    for (size_t i = 0; i < options->n_prints && state->digits; i++)
        strcpy(options->prints[i].format, format);
    return TOOL_GO_ON;
}

/* ---- names of files -------------------------------------------------------------------------- */

static int refuse_same(const coordination_options *options, char **inputs, size_t n_inputs)
{
    size_t most = options->n_prints + 4, n = 0;
    const char **outputs = calloc(2 * most, sizeof(*outputs));
    char **parts = calloc(most, sizeof(*parts));
    int code = outputs && parts ? TOOL_GO_ON : tool_fail(TOOL_INPUT, "out of memory");
    for (size_t i = 0; i < most && code == TOOL_GO_ON; i++) {
        const char *const more[] = {options->derivatives, options->per_atom, options->svg,
                                    options->common.trace};
        const char *name =
            i < options->n_prints ? options->prints[i].path : more[i - options->n_prints];
        parts[i] = name && *name ? out_part_name(name) : NULL;
        outputs[n++] = name;
        outputs[n++] = parts[i]; /* unfinished parts of outputs are outputs, too */
    }
    if (code == TOOL_GO_ON)
        code = same_refuse(inputs, n_inputs, outputs, n);
    for (size_t i = 0; i < most && parts; i++)
        free(parts[i]);
    free(parts);
    free(outputs);
    return code;
}

/* Sets the names of a share's outputs. */
static int name_parts(coordination_options *options)
{
    tool_part *part = &options->part;
    int code = TOOL_GO_ON;
    for (size_t i = 0; i < options->n_prints && code == TOOL_GO_ON; i++) {
        coordination_print *print = &options->prints[i];
        const char *name = print->path;
        char word[32] = "colvar";
        if (i)
            snprintf(word, sizeof(word), "colvar-%zu", i + 1);
        code = part_rename(part, word, &name);
        if (code == TOOL_GO_ON && name != print->path) {
            free(print->path);
            print->path = strdup(name);
            code = print->path ? code : tool_fail(TOOL_INPUT, "out of memory");
        }
    }
    if (code == TOOL_GO_ON)
        code = part_rename(part, "derivatives", &options->derivatives);
    if (code == TOOL_GO_ON)
        code = part_rename(part, "per-atom", &options->per_atom);
    return code;
}

/* Names of inputs; the strings belong to the options. */
typedef struct input_names {
    char **name;
    size_t count;
} input_names;

static int add_name(void *user, const char *name)
{
    input_names *inputs = user;
    char **more = realloc(inputs->name, (inputs->count + 1) * sizeof(*more));
    if (!more)
        return tool_fail(TOOL_INPUT, "out of memory");
    inputs->name = more;
    more[inputs->count++] = (char *)name;
    return TOOL_GO_ON;
}

int coordination_check_names(const coordination_state *state)
{
    const coordination_options *options = &state->options;
    input_names inputs = {0};
    int code = TOOL_GO_ON;
    for (size_t i = 0; i < options->n_inputs && code == TOOL_GO_ON; i++)
        code = add_name(&inputs, options->inputs[i]);
    for (size_t i = 0; i < options->n_cvs && code == TOOL_GO_ON; i++) {
        code = group_files(&options->cvs[i].group_a, add_name, &inputs);
        if (code == TOOL_GO_ON)
            code = group_files(&options->cvs[i].group_b, add_name, &inputs);
    }
    if (state->plumed && code == TOOL_GO_ON)
        code = add_name(&inputs, state->plumed);
    if (options->names && code == TOOL_GO_ON)
        code = add_name(&inputs, options->names);
    if (code == TOOL_GO_ON)
        code = refuse_same(options, inputs.name, inputs.count);
    free(inputs.name);
    return code;
}

int coordination_check_frames(coordination_state *state, const char *command, int argc, char **argv,
                              int first)
{
    coordination_options *options = &state->options;
    if (first >= argc)
        return tool_fail(TOOL_USAGE, "no trajectory given (see mote %s --help)", command);
    options->inputs = argv + first;
    options->n_inputs = (size_t)(argc - first);
    int n_stdin = state->n_stdin;
    if (options->end <= options->begin)
        return tool_fail(TOOL_USAGE, "--end %llu leaves no frame from --begin %llu on",
                         (unsigned long long)options->end, (unsigned long long)options->begin);
    for (size_t i = 0; i < options->n_inputs; i++)
        n_stdin += strcmp(options->inputs[i], "-") == 0;
    n_stdin += state->plumed && strcmp(state->plumed, "-") == 0;
    n_stdin += options->names && strcmp(options->names, "-") == 0;
    if (n_stdin > 1)
        return tool_fail(TOOL_USAGE, "'-' (standard input) can be read only once");
    if (options->part.n && options->svg)
        return tool_fail(TOOL_USAGE, "--svg draws all frames: leave out --part");
    if (options->rules.ignore_boxes && (options->rules.box || options->rules.periodic))
        return tool_fail(TOOL_USAGE, "--nopbc ignores what --box and --periodic give");
    return TOOL_GO_ON;
}

int coordination_check(coordination_state *state, int argc, char **argv, int first)
{
    coordination_options *options = &state->options;
    options->plumed_file = state->plumed;
    int code = coordination_check_frames(state, "coordination", argc, argv, first);
    if (code == TOOL_GO_ON)
        code = take_numbers(state);
    if (code == TOOL_GO_ON)
        code = take_tables(state);
    for (size_t i = 0; i < options->n_cvs; i++)
        options->rules.names =
            options->rules.names || options->cvs[i].group_a.named || options->cvs[i].group_b.named;
    if (code == TOOL_GO_ON)
        code = part_check(&options->part, &options->common);
    if (code == TOOL_GO_ON && options->part.n)
        code = name_parts(options);
    return code == TOOL_GO_ON ? coordination_check_names(state) : code;
}

void coordination_options_free(coordination_state *state)
{
    coordination_options *options = &state->options;
    cv_free(&state->cv);
    for (size_t i = 0; i < options->n_cvs; i++)
        cv_free(&options->cvs[i]);
    for (size_t i = 0; i < options->n_prints; i++) {
        free(options->prints[i].path);
        free(options->prints[i].cvs);
    }
    free(options->cvs);
    free(options->prints);
    part_free(&options->part);
}
