/* SPDX-License-Identifier: Apache-2.0 */
/* Describes sub-commands and their options in tables, from which both parsing and --help are
 * made. */
#ifndef MOTE_TOOL_OPTION_H
#define MOTE_TOOL_OPTION_H

#include "tool.h"

/* One option. An id below 256 is also its short letter. A table ends with name == NULL. */
typedef struct tool_option {
    int id;
    const char *name;
    const char *value; /* name of its value in --help; NULL if it has none */
    const char *help;
} tool_option;

typedef struct tool_command tool_command;
struct tool_command {
    const char *name;
    const char *arguments; /* as "INPUT..." */
    const char *summary;   /* one line */
    const char *about;     /* text of --help below the usage line */
    const char *examples;  /* command lines, one on each line */
    const char *inputs;    /* extensions of the names of its operands: "csv bin"; NULL for any */
    const tool_option *options;
    int (*run)(const tool_command *self, int argc, char **argv);
};

/* Handles one option of the command; returns TOOL_GO_ON, or prints a message and returns an exit
 * code. */
typedef int (*tool_option_fn)(void *state, int id, const char *value);

/* Parses argv of a sub-command (argv[0] is its name). On TOOL_GO_ON the operands are argv[*first ..
 * argc - 1]; otherwise the run ends with the returned code (--help and --version: 0). */
int tool_parse(const tool_command *command, int argc, char **argv, tool_common *common,
               tool_option_fn take, void *state, int *first);

/* Counts the words at the beginning of argv that are common options or their values; --help and
 * --version end them. */
int tool_common_words(int argc, char **argv);

/* Returns option i of a command: its own options come first, then the common ones; NULL after the
 * last one. */
const tool_option *tool_option_at(const tool_command *command, int i);

/* Prints the part of --help on the options that every command has. */
void tool_print_common(FILE *file);

/* Reports an error if a command that has no operands gets one. */
int tool_no_operands(int argc, char **argv, int first);

/* Parse numbers in option values; they return TOOL_GO_ON, or TOOL_USAGE after a message that names
 * option and value. */
int tool_number(const char *option, const char *text, uint64_t least, uint64_t most,
                uint64_t *value);
int tool_real(const char *option, const char *text, long double *value);

/* Returns the name of an output: "-" stands for standard output, as it stands for standard input
 * among inputs. */
const char *tool_output(const char *name);

/* Stores the name of a picture, which is SVG, in *name, as tool_output() returns it. Returns
 * TOOL_USAGE after a message if the name has the extension of another format. */
int tool_picture(const char *option, const char *value, const char **name);

/* ROWSxCOLUMNS, each 1 .. 65 536. */
int tool_size(const char *option, const char *text, uint32_t *rows, uint32_t *columns);

/* Finds the place of `text` in a list of words that ends with NULL; returns TOOL_USAGE after a
 * message if it is absent.
 */
int tool_word(const char *option, const char *text, const char *const *words, int *place);

/* Returns the word nearest to `text`, or NULL if none is near. `next` returns the words one by
 * one. */
const char *tool_nearest(const char *text, const char *(*next)(const void *list, int i),
                         const void *list);

/* True if a name without its folder ends with `ending`, in upper or lower case. */
bool tool_ends_with(const char *name, const char *ending);

#endif
