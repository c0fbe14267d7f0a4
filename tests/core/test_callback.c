/* SPDX-License-Identifier: Apache-2.0 */
/* Callbacks may call the library at any point at which it invokes them. */
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "call_bed.h"
#include "common/suite.h"
#include "faults/inject.h"
#include "mote/log.h"
#include "temporary.h"

#define N ((size_t)300)

static bed b;
static size_t heard;

static void use_the_library(mote_log_level level, const char *message, void *user)
{
    void *memory = NULL;
    (void)level, (void)message, (void)user;
    heard++;
    bed_memory(b.ctx);
    bed_ok(mote_context_trim(b.ctx));
    bed_ok(mote_host_alloc(b.ctx, 1, &memory));
    mote_host_free(b.ctx, memory);
}

/* No lock is held while a callback runs; otherwise the call would wait forever. */
START_TEST(a_callback_may_call)
{
    mote_scratch_block *first, *second;
    void *memory;
    cl_mem mem;
    int fresh;
    call_bed_open(&b, NULL);
    alarm(60);
    mote_log_set(MOTE_LOG_DEBUG, use_the_library, NULL);
    bed_ok(mote_scratch_acquire(b.ctx, "trial", b.in_order, true, 1024, &first, &mem, &fresh));
    ck_assert_uint_eq(heard, 1);
    fault_fail(FAULT_clCreateBuffer, 1, 2, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    bed_refused(mote_scratch_acquire(b.ctx, "trial", b.in_order, true, 999, &second, &mem, &fresh),
                MOTE_ERROR_OUT_OF_DEVICE_MEMORY, "in use");
    ck_assert_uint_eq(heard, 2);
    bed_refused(mote_host_alloc(b.ctx, SIZE_MAX, &memory), MOTE_ERROR_OUT_OF_HOST_MEMORY, "");
    ck_assert_uint_eq(heard, 3);
    mote_host_free(b.ctx, &memory);
    ck_assert_uint_eq(heard, 4);
    mote_log_set(MOTE_LOG_NONE, NULL, NULL);
    alarm(0);
    mote_scratch_drop(b.ctx, first);
    call_bed_close(&b);
}
END_TEST

static cl_mem others;       /* an array that only callbacks use */
static size_t events, turn; /* number of callbacks so far; the one that acts */

static void acquire(const char *defines)
{
    mote_kernel_lease lease;
    bed_ok(mote_kernel_acquire(b.ctx, &mote_cl_core_call_trial, defines, "trial_store", &lease));
    mote_kernel_give_back(&lease);
}

/* Called by every callback. In the chosen one, uses the program that may be under construction,
 * another program, another context, scratch memory and queues, and makes a call that fails. */
static void act(void)
{
    void *memory = NULL;
    mote_context *ctx = NULL;
    if (events++ != turn && turn != SIZE_MAX)
        return;
    acquire("");
    acquire("-DTRIAL_OTHER=1");
    bed_ok(bed_call(b.ctx, b.in_order, others, N, 1, 0, 4 * N, 0, NULL, NULL));
    bed_ok(mote_context_open(suite_device(), &ctx));
    bed_ok(mote_context_tune(ctx, "core.form=cpu"));
    mote_context_release(ctx);
    bed_ok(mote_host_alloc(b.ctx, 1, &memory));
    mote_host_free(b.ctx, memory);
    bed_ok(mote_context_trim(b.ctx));
    bed_refused(mote_host_alloc(NULL, 1, &memory), MOTE_ERROR_INVALID_ARGUMENT, "ctx is NULL");
}

static void on_message(mote_log_level level, const char *message, void *user)
{
    (void)user;
    /* The message of a failure equals mote_last_error(). */
    ck_assert(level != MOTE_LOG_ERROR || strcmp(message, mote_last_error()) == 0);
    act();
}

static void on_launch(const mote_launch_record *record, void *user)
{
    (void)record, (void)user;
    act();
}

static void on_build(const mote_build_record *record, void *user)
{
    (void)record, (void)user;
    act();
}

static void set_callbacks(bool on)
{
    mote_log_set(MOTE_LOG_DEBUG, on ? on_message : NULL, NULL);
    mote_launch_callback_set(on ? on_launch : NULL, NULL);
    mote_build_callback_set(on ? on_build : NULL, NULL);
}

/* Opens a context that has not built a program yet. */
static void open_watched(size_t acting)
{
    call_bed_open(&b, NULL);
    others = bed_numbers(&b, N);
    events = 0;
    turn = acting;
    alarm(300);
    set_callbacks(true);
}

static void close_watched(void)
{
    set_callbacks(false);
    alarm(0);
    clReleaseMemObject(others);
    call_bed_close(&b);
}

/* Runs a call in which callback number `acting` acts; false if the call had fewer callbacks. */
static bool act_in_a_call(size_t acting, bool cached)
{
    open_watched(acting);
    cl_mem mem = bed_numbers(&b, N);
    if (cached)
        unsetenv("MOTE_CACHE");
    bed_ok(bed_call(b.ctx, b.in_order, mem, N, 3, 1, 4 * N, 0, NULL, NULL));
    bool acted = events > acting;
    set_callbacks(false);
    bed_expect(&b, mem, N, 3, 1);
    bed_expect(&b, others, N, 1, 0);
    clReleaseMemObject(mem);
    close_watched();
    return acted;
}

/* Each message, launch and build record acts in turn: without a cache on disk, with an empty cache
 * and with a filled one. */
START_TEST(callbacks_may_call)
{
    static const size_t least[] = {6, 6, 4};
    char folder[TEMPORARY_ROOM];
    size_t acting = 0;
    bool acted = true;
    for (; acted; acting += acted) {
        temporary_make(folder);
        setenv("MOTE_CACHE_DIR", folder, 1);
        acted = act_in_a_call(_i == 2 ? SIZE_MAX - 1 : acting, _i > 0);
        if (_i == 2)
            acted = act_in_a_call(acting, true);
        temporary_remove(folder);
    }
    ck_assert_uint_ge(acting, least[_i]);
}
END_TEST

/* A failure inside a callback does not replace the error that the call reports. */
START_TEST(the_sentence_is_the_calls)
{
    static const char text[] = "__kernel void broken() { trial_is_missing }\n";
    const mote_source source = {"core/broken.cl", text, sizeof(text) - 1, false};
    mote_kernel_lease lease;
    open_watched(SIZE_MAX); /* every callback acts */
    bed_refused(mote_kernel_acquire(b.ctx, &source, "", "broken", &lease), MOTE_ERROR_BUILD,
                "trial_is_missing");
    ck_assert_uint_ge(events, 3);
    const char *before = mote_last_error();
    acquire("-DTRIAL_OTHER=2");
    ck_assert_ptr_eq(mote_last_error(), before);
    ck_assert_ptr_nonnull(strstr(before, "trial_is_missing"));
    close_watched();
}
END_TEST

static char latest[40]; /* defines of the program being acquired */

static void want_the_same(mote_log_level level, const char *message, void *user)
{
    (void)user;
    if (level != MOTE_LOG_WARN || !strstr(message, "programs"))
        return;
    heard++;
    acquire(latest);
}

/* A callback for the warning about many programs may acquire the one being built. */
START_TEST(a_warning_may_want_its_program)
{
    call_bed_open(&b, NULL);
    alarm(60);
    heard = 0;
    mote_log_set(MOTE_LOG_WARN, want_the_same, NULL);
    for (int i = 0; i < 12; i++) {
        snprintf(latest, sizeof(latest), "-DTRIAL_VARIANT=%d", i);
        acquire(latest);
    }
    mote_log_set(MOTE_LOG_NONE, NULL, NULL);
    alarm(0);
    ck_assert_uint_eq(heard, 1);
    call_bed_close(&b);
}
END_TEST

/* Each of two threads builds a program, and acquires the other thread's program meanwhile. */
static pthread_barrier_t both_build;
static const char *const thread_defines[] = {"-DTRIAL_THREAD=1", "-DTRIAL_THREAD=2"};
static _Thread_local int me;

static void want_the_others(const mote_build_record *record, void *user)
{
    mote_kernel_lease lease;
    (void)user;
    if (record->seconds >= 0)
        return;
    pthread_barrier_wait(&both_build);
    if (mote_kernel_acquire(b.ctx, &mote_cl_core_call_trial, thread_defines[1 - me], "trial_store",
                            &lease) == MOTE_SUCCESS)
        mote_kernel_give_back(&lease);
}

static void *build_one(void *number)
{
    mote_kernel_lease lease;
    me = *(int *)number;
    mote_status status = mote_kernel_acquire(b.ctx, &mote_cl_core_call_trial, thread_defines[me],
                                             "trial_store", &lease);
    mote_kernel_give_back(&lease);
    return status ? number : NULL;
}

START_TEST(builders_do_not_wait_for_each_other)
{
    pthread_t threads[2];
    int numbers[2] = {0, 1};
    open_watched(SIZE_MAX - 1); /* no callback acts */
    ck_assert_int_eq(pthread_barrier_init(&both_build, NULL, 2), 0);
    mote_build_callback_set(want_the_others, NULL);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, build_one, &numbers[i]), 0);
    for (int i = 0; i < 2; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        ck_assert_ptr_null(bad);
    }
    pthread_barrier_destroy(&both_build);
    close_watched();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("callback");
    TCase *one = tcase_create("callback");
    tcase_set_timeout(one, 0);
    tcase_add_test(one, a_callback_may_call);
    tcase_add_loop_test(one, callbacks_may_call, 0, 3);
    tcase_add_test(one, the_sentence_is_the_calls);
    tcase_add_test(one, a_warning_may_want_its_program);
    tcase_add_test(one, builders_do_not_wait_for_each_other);
    suite_add_tcase(suite, one);
    return suites_run(&suite, 1);
}
