/* SPDX-License-Identifier: Apache-2.0 */
/* Portions leave the tool's pipeline in order, complete up to the first failure, and no thread
 * waits forever. */
#include "common/suite.h"

#include "tool/common/pipeline.h"

#include <sched.h>
#include <stdint.h>

#define MOST_WORKERS 8
#define NONE         SIZE_MAX

typedef struct trial {
    pipeline p;
    size_t n_workers, portions;
    size_t bad[2];            /* portions that fail; NONE */
    size_t stop_after;        /* portions written; NONE */
    size_t dead;              /* this worker fails before it takes a portion; NONE */
    size_t *input, *result;   /* by slot */
    size_t written, produced; /* in the end */
    size_t failed[MOST_WORKERS];
} trial;

typedef struct crew_member {
    trial *t;
    size_t index;
    pthread_t thread;
} crew_member;

/* Lets other threads run, sometimes for long. */
static void linger(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    for (unsigned k = (*seed >> 29) * (*seed >> 29); k; k--)
        sched_yield();
}

static void *produce(void *user)
{
    trial *t = user;
    unsigned seed = 1;
    size_t slot;
    while (t->produced < t->portions && pipeline_fill(&t->p, &slot)) {
        t->input[slot] = t->produced++;
        linger(&seed);
        pipeline_filled(&t->p);
    }
    pipeline_end(&t->p);
    return NULL;
}

static void *work(void *user)
{
    crew_member *member = user;
    trial *t = member->t;
    unsigned seed = (unsigned)member->index + 2;
    size_t portion = 0;
    bool good = member->index != t->dead;
    while (good && pipeline_take(&t->p, &portion)) {
        size_t slot = portion % t->p.slots;
        linger(&seed);
        good = t->input[slot] == portion && portion != t->bad[0] && portion != t->bad[1];
        t->result[slot] = portion * portion;
        if (good)
            pipeline_done(&t->p, portion);
    }
    t->failed[member->index] = good ? NONE : portion;
    if (!good)
        pipeline_fail(&t->p, portion);
    return NULL;
}

static void collect(trial *t)
{
    unsigned seed = 99;
    size_t slot;
    while (t->written != t->stop_after && pipeline_collect(&t->p, &slot)) {
        ck_assert_uint_eq(t->input[slot], t->written);
        ck_assert_uint_eq(t->result[slot], t->written * t->written);
        linger(&seed);
        t->written++;
        pipeline_collected(&t->p);
    }
}

static void run(trial *t, size_t slots)
{
    pthread_t producer;
    crew_member crew[MOST_WORKERS];
    ck_assert(pipeline_init(&t->p, slots));
    t->input = calloc(slots, sizeof(*t->input));
    t->result = calloc(slots, sizeof(*t->result));
    ck_assert(t->input && t->result);
    ck_assert_int_eq(pthread_create(&producer, NULL, produce, t), 0);
    for (size_t i = 0; i < t->n_workers; i++) {
        crew[i] = (crew_member){.t = t, .index = i};
        ck_assert_int_eq(pthread_create(&crew[i].thread, NULL, work, &crew[i]), 0);
    }
    collect(t);
    pipeline_stop(&t->p);
    pthread_join(producer, NULL);
    for (size_t i = 0; i < t->n_workers; i++)
        pthread_join(crew[i].thread, NULL);
    ck_assert_uint_eq(pipeline_count(&t->p), t->produced);
    ck_assert_uint_le(t->produced, t->written + slots);
    free(t->input);
    free(t->result);
    pipeline_free(&t->p);
}

static trial fresh(size_t n_workers, size_t portions)
{
    return (trial){.n_workers = n_workers,
                   .portions = portions,
                   .bad = {NONE, NONE},
                   .stop_after = NONE,
                   .dead = NONE};
}

START_TEST(everything_in_order)
{
    static const size_t portions[] = {0, 1, 2, 7, 600};
    for (size_t workers = 1; workers <= MOST_WORKERS; workers *= 2)
        for (size_t k = 0; k < sizeof(portions) / sizeof(portions[0]); k++)
            for (size_t slots = 2; slots <= 2 * workers + 2; slots += workers) {
                trial t = fresh(workers, portions[k]);
                run(&t, slots);
                ck_assert_uint_eq(t.written, portions[k]);
            }
}
END_TEST

/* Two portions fail, possibly the later one first: the earlier one ends the run. */
START_TEST(first_failure_in_order)
{
    for (size_t turn = 0; turn < 40; turn++) {
        trial t = fresh(4, 400);
        t.bad[0] = 100 + turn % 3;
        t.bad[1] = t.bad[0] + turn % 5;
        run(&t, 10);
        ck_assert_uint_eq(t.written, t.bad[0]);
        size_t first = NONE;
        for (size_t i = 0; i < t.n_workers; i++)
            first = t.failed[i] < first ? t.failed[i] : first;
        ck_assert_uint_eq(first, t.bad[0]);
        ck_assert_uint_lt(t.produced, 400);
    }
}
END_TEST

START_TEST(failure_before_all)
{
    for (size_t turn = 0; turn < 20; turn++) {
        trial t = fresh(3, 1000);
        t.dead = turn % 3;
        run(&t, 8);
        ck_assert_uint_eq(t.failed[t.dead], 0);
    }
}
END_TEST

START_TEST(stopped_by_the_writer)
{
    for (size_t turn = 0; turn < 40; turn++) {
        trial t = fresh(1 + turn % MOST_WORKERS, 500);
        t.stop_after = turn;
        run(&t, 2 + turn % 7);
        ck_assert_uint_eq(t.written, turn);
    }
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(everything_in_order),
    SUITE_TEST(first_failure_in_order),
    SUITE_TEST(failure_before_all),
    SUITE_TEST(stopped_by_the_writer),
};

SUITE_MAIN("pipeline", tests)
