/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between arrays of the host by several threads: one alone fills neither the bus to a GPU
 * nor the memory's own bandwidth. */
#ifndef MOTE_CORE_COPIER_H
#define MOTE_CORE_COPIER_H

#include <stddef.h>

typedef struct mote_copier mote_copier;

/* Threads that may copy at once, the caller's among them: half of the cores that this process may
 * run on, at most 8. */
size_t mote_copier_threads(void);

/* Starts threads - 1 threads, or as many of them as there can be; they sleep until they are needed.
 * NULL, which copies too, when there is none: for 1, or when memory runs out. */
mote_copier *mote_copier_create(size_t threads);

/* Ends the threads. */
void mote_copier_release(mote_copier *copier);

/* As memcpy(). One call at a time for each copier. */
void mote_copier_copy(mote_copier *copier, void *to, const void *from, size_t bytes);

#endif
