/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

#include <stdio.h>
#include <string.h>

/* Prints text between quotes, in one line. */
static void print_fish_text(const char *text)
{
    for (; *text; text++) {
        if (strchr("'\\", *text))
            putchar('\\');
        putchar(*text == '\n' ? ' ' : *text);
    }
}

static void print_fish_begin(const tool_command *command)
{
    printf("complete -c mote -n '__mote_is %s'",
           command == &completion_before ? "\"\"" : command->name);
}

static void print_fish_option(const tool_command *command, const tool_option *option)
{
    const char *value = option->value;
    const char *endings = value ? completion_endings(command, value) : NULL;
    print_fish_begin(command);
    if (option->id < 256)
        printf(" -s %c", option->id);
    printf(" -l %s -d '", option->name);
    print_fish_text(option->help);
    printf("'");
    if (value && completion_has_words(value)) {
        printf(" -x -a '");
        completion_words(value);
        printf("'");
    } else if (endings) {
        printf(" -x -a '(__mote_files %s)'", endings);
    } else if (value && completion_is_file(value)) {
        printf(" -r -F");
    } else if (value) {
        printf(option->id == 'd' ? " -x -a '(__mote_devices)'" : " -x");
    }
    printf("\n");
}

static void print_fish_command(const tool_command *command)
{
    const tool_option *option;
    const char *endings = completion_endings(command, command->arguments);
    for (int i = 0; (option = tool_option_at(command, i)); i++)
        print_fish_option(command, option);
    if (!*command->arguments)
        return;
    print_fish_begin(command);
    if (completion_has_words(command->arguments)) {
        printf(" -a '");
        completion_words(command->arguments);
        printf("'\n");
    } else if (endings) {
        printf(" -a '(__mote_files %s)'\n", endings);
    } else {
        printf(" -F\n");
    }
}

void completion_fish(void)
{
    printf("# fish completion for mote: made from its tables of options.\n\n"
           "function __mote_devices\n"
           "    printf '%%s\\n' gpu cpu 'gpu:*' 'cpu:*'\n"
           "    mote devices 2>/dev/null | string split -f 1 ' '\nend\n\n"
           "# Files with these endings, packed too, and folders; all files if there are none.\n"
           "function __mote_files\n"
           "    set -l files (__fish_complete_path (commandline -ct) | string split -f 1 \\t)\n"
           "    set -l endings (string join '|' $argv)\n"
           "    string match -ir \".*(?:/|[.](?:$endings)(?:[.](?:gz|bz2|xz))?)\\$\" $files\n"
           "    or string join \\n $files\nend\n\n"
           "# The name of the command is $argv; \"\" before there is one.\n"
           "function __mote_is\n"
           "    set -l words (commandline -opc)\n"
           "    set -l name ''\n"
           "    set -l skip 1\n"
           "    for word in $words\n"
           "        if test $skip = 1\n"
           "            set skip 0\n"
           "        else if contains -- $word -d --device -o --output --trace\n"
           "            set skip 1\n"
           "        else if not string match -q -- '-*' $word\n"
           "            set name $word\n"
           "            break\n"
           "        end\n    end\n"
           "    test \"$name\" = \"$argv\"\nend\n\n"
           "complete -c mote -f\n");
    for (int i = 0; tool_command_list[i]; i++) {
        print_fish_begin(&completion_before);
        printf(" -a %s -d '", tool_command_list[i]->name);
        print_fish_text(tool_command_list[i]->summary);
        printf("'\n");
    }
    print_fish_begin(&completion_before);
    printf(" -a help -d 'explain a command'\n"
           "complete -c mote -n '__mote_is help' -a '");
    completion_commands(" ");
    printf("'\n");
    print_fish_command(&completion_before);
    for (int i = 0; tool_command_list[i]; i++)
        print_fish_command(tool_command_list[i]);
}
