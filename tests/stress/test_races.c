/* SPDX-License-Identifier: Apache-2.0 */
/* All state that threads share in the library, used by eight threads at once, under
 * ThreadSanitizer, which ends the program with another status if it has detected a race. Results
 * are not compared, because nothing is computed. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/rng.h"
#include "common/suite.h"
#include "core/temporary.h"
#include "idle_opencl.h"
#include "mote/mote.h"

#define THREADS  8
#define TURNS    150
#define VALUES   ((size_t)70000) /* in pinned memory, copied by several threads */
#define SENTENCE 400

typedef struct worker {
    pthread_t thread;
    size_t number;
    mote_context *ctx;
    cl_command_queue in_order, any_order;
    mote_host *host;
    float *values;
    mote_rng rng;
    bool good;
    char message[SENTENCE];
} worker;

static pthread_barrier_t together;
static char folder[TEMPORARY_ROOM];

/* Some builds fail, which is part of the test. */
static bool fine(worker *w, const char *what, mote_status status)
{
    if (status == MOTE_SUCCESS ||
        (status == MOTE_ERROR_BUILD && strstr(mote_last_error(), "a log")))
        return true;
    snprintf(w->message, SENTENCE, "%s: %s", what, mote_last_error());
    return false;
}

/* ---- what a thread does ---------------------------------------------------------------------- */

static mote_status sum(const worker *w, size_t kind)
{
    static const mote_type types[] = {MOTE_FLOAT32, MOTE_INT32, MOTE_INT64, MOTE_UINT16};
    const mote_type type = types[kind % 4];
    mote_reduce_args args;
    mote_reduce_args_init(&args);
    cl_int code;
    size_t n = 1 + 5000 * (kind % 7);
    cl_command_queue queue = kind % 3 ? w->in_order : w->any_order;
    cl_mem mem = clCreateBuffer(mote_context_cl(w->ctx), CL_MEM_READ_WRITE,
                                (n + 1) * mote_type_size(type), NULL, &code);
    cl_mem to = clCreateBuffer(mote_context_cl(w->ctx), CL_MEM_READ_WRITE, 8, NULL, &code);
    cl_event event = NULL;
    args.values = mote_view_make(mem, n, type);
    args.reduction = kind % 5 ? MOTE_REDUCE_SUM : MOTE_REDUCE_MAX;
    args.result = mote_view_make(to, 1,
                                 args.reduction == MOTE_REDUCE_MAX ? type
                                 : type == MOTE_FLOAT32            ? MOTE_FLOAT64
                                 : type == MOTE_UINT16             ? MOTE_UINT64
                                                                   : MOTE_INT64);
    mote_status status = mote_reduce(w->ctx, queue, &args, 0, NULL, kind % 2 ? &event : NULL);
    if (event)
        clReleaseEvent(event);
    clReleaseMemObject(mem);
    clReleaseMemObject(to);
    return status;
}

/* Plain memory and memory that mote has pinned are copied differently. */
static mote_status host_sum(const worker *w, bool pinned)
{
    double result;
    void *memory = NULL;
    mote_reduce_host_args args;
    mote_reduce_host_args_init(&args);
    mote_status status =
        pinned ? mote_host_alloc(w->ctx, VALUES * sizeof(float), &memory) : MOTE_SUCCESS;
    args.values = pinned ? memory : w->values;
    args.type = MOTE_FLOAT32, args.n = VALUES;
    args.result = &result, args.result_type = MOTE_FLOAT64;
    if (!status)
        status = mote_reduce_host(w->ctx, w->host, &args);
    mote_host_free(w->ctx, memory);
    return status;
}

static mote_status buffers(const worker *w, size_t kind)
{
    mote_buffer *buffer = NULL;
    size_t n = 100 + 1000 * (kind % 9);
    mote_status status = mote_buffer_create(w->ctx, MOTE_FLOAT32, n, CL_MEM_READ_WRITE, &buffer);
    if (!status)
        status = mote_buffer_write(buffer, 0, n, w->values, kind % 2 ? MOTE_INT32 : MOTE_FLOAT32, 0,
                                   w->in_order, 0, NULL, NULL);
    if (!status || status == MOTE_ERROR_BUILD)
        status = mote_buffer_resize(buffer, 2 * n, 1, w->in_order, 0, NULL, NULL);
    mote_buffer_release(buffer);
    return status;
}

static mote_status housekeeping(const worker *w, size_t kind)
{
    mote_memory memory;
    mote_tuning tuning;
    mote_memory_init(&memory);
    mote_tuning_init(&tuning);
    mote_status status = mote_context_memory(w->ctx, &memory);
    if (!status)
        status = mote_context_tuning(w->ctx, kind % 40, &tuning);
    return status || kind % 4 ? status : mote_context_trim(w->ctx);
}

/* Each thread has its own last sentence. */
static bool refused(worker *w)
{
    char number[32];
    mote_reduce_args args;
    mote_reduce_args_init(&args);
    args.reduction = (mote_reduction)(1000 + w->number);
    args.values.type = MOTE_FLOAT32;
    mote_status status = mote_reduce(w->ctx, w->in_order, &args, 0, NULL, NULL);
    snprintf(number, sizeof(number), "%zu", 1000 + w->number);
    if (status == MOTE_ERROR_INVALID_ARGUMENT && strstr(mote_last_error(), number))
        return true;
    snprintf(w->message, SENTENCE, "%s does not tell %s", mote_last_error(), number);
    return false;
}

static bool one_turn(worker *w, uint32_t dice, uint32_t kind)
{
    if (dice < 50)
        return fine(w, "a sum", sum(w, kind));
    if (dice < 65)
        return fine(w, "a sum of host memory", host_sum(w, kind % 2));
    if (dice < 80)
        return fine(w, "a buffer", buffers(w, kind));
    return dice < 95 ? fine(w, "housekeeping", housekeeping(w, kind)) : refused(w);
}

static bool begin(worker *w)
{
    mote_rng_seed(&w->rng, w->number + 1);
    w->values = calloc(VALUES, sizeof(*w->values));
    return w->values && fine(w, "a queue", mote_context_queue(w->ctx, 0, &w->in_order)) &&
           fine(
               w, "a queue",
               mote_context_queue(w->ctx, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &w->any_order)) &&
           fine(w, "a host", mote_host_create(w->ctx, NULL, &w->host));
}

static void end(const worker *w)
{
    mote_host_release(w->host);
    clReleaseCommandQueue(w->in_order);
    clReleaseCommandQueue(w->any_order);
    free(w->values);
}

/* All threads make the same call first: one builds, the others wait, and some receive its
 * failure. */
static void *share_one(void *argument)
{
    worker *w = argument;
    w->good = begin(w);
    for (uint32_t turn = 0; turn < TURNS && w->good; turn++) {
        bool same = turn < 20;
        if (same)
            pthread_barrier_wait(&together);
        w->good = same ? fine(w, "a sum of all", sum(w, turn))
                       : one_turn(w, mote_rng_below(&w->rng, 100), mote_rng_below(&w->rng, 1000));
    }
    end(w);
    return NULL;
}

/* Contexts of each thread, which read the tune file and the cache. */
static void *own_contexts(void *argument)
{
    worker *w = argument;
    w->good = true;
    for (uint32_t life = 0; life < 12 && w->good; life++) {
        w->good = fine(w, "a context", mote_context_open(NULL, &w->ctx)) && begin(w);
        for (uint32_t turn = 0; turn < 4 && w->good; turn++)
            w->good = one_turn(w, mote_rng_below(&w->rng, 100), turn);
        if (w->good)
            w->good = fine(w, "tuning", mote_context_tune(w->ctx, "reduce.sum_group=128")) &&
                      fine(w, "a sum", sum(w, life));
        end(w);
        mote_context_release(w->ctx);
    }
    return NULL;
}

/* ---- callbacks that come and go -------------------------------------------------------------- */

static atomic_int over;
static atomic_size_t heard;

static void count(void *user)
{
    atomic_fetch_add_explicit((atomic_size_t *)user, 1, memory_order_relaxed);
}

static void on_message(mote_log_level level, const char *message, void *user)
{
    (void)level;
    (void)message;
    count(user);
}

static void on_launch(const mote_launch_record *record, void *user)
{
    (void)record;
    count(user);
}

static void on_build(const mote_build_record *record, void *user)
{
    (void)record;
    count(user);
}

static void *change_callbacks(void *argument)
{
    (void)argument;
    while (!atomic_load_explicit(&over, memory_order_relaxed)) {
        mote_log_set(MOTE_LOG_DEBUG, on_message, &heard);
        mote_launch_callback_set(on_launch, &heard);
        mote_build_callback_set(on_build, &heard);
        sched_yield();
        mote_launch_callback_set(NULL, NULL);
        mote_build_callback_set(NULL, NULL);
        mote_log_set(MOTE_LOG_NONE, on_message, &heard);
    }
    return NULL;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void run(void *(*work)(void *), mote_context *ctx)
{
    static worker workers[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        workers[i] = (worker){.ctx = ctx, .number = i};
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(workers[i].thread, NULL);
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_msg(workers[i].good, "thread %zu: %s", i, workers[i].message);
}

START_TEST(one_context)
{
    mote_context *ctx = NULL;
    mote_memory memory;
    mote_memory_init(&memory);
    ck_assert_int_eq(mote_context_open(NULL, &ctx), MOTE_SUCCESS);
    ck_assert_int_eq(pthread_barrier_init(&together, NULL, THREADS), 0);
    run(share_one, ctx);
    pthread_barrier_destroy(&together);
    ck_assert_int_eq(mote_context_memory(ctx, &memory), MOTE_SUCCESS);
    ck_assert_uint_gt(memory.scratch_peak, 0);
    ck_assert_uint_gt(idle_builds(), 10);
    mote_context_release(ctx);
}
END_TEST

START_TEST(contexts_beside_each_other)
{
    run(own_contexts, NULL);
}
END_TEST

START_TEST(callbacks)
{
    pthread_t changer;
    mote_context *ctx = NULL;
    ck_assert_int_eq(mote_context_open(NULL, &ctx), MOTE_SUCCESS);
    ck_assert_int_eq(pthread_barrier_init(&together, NULL, THREADS), 0);
    ck_assert_int_eq(pthread_create(&changer, NULL, change_callbacks, NULL), 0);
    run(share_one, ctx);
    atomic_store_explicit(&over, 1, memory_order_relaxed);
    pthread_join(changer, NULL);
    pthread_barrier_destroy(&together);
    ck_assert_uint_gt(atomic_load(&heard), 0);
    mote_context_release(ctx);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(one_context),
    SUITE_TEST(contexts_beside_each_other),
    SUITE_TEST(callbacks),
};

/* Run before the library reads its environment: a tune file, a cache, and copies by several threads
 * for any number of cores. */
static void settle(void)
{
    char path[TEMPORARY_ROOM + 8];
    temporary_make(folder);
    snprintf(path, sizeof(path), "%s/tune", folder);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs("[device]\nname = Host\nplatform = Host\ndriver = Host\nreduce.sum_groups = 32\n", file);
    fclose(file);
    setenv("MOTE_TUNE_FILE", path, 1);
    setenv("MOTE_TUNE", "core.copy_threads=3", 1);
    setenv("MOTE_CACHE_DIR", folder, 1);
    unsetenv("MOTE_CACHE");
    unsetenv("MOTE_DEVICE");
    unsetenv("MOTE_CL_DIR");
}

static void tidy(void)
{
    temporary_remove(folder);
}

SUITE_MAIN_FIXTURE("races", tests, settle, tidy)
