/* SPDX-License-Identifier: Apache-2.0 */
#include "ring.h"

#include <stdlib.h>

void ring_init(coordination_ring *ring)
{
    *ring = (coordination_ring){.stopped = false};
    pthread_mutex_init(&ring->lock, NULL);
    pthread_cond_init(&ring->changed, NULL);
}

void ring_free(coordination_ring *ring)
{
    for (int i = 0; i < RING_BATCHES; i++) {
        coordination_batch *batch = &ring->batches[i];
        double *const arrays[] = {batch->positions,   batch->box,    batch->time,
                                  batch->value,       batch->virial, batch->derivatives,
                                  batch->coordination};
        for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++)
            free(arrays[k]);
    }
    pthread_mutex_destroy(&ring->lock);
    pthread_cond_destroy(&ring->changed);
}

/* Batches that wait for a stage: those the stage before it is through with, or all that are not on
 * their way. */
static size_t waiting(const coordination_ring *ring, ring_stage stage)
{
    if (stage == RING_READ)
        return RING_BATCHES + ring->done[RING_WRITE] - ring->done[RING_READ];
    return ring->done[stage - 1] - ring->done[stage];
}

coordination_batch *ring_next(coordination_ring *ring, ring_stage stage)
{
    ring_stage before = stage == RING_READ ? RING_WRITE : (ring_stage)(stage - 1);
    pthread_mutex_lock(&ring->lock);
    while (!ring->stopped && waiting(ring, stage) == 0 && !ring->ended[before])
        pthread_cond_wait(&ring->changed, &ring->lock);
    bool some = !ring->stopped && waiting(ring, stage) > 0;
    coordination_batch *batch = &ring->batches[ring->done[stage] % RING_BATCHES];
    pthread_mutex_unlock(&ring->lock);
    return some ? batch : NULL;
}

void ring_pass(coordination_ring *ring, ring_stage stage)
{
    pthread_mutex_lock(&ring->lock);
    ring->done[stage]++;
    pthread_cond_broadcast(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
}

void ring_end(coordination_ring *ring, ring_stage stage)
{
    pthread_mutex_lock(&ring->lock);
    ring->ended[stage] = true;
    pthread_cond_broadcast(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
}

void ring_stop(coordination_ring *ring)
{
    pthread_mutex_lock(&ring->lock);
    ring->stopped = true;
    pthread_cond_broadcast(&ring->changed);
    pthread_mutex_unlock(&ring->lock);
}
