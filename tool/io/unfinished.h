/* SPDX-License-Identifier: Apache-2.0 */
/* Files that a signal must remove, or truncate to their complete part. */
#ifndef MOTE_TOOL_IO_UNFINISHED_H
#define MOTE_TOOL_IO_UNFINISHED_H

#include <stddef.h>

/* So many at a time. */
#define UNFINISHED_MOST 64

/* Makes a file beside `path` (its name goes to `temp`, which has room for 8 characters more than
 * path has) that a signal removes; returns its descriptor or -1 with errno set. */
int unfinished_make(const char *path, char *temp);

/* The same as PATH.part, whoever left one there before. */
int unfinished_make_part(const char *path, char *temp);

/* The length of a file that a signal keeps; length 0 removes the file. */
typedef struct unfinished_length {
    const char *temp;
    long long length;
} unfinished_length;

/* Makes signals wait, until unfinished_keep() lets them come again. */
void unfinished_hold(void);

/* From now on a signal cuts the files to these lengths and prints `note`, which is copied. */
void unfinished_keep(const unfinished_length *lengths, size_t count, const char *note);

/* Puts it under its final name, or removes it when `path` is NULL. Returns 0, or -1 with errno set.
 */
int unfinished_settle(const char *temp, const char *path);

/* Begins to watch for signals, before other threads are made: those must not get them. The calling
 * thread is the one that makes the files, and settles them at a signal. */
void unfinished_watch(void);

#endif
