/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of the program cache, and the limit of its size. */
#ifndef MOTE_CORE_CACHE_DIR_H
#define MOTE_CORE_CACHE_DIR_H

#include <stdbool.h>
#include <stddef.h>

/* All entries together. */
#define MOTE_CACHE_LIMIT ((size_t)64 << 20)

/* Opens the directory, and creates it if it is missing; -1 if the cache is off, or if anyone else
 * can write to the directory. */
int mote_cache_dir_open(void);

/* Opens directory k of those that MOTE_CACHE_DIR names after the first one, which are only read;
 * *dir is -1 if it cannot be used. Returns false after the last one. */
bool mote_cache_dir_open_shared(size_t k, int *dir);

/* Removes the least recently used entries until the directory is within its limit, and unfinished
 * entries that are old. Files that are not the library's own are kept. */
void mote_cache_dir_trim(int dir);

#endif
