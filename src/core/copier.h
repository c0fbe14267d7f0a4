/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between arrays of the host by several threads: a single thread uses neither the full
 * bandwidth of the bus to a GPU nor that of the memory. */
#ifndef MOTE_CORE_COPIER_H
#define MOTE_CORE_COPIER_H

#include <stddef.h>

typedef struct mote_copier mote_copier;

/* Returns the largest number of copying threads, including the caller's: half of the cores that
 * this process may use, at most 8. */
size_t mote_copier_threads(void);

/* Starts threads - 1 threads, or as many as possible; they sleep until they are needed. Returns
 * NULL for 1 thread or if memory runs out; copies with NULL work, too. */
mote_copier *mote_copier_create(size_t threads);

/* Ends the threads. */
void mote_copier_release(mote_copier *copier);

/* Copies as memcpy() does. One call at a time for each copier. */
void mote_copier_copy(mote_copier *copier, void *to, const void *from, size_t bytes);

#endif
