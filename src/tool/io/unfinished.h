/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files that a signal must remove. */
#ifndef MOTE_TOOL_IO_UNFINISHED_H
#define MOTE_TOOL_IO_UNFINISHED_H

/* Makes a file beside `path` (its name goes to `temp`, which has room for 8 characters more than
 * path has) that a signal removes; returns its descriptor or -1 with errno set. */
int unfinished_make(const char *path, char *temp);

/* Puts it under its final name, or removes it when `path` is NULL. Returns 0, or -1 with errno set.
 */
int unfinished_settle(const char *temp, const char *path);

/* Installs the handlers. */
void unfinished_watch(void);

#endif
