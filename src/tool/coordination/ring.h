/* SPDX-License-Identifier: Apache-2.0 */
/* A few batches of frames that go round: reading -> computing -> writing -> reading. */
#ifndef MOTE_TOOL_COORDINATION_RING_H
#define MOTE_TOOL_COORDINATION_RING_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mote/coordination.h"

#define RING_BATCHES 4

typedef struct coordination_batch {
    size_t frames;     /* filled so far */
    mote_pbc pbc;      /* the same for all of them */
    double *positions; /* the input: room for as many frames as a batch may have */
    double *box;
    double *time;
    uint64_t bytes; /* of the input read when it was handed over */
    double *value;  /* the results; NULL = not wanted */
    double *virial;
    double *derivatives;
    double *coordination;
} coordination_batch;

/* A batch passes from a stage to the next; the last one's go back to the first. */
typedef enum ring_stage { RING_READ, RING_COMPUTE, RING_WRITE, RING_STAGES } ring_stage;

typedef struct coordination_ring {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    coordination_batch batches[RING_BATCHES];
    size_t done[RING_STAGES]; /* batches that a stage is through with */
    bool ended[RING_STAGES];  /* nothing more will come from the stage */
    bool stopped;
} coordination_ring;

void ring_init(coordination_ring *ring);
void ring_free(coordination_ring *ring);

/* The next batch for a stage, waited for; NULL when none will come. */
coordination_batch *ring_next(coordination_ring *ring, ring_stage stage);

/* Passes the batch that ring_next() gave on. */
void ring_pass(coordination_ring *ring, ring_stage stage);

/* The stage gives nothing more. */
void ring_end(coordination_ring *ring, ring_stage stage);

/* Nobody gets a batch any more. */
void ring_stop(coordination_ring *ring);

#endif
