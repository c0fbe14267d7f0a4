/* SPDX-License-Identifier: Apache-2.0 */
/* A separate program cache for a test, and its files. */
#ifndef TESTS_CORE_CACHE_BED_H
#define TESTS_CORE_CACHE_BED_H

#include <stddef.h>

#include "core/cache.h"
#include "temporary.h"

/* The folder in which the cache creates its own, called "cache". */
extern char bed_root[TEMPORARY_ROOM];

void bed_open(void);
void bed_close(void);

/* Returns the path of a name in the folder; overwritten by the next call. */
const char *bed_path(const char *name);

/* Returns the path of the cache's only entry, as bed_path(). */
const char *bed_entry(void);

void bed_store(const char *key, const char *text);

/* Returns 1 if the key gives this text, 0 if there is no entry; any other result fails the test. */
int bed_loads(const char *key, const char *text);

/* Read and write a whole file. The caller frees the returned data. */
unsigned char *bed_read(const char *path, size_t *length);
void bed_write(const char *path, const unsigned char *data, size_t length);

#endif
