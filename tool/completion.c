/* SPDX-License-Identifier: Apache-2.0 */
/* mote completion: what shells complete, made from the tables of commands and options. The build
 * runs it and installs the results; few users need it, so that --help does not list it. */
#include "completion/completion.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

const tool_command completion_before = {.name = "", .arguments = ""};

/* The words for reductions come from the library's table. */
static bool is_reduction(const char *value)
{
    return strcmp(value, "OP") == 0;
}

bool completion_has_words(const char *text)
{
    return strchr(text, '|') || is_reduction(text);
}

void completion_words(const char *text)
{
    if (is_reduction(text)) {
        for (int k = 0; mote_reduction_name((mote_reduction)k); k++)
            printf("%s%s", k ? " " : "", mote_reduction_name((mote_reduction)k));
        return;
    }
    const char *before = "";
    for (text += *text == '['; *text; text += strspn(text, "|]")) {
        int length = (int)strcspn(text, "|]");
        if (length == 1 || !isupper((unsigned char)*text)) {
            printf("%s%.*s", before, length, text);
            before = " ";
        }
        text += length;
    }
}

void completion_commands(const char *separator)
{
    for (int i = 0; tool_command_list[i]; i++)
        printf("%s%s", tool_command_list[i]->name, separator);
    printf("help");
}

bool completion_is_file(const char *value)
{
    return strcmp(value, "FILE") == 0 || strstr(value, ".npy");
}

const char *completion_endings(const tool_command *command, const char *value)
{
    if (strstr(value, ".npy"))
        return "npy csv json";
    return value == command->arguments ? command->inputs : NULL;
}

static int no_option(void *state, int id, const char *value)
{
    (void)state;
    (void)id;
    (void)value;
    return TOOL_GO_ON;
}

static int completion_run(const tool_command *self, int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*print)(void);
    } shells[] = {{"bash", completion_bash}, {"zsh", completion_zsh}, {"fish", completion_fish}};
    tool_common common = {0};
    int first;
    int code = tool_parse(self, argc, argv, &common, no_option, NULL, &first);
    if (code != TOOL_GO_ON)
        return code;
    for (int k = 0; k < 3 && first + 1 == argc; k++)
        if (strcmp(argv[first], shells[k].name) == 0) {
            shells[k].print();
            return TOOL_DONE;
        }
    return tool_fail(TOOL_USAGE, "expected bash, zsh or fish");
}

const tool_command tool_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "what shells complete",
    .about = "Prints a script that makes a shell complete commands, options, values and files.",
    .examples = "source <(mote completion bash)\n"
                "mote completion fish | source",
    .options = NULL,
    .run = completion_run,
};
