/* SPDX-License-Identifier: Apache-2.0 */
/* The reason why a thread ended early, kept until the main thread prints it. */
#ifndef MOTE_TOOL_COMMON_FAILURE_H
#define MOTE_TOOL_COMMON_FAILURE_H

#include "../tool.h"

/* code TOOL_GO_ON: nothing has failed. */
typedef struct tool_failure {
    int code;
    char text[1400];
} tool_failure;

/* Keeps an exit code and a sentence; returns false. */
bool failure_set(tool_failure *failure, int code, const char *text);

/* Keeps the sentence of a call of the library that failed in this thread; returns false. */
bool failure_of_library(tool_failure *failure, mote_status status);

#endif
