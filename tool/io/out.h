/* SPDX-License-Identifier: Apache-2.0 */
/* Output files.
 *
 * A regular file is written in the same folder under another name and renamed when everything is
 * complete; FIFOs, devices and the standard streams are written directly. A file whose name ends in
 * .gz is packed by gzip. Writing never fails at
 * once: the first failure is kept and out_finish() reports it. If the reader of stdout has closed
 * it, further output is discarded silently. */
#ifndef MOTE_TOOL_IO_OUT_H
#define MOTE_TOOL_IO_OUT_H

#include "../tool.h"

typedef struct out_file out_file;

/* Opens an output; path NULL = stdout. Returns TOOL_DONE, or TOOL_OUTPUT after a message. */
int out_open(const char *path, out_file **out);

/* Opens an output, as out_open() does, but writes a regular file as PATH.part, which remains after
 * a signal (see out_keep()) unless it is packed. */
int out_open_part(const char *path, out_file **out);

/* Returns the name of the file that opening `path` would create or change, which the caller frees:
 * links are followed, including those whose target does not exist yet. Returns NULL with errno set
 * on failure. */
char *out_target(const char *path);

/* Returns the name of that part, which the caller frees, or NULL if the output is written directly
 * or memory is exhausted. */
char *out_part_name(const char *path);

/* Writes all buffered bytes of all of `outs` (NULL entries are skipped). When a signal ends the
 * run, parts are truncated to the present length and remain, and `note` is printed. */
void out_keep(out_file **outs, size_t count, const char *note);

/* Returns a place in the buffer with room for at least `bytes` (up to 4096); the second function
 * then passes how many were used. */
char *out_room(out_file *out, size_t bytes);
void out_used(out_file *out, const char *end);

void out_bytes(out_file *out, const void *bytes, size_t count);
void out_text(out_file *out, const char *text);
/* Prints at most 4095 bytes at a time. */
void out_print(out_file *out, const char *format, ...) TOOL_PRINTF(2, 3);

/* True if the first bytes can be written again, which is possible in a regular file that is not
 * packed. */
bool out_can_begin_again(const out_file *out);

/* Writes the first bytes of such a file again, at most OUT_MOST_HEAD: at the next out_keep(), so
 * that they match the kept part after a signal, or at out_finish(). */
#define OUT_MOST_HEAD 128
void out_begin_again(out_file *out, const void *bytes, size_t count);

/* True if no further output can arrive, because the reader of stdout has closed it. */
bool out_is_closed(const out_file *out);

/* True if the reader of any output to stdout has closed it. */
bool out_reader_left(void);

/* Checks for the first failure of writing: returns TOOL_GO_ON, or TOOL_OUTPUT after a message
 * (printed once). */
int out_check(out_file *out);

/* Completes all of `outs` (NULL entries are skipped): the files appear under their names only when
 * all of them are on disk. Frees them all. Returns TOOL_DONE, or TOOL_OUTPUT after a message.
 */
int out_finish(out_file **outs, size_t count);

/* Returns "; written: A, B" with the files completed so far, or "". */
const char *out_written(void);

/* Discards the outputs: existing files stay as they were. Frees them all. */
void out_discard(out_file **outs, size_t count);

/* Removes unfinished files when a signal ends the process. */
void out_remove_on_signals(void);

/* Returns the reason for a failed write as text. `error`: a value of errno. */
const char *out_reason(int error);

/* Declares that results (not only messages) are written to stderr, so that their loss is a
 * failure. */
void out_expect_stderr(void);

/* Flushes stdout. Returns TOOL_OUTPUT if output was lost, unless its reader has closed the pipe. A
 * message precedes it, unless stderr is the stream that cannot be written. */
int out_close_stdio(void);

#endif
