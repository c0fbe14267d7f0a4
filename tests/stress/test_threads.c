/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads on one context, and contexts that are created and released at the same time. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/suite.h"
#include "testkit/cases/coordination/cases.h"
#include "testkit/cases/pixels/cases.h"
#include "references.h"

#define THREADS 8

typedef struct worker {
    pthread_t thread;
    const references *refs;
    mote_context *ctx; /* NULL: opens its own context for every few calls */
    size_t number, calls;
    bool good;
    char message[MESSAGE_SIZE];
} worker;

/* ---- what a thread does ---------------------------------------------------------------------- */

/* The sentence of a rejected call belongs to this thread. */
static bool refused(worker *w, const mix_user *user)
{
    mote_reduce_args args;
    char number[32];
    mote_reduce_args_init(&args);
    args.reduction = (mote_reduction)(1000 + w->number);
    args.values.type = MOTE_FLOAT32;
    mote_status status = mote_reduce(user->ctx, user->in_order, &args, 0, NULL, NULL);
    snprintf(number, sizeof(number), "%zu", 1000 + w->number);
    if (status == MOTE_ERROR_INVALID_ARGUMENT && strstr(mote_last_error(), number))
        return true;
    snprintf(w->message, MESSAGE_SIZE, "%s was expected to tell %s", mote_last_error(), number);
    return false;
}

/* Makes a call of the device API and compares it with its oracle. */
static bool on_device(worker *w, const mix_user *user, mote_rng *rng)
{
    cl_command_queue queue = mote_rng_below(rng, 2) ? user->in_order : user->any_order;
    if (mote_rng_below(rng, 2)) {
        mote_coordination_case c = mote_coordination_case_at(mote_rng_below(rng, 8));
        return !mote_coordination_case_fits(user->ctx, &c) ||
               mote_coordination_case_check(user->ctx, queue, &c, w->message, MESSAGE_SIZE);
    }
    const mote_pixels_case *c = mote_pixels_case_at(mote_rng_below(rng, 20));
    return mote_pixels_case_check(user->ctx, queue, c, MOTE_PIXELS_AUTO, MOTE_RUN_GATED, w->message,
                                  MESSAGE_SIZE);
}

static bool housekeeping(worker *w, const mix_user *user)
{
    mote_memory memory;
    mote_memory_init(&memory);
    mote_status status = mote_context_memory(user->ctx, &memory);
    if (!status)
        status = mote_context_trim(user->ctx);
    if (status)
        snprintf(w->message, MESSAGE_SIZE, "%s", mote_last_error());
    return !status;
}

static bool one_call(worker *w, mix_user *user, mote_rng *rng, void *room)
{
    uint32_t dice = mote_rng_below(rng, 100);
    if (dice < 2)
        return housekeeping(w, user);
    if (dice < 6)
        return refused(w, user);
    if (dice < 16)
        return on_device(w, user, rng);
    size_t k = mote_rng_below(rng, (uint32_t)w->refs->mix->count);
    return references_again(w->refs, k, user, room, w->message, MESSAGE_SIZE);
}

static bool some_calls(worker *w, mote_context *ctx, size_t calls, mote_rng *rng, void *room)
{
    mix_user user;
    bool good = mix_user_open(&user, ctx, w->message, MESSAGE_SIZE);
    for (size_t i = 0; i < calls && good; i++)
        good = one_call(w, &user, rng, room);
    if (good)
        mix_user_close(&user);
    return good;
}

static bool own_contexts(worker *w, mote_rng *rng, void *room)
{
    const size_t lives = w->calls / 10 + 1;
    bool good = true;
    for (size_t i = 0; i < lives && good; i++) {
        mote_context *ctx = NULL;
        good = mote_context_open(NULL, &ctx) == MOTE_SUCCESS;
        if (!good)
            snprintf(w->message, MESSAGE_SIZE, "%s", mote_last_error());
        good = good && some_calls(w, ctx, i % 4, rng, room);
        mote_context_release(ctx);
    }
    return good;
}

static void *work(void *argument)
{
    worker *w = argument;
    void *room = malloc(w->refs->largest);
    mote_rng rng;
    mote_rng_seed(&rng, w->number + 1);
    if (!room)
        snprintf(w->message, MESSAGE_SIZE, "no memory");
    else
        w->good =
            w->ctx ? some_calls(w, w->ctx, w->calls, &rng, room) : own_contexts(w, &rng, room);
    free(room);
    return NULL;
}

/* ---- callbacks that come and go -------------------------------------------------------------- */

static atomic_int over;
static atomic_size_t messages, launches;

static void on_message(mote_log_level level, const char *message, void *user)
{
    (void)level;
    (void)message;
    atomic_fetch_add((atomic_size_t *)user, 1);
}

static void on_launch(const mote_launch_record *record, void *user)
{
    (void)record;
    atomic_fetch_add((atomic_size_t *)user, 1);
}

static void *change_callbacks(void *argument)
{
    (void)argument;
    while (!atomic_load(&over)) {
        mote_log_set(MOTE_LOG_DEBUG, on_message, &messages);
        mote_launch_callback_set(on_launch, &launches);
        sched_yield();
        mote_launch_callback_set(NULL, NULL);
        mote_log_set(MOTE_LOG_NONE, on_message, &messages);
        sched_yield();
    }
    return NULL;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static references refs;
static bool complete;

static void run(mote_context *ctx, size_t calls)
{
    static worker workers[THREADS];
    ck_assert_msg(complete, "there is nothing to compare with");
    for (size_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){.refs = &refs, .ctx = ctx, .number = i, .calls = calls};
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_msg(workers[i].good, "thread %zu: %s", i, workers[i].message);
}

/* Reference results for the tests below. */
START_TEST(one_after_the_other)
{
    references_make(&refs, 0);
    ck_assert_uint_gt(refs.mix->count, 100);
    complete = true;
}
END_TEST

START_TEST(one_context)
{
    mote_context *ctx = open_context();
    mote_memory memory;
    run(ctx, count_from("MOTE_TEST_CALLS", 50));
    mote_memory_init(&memory);
    ck_assert_int_eq(mote_context_memory(ctx, &memory), MOTE_SUCCESS);
    ck_assert_uint_eq(memory.scratch_busy, 0);
    mote_context_release(ctx);
}
END_TEST

START_TEST(contexts_beside_each_other)
{
    run(NULL, count_from("MOTE_TEST_CALLS", 50));
}
END_TEST

START_TEST(callbacks)
{
    pthread_t changer;
    mote_context *ctx = open_context();
    atomic_store(&over, 0);
    ck_assert_int_eq(pthread_create(&changer, NULL, change_callbacks, NULL), 0);
    run(ctx, count_from("MOTE_TEST_CALLS", 50) / 4);
    atomic_store(&over, 1);
    pthread_join(changer, NULL);
    ck_assert_uint_gt(atomic_load(&launches), 0);
    mote_context_release(ctx);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(one_after_the_other),
    SUITE_TEST(one_context),
    SUITE_TEST(contexts_beside_each_other),
    SUITE_TEST(callbacks),
};

int main(void)
{
    int code = suite_run("threads", tests, sizeof(tests) / sizeof(tests[0]), NULL, NULL);
    if (refs.mix)
        references_free(&refs);
    return code;
}
