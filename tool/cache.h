/* SPDX-License-Identifier: Apache-2.0 */
/* The directory of built programs. */
#ifndef MOTE_TOOL_CACHE_H
#define MOTE_TOOL_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cache_content {
    size_t programs;
    uint64_t bytes;
} cache_content;

/* The message if cache_directory() returns NULL. */
#define TOOL_NO_CACHE                                                                              \
    "built programs are not kept: MOTE_CACHE is off, or none of MOTE_CACHE_DIR, XDG_CACHE_HOME "   \
    "and "                                                                                         \
    "HOME is set"

/* Returns the path of the directory, which the caller frees, or NULL if programs are not stored. */
char *cache_directory(void);

/* Counts the programs, and removes them if `clear` is set; returns 0 or an errno. A missing
 * directory counts as empty.
 */
int cache_look(const char *path, bool clear, cache_content *content);

#endif
