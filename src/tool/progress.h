/* SPDX-License-Identifier: Apache-2.0 */
/* A progress bar on stderr: only on a terminal, only when the work takes longer than a second. */
#ifndef MOTE_TOOL_PROGRESS_H
#define MOTE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the clock. `unit` is the plural word counted, as "events". */
void progress_start(const char *unit, bool wanted);

/* Shows `part` of the work (0 .. 1; negative = unknown) and `count` units as done. */
void progress_show(double part, uint64_t count);

/* Clears the line, so that a message can be printed. */
void progress_hide(void);

#endif
