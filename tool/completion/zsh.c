/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

#include <stdio.h>
#include <string.h>

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

static void print_zsh_files(const char *endings)
{
    printf("_files");
    if (!endings)
        return;
    printf(" -g \"*.(#i)(");
    for (; *endings; endings++)
        putchar(*endings == ' ' ? '|' : *endings);
    printf(")(|.gz|.bz2|.xz)(-.)\"");
}

static void print_zsh_option(const tool_command *command, const tool_option *option)
{
    if (option->id < 256)
        printf("        '(-%c --%s)'{-%c,--%s}'[", option->id, option->name, option->id,
               option->name);
    else
        printf("        '--%s[", option->name);
    print_zsh_text(option->help);
    printf("]");
    if (option->value && completion_has_words(option->value)) {
        printf(":%s:(", option->name);
        completion_words(option->value);
        printf(")");
    } else if (option->value) {
        printf(":");
        print_zsh_text(option->value);
        printf(":");
        if (option->id == 'd')
            printf("_mote_devices");
        else if (completion_is_file(option->value))
            print_zsh_files(completion_endings(command, option->value));
        else
            printf(" ");
    }
    printf("' \\\n");
}

static void print_zsh_command(const tool_command *command)
{
    const tool_option *option;
    printf("    %s)\n        _arguments -s \\\n", command->name);
    for (int i = 0; (option = tool_option_at(command, i)); i++)
        print_zsh_option(command, option);
    if (completion_has_words(command->arguments)) {
        printf("        '1:what:(");
        completion_words(command->arguments);
        printf(")'\n        ;;\n");
        return;
    }
    printf("        '*:file:");
    print_zsh_files(completion_endings(command, command->arguments));
    printf("'\n        ;;\n");
}

void completion_zsh(void)
{
    const tool_option *option;
    printf(
        "#compdef mote\n# Made from mote's tables of options.\n\n"
        "_mote_devices()\n{\n"
        "    compadd -- gpu cpu 'gpu:*' 'cpu:*' ${(f)\"$(mote devices 2>/dev/null | cut -d ' ' -f "
        "1)\"}\n}\n\n"
        "_mote_commands()\n{\n    local -a commands\n    commands=(\n");
    for (int i = 0; tool_command_list[i]; i++) {
        printf("        '%s:", tool_command_list[i]->name);
        print_zsh_text(tool_command_list[i]->summary);
        printf("'\n");
    }
    printf("        'help:explain a command'\n    )\n"
           "    _describe command commands\n}\n\n"
           "_mote()\n{\n    local curcontext=$curcontext state\n"
           "    _arguments -s -C \\\n");
    for (int i = 0; (option = tool_option_at(&completion_before, i)); i++)
        print_zsh_option(&completion_before, option);
    printf("        '(-): :_mote_commands' '(-)*:: :->rest' && return\n"
           "    [[ $state == rest ]] || return\n"
           "    case $words[1] in\n"
           "    help) _mote_commands ;;\n");
    for (int i = 0; tool_command_list[i]; i++)
        print_zsh_command(tool_command_list[i]);
    /* compinit calls the file as a function; otherwise a shell sources it. */
    printf("    esac\n}\n\n"
           "if [[ $funcstack[1] == _mote ]]; then\n    _mote \"$@\"\n"
           "else\n    compdef _mote mote\nfi\n");
}
