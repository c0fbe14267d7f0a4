/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

#include <stdio.h>

static void print_bash_endings(const char *endings)
{
    printf("files='");
    for (; *endings; endings++)
        putchar(*endings == ' ' ? '|' : *endings);
    printf("'");
}

static void print_bash_value(const tool_command *command, const tool_option *option)
{
    const char *endings = completion_endings(command, option->value);
    printf("        --%s", option->name);
    if (option->id < 256)
        printf("|-%c", option->id);
    printf(") ");
    if (completion_has_words(option->value)) {
        printf("words='");
        completion_words(option->value);
        printf("'");
    } else if (option->id == 'd') {
        printf("words=$(_mote_devices)");
    } else if (endings) {
        print_bash_endings(endings);
    } else if (completion_is_file(option->value)) {
        printf("files=.");
    }
    printf(" ;;\n");
}

static void print_bash_command(const tool_command *command)
{
    const tool_option *option;
    const char *endings = completion_endings(command, command->arguments);
    printf("    '%s')\n        options='", command->name);
    for (int i = 0; (option = tool_option_at(command, i)); i++)
        printf("%s--%s", i ? " " : "", option->name);
    printf("'\n");
    if (command == &completion_before || completion_has_words(command->arguments)) {
        printf("        operands='");
        if (command == &completion_before)
            completion_commands(" ");
        else
            completion_words(command->arguments);
        printf("'\n");
    }
    printf("        case $previous in\n");
    for (int i = 0; (option = tool_option_at(command, i)); i++)
        if (option->value)
            print_bash_value(command, option);
    printf("        *)\n            value=\n            ");
    print_bash_endings(endings ? endings : ".");
    printf("\n            ;;\n        esac\n        ;;\n");
}

void completion_bash(void)
{
    printf("# bash completion for mote: made from its tables of options.\n\n"
           "_mote_devices()\n{\n"
           "    printf '%%s\\n' gpu cpu 'gpu:*' 'cpu:*'\n"
           "    mote devices 2>/dev/null | cut -d ' ' -f 1\n}\n\n"
           "# Files with these endings, packed too, and folders; all files if there are none.\n"
           "_mote_files()\n{\n"
           "    local IFS=$'\\n'\n"
           "    COMPREPLY=($(compgen -d -- \"$current\"\n"
           "        compgen -f -- \"$current\" | grep -iE \"[.]($1)([.](gz|bz2|xz))?$\")) || :\n"
           "    [ -n \"${COMPREPLY-}\" ] || COMPREPLY=($(compgen -f -- \"$current\")) || :\n}\n\n"
           "_mote()\n{\n"
           "    local IFS=$' \\t\\n' current=$2 previous=$3\n"
           "    local command= options= operands= words= files= value=1 i\n"
           "    COMPREPLY=()\n"
           "    # bash splits --name=value into three words.\n"
           "    if [ \"${COMP_WORDS[COMP_CWORD]}\" = = ]; then\n"
           "        current= previous=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    elif [ \"$previous\" = = ]; then\n"
           "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "    fi\n"
           "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
           "        case ${COMP_WORDS[i]} in\n"
           "        -o|--output|--trace) i=$((i + 1)) ;;\n        ");
    completion_commands("|");
    printf(") command=${COMP_WORDS[i]} && break ;;\n"
           "        esac\n    done\n"
           "    case $command in\n    help)\n        value=\n        operands='");
    completion_commands(" ");
    printf("'\n        ;;\n");
    print_bash_command(&completion_before);
    for (int i = 0; tool_command_list[i]; i++)
        print_bash_command(tool_command_list[i]);
    printf("    esac\n"
           "    set -f\n"
           "    if [ -z \"$value\" ] && [ \"${current#-}\" != \"$current\" ]; then\n"
           "        words=$options\n"
           "    elif [ -z \"$value\" ] && [ -n \"$operands\" ]; then\n"
           "        words=$operands\n"
           "    fi\n"
           "    if [ -n \"$words\" ]; then\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$current\")) || :\n"
           "    elif [ -n \"$files\" ]; then\n"
           "        _mote_files \"$files\"\n"
           "    fi\n"
           "    set +f\n}\n\n"
           "complete -o filenames -F _mote mote\n");
}
