/* SPDX-License-Identifier: Apache-2.0 */
/* Code that the scripts for the shells share: the tables of commands and options as words. */
#ifndef MOTE_TOOL_COMPLETION_COMPLETION_H
#define MOTE_TOOL_COMPLETION_COMPLETION_H

#include "../commands.h"

void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

/* The words before the name of a command: common options and names of commands. */
extern const tool_command completion_before;

/* True if the values of an option, or the operands, are words: "events|atoms", "[pixels|jagged]".
 */
bool completion_has_words(const char *text);

/* Prints these words, or the names of the commands. Words in capitals are skipped, because they
 * stand for other values. */
void completion_words(const char *text);
void completion_commands(const char *separator);

/* True if a value is the name of a file. */
bool completion_is_file(const char *value);

/* Returns the endings of the files that a value, or the operands, name, as "csv bin"; NULL = any
 * file. */
const char *completion_endings(const tool_command *command, const char *value);

#endif
