/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of the objects that the host layer keeps between calls. Some tests treat the device as a
 * GPU, so that copies go through pinned memory. */
#include <string.h>

#include "call_bed.h"
#include "core/host_job.h"
#include "common/suite.h"
#include "faults/inject.h"

#define LARGE ((size_t)9000001) /* three pieces */

static bed b;

static void setup(void)
{
    call_bed_open(&b, NULL);
    fault_reset();
}

static void teardown(void)
{
    fault_reset();
    call_bed_close(&b);
    ck_assert_int_eq(fault_live(FAULT_MEM), 0);
    ck_assert_int_eq(fault_live(FAULT_EVENT), 0);
}

START_TEST(create)
{
    mote_host *host = (mote_host *)&b;
    cl_command_queue foreign = NULL;
    bed_ok(mote_context_queue(b.other, 0, &foreign));
    bed_refused(mote_host_create(b.ctx, b.any_order, &host), MOTE_ERROR_INVALID_ARGUMENT,
                "out of order");
    ck_assert_ptr_null(host);
    bed_refused(mote_host_create(b.ctx, foreign, &host), MOTE_ERROR_WRONG_CONTEXT, "queue");
    bed_refused(mote_host_create(NULL, NULL, &host), MOTE_ERROR_INVALID_ARGUMENT, "ctx");
    bed_refused(mote_host_create(b.ctx, NULL, NULL), MOTE_ERROR_INVALID_ARGUMENT, "out");
    bed_ok(mote_host_create(b.ctx, b.in_order, &host));
    ck_assert_ptr_eq(mote_host_queue(host), b.in_order);
    ck_assert(mote_host_device_seconds(host) == 0.0);
    mote_host_release(host);
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    ck_assert_ptr_nonnull(mote_host_queue(host));
    mote_host_release(host);
    mote_host_release(NULL);
    ck_assert_ptr_null(mote_host_queue(NULL));
    clReleaseCommandQueue(foreign);
}
END_TEST

START_TEST(slots_grow)
{
    mote_host *host = NULL;
    cl_mem first, second;
    void *memory, *again;
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    bed_ok(mote_host_device(host, 3, 0, &first));
    ck_assert_ptr_nonnull(first);
    bed_ok(mote_host_device(host, 3, 1000, &first));
    bed_ok(mote_host_device(host, 3, 900, &second));
    ck_assert_ptr_eq(first, second);
    fault_fail(FAULT_clCreateBuffer, 1, 2, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    bed_refused(mote_host_device(host, 3, 5000, &second), MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
                "5000 bytes");
    bed_ok(mote_host_device(host, 3, 1000, &second));
    ck_assert_ptr_eq(first, second);
    bed_ok(mote_host_plain(host, 0, 100, &memory));
    bed_ok(mote_host_plain(host, 0, 90, &again));
    ck_assert_ptr_eq(memory, again);
    bed_refused(mote_host_plain(host, 0, SIZE_MAX, &again), MOTE_ERROR_OUT_OF_HOST_MEMORY,
                "mote_host");
    bed_ok(mote_host_plain(host, 0, 100, &again));
    ck_assert_ptr_eq(memory, again);
    bed_ok(mote_host_pinned(host, 1, 10, &memory));
    memset(memory, 7, 10);
    bed_ok(mote_host_pinned(host, 1, 100000, &memory));
    memset(memory, 7, 100000);
    bed_refused(mote_host_device(host, MOTE_HOST_SLOTS, 1, &first), MOTE_ERROR_INTERNAL, "slot");
    bed_refused(mote_host_download(host, 9, memory, 1), MOTE_ERROR_INTERNAL, "slot 9");
    mote_host_release(host);
}
END_TEST

typedef struct copies {
    size_t to_device, to_host;
} copies;

static void note_copy(const mote_launch_record *record, void *user)
{
    copies *seen = user;
    cl_ulong start = 0, end = 0;
    ck_assert(record->global == 0 && record->local == 0);
    ck_assert_int_eq(clWaitForEvents(1, &record->event), CL_SUCCESS);
    ck_assert_int_eq(clGetEventProfilingInfo(record->event, CL_PROFILING_COMMAND_START,
                                             sizeof(start), &start, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(
        clGetEventProfilingInfo(record->event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL),
        CL_SUCCESS);
    ck_assert_uint_ge(end, start);
    if (strcmp(record->kernel, "copy to device") == 0)
        seen->to_device += record->bytes;
    if (strcmp(record->kernel, "copy to host") == 0)
        seen->to_host += record->bytes;
}

/* The launch callback also receives copies, with their times, because the host's queue records
 * them. */
START_TEST(copies_are_told)
{
    mote_host *host = NULL;
    copies seen = {0};
    char from[1000] = {3}, to[1000] = {0};
    mote_launch_callback_set(note_copy, &seen);
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    bed_ok(mote_host_upload(host, 2, from, sizeof(from)));
    bed_ok(mote_host_download(host, 2, to, 900));
    mote_launch_callback_set(NULL, NULL);
    bed_ok(mote_host_upload(host, 2, from, sizeof(from)));
    mote_host_release(host);
    ck_assert_int_eq(to[0], 3);
    ck_assert(seen.to_device == 1000 && seen.to_host == 900);
}
END_TEST

static void round_trip(size_t bytes, char *from, char *to)
{
    mote_host *host = NULL;
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    for (size_t i = 0; i < bytes; i++) {
        from[i] = (char)(i * 7 + i / 251);
        to[i] = 0;
    }
    bed_ok(mote_host_upload(host, 2, from, bytes));
    bed_ok(mote_host_download(host, 2, to, bytes));
    ck_assert(bytes == 0 || memcmp(from, to, bytes) == 0);
    mote_host_release(host);
}

static void round_trips(void)
{
    char *from = malloc(LARGE), *to = malloc(LARGE);
    void *pinned = NULL;
    ck_assert(from && to);
    round_trip(0, from, to);
    round_trip(1, from, to);
    round_trip(70000, from, to);
    round_trip(LARGE, from, to);
    bed_ok(mote_host_alloc(b.ctx, LARGE, &pinned));
    ck_assert_uint_eq((uintptr_t)pinned % 64, 0);
    round_trip(LARGE, pinned, to);
    round_trip(LARGE, from, pinned);
    mote_host_free(b.ctx, pinned);
    free(from);
    free(to);
}

START_TEST(copies_of_a_cpu)
{
    b.ctx->device.device_class = MOTE_DEVICE_CPU;
    round_trips();
    ck_assert_int_eq(faults[FAULT_clEnqueueWriteBuffer].calls, 5);
}
END_TEST

START_TEST(copies_of_a_gpu)
{
    b.ctx->device.device_class = MOTE_DEVICE_GPU;
    round_trips();
    ck_assert_int_eq(faults[FAULT_clEnqueueWriteBuffer].calls, 1 + 1 + 3 + 1 + 3);
}
END_TEST

/* Tests copies of any length, from and to any address, by any number of threads, one right after
 * another. */
START_TEST(copies_of_threads)
{
    static const size_t lengths[] = {0, 1, 262144, 262145, 400000, 1048576, LARGE};
    char *from = malloc(LARGE + 8), *to = malloc(LARGE + 8);
    ck_assert(from && to);
    for (size_t i = 0; i < LARGE + 8; i++)
        from[i] = (char)(i * 7 + i / 251);
    ck_assert_uint_ge(mote_copier_threads(), 1);
    ck_assert_uint_le(mote_copier_threads(), 8);
    for (size_t threads = 0; threads < 5; threads++) {
        mote_copier *copier = mote_copier_create(threads);
        ck_assert(threads > 1 || !copier);
        for (size_t i = 0; i < 40; i++) {
            size_t bytes = lengths[i % 7], shift = i % 3;
            memset(to, 0, bytes + 8);
            mote_copier_copy(copier, to + shift, from + 1, bytes);
            ck_assert(memcmp(to + shift, from + 1, bytes) == 0);
            ck_assert_int_eq(to[shift + bytes], 0);
        }
        mote_copier_release(copier);
    }
    free(from);
    free(to);
}
END_TEST

START_TEST(staging_fails)
{
    char *from = malloc(LARGE);
    mote_host *host = NULL;
    ck_assert_ptr_nonnull(from);
    memset(from, 3, LARGE);
    b.ctx->device.device_class = MOTE_DEVICE_GPU;
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    fault_fail(FAULT_clEnqueueWriteBuffer, 2, 2, CL_OUT_OF_RESOURCES);
    bed_refused(mote_host_upload(host, 0, from, LARGE), CL_OUT_OF_RESOURCES,
                "clEnqueueWriteBuffer");
    fault_reset();
    fault_fail(FAULT_clCreateBuffer, 2, 2,
               CL_MEM_OBJECT_ALLOCATION_FAILURE); /* the first buffer is device memory */
    bed_ok(mote_host_upload(host, 1, from, LARGE));
    ck_assert_int_eq(faults[FAULT_clEnqueueWriteBuffer].calls, 1);
    mote_host_release(host);
    free(from);
}
END_TEST

/* Begins a job on the device, which is treated as a device of `class`, and records how its arrays
 * are copied. */
static void begin_job(mote_host_job *job, mote_device_class class)
{
    fault_reset();
    b.ctx->device.device_class = class;
    bed_ok(mote_host_job_begin(job, "trial", b.ctx, NULL));
}

static void check_lent(const mote_view *view, const void *array)
{
    void *at = NULL;
    bed_ok(clGetMemObjectInfo(view->mem, CL_MEM_HOST_PTR, sizeof(at), &at, NULL));
    ck_assert_ptr_eq(at, array);
}

static uint32_t words[1001];

START_TEST(arrays_as_they_lie)
{
    static uint32_t results[1000];
    mote_host_job job;
    mote_view in, out;
    begin_job(&job, MOTE_DEVICE_CPU);
    bed_ok(mote_host_job_upload(&job, 0, words + 1, 1000, MOTE_UINT32, &in));
    bed_ok(mote_host_job_output(&job, 1, results, 1000, MOTE_UINT32, &out));
    check_lent(&in, words + 1);
    check_lent(&out, results);
    memset(words, 5, sizeof(words));
    bed_ok(
        clEnqueueCopyBuffer(mote_host_queue(job.host), in.mem, out.mem, 0, 0, 4000, 0, NULL, NULL));
    bed_ok(mote_host_download(job.host, 1, results, 4000));
    ck_assert(memcmp(results, words + 1, 4000) == 0);
    bed_ok(mote_host_job_output(&job, 1, NULL, 1000, MOTE_UINT32, &out));
    check_lent(&out, NULL);
    bed_ok(mote_host_job_end(&job, MOTE_SUCCESS));
    ck_assert_int_eq(faults[FAULT_clEnqueueWriteBuffer].calls, 0);
    ck_assert_int_eq(faults[FAULT_clEnqueueReadBuffer].calls, 0);
}
END_TEST

/* Arrays that cannot be lent are copied, and the results are the same. */
static void check_copied(const void *from, void *to, mote_device_class class, int writes, int reads)
{
    mote_host_job job;
    mote_view in, out;
    begin_job(&job, class);
    bed_ok(mote_host_job_upload(&job, 0, from, 500, MOTE_UINT32, &in));
    bed_ok(mote_host_job_output(&job, 1, to, 500, MOTE_UINT32, &out));
    bed_ok(
        clEnqueueCopyBuffer(mote_host_queue(job.host), in.mem, out.mem, 0, 0, 2000, 0, NULL, NULL));
    bed_ok(mote_host_download(job.host, 1, to, 2000));
    bed_ok(mote_host_job_end(&job, MOTE_SUCCESS));
    ck_assert_int_eq(faults[FAULT_clEnqueueWriteBuffer].calls, writes);
    ck_assert_int_eq(faults[FAULT_clEnqueueReadBuffer].calls, reads);
}

START_TEST(arrays_that_are_copied)
{
    char *bytes = (char *)words, expected[2000];
    uint32_t results[501];
    for (size_t i = 0; i < sizeof(words); i++)
        bytes[i] = (char)(i * 11 + i / 97);
    memcpy(expected, words, sizeof(expected));
    check_copied(words, results, MOTE_DEVICE_GPU, 1, 1);
    ck_assert(memcmp(results, expected, sizeof(expected)) == 0);
    memset(results, 0, sizeof(results));
    check_copied(words, (char *)results + 1, MOTE_DEVICE_CPU, 0, 1); /* not aligned to a word */
    ck_assert(memcmp((char *)results + 1, expected, sizeof(expected)) == 0);
    check_copied(words, words + 499, MOTE_DEVICE_CPU, 0, 1); /* shares an element with an input */
    ck_assert(memcmp(words + 499, expected, sizeof(expected)) == 0);
    memcpy(words, expected, sizeof(expected));
    check_copied(words, words + 500, MOTE_DEVICE_CPU, 0, 0);
    ck_assert(memcmp(words + 500, expected, sizeof(expected)) == 0);
}
END_TEST

/* Kernels for GPUs load vectors, for which the caller's array may not be aligned, and all their
 * work-items must read the same values. So they do not use the caller's input in place. */
START_TEST(arrays_for_vectors)
{
    bed other;
    mote_host_job job;
    mote_view view;
    uint32_t *array = aligned_alloc(128, 4224);
    ck_assert_ptr_nonnull(array);
    bed_open(&other, "jagged.form=gpu");
    other.ctx->device.device_class = MOTE_DEVICE_CPU;
    bed_ok(mote_host_job_begin(&job, "trial", other.ctx, NULL));
    memset(array, 0, 4224);
    bed_ok(mote_host_job_upload(&job, 0, array, 1000, MOTE_UINT32, &view));
    check_lent(&view, NULL);
    bed_ok(mote_host_job_output(&job, 1, array, 1000, MOTE_UINT32, &view));
    check_lent(&view, array);
    bed_ok(mote_host_job_output(&job, 1, array + 16, 1000, MOTE_UINT32, &view));
    check_lent(&view, NULL);
    bed_ok(mote_host_job_end(&job, MOTE_SUCCESS));
    bed_close(&other);
    free(array);
}
END_TEST

START_TEST(shared_arrays)
{
    mote_host_job job;
    mote_view starts, stops, out;
    begin_job(&job, MOTE_DEVICE_CPU);
    bed_ok(mote_host_job_upload(&job, 0, words, 1000, MOTE_UINT32, &starts));
    bed_ok(mote_host_job_upload(&job, 1, words + 1, 1000, MOTE_UINT32, &stops));
    check_lent(&starts, words);
    check_lent(&stops, words + 1);
    bed_ok(mote_host_job_output(&job, 2, words, 1000, MOTE_UINT32, &out));
    check_lent(&out, NULL);
    fault_fail(FAULT_clCreateBuffer, 1, 1, CL_INVALID_HOST_PTR);
    bed_ok(mote_host_job_upload(&job, 1, words + 1, 1000, MOTE_UINT32, &stops));
    check_lent(&stops, NULL);
    fault_fail(FAULT_clCreateBuffer, 1, 1, CL_OUT_OF_RESOURCES);
    bed_refused(mote_host_job_upload(&job, 1, words + 1, 1000, MOTE_UINT32, &stops),
                MOTE_ERROR_OUT_OF_DEVICE_MEMORY, "4000 bytes");
    bed_refused(mote_host_job_end(&job, MOTE_ERROR_INTERNAL), MOTE_ERROR_INTERNAL, "");
}
END_TEST

START_TEST(wait)
{
    mote_host *host = NULL;
    cl_event done = NULL;
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    bed_ok(bed_call(b.ctx, mote_host_queue(host), NULL, 0, 1, 1, 0, 0, NULL, &done));
    bed_ok(mote_host_wait(host, done));
    ck_assert_int_eq(bed_event_state(done), CL_COMPLETE);
    ck_assert(mote_host_device_seconds(host) >= 0.0);
    clReleaseEvent(done);
    mote_host_release(host);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(create),          SUITE_TEST(slots_grow),         SUITE_TEST(copies_are_told),
    SUITE_TEST(copies_of_a_cpu), SUITE_TEST(copies_of_a_gpu),    SUITE_TEST(copies_of_threads),
    SUITE_TEST(staging_fails),   SUITE_TEST(arrays_as_they_lie), SUITE_TEST(arrays_that_are_copied),
    SUITE_TEST(shared_arrays),   SUITE_TEST(arrays_for_vectors), SUITE_TEST(wait),
};

SUITE_MAIN_FIXTURE("host", tests, setup, teardown)
