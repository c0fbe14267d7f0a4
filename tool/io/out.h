/* SPDX-License-Identifier: Apache-2.0 */
/* Output files.
 *
 * A regular file is written beside its place under another name and renamed when everything is
 * complete; FIFOs, devices and the standard streams are written directly. What is written to a name
 * that ends in .gz is packed by gzip. Writing never fails at
 * once: the first failure is kept and out_finish() reports it. If the reader of stdout has closed
 * it, further output is discarded silently. */
#ifndef MOTE_TOOL_IO_OUT_H
#define MOTE_TOOL_IO_OUT_H

#include "../tool.h"

typedef struct out_file out_file;

/* Opens an output; path NULL = stdout. Returns TOOL_DONE, or TOOL_OUTPUT after a message. */
int out_open(const char *path, out_file **out);

/* As out_open(), but a regular file is written as PATH.part, which out_keep() lets outlive signals
 * unless it is packed. */
int out_open_part(const char *path, out_file **out);

/* The name of the file that opening `path` would make or change, to be freed: links are followed,
 * also those that lead to nothing yet. NULL with errno set on failure. */
char *out_target(const char *path);

/* The name of that part, to be freed; NULL for what is written directly, or out of memory. */
char *out_part_name(const char *path);

/* Passes on what was written so far to all of `outs` (NULL entries are skipped). When a signal ends
 * the run, parts are cut to this, and stay; `note` is printed then. */
void out_keep(out_file **outs, size_t count, const char *note);

/* At least `bytes` (up to 4096) of room in the buffer, then how many of them were used. */
char *out_room(out_file *out, size_t bytes);
void out_used(out_file *out, const char *end);

void out_bytes(out_file *out, const void *bytes, size_t count);
void out_text(out_file *out, const char *text);
/* At most 4095 bytes at a time. */
void out_print(out_file *out, const char *format, ...) TOOL_PRINTF(2, 3);

/* Whether what was written first can be written again: a regular file that is not packed. */
bool out_can_begin_again(const out_file *out);

/* Writes the first bytes of such a file again, at most OUT_MOST_HEAD: with the next out_keep(), so
 * that a signal leaves them as they belong to what is kept, or with out_finish(). */
#define OUT_MOST_HEAD 128
void out_begin_again(out_file *out, const void *bytes, size_t count);

/* Nothing more will arrive anywhere: stdout was closed by its reader. */
bool out_is_closed(const out_file *out);

/* The reader of any output to stdout has closed it. */
bool out_reader_left(void);

/* The kept failure of writing so far: TOOL_GO_ON, or TOOL_OUTPUT after a message (given once). */
int out_check(out_file *out);

/* Completes all of `outs` (NULL entries are skipped): only when every one of them is on disk do the
 * files appear under their names. Frees them all. Returns TOOL_DONE or TOOL_OUTPUT after a message.
 */
int out_finish(out_file **outs, size_t count);

/* Returns "; written: A, B" with the files completed so far, or "". */
const char *out_written(void);

/* Gives the outputs up: old files stay as they were. Frees them all. */
void out_discard(out_file **outs, size_t count);

/* Removes unfinished files when a signal ends the process. */
void out_remove_on_signals(void);

/* Returns the reason for a failed write as text. `error`: a value of errno. */
const char *out_reason(int error);

/* Declares that results (not only messages) go to stderr, so that losing them is a failure. */
void out_expect_stderr(void);

/* Flushes stdout. Returns TOOL_OUTPUT if output was lost, unless its reader has closed the pipe. A
 * message precedes it, unless it is stderr that cannot be written. */
int out_close_stdio(void);

#endif
