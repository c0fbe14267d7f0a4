/* SPDX-License-Identifier: Apache-2.0 */
/* mote completion: what shells complete, made from the tables of commands and options. The build
 * runs it and installs the results; few users need it, so that --help does not list it. */
#include "commands.h"

#include <stdio.h>
#include <string.h>

/* Values of an option or operands that are words of their own: "events|atoms|jagged". */
static bool is_words(const char *text)
{
    return text && strchr(text, '|') &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-| ") == strlen(text);
}

static void print_words(const char *text)
{
    for (; *text; text++)
        if (*text != '|' || text[-1] != ' ')
            putchar(*text == '|' ? ' ' : *text);
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void print_bash_command(const tool_command *command)
{
    const tool_option *option;
    printf("    %s)\n        options='", command->name);
    for (int i = 0; (option = tool_option_at(command, i)); i++)
        printf("%s--%s", i ? " " : "", option->name);
    printf("'\n");
    if (is_words(command->arguments)) {
        printf("        operands='");
        print_words(command->arguments);
        printf("'\n");
    }
    printf("        case $previous in\n");
    for (int i = 0; (option = tool_option_at(command, i)); i++) {
        if (!option->value)
            continue;
        printf("        --%s", option->name);
        if (option->id < 256)
            printf("|-%c", option->id);
        printf(") ");
        if (is_words(option->value)) {
            printf("words='");
            print_words(option->value);
            printf("'");
        } else if (option->id == 'd') {
            printf("words=$(_mote_devices)");
        }
        printf(strcmp(option->value, "FILE") == 0 ? "files=1 ;;\n" : " ;;\n");
    }
    printf("        *) value= ;;\n        esac\n        ;;\n");
}

static void print_bash(void)
{
    printf("# bash completion for mote: made from its tables of options.\n\n"
           "_mote_devices()\n{\n"
           "    printf '%%s\\n' gpu cpu 'gpu:*' 'cpu:*'\n"
           "    mote devices 2>/dev/null | cut -d ' ' -f 1\n}\n\n"
           "_mote()\n{\n"
           "    local IFS=$' \\t\\n' current=$2 previous=$3 command=${COMP_WORDS[1]}\n"
           "    local options= operands= words= files= value=1\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W '");
    for (int i = 0; tool_command_list[i]; i++)
        printf("%s ", tool_command_list[i]->name);
    printf("help --help --version' -- \"$current\"))\n        return\n    fi\n"
           "    case $command in\n    help)\n        value=\n        operands='");
    for (int i = 0; tool_command_list[i]; i++)
        printf("%s%s", i ? " " : "", tool_command_list[i]->name);
    printf("'\n        ;;\n");
    for (int i = 0; tool_command_list[i]; i++)
        print_bash_command(tool_command_list[i]);
    printf("    esac\n"
           "    set -f\n"
           "    if [ -n \"$value\" ]; then\n"
           "        [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
           "        IFS=$'\\n'\n"
           "        [ -z \"$files\" ] || COMPREPLY=($(compgen -f -- \"$current\"))\n"
           "    elif [ \"${current#-}\" != \"$current\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
           "    elif [ -n \"$operands\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$operands\" -- \"$current\"))\n"
           "    else\n"
           "        IFS=$'\\n'\n"
           "        COMPREPLY=($(compgen -f -- \"$current\"))\n"
           "    fi\n"
           "    set +f\n}\n\n"
           "complete -o filenames -F _mote mote\n");
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* Help inside quotes of an _arguments specification, in one line. */
static void print_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (*text == '\n')
            putchar(' ');
        else if (strchr("[]:\\", *text))
            printf("\\%c", *text);
        else if (*text == '\'')
            printf("'\\''");
        else
            putchar(*text);
    }
}

static void print_zsh_option(const tool_option *option)
{
    if (option->id < 256)
        printf("        '(-%c --%s)'{-%c,--%s}'[", option->id, option->name, option->id,
               option->name);
    else
        printf("        '--%s[", option->name);
    print_zsh_text(option->help);
    printf("]");
    if (option->value && is_words(option->value)) {
        printf(":%s:(", option->name);
        print_words(option->value);
        printf(")");
    } else if (option->value) {
        bool file = strcmp(option->value, "FILE") == 0;
        printf(":");
        print_zsh_text(option->value);
        printf(":%s", option->id == 'd' ? "_mote_devices" : file ? "_files" : " ");
    }
    printf("' \\\n");
}

static void print_zsh(void)
{
    const tool_option *option;
    printf(
        "#compdef mote\n# Made from mote's tables of options.\n\n"
        "_mote_devices()\n{\n"
        "    compadd -- gpu cpu 'gpu:*' 'cpu:*' ${(f)\"$(mote devices 2>/dev/null | cut -d ' ' -f "
        "1)\"}\n}\n\n"
        "_mote()\n{\n    local -a commands\n    commands=(\n");
    for (int i = 0; tool_command_list[i]; i++) {
        printf("        '%s:", tool_command_list[i]->name);
        print_zsh_text(tool_command_list[i]->summary);
        printf("'\n");
    }
    printf("        'help:explain a command'\n    )\n"
           "    if ((CURRENT == 2)); then\n"
           "        _describe command commands -- '(--help --version)'\n        return\n    fi\n"
           "    local command=$words[2]\n    shift words\n    ((CURRENT--))\n"
           "    case $command in\n"
           "    help) _describe command commands ;;\n");
    for (int c = 0; tool_command_list[c]; c++) {
        const tool_command *command = tool_command_list[c];
        printf("    %s)\n        _arguments -s \\\n", command->name);
        for (int i = 0; (option = tool_option_at(command, i)); i++)
            print_zsh_option(option);
        if (is_words(command->arguments)) {
            printf("        '1:what:(");
            print_words(command->arguments);
            printf(")' \\\n");
        }
        printf("        '*:file:_files'\n        ;;\n");
    }
    /* compinit calls the file as a function; otherwise someone's shell reads it. */
    printf("    esac\n}\n\n"
           "if [[ $funcstack[1] == _mote ]]; then\n    _mote \"$@\"\n"
           "else\n    compdef _mote mote\nfi\n");
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
    tool_common common = {0};
    int first;
    int code = tool_parse(self, argc, argv, &common, no_option, NULL, &first);
    if (code != TOOL_GO_ON)
        return code;
    if (first + 1 != argc || (strcmp(argv[first], "bash") != 0 && strcmp(argv[first], "zsh") != 0))
        return tool_fail(TOOL_USAGE, "expected bash or zsh");
    if (strcmp(argv[first], "bash") == 0)
        print_bash();
    else
        print_zsh();
    return TOOL_DONE;
}

const tool_command tool_completion = {
    .name = "completion",
    .arguments = "bash|zsh",
    .summary = "what shells complete",
    .about = "Prints a script that makes bash or zsh complete commands, options and devices.",
    .options = NULL,
    .run = completion_run,
};
