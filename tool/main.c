/* SPDX-License-Identifier: Apache-2.0 */
/* mote: the command-line interface of the library. */
#include "commands.h"
#include "common/building.h"
#include "io/out.h"
#include "profile/profile.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define TOOL_ROW(name) &tool_##name,
const tool_command *const tool_command_list[] = {
    TOOL_COMMANDS(TOOL_ROW) NULL,
};

static const char *command_name_at(const void *list, int i)
{
    const tool_command *const *all = list;
    return all[i] ? all[i]->name : NULL;
}

static int print_help(FILE *file)
{
    fputs("usage: mote [OPTION]... COMMAND [OPTION]... [ARGUMENT]...\n\n"
          "Computes on particle data with OpenCL, on any GPU or CPU.\n\nCommands:\n",
          file);
    for (int i = 0; tool_command_list[i]; i++)
        fprintf(file, "  %-12s %s\n", tool_command_list[i]->name, tool_command_list[i]->summary);
    fputs("\n", file);
    tool_print_common(file);
    fputs(
        "\n"
        "mote help COMMAND explains a command; man mote explains all commands.\n\n"
        "Exit status: 0 done; 1 bad usage; 2 bad input; 3 no usable device or an OpenCL failure;\n"
        "4 output cannot be written; 5 selftest disagrees.\n",
        file);
    return file == stdout ? TOOL_DONE : TOOL_USAGE;
}

static int unknown_command(const char *name)
{
    const char *word = tool_nearest(name, command_name_at, tool_command_list);
    char list[300] = "";
    for (int i = 0; tool_command_list[i]; i++) {
        strncat(list, i ? ", " : "", sizeof(list) - strlen(list) - 1);
        strncat(list, tool_command_list[i]->name, sizeof(list) - strlen(list) - 1);
    }
    if (word)
        return tool_fail(TOOL_USAGE, "unknown command '%s'; did you mean '%s'? Commands: %s", name,
                         word, list);
    return tool_fail(TOOL_USAGE, "unknown command '%s'. Commands: %s", name, list);
}

/* Opens standard streams that are closed, so that no file opened later gets their descriptor. They
 * are opened in the wrong direction, so that reading or writing them still fails. */
static void fill_standard_streams(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            (void)!open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static int run_one(const tool_command *command, int argc, char **argv)
{
    tool_name_set(command->name);
    return profile_end(command->run(command, argc, argv));
}

/* Runs a command by its name, which becomes argv[0]. */
static int run_command(const char *name, int argc, char **argv)
{
    for (int i = 0; tool_command_list[i]; i++)
        if (strcmp(name, tool_command_list[i]->name) == 0)
            return run_one(tool_command_list[i], argc, argv);
    if (strcmp(name, tool_completion.name) == 0)
        return run_one(&tool_completion, argc, argv);
    return unknown_command(name);
}

/* mote help [COMMAND] */
static int help(int argc, char **argv)
{
    if (argc == 1)
        return print_help(stdout);
    if (argc > 2)
        return tool_fail(TOOL_USAGE, "help takes one command");
    char *words[] = {argv[1], "--help", NULL};
    return run_command(argv[1], 2, words);
}

static int run(int argc, char **argv)
{
    if (argc < 2)
        return print_help(stderr);
    int before = tool_common_words(argc - 1, argv + 1);
    if (before >= argc - 1)
        return tool_fail(TOOL_USAGE, "no command behind %s (see mote --help)", argv[argc - 1]);
    /* The command is moved before the common options. */
    char *name = argv[before + 1];
    memmove(argv + 2, argv + 1, (size_t)before * sizeof(argv[0]));
    argv[1] = name;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return print_help(stdout);
    if (strcmp(name, "help") == 0)
        return help(argc - 1 - before, argv + 1 + before);
    if (strcmp(name, "--version") == 0)
        return run_command("version", argc - 1, argv + 1);
    if (*name == '-')
        return tool_fail(TOOL_USAGE, "unknown option %s before the command (see mote --help)",
                         name);
    return run_command(name, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
    fill_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* writing to a file that is too large then fails */
    out_remove_on_signals();
    building_watch();
    int code = run(argc, argv);
    /* Output such as that of --help may have gone to a closed or full stdout. */
    return code == TOOL_DONE ? out_close_stdio() : code;
}
