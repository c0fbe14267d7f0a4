/* SPDX-License-Identifier: Apache-2.0 */
/* Changes the tune file for `mote tune`: the section of one device is replaced, everything else
 * stays as it was. */
#ifndef MOTE_TOOL_TUNE_FILE_H
#define MOTE_TOOL_TUNE_FILE_H

#include "../io/out.h"

/* Reads the file, which need not exist, into *text, which the caller frees. Returns TOOL_DONE, or
 * prints a message and returns an exit code. */
int tune_file_read(const char *path, char **text);

/* Writes `text` without the device's sections, then a section with `values` ("key=value,..."). */
void tune_file_write(out_file *out, const char *text, const mote_device_info *device,
                     const char *values);

/* Creates the folders above a file; an error shows when the file is opened. */
void tune_file_folders(const char *path);

/* Prevents other runs from reading and writing the file until it is unlocked: the lock is on its
 * folder, because the file itself is replaced. If the folder cannot be locked, the run continues
 * without a lock, because runs rarely end at the same time. Returns false if another run has held
 * the lock for ten seconds. */
bool tune_file_lock(const char *path, int *lock);
void tune_file_unlock(int lock);

#endif
