/* SPDX-License-Identifier: Apache-2.0 */
/* Sub-commands and their options as tables: parsing and --help are made from the same lines. */
#ifndef MOTE_TOOL_OPTION_H
#define MOTE_TOOL_OPTION_H

#include "tool.h"

/* One option. An id below 256 is its short letter too. Tables end with name == NULL. */
typedef struct tool_option {
    int id;
    const char *name;
    const char *value; /* name of its value in --help; NULL = takes none */
    const char *help;
} tool_option;

typedef struct tool_command tool_command;
struct tool_command {
    const char *name;
    const char *arguments; /* as "INPUT..." */
    const char *summary;   /* one line */
    const char *about;     /* what --help says below the usage line */
    const char *examples;  /* command lines, one a line */
    const char *inputs;    /* endings of the names of its operands: "csv bin"; NULL = any */
    const tool_option *options;
    int (*run)(const tool_command *self, int argc, char **argv);
};

/* Takes one option of the command; returns TOOL_GO_ON, or an exit code after a message. */
typedef int (*tool_option_fn)(void *state, int id, const char *value);

/* Parses argv of a sub-command (argv[0] is its name). On TOOL_GO_ON the operands are argv[*first ..
 * argc - 1]; otherwise the run ends with the returned code (--help and --version: 0). */
int tool_parse(const tool_command *command, int argc, char **argv, tool_common *common,
               tool_option_fn take, void *state, int *first);

/* Counts the words at the beginning of argv that are common options or their values; --help and
 * --version end them. */
int tool_common_words(int argc, char **argv);

/* Option i of a command: its own, then the common ones; NULL behind the last. */
const tool_option *tool_option_at(const tool_command *command, int i);

/* Prints what --help says of the options that every command has. */
void tool_print_common(FILE *file);

/* Refuses operands for commands that take none. */
int tool_no_operands(int argc, char **argv, int first);

/* Numbers in option values; TOOL_GO_ON, or TOOL_USAGE after a message naming option and value. */
int tool_number(const char *option, const char *text, uint64_t least, uint64_t most,
                uint64_t *value);
int tool_real(const char *option, const char *text, long double *value);

/* The name of an output: "-" is standard output, as it is standard input for inputs. */
const char *tool_output(const char *name);

/* The same for a picture, which is SVG: TOOL_USAGE after a message when the name says another
 * format. */
int tool_picture(const char *option, const char *value, const char **name);

/* ROWSxCOLUMNS, each 1 .. 65 536. */
int tool_size(const char *option, const char *text, uint32_t *rows, uint32_t *columns);

/* The place of `text` in a list of words ending with NULL; TOOL_USAGE after a message when absent.
 */
int tool_word(const char *option, const char *text, const char *const *words, int *place);

/* The word nearest to `text`, or NULL when none is near. `next` gives the words one by one. */
const char *tool_nearest(const char *text, const char *(*next)(const void *list, int i),
                         const void *list);

/* A name without its folder ends with `ending`, in any case of letters. */
bool tool_ends_with(const char *name, const char *ending);

#endif
