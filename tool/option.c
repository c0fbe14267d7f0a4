/* SPDX-License-Identifier: Apache-2.0 */
#include "option.h"
#include "common/share.h"
#include "io/out.h"
#include "io/refuse_overwrite.h"
#include "profile/profile.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#define MOST_OPTIONS 56
#define ID_TIMING    1000
#define ID_VERSION   1001
#define ID_PROFILE   1002
#define ID_TRACE     1003
#define HELP_COLUMN  30

static const tool_option common_options[] = {
    {'d', "device", "SPEC",
     "device: gpu, cpu, PLATFORM:INDEX, or words of its name;\n"
     "some commands accept several: a,b or gpu:* or *\n"
     "(default: MOTE_DEVICE, else the best GPU, else the CPU)"},
    {'o', "output", "FILE", "write the results to FILE (default, and for -: stdout)"},
    {'q', "quiet", NULL, "print no summary and no progress on stderr"},
    {'v', "verbose", NULL, "report the library's decisions on stderr"},
    {ID_TIMING, "timing", NULL, "print one JSON line with times on stderr"},
    {ID_PROFILE, "profile", NULL,
     "print a table of kernels on stderr: time, bytes, and rate\n"
     "as a share of the rate of a copy"},
    {ID_TRACE, "trace", "FILE", "write each launch with its times, for trace viewers (.json)"},
    {'h', "help", NULL, "print this text"},
    {ID_VERSION, "version", NULL, "print the version"},
    {0, NULL, NULL, NULL},
};

/* True if the command explains this common option itself. */
static bool has_own(const tool_command *command, int id)
{
    const tool_option *own = command->options;
    while (own && own->name && own->id != id)
        own++;
    return own && own->name;
}

/* Returns the command's own options first, then the common ones. */
const tool_option *tool_option_at(const tool_command *command, int i)
{
    int own = 0;
    while (command->options && command->options[own].name)
        own++;
    if (i < own)
        return &command->options[i];
    const tool_option *option = common_options;
    for (i -= own; option->name && (i > 0 || has_own(command, option->id)); option++)
        i -= !has_own(command, option->id);
    return option->name ? option : NULL;
}

static const char *option_name_at(const void *list, int i)
{
    const tool_option *option = tool_option_at(list, i);
    return option ? option->name : NULL;
}

static void print_option(FILE *file, const tool_option *option)
{
    char left[80];
    char letter[5] = "    ";
    if (option->id < 256)
        snprintf(letter, sizeof(letter), "-%c, ", option->id);
    int n = snprintf(left, sizeof(left), "  %s--%s%s%s", letter, option->name,
                     option->value ? " " : "", option->value ? option->value : "");
    fputs(left, file);
    if (n >= HELP_COLUMN) {
        putc('\n', file);
        n = 0;
    }
    const char *line = option->help;
    while (line) {
        const char *end = strchr(line, '\n');
        int length = end ? (int)(end - line) : (int)strlen(line);
        fprintf(file, "%*s%.*s\n", HELP_COLUMN - n, "", length, line);
        n = 0;
        line = end ? end + 1 : NULL;
    }
}

void tool_print_common(FILE *file)
{
    fputs("Common options:\n", file);
    for (int i = 0; common_options[i].name; i++)
        print_option(file, &common_options[i]);
}

static void print_examples(const char *text)
{
    printf("Examples:\n");
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += line > text;
        printf("  %.*s\n", (int)strcspn(line, "\n"), line);
    }
}

/* The common options take one line, because `mote --help` explains them. */
static int print_help(const tool_command *command)
{
    printf("usage: mote %s [OPTION]...%s%s\n\n%s\n\n", command->name,
           *command->arguments ? " " : "", command->arguments, command->about);
    const tool_option *option = command->options;
    if (option)
        printf("Options:\n");
    for (; option && option->name; option++)
        print_option(stdout, option);
    printf("%sCommon options (see mote --help):", command->options ? "\n" : "");
    for (option = common_options; option->id != 'h'; option++)
        if (!has_own(command, option->id)) {
            if (option->id < 256)
                printf(" -%c", option->id);
            else
                printf(" --%s", option->name);
            printf("%s%s%s", option->value ? " " : "", option->value ? option->value : "",
                   option[1].id == 'h' ? "" : ",");
        }
    printf("\n\n");
    print_examples(command->examples);
    return TOOL_DONE;
}

static int unknown_long(const tool_command *command, const char *text)
{
    char name[64];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "="), text);
    const char *word = tool_nearest(name, option_name_at, command);
    if (word)
        return tool_fail(TOOL_USAGE, "unknown option --%s; did you mean --%s? (see mote %s --help)",
                         name, word, command->name);
    return tool_fail(TOOL_USAGE, "unknown option --%s (see mote %s --help)", name, command->name);
}

static int refuse(const tool_command *command, int letter, const char *word)
{
    const tool_option *option;
    for (int i = 0; (option = tool_option_at(command, i)); i++)
        if (letter && option->id == letter && strncmp(word, "--", 2) == 0)
            return tool_fail(TOOL_USAGE, "option --%s takes no value", option->name);
    if (letter)
        return tool_fail(TOOL_USAGE, "unknown option -%c (see mote %s --help)", letter,
                         command->name);
    size_t length = strcspn(word + 2, "=");
    int matches = 0;
    for (int i = 0; (option = tool_option_at(command, i)); i++)
        matches += strncmp(option->name, word + 2, length) == 0;
    if (matches > 1)
        return tool_fail(TOOL_USAGE,
                         "option %s is ambiguous: write it in full (see mote %s --help)", word,
                         command->name);
    return unknown_long(command, word + 2);
}

const char *tool_output(const char *name)
{
    return strcmp(name, "-") == 0 ? "/dev/stdout" : name;
}

int tool_picture(const char *option, const char *value, const char **name)
{
    static const char *const others[] = {".png", ".pdf", ".jpg", ".jpeg", ".gif", ".eps", ".ps"};
    *name = tool_output(value);
    for (size_t k = 0; k < sizeof(others) / sizeof(others[0]); k++)
        if (tool_ends_with(value, others[k]))
            return tool_fail(TOOL_USAGE,
                             "%s %s: the picture is SVG: let its name end in .svg, and convert it, "
                             "for example by rsvg-convert",
                             option, value);
    return TOOL_GO_ON;
}

/* Viewers recognise the format by the extension. */
static int take_trace(tool_common *common, const char *value)
{
    common->trace = value;
    return tool_ends_with(value, ".json")
               ? TOOL_GO_ON
               : tool_fail(TOOL_USAGE, "--trace %s: the name must end in .json", value);
}

static int take_common(const tool_command *command, tool_common *common, int id, const char *value)
{
    if (id == 'h')
        return print_help(command);
    if (id == ID_VERSION) {
        printf("mote %s\n", mote_version());
        return TOOL_DONE;
    }
    if (id == 'd')
        common->device = value;
    else if (id == 'o')
        common->output = tool_output(value);
    else if (id == 'q')
        common->quiet = true;
    else if (id == 'v')
        common->verbose = true;
    else if (id == ID_TIMING)
        common->timing = true;
    else if (id == ID_PROFILE)
        common->profile = true;
    else if (id == ID_TRACE)
        return take_trace(common, value);
    return TOOL_GO_ON;
}

static bool is_common(int id)
{
    for (int i = 0; common_options[i].name; i++)
        if (common_options[i].id == id)
            return true;
    return false;
}

/* Returns the common option with which a word begins: "--name", "--name=value" or "-n...". NULL =
 * none. */
static const tool_option *common_of(const char *word)
{
    const tool_option *option = common_options;
    size_t length = strcspn(word + 1 + (word[1] == '-'), "=");
    for (; option->name; option++)
        if (word[1] == '-'
                ? strlen(option->name) == length && strncmp(option->name, word + 2, length) == 0
                : option->id == (unsigned char)word[1])
            break;
    bool has = option->name && option->id != 'h' && option->id != ID_VERSION;
    return has ? option : NULL;
}

int tool_common_words(int argc, char **argv)
{
    int words = 0;
    const tool_option *option;
    while (words < argc && argv[words][0] == '-' && (option = common_of(argv[words]))) {
        bool is_long = argv[words][1] == '-';
        bool complete = is_long ? strchr(argv[words], '=') != NULL : argv[words][2] != '\0';
        words += option->value && !complete ? 2 : 1;
    }
    return words;
}

/* Converts the table to the two descriptions that getopt needs. */
static void describe(const tool_command *command, struct option *longs, char *shorts)
{
    size_t n = 0, letters = 0;
    shorts[letters++] = ':';
    const tool_option *option;
    for (int i = 0; (option = tool_option_at(command, i)) && n < MOST_OPTIONS; i++) {
        longs[n++] = (struct option){option->name, option->value ? required_argument : no_argument,
                                     NULL, option->id};
        if (option->id < 256) {
            shorts[letters++] = (char)option->id;
            if (option->value)
                shorts[letters++] = ':';
        }
    }
    longs[n] = (struct option){0};
    shorts[letters] = '\0';
}

/* The order of repeated options matters. Names of output files and --part are excluded, because
 * they change no result. */
static void note_option(const tool_option *option, unsigned before, const char *value,
                        uint64_t *run)
{
    char name[64];
    snprintf(name, sizeof(name), "%s %u", option->name, before);
    bool file = option->value && strcmp(option->value, "FILE") == 0;
    if (!file && strcmp(option->name, "part") != 0)
        share_add_option(run, name, value ? value : "");
}

static int take_own(const tool_command *command, tool_common *common, tool_option_fn take,
                    void *state, int id, const char *value, unsigned *given)
{
    const tool_option *option;
    for (int i = 0; (option = tool_option_at(command, i)) && i < MOST_OPTIONS; i++)
        if (option->id == id)
            note_option(option, given[i]++, value, &common->run);
    return take(state, id, value);
}

int tool_parse(const tool_command *command, int argc, char **argv, tool_common *common,
               tool_option_fn take, void *state, int *first)
{
    struct option longs[MOST_OPTIONS + 1];
    char shorts[2 * MOST_OPTIONS + 2];
    unsigned given[MOST_OPTIONS] = {0};
    describe(command, longs, shorts);
    opterr = 0;
    int id;
    while ((id = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
        int code;
        if (id == '?')
            code = refuse(command, optopt, argv[optind - 1]);
        else if (id == ':')
            code = tool_fail(TOOL_USAGE, "option %s needs a value", argv[optind - 1]);
        else if (is_common(id))
            code = take_common(command, common, id, optarg);
        else
            code = take_own(command, common, take, state, id, optarg, given);
        if (code != TOOL_GO_ON)
            return code;
    }
    *first = optind;
    if (common->timing || common->profile)
        out_expect_stderr();
    if (common->verbose) {
        tool_name_functions();
        tool_log_to_stderr();
    }
    /* Commands compare both with their inputs and other outputs. */
    const char *const outputs[] = {common->output, common->trace};
    int code = same_refuse(NULL, 0, outputs, 2);
    return code == TOOL_GO_ON ? profile_begin(common) : code;
}

int tool_no_operands(int argc, char **argv, int first)
{
    if (first < argc)
        return tool_fail(TOOL_USAGE, "unexpected argument '%s'", argv[first]);
    return TOOL_GO_ON;
}
