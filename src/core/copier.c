/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "core/copier.h"
#include "core/size.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_THREADS ((size_t)8)
#define PIECE        ((size_t)32 * 1024)
#define EACH         ((size_t)128 * 1024) /* for fewer bytes, another thread is not worthwhile */
#define TURNS        20000                /* polls for the next copy before a thread sleeps */
#define ROUND        16u                  /* more than the number of helping threads */

typedef struct helper {
    mote_copier *copier;
    size_t number;
    pthread_t thread;
} helper;

/* The lock guards the fields up to `stop`; pieces of the copy are assigned by counting `next`. A
 * helper is `busy` from the time it notices a copy that needs it until no piece is left.
 */
struct mote_copier {
    pthread_mutex_t lock;
    pthread_cond_t wake, rest;
    char *to;
    const char *from;
    size_t bytes;
    size_t busy, asleep;
    bool stop;
    atomic_size_t next;
    atomic_uint round; /* number of the copy times ROUND, plus how many helpers it wants */
    size_t count;
    helper helpers[MOST_THREADS];
};

size_t mote_copier_threads(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        cores = CPU_COUNT(&set);
#endif
    return clamp(cores > 0 ? (size_t)cores / 2 : 1, 1, MOST_THREADS);
}

static void copy_pieces(mote_copier *c, char *to, const char *from, size_t bytes)
{
    size_t pieces = div_ceil(bytes, PIECE);
    for (size_t k = atomic_fetch_add(&c->next, 1); k < pieces; k = atomic_fetch_add(&c->next, 1))
        memcpy(to + k * PIECE, from + k * PIECE, min_size(PIECE, bytes - k * PIECE));
}

/* Copies follow each other closely, so a thread polls for the next one before it sleeps. */
static void look(mote_copier *c, unsigned seen)
{
    for (int turn = 0; turn < TURNS && atomic_load(&c->round) == seen; turn++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
}

static bool is_wanted(const helper *h, unsigned round)
{
    return h->number < round % ROUND;
}

static void *work(void *self)
{
    const helper *h = self;
    mote_copier *c = h->copier;
    unsigned seen = 0;
    for (;;) {
        look(c, seen);
        unsigned round = atomic_load(&c->round);
        if (round != seen && !is_wanted(h, round)) {
            seen = round;
            continue;
        }
        pthread_mutex_lock(&c->lock);
        c->asleep++;
        while (!c->stop && atomic_load(&c->round) == seen)
            pthread_cond_wait(&c->wake, &c->lock);
        c->asleep--;
        seen = atomic_load(&c->round);
        char *to = c->to;
        const char *from = c->from;
        size_t bytes = c->bytes;
        bool stop = c->stop, wanted = is_wanted(h, seen);
        c->busy += wanted;
        pthread_mutex_unlock(&c->lock);
        if (!wanted)
            continue;
        if (!stop && bytes > 0)
            copy_pieces(c, to, from, bytes);
        pthread_mutex_lock(&c->lock);
        c->busy--;
        if (c->busy == 0)
            pthread_cond_signal(&c->rest);
        pthread_mutex_unlock(&c->lock);
        if (stop)
            return NULL;
    }
}

static bool start(mote_copier *c, size_t threads)
{
    if (pthread_mutex_init(&c->lock, NULL))
        return false;
    if (pthread_cond_init(&c->wake, NULL)) {
        pthread_mutex_destroy(&c->lock);
        return false;
    }
    if (pthread_cond_init(&c->rest, NULL)) {
        pthread_cond_destroy(&c->wake);
        pthread_mutex_destroy(&c->lock);
        return false;
    }
    /* Signals are delivered to the program's own threads only. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (bool made = true; made && c->count + 1 < threads; c->count += made) {
        helper *h = &c->helpers[c->count];
        *h = (helper){.copier = c, .number = c->count};
        made = pthread_create(&h->thread, NULL, work, h) == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return true;
}

mote_copier *mote_copier_create(size_t threads)
{
    mote_copier *c = threads > 1 ? calloc(1, sizeof(*c)) : NULL;
    if (c && !start(c, min_size(threads, MOST_THREADS))) {
        free(c);
        c = NULL;
    }
    return c;
}

static void begin_round(mote_copier *c, size_t helpers)
{
    unsigned before = atomic_load(&c->round);
    atomic_store(&c->round, before - before % ROUND + ROUND + (unsigned)helpers);
}

void mote_copier_release(mote_copier *copier)
{
    if (!copier)
        return;
    pthread_mutex_lock(&copier->lock);
    copier->stop = true;
    begin_round(copier, copier->count);
    pthread_cond_broadcast(&copier->wake);
    pthread_mutex_unlock(&copier->lock);
    for (size_t k = 0; k < copier->count; k++)
        pthread_join(copier->helpers[k].thread, NULL);
    pthread_cond_destroy(&copier->rest);
    pthread_cond_destroy(&copier->wake);
    pthread_mutex_destroy(&copier->lock);
    free(copier);
}

void mote_copier_copy(mote_copier *copier, void *to, const void *from, size_t bytes)
{
    size_t helpers = copier ? min_size(bytes / EACH, copier->count) : 0;
    if (helpers == 0) {
        memcpy(to, from, bytes);
        return;
    }
    pthread_mutex_lock(&copier->lock);
    copier->to = to;
    copier->from = from;
    copier->bytes = bytes;
    atomic_store(&copier->next, 0);
    begin_round(copier, helpers);
    if (copier->asleep > 0)
        pthread_cond_broadcast(&copier->wake);
    pthread_mutex_unlock(&copier->lock);
    copy_pieces(copier, to, from, bytes);
    /* A thread that wakes up later must take no piece, because it would belong to the next copy. */
    pthread_mutex_lock(&copier->lock);
    copier->bytes = 0;
    while (copier->busy > 0)
        pthread_cond_wait(&copier->rest, &copier->lock);
    pthread_mutex_unlock(&copier->lock);
}
