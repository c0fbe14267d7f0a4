/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a line on stderr while a run takes long: only on a terminal, and only after a second.
 *
 * The line shows how much is done, the present step of the run, or that kernels are being built. A
 * thread of its own updates the line during a step. Threads: one run at a time; its steps, counts
 * and messages may come from any thread. */
#ifndef MOTE_TOOL_PROGRESS_H
#define MOTE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Starts the clock. `unit` names the things counted, such as "event"; NULL if nothing is
 * counted. */
void progress_start(const char *unit, bool wanted);

/* Names the step that begins, for example "reading" and "a.npy". */
void progress_step(const char *what, const char *name);

/* Names the step that begins when everything has been counted: the step is shown instead of the
 * count. */
void progress_last_step(const char *what, const char *name);

/* Shows `part` of the work (0 .. 1; negative = unknown) and `count` units as done. */
void progress_show(double part, uint64_t count);

/* The first function clears the line and suppresses it, so that a message can be printed; the
 * second one shows it again. */
void progress_pause(void);
void progress_resume(void);

/* Clears the line and ends its updates. It may be called without a start, and twice. */
void progress_end(void);

#endif
