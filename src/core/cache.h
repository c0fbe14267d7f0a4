/* SPDX-License-Identifier: Apache-2.0 */
/* Built programs on disk. Every function is best effort: a problem is logged, never an error. */
#ifndef MOTE_CORE_CACHE_H
#define MOTE_CORE_CACHE_H

#include <stddef.h>

/* Finds the payload stored under `key` (readable text, compared byte for byte); its checksum is
 * verified before it is returned. The caller frees *payload. Returns 1 when found, else 0. */
int mote_cache_load(const char *key, unsigned char **payload, size_t *length);

/* Returns whether there is a directory to store programs in. */
int mote_cache_is_on(void);

/* Returns whether MOTE_CACHE is `on`: mote then stores programs even if the driver has a cache of
 * its own. */
int mote_cache_is_demanded(void);

/* Stores a payload atomically and keeps the directory below its limit. */
void mote_cache_store(const char *key, const unsigned char *payload, size_t length);

/* Removes the entry of a key, after a driver refused it. */
void mote_cache_drop(const char *key);

#endif
