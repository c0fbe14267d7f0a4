/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a signal must remove, or truncate to their complete part. */
#ifndef MOTE_TOOL_IO_UNFINISHED_H
#define MOTE_TOOL_IO_UNFINISHED_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* The largest number of unfinished files at a time. */
#define UNFINISHED_MOST 64

/* Creates a file beside `path` that a signal removes, and writes its name to `temp`, which has room
 * for 8 characters more than path has; returns its descriptor, or -1 with errno set. */
int unfinished_make(const char *path, char *temp);

/* Creates PATH.part, as unfinished_make() creates its file, and replaces an existing file of that
 * name. */
int unfinished_make_part(const char *path, char *temp);

/* The length of a file that a signal keeps; length 0 removes the file. */
typedef struct unfinished_length {
    const char *temp;
    long long length;
} unfinished_length;

/* Holds signals until unfinished_keep() releases them. */
void unfinished_hold(void);

/* Returns whether a signal that ends the run has arrived and is held. */
bool unfinished_is_due(void);

/* Returns the signals that were blocked when the command began. A new process begins with the same
 * signals blocked. */
const sigset_t *unfinished_usual_signals(void);

/* From this call on, a signal truncates the files to these lengths and prints `note`, which is
 * copied. */
void unfinished_keep(const unfinished_length *lengths, size_t count, const char *note);

/* Renames the file to its final name, or removes it if `path` is NULL. Returns 0, or -1 with errno
 * set.
 */
int unfinished_settle(const char *temp, const char *path);

/* Begins to watch for signals; call it before other threads are created, because they must not
 * receive signals. The calling thread creates the files, and settles them at a signal. */
void unfinished_watch(void);

#endif
