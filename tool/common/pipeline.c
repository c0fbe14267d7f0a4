/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline.h"

#include <stdint.h>
#include <stdlib.h>

bool pipeline_init(pipeline *p, size_t slots)
{
    *p = (pipeline){.slots = slots, .end = SIZE_MAX};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    p->done = calloc(slots, sizeof(*p->done));
    return p->done != NULL;
}

void pipeline_free(pipeline *p)
{
    free(p->done);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
}

static void change(pipeline *p, size_t *count)
{
    pthread_mutex_lock(&p->lock);
    (*count)++;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

static void set(pipeline *p, bool *flag)
{
    pthread_mutex_lock(&p->lock);
    *flag = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

bool pipeline_fill(pipeline *p, size_t *slot)
{
    pthread_mutex_lock(&p->lock);
    while (!p->stopped && p->filled < p->end && p->filled - p->written == p->slots)
        pthread_cond_wait(&p->changed, &p->lock);
    bool wanted = !p->stopped && p->filled < p->end;
    *slot = p->filled % p->slots;
    pthread_mutex_unlock(&p->lock);
    return wanted;
}

void pipeline_filled(pipeline *p)
{
    change(p, &p->filled);
}

void pipeline_end(pipeline *p)
{
    set(p, &p->ended);
}

bool pipeline_take(pipeline *p, size_t *portion)
{
    pthread_mutex_lock(&p->lock);
    while (!p->stopped && !p->ended && p->taken < p->end && p->taken == p->filled)
        pthread_cond_wait(&p->changed, &p->lock);
    bool some = !p->stopped && p->taken < p->end && p->taken < p->filled;
    if (some) {
        *portion = p->taken++;
        p->done[*portion % p->slots] = false;
    }
    pthread_mutex_unlock(&p->lock);
    return some;
}

void pipeline_done(pipeline *p, size_t portion)
{
    set(p, &p->done[portion % p->slots]);
}

void pipeline_fail(pipeline *p, size_t portion)
{
    pthread_mutex_lock(&p->lock);
    if (portion < p->end)
        p->end = portion;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
}

/* The writer waits while the next portion is in progress, or may still come. */
static bool awaited(const pipeline *p)
{
    if (p->stopped || p->written >= p->end)
        return false;
    if (p->written < p->taken)
        return !p->done[p->written % p->slots];
    return p->written < p->filled || !p->ended;
}

bool pipeline_collect(pipeline *p, size_t *slot)
{
    pthread_mutex_lock(&p->lock);
    while (awaited(p))
        pthread_cond_wait(&p->changed, &p->lock);
    bool some = !p->stopped && p->written < p->end && p->written < p->taken;
    *slot = p->written % p->slots;
    pthread_mutex_unlock(&p->lock);
    return some;
}

void pipeline_collected(pipeline *p)
{
    change(p, &p->written);
}

void pipeline_stop(pipeline *p)
{
    set(p, &p->stopped);
}

size_t pipeline_count(pipeline *p)
{
    pthread_mutex_lock(&p->lock);
    size_t count = p->filled;
    pthread_mutex_unlock(&p->lock);
    return count;
}
