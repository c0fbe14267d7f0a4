/* SPDX-License-Identifier: Apache-2.0 */
/* Work that several workers share, and that comes out in the order in which it went in.
 *
 *     producer -> slots -> workers -> slots -> writer -> free slots -> producer
 *
 * Portions are numbered from 0 as the producer fills them; portion k lies in slot k % slots of
 * arrays that the caller has. Workers take the next portion whenever they are ready; the writer
 * gets each one back in order. Memory is bounded by the number of slots.
 *
 * A worker that fails says at which portion: the portions before it are still done and written,
 * nobody works on later ones. So the first failure in the order of the input is the one that ends
 * the run, whichever worker was faster.
 *
 * Threads: one producer, one writer, any number of workers; any thread may stop everything. */
#ifndef MOTE_TOOL_COMMON_PIPELINE_H
#define MOTE_TOOL_COMMON_PIPELINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct pipeline {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t slots;
    bool *done;                    /* by slot: the worker has finished */
    size_t filled, taken, written; /* portions so far */
    size_t end;                    /* portions from here on are neither processed nor written */
    bool ended;                    /* the producer has ended */
    bool stopped;
} pipeline;

/* At least 2 slots; with w workers 2 w + 2 keep everybody busy. False if memory ran out; then only
 * pipeline_free() may be called. */
bool pipeline_init(pipeline *p, size_t slots);
void pipeline_free(pipeline *p);

/* For the producer: waits for a free slot; returns false when no more portions are needed. Then
 * passes the portion on.
 */
bool pipeline_fill(pipeline *p, size_t *slot);
void pipeline_filled(pipeline *p);
void pipeline_end(pipeline *p);

/* For a worker: waits for the next portion; returns false when there is none for it. Then returns
 * it. */
bool pipeline_take(pipeline *p, size_t *portion);
void pipeline_done(pipeline *p, size_t portion);
void pipeline_fail(pipeline *p, size_t portion);

/* For the writer: waits for the next portion in order; returns false when none will come. Then
 * frees its slot.
 */
bool pipeline_collect(pipeline *p, size_t *slot);
void pipeline_collected(pipeline *p);

/* No portion is passed to any thread any more. */
void pipeline_stop(pipeline *p);

/* Returns the number of portions filled so far. */
size_t pipeline_count(pipeline *p);

#endif
