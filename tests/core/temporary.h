/* SPDX-License-Identifier: Apache-2.0 */
/* A folder that a test may fill and that is removed afterwards. */
#ifndef TESTS_CORE_TEMPORARY_H
#define TESTS_CORE_TEMPORARY_H

#include <stddef.h>

#define TEMPORARY_ROOM 512

/* Creates an empty folder and writes its path. */
void temporary_make(char path[TEMPORARY_ROOM]);

/* Removes a folder with all its contents. */
void temporary_remove(const char *path);

/* Counts the names in a folder, without "." and ".."; the n-th one is stored in `name` if that is
 * not NULL. */
size_t temporary_count(const char *path, size_t n, char *name, size_t room);

#endif
