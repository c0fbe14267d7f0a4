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

/* The path of the directory, to be freed; NULL if programs are not stored. */
char *cache_directory(void);

/* Counts what is there, and removes it with `clear`; 0 or an errno. A missing directory is empty.
 */
int cache_look(const char *path, bool clear, cache_content *content);

#endif
