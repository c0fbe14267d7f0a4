/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of the program cache, and keeping it small. */
#ifndef MOTE_CORE_CACHE_DIR_H
#define MOTE_CORE_CACHE_DIR_H

#include <stdbool.h>
#include <stddef.h>

/* All entries together. */
#define MOTE_CACHE_LIMIT ((size_t)64 << 20)

/* Opens the directory, made when it is missing; -1 when the cache is off or the directory is not
 * one that only we can write to. */
int mote_cache_dir_open(void);

/* Opens directory k of those that MOTE_CACHE_DIR names behind the first, which are only read; *dir
 * is -1 when it cannot be used. Returns false behind the last. */
bool mote_cache_dir_open_shared(size_t k, int *dir);

/* Removes the least recently used entries until the directory is within its limit, and unfinished
 * entries that are old. Files that are not the library's own stay. */
void mote_cache_dir_trim(int dir);

#endif
