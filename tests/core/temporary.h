/* SPDX-License-Identifier: Apache-2.0 */
/* A folder that a test may fill and that is gone afterwards. */
#ifndef TESTS_CORE_TEMPORARY_H
#define TESTS_CORE_TEMPORARY_H

#include <stddef.h>

#define TEMPORARY_ROOM 512

/* Makes an empty folder and writes its path. */
void temporary_make(char path[TEMPORARY_ROOM]);

/* Removes a folder with everything in it. */
void temporary_remove(const char *path);

/* The names in a folder, without "." and ".."; the n-th one goes to `name` when it is not NULL. */
size_t temporary_count(const char *path, size_t n, char *name, size_t room);

#endif
