/* SPDX-License-Identifier: Apache-2.0 */
/* Programs: one build per key, failures, leases. The disk cache is off. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/program.h"
#include "faults/inject.h"
#include "recorder.h"
#include "common/bed.h"
#include "common/suite.h"

extern const mote_source mote_cl_core_trial;

#define THREADS 8

#define LONG_LOG ((size_t)2000000)

static mote_context *open_context(void)
{
    mote_context *ctx = NULL;
    setenv("MOTE_CACHE", "off", 1);
    bed_ok(bed_context(suite_device(), &ctx));
    return ctx;
}

typedef struct job {
    pthread_t thread;
    mote_context *ctx;
    const char *defines;
    mote_kernel_lease lease;
    mote_status status;
    bool sentence; /* the last error describes the build */
} job;

static void *acquire(void *argument)
{
    job *j = argument;
    j->status =
        mote_kernel_acquire(j->ctx, &mote_cl_core_trial, j->defines, "trial_fill", &j->lease);
    j->sentence = strstr(mote_last_error(), "trial_is_meant_to_fail") != NULL;
    return NULL;
}

static void acquire_in_threads(mote_context *ctx, const char *defines, job jobs[THREADS])
{
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.ctx = ctx, .defines = defines};
        ck_assert_int_eq(pthread_create(&jobs[i].thread, NULL, acquire, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(jobs[i].thread, NULL);
}

START_TEST(one_build_for_all_threads)
{
    job jobs[THREADS];
    mote_context *ctx = open_context();
    recorder_start(MOTE_LOG_DEBUG);
    acquire_in_threads(ctx, "-DTRIAL_FACTOR=3", jobs);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_DEBUG, "built in"), 1);
    ck_assert_uint_eq(mote_program_table_count(ctx->programs), 1);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(jobs[i].status, MOTE_SUCCESS);
        for (int k = 0; k < i; k++)
            ck_assert_ptr_ne(jobs[i].lease.kernel, jobs[k].lease.kernel);
    }
    cl_kernel last = jobs[THREADS - 1].lease.kernel;
    for (int i = 0; i < THREADS; i++)
        mote_kernel_give_back(&jobs[i].lease);
    ck_assert_ptr_null(jobs[0].lease.kernel);
    acquire(&jobs[0]);
    ck_assert_ptr_eq(jobs[0].lease.kernel, last);
    mote_kernel_give_back(&jobs[0].lease);
    mote_kernel_give_back(&jobs[0].lease);
    ck_assert_uint_eq(recorder_count(MOTE_LOG_DEBUG, "built in"), 1);
    recorder_stop();
    mote_context_release(ctx);
}
END_TEST

START_TEST(failed_build)
{
    job jobs[THREADS];
    mote_context *ctx = open_context();
    acquire_in_threads(ctx, "-DTRIAL_FAILS=1", jobs);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(jobs[i].status, MOTE_ERROR_BUILD);
        ck_assert_ptr_null(jobs[i].lease.kernel);
        ck_assert(jobs[i].sentence);
    }
    acquire(&jobs[0]);
    const mote_device_info *device = mote_context_device(ctx);
    const char *parts[] = {device->name,      device->driver,  "-cl-std=CL1.2",
                           "-DTRIAL_FAILS=1", "core/trial.cl", "trial_is_meant_to_fail"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        ck_assert_msg(strstr(mote_last_error(), parts[i]) != NULL, "no %s in: %s", parts[i],
                      mote_last_error());
    ck_assert_uint_eq(mote_program_table_count(ctx->programs), 0);
    jobs[0].defines = "";
    acquire(&jobs[0]);
    ck_assert_int_eq(jobs[0].status, MOTE_SUCCESS);
    mote_kernel_give_back(&jobs[0].lease);
    mote_context_release(ctx);
}
END_TEST

START_TEST(failed_build_can_be_tried_again)
{
    mote_context *ctx = open_context();
    mote_kernel_lease lease;
    static const char bad[] = "__kernel void again() { missing }\n";
    static const char good[] = "__kernel void again() {}\n";
    mote_source source = {"core/again.cl", bad, sizeof(bad) - 1, false};
    ck_assert_int_eq(mote_kernel_acquire(ctx, &source, "", "again", &lease), MOTE_ERROR_BUILD);
    source.text = good;
    source.length = sizeof(good) - 1;
    ck_assert_int_eq(mote_kernel_acquire(ctx, &source, "", "again", &lease), MOTE_SUCCESS);
    mote_kernel_give_back(&lease);
    mote_context_release(ctx);
}
END_TEST

START_TEST(build_logs_of_every_size)
{
    static const size_t sizes[] = {0, 100 * 1024, LONG_LOG, SIZE_MAX - 5};
    job j = {.ctx = open_context(), .defines = "-DTRIAL_FAILS=1"};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        fault_lie(FAULT_clGetProgramBuildInfo, CL_PROGRAM_BUILD_LOG, sizes[i]);
        acquire(&j);
        ck_assert_int_eq(j.status, MOTE_ERROR_BUILD);
        ck_assert_ptr_nonnull(strstr(mote_last_error(), "-DTRIAL_FAILS=1"));
        size_t shown = sizes[i] > LONG_LOG ? 0 : sizes[i];
        ck_assert_uint_ge(strlen(mote_last_error()), shown);
        ck_assert_uint_lt(strlen(mote_last_error()), shown + 1000);
    }
    fault_reset();
    fault_fail(FAULT_clGetProgramBuildInfo, 1, 2, CL_OUT_OF_RESOURCES);
    acquire(&j);
    ck_assert_int_eq(j.status, MOTE_ERROR_BUILD);
    ck_assert_uint_lt(strlen(mote_last_error()), 1000);
    fault_reset();
    mote_context_release(j.ctx);
}
END_TEST

typedef struct told {
    size_t before, after, failed;
} told;

static void count_build(const mote_build_record *record, void *user)
{
    told *seen = user;
    ck_assert_uint_eq(record->size, sizeof(*record));
    ck_assert_str_eq(record->source, "core/trial.cl");
    ck_assert_ptr_nonnull(record->device);
    seen->before += record->seconds < 0;
    seen->after += record->seconds >= 0;
    seen->failed += record->failed != 0;
}

START_TEST(builds_are_told)
{
    told seen = {0};
    job j = {.ctx = open_context(), .defines = ""};
    mote_build_callback_set(count_build, &seen);
    acquire(&j);
    mote_kernel_give_back(&j.lease);
    acquire(&j);
    mote_kernel_give_back(&j.lease);
    ck_assert(seen.before == 1 && seen.after == 1 && seen.failed == 0);
    j.defines = "-DTRIAL_FAILS=1";
    acquire(&j);
    ck_assert_int_eq(j.status, MOTE_ERROR_BUILD);
    ck_assert(j.sentence);
    ck_assert(seen.before == 2 && seen.after == 2 && seen.failed == 1);
    mote_build_callback_set(NULL, NULL);
    j.defines = "-DTRIAL_FACTOR=5";
    acquire(&j);
    mote_kernel_give_back(&j.lease);
    ck_assert_uint_eq(seen.before, 2);
    mote_context_release(j.ctx);
}
END_TEST

START_TEST(unknown_kernel)
{
    mote_kernel_lease lease;
    mote_context *ctx = open_context();
    ck_assert_int_eq(mote_kernel_acquire(ctx, &mote_cl_core_trial, "", "trial_missing", &lease),
                     CL_INVALID_KERNEL_NAME);
    ck_assert_ptr_nonnull(strstr(mote_last_error(), "trial_missing"));
    ck_assert_ptr_null(lease.kernel);
    mote_kernel_give_back(&lease);
    mote_context_release(ctx);
}
END_TEST

START_TEST(many_variants_are_told)
{
    mote_context *ctx = open_context();
    mote_kernel_lease lease;
    char defines[64];
    recorder_start(MOTE_LOG_WARN);
    for (int i = 1; i <= 10; i++) {
        ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, "more than 8 programs"), i > 9);
        snprintf(defines, sizeof(defines), "-DTRIAL_FACTOR=%d", i);
        ck_assert_int_eq(
            mote_kernel_acquire(ctx, &mote_cl_core_trial, defines, "trial_fill", &lease),
            MOTE_SUCCESS);
        mote_kernel_give_back(&lease);
    }
    ck_assert_uint_eq(recorder_count(MOTE_LOG_WARN, "more than 8 programs"), 1);
    recorder_stop();
    mote_context_release(ctx);
}
END_TEST

/* Kernels in use by a thread; a slot contains its kernel as long as the lease exists. */
static _Atomic(cl_kernel) in_use[THREADS];
static atomic_int shared_kernels, wrong_values;

static bool run_once(mote_context *ctx, cl_command_queue queue, cl_mem mem, int thread,
                     cl_uint value)
{
    mote_kernel_lease lease;
    bool other = value % 2;
    if (mote_kernel_acquire(ctx, &mote_cl_core_trial, "", other ? "trial_other" : "trial_fill",
                            &lease) != MOTE_SUCCESS)
        return false;
    for (int i = 0; i < THREADS; i++)
        if (atomic_load(&in_use[i]) == lease.kernel)
            atomic_fetch_add(&shared_kernels, 1);
    atomic_store(&in_use[thread], lease.kernel);
    cl_uint result = 0;
    size_t one = 1;
    bool ran = !clSetKernelArg(lease.kernel, 0, sizeof(mem), &mem) &&
               !clSetKernelArg(lease.kernel, 1, sizeof(value), &value) &&
               !clEnqueueNDRangeKernel(queue, lease.kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    atomic_store(&in_use[thread], NULL);
    mote_kernel_give_back(&lease);
    ran =
        ran && !clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof(result), &result, 0, NULL, NULL);
    if (result != value + (other ? 1 : 0))
        atomic_fetch_add(&wrong_values, 1);
    return ran;
}

static void *run_many(void *argument)
{
    job *j = argument;
    int thread = (int)j->status;
    cl_command_queue queue = NULL;
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(j->ctx), CL_MEM_READ_WRITE, 64, NULL, &code);
    bool fine = !code && mote_context_queue(j->ctx, 0, &queue) == MOTE_SUCCESS;
    for (cl_uint i = 0; i < 40 && fine; i++)
        fine = run_once(j->ctx, queue, mem, thread, 1000 * (cl_uint)thread + i);
    if (queue)
        clReleaseCommandQueue(queue);
    if (mem)
        clReleaseMemObject(mem);
    j->sentence = fine;
    return NULL;
}

START_TEST(leases_are_not_shared)
{
    job jobs[THREADS];
    mote_context *ctx = open_context();
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.ctx = ctx, .status = i};
        ck_assert_int_eq(pthread_create(&jobs[i].thread, NULL, run_many, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(jobs[i].thread, NULL);
        ck_assert(jobs[i].sentence);
    }
    ck_assert_int_eq(atomic_load(&shared_kernels), 0);
    ck_assert_int_eq(atomic_load(&wrong_values), 0);
    mote_context_release(ctx);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(one_build_for_all_threads),
    SUITE_TEST(failed_build),
    SUITE_TEST(failed_build_can_be_tried_again),
    SUITE_TEST(build_logs_of_every_size),
    SUITE_TEST(builds_are_told),
    SUITE_TEST(unknown_kernel),
    SUITE_TEST(many_variants_are_told),
    SUITE_TEST(leases_are_not_shared),
};

SUITE_MAIN("program", tests)
