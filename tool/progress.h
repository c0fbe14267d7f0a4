/* SPDX-License-Identifier: Apache-2.0 */
/* A line on stderr that says what takes long: only on a terminal, only after a second.
 *
 * It shows how much is done, the step that the run is at, or that kernels are being built. A thread
 * of its own keeps it alive while a step lasts. Threads: one run at a time; its steps, counts and
 * messages may come from any thread. */
#ifndef MOTE_TOOL_PROGRESS_H
#define MOTE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the clock. `unit` names the things counted, such as "event"; NULL if nothing is
 * counted. */
void progress_start(const char *unit, bool wanted);

/* What the run does from now on, as "reading" and "a.npy". */
void progress_step(const char *what, const char *name);

/* The same when everything is counted: the step is shown in place of the count. */
void progress_last_step(const char *what, const char *name);

/* Shows `part` of the work (0 .. 1; negative = unknown) and `count` units as done. */
void progress_show(double part, uint64_t count);

/* Clears the line and keeps it away, so that a message can be printed; lets it come back. */
void progress_pause(void);
void progress_resume(void);

/* Clears the line for good. May be called without a start, and twice. */
void progress_end(void);

#endif
