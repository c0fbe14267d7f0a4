/* SPDX-License-Identifier: Apache-2.0 */
/* Growing buffers: size, reserve, contents, and failures that lose no data. */
#include "call_bed.h"
#include "common/suite.h"
#include "faults/inject.h"

#define N ((size_t)300)

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

static mote_buffer *numbers(size_t n)
{
    uint32_t values[2 * N];
    mote_buffer *buffer = NULL;
    for (uint32_t i = 0; i < 2 * N; i++)
        values[i] = i * 3 + 1;
    bed_ok(mote_buffer_create(b.ctx, MOTE_UINT32, n, 0, &buffer));
    bed_ok(mote_buffer_write(buffer, 0, n, values, MOTE_UINT32, 1, b.in_order, 0, NULL, NULL));
    return buffer;
}

static void expect(const mote_buffer *buffer, size_t n)
{
    uint32_t values[2 * N];
    bed_ok(mote_buffer_read(buffer, 0, n, values, MOTE_UINT32, 1, b.in_order, 0, NULL, NULL));
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(values[i], i * 3 + 1);
}

static void await(cl_event event)
{
    ck_assert_ptr_nonnull(event);
    ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
}

START_TEST(create)
{
    mote_buffer *buffer = (mote_buffer *)&b;
    bed_refused(mote_buffer_create(NULL, MOTE_INT32, 1, 0, &buffer), MOTE_ERROR_INVALID_ARGUMENT,
                "ctx");
    ck_assert_ptr_null(buffer);
    bed_refused(mote_buffer_create(b.ctx, MOTE_INT32, 1, 0, NULL), MOTE_ERROR_INVALID_ARGUMENT,
                "out");
    bed_refused(mote_buffer_create(b.ctx, MOTE_TYPE_NONE, 1, 0, &buffer),
                MOTE_ERROR_INVALID_ARGUMENT, "type 0");
    bed_refused(mote_buffer_create(b.ctx, MOTE_INT32, 1, CL_MEM_USE_HOST_PTR, &buffer),
                MOTE_ERROR_INVALID_ARGUMENT, "flags");
    bed_refused(mote_buffer_create(b.ctx, MOTE_INT32, SIZE_MAX / 2, 0, &buffer),
                MOTE_ERROR_OUT_OF_DEVICE_MEMORY, "int32");
    fault_fail(FAULT_clCreateBuffer, 1, 2, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    bed_refused(mote_buffer_create(b.ctx, MOTE_INT32, 9, 0, &buffer),
                MOTE_ERROR_OUT_OF_DEVICE_MEMORY, "36 bytes");
    ck_assert_ptr_null(buffer);
    bed_ok(mote_buffer_create(b.ctx, MOTE_INT64, 0, CL_MEM_READ_ONLY, &buffer));
    ck_assert_uint_eq(mote_buffer_size(buffer), 0);
    ck_assert_ptr_null(mote_buffer_view(buffer).mem);
    mote_buffer_release(buffer);
    mote_buffer_release(NULL);
    ck_assert_uint_eq(mote_buffer_size(NULL) + mote_buffer_reserved(NULL), 0);
}
END_TEST

START_TEST(resize_within_reserve)
{
    mote_buffer *buffer = numbers(N);
    cl_mem mem = mote_buffer_view(buffer).mem;
    bed_ok(mote_buffer_resize(buffer, 10, 0, NULL, 0, NULL, NULL));
    ck_assert_uint_eq(mote_buffer_size(buffer), 10);
    ck_assert_uint_eq(mote_buffer_reserved(buffer), N);
    const mote_view view = mote_buffer_view(buffer);
    ck_assert_ptr_eq(view.mem, mem);
    ck_assert_uint_eq(view.count, 10);
    ck_assert_int_eq(view.type, MOTE_UINT32);
    cl_event done = NULL;
    bed_ok(mote_buffer_resize(buffer, N, 1, b.in_order, 0, NULL, &done));
    await(done);
    ck_assert_ptr_eq(mote_buffer_view(buffer).mem, mem);
    expect(buffer, N);
    mote_buffer_release(buffer);
}
END_TEST

/* The copy waits as requested, on both kinds of queue, and the event covers it. */
START_TEST(grow_keeping)
{
    cl_command_queue queues[] = {b.in_order, b.any_order};
    for (int i = 0; i < 2; i++) {
        mote_buffer *buffer = numbers(N);
        cl_int code;
        cl_event gate = clCreateUserEvent(mote_context_cl(b.ctx), &code), done = NULL;
        bed_ok(mote_buffer_resize(buffer, N + 50, 1, queues[i], 1, &gate, &done));
        ck_assert_uint_eq(mote_buffer_size(buffer), N + 50);
        ck_assert_uint_ge(mote_buffer_reserved(buffer), N + 50);
        ck_assert_int_ne(bed_event_state(done), CL_COMPLETE);
        clSetUserEventStatus(gate, CL_COMPLETE);
        clReleaseEvent(gate);
        await(done);
        expect(buffer, N);
        bed_ok(mote_buffer_reserve(buffer, 100, 1, b.in_order, 0, NULL, NULL));
        ck_assert_uint_eq(mote_buffer_reserved(buffer), 100);
        ck_assert_uint_eq(mote_buffer_size(buffer), 100);
        expect(buffer, 100);
        bed_ok(mote_buffer_reserve(buffer, 0, 1, b.in_order, 0, NULL, NULL));
        ck_assert_uint_eq(mote_buffer_reserved(buffer), 0);
        bed_ok(mote_buffer_resize(buffer, 5, 0, NULL, 0, NULL, NULL));
        ck_assert_uint_eq(mote_buffer_size(buffer), 5);
        mote_buffer_release(buffer);
    }
}
END_TEST

/* A rejected call must reset `event`, so that releasing it does not release an earlier event. */
START_TEST(no_event_of_refused_calls)
{
    mote_buffer *buffer = numbers(N);
    uint32_t value = 0;
    for (int k = 0; k < 6; k++) {
        cl_event done = (cl_event)&b;
        mote_buffer *none = k < 3 ? NULL : buffer;
        cl_command_queue queue = k < 3 ? b.in_order : NULL;
        mote_status status =
            k % 3 == 0 ? mote_buffer_resize(none, 2 * N, 0, queue, 0, NULL, &done)
            : k % 3 == 1
                ? mote_buffer_write(none, 0, 1, &value, MOTE_UINT32, 0, queue, 0, NULL, &done)
                : mote_buffer_read(none, 0, 1, &value, MOTE_UINT32, 0, queue, 0, NULL, &done);
        bed_refused(status, MOTE_ERROR_INVALID_ARGUMENT, k < 3 ? "buffer" : "queue");
        ck_assert_ptr_null(done);
    }
    mote_buffer_release(buffer);
}
END_TEST

START_TEST(failed_grow_keeps_everything)
{
    mote_buffer *buffer = numbers(N);
    cl_event done = NULL;
    fault_fail(FAULT_clCreateBuffer, 1, 2, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    bed_refused(mote_buffer_resize(buffer, 2 * N, 1, b.in_order, 0, NULL, &done),
                MOTE_ERROR_OUT_OF_DEVICE_MEMORY, "mote_buffer_resize");
    ck_assert_ptr_null(done);
    fault_fail(FAULT_clEnqueueCopyBuffer, 1, 1, CL_OUT_OF_RESOURCES);
    bed_refused(mote_buffer_reserve(buffer, 2 * N, 1, b.any_order, 0, NULL, &done),
                CL_OUT_OF_RESOURCES, "clEnqueueCopyBuffer");
    ck_assert_ptr_null(done);
    bed_refused(mote_buffer_resize(buffer, SIZE_MAX, 1, b.in_order, 0, NULL, NULL),
                MOTE_ERROR_OUT_OF_DEVICE_MEMORY, "at most");
    bed_refused(mote_buffer_resize(buffer, 2 * N, 1, NULL, 0, NULL, NULL),
                MOTE_ERROR_INVALID_ARGUMENT, "queue is NULL");
    bed_refused(mote_buffer_resize(NULL, 2 * N, 1, b.in_order, 0, NULL, NULL),
                MOTE_ERROR_INVALID_ARGUMENT, "buffer is NULL");
    ck_assert_uint_eq(mote_buffer_size(buffer), N);
    ck_assert_uint_eq(mote_buffer_reserved(buffer), N);
    expect(buffer, N);
    mote_buffer_release(buffer);
}
END_TEST

/* A command that was enqueued before the buffer is released still completes. */
START_TEST(release_while_running)
{
    mote_buffer *buffer = numbers(N);
    cl_int code;
    cl_event gate = clCreateUserEvent(mote_context_cl(b.ctx), &code), done = NULL;
    uint32_t values[N] = {0};
    bed_ok(mote_buffer_read(buffer, 0, N, values, MOTE_UINT32, 0, b.any_order, 1, &gate, &done));
    mote_buffer_release(buffer);
    clSetUserEventStatus(gate, CL_COMPLETE);
    clReleaseEvent(gate);
    await(done);
    ck_assert_uint_eq(values[N - 1], (N - 1) * 3 + 1);
}
END_TEST

START_TEST(swap)
{
    mote_buffer *x = numbers(N), *y = NULL, *foreign = NULL;
    bed_ok(mote_buffer_create(b.ctx, MOTE_FLOAT64, 7, 0, &y));
    bed_ok(mote_buffer_create(b.other, MOTE_FLOAT64, 7, 0, &foreign));
    bed_ok(mote_buffer_swap(x, y));
    ck_assert_int_eq(mote_buffer_view(x).type, MOTE_FLOAT64);
    ck_assert_uint_eq(mote_buffer_size(x), 7);
    ck_assert_uint_eq(mote_buffer_reserved(y), N);
    expect(y, N);
    bed_ok(mote_buffer_swap(y, y));
    expect(y, N);
    bed_refused(mote_buffer_swap(x, foreign), MOTE_ERROR_WRONG_CONTEXT, "different");
    bed_refused(mote_buffer_swap(x, NULL), MOTE_ERROR_INVALID_ARGUMENT, "b is NULL");
    bed_refused(mote_buffer_swap(NULL, y), MOTE_ERROR_INVALID_ARGUMENT, "a is NULL");
    mote_buffer_release(x);
    mote_buffer_release(y);
    mote_buffer_release(foreign);
}
END_TEST

START_TEST(transfers_refuse)
{
    mote_buffer *buffer = numbers(N);
    uint32_t values[N] = {0};
    cl_event done = NULL;
    bed_refused(mote_buffer_write(buffer, 1, N, values, MOTE_UINT32, 1, b.in_order, 0, NULL, &done),
                MOTE_ERROR_INVALID_ARGUMENT, "size 300");
    bed_refused(
        mote_buffer_read(buffer, SIZE_MAX, 2, values, MOTE_UINT32, 1, b.in_order, 0, NULL, NULL),
        MOTE_ERROR_INVALID_ARGUMENT, "mote_buffer_read");
    bed_refused(mote_buffer_write(buffer, 0, 1, NULL, MOTE_UINT32, 1, b.in_order, 0, NULL, NULL),
                MOTE_ERROR_INVALID_ARGUMENT, "values is NULL");
    bed_refused(mote_buffer_write(buffer, 0, 1, values, MOTE_PIXELS_CLUSTER_TYPE, 1, b.in_order, 0,
                                  NULL, NULL),
                MOTE_ERROR_INVALID_ARGUMENT, "convert");
    bed_refused(mote_buffer_write(NULL, 0, 1, values, MOTE_UINT32, 1, b.in_order, 0, NULL, NULL),
                MOTE_ERROR_INVALID_ARGUMENT, "buffer is NULL");
    bed_refused(mote_buffer_read(buffer, 0, 1, values, MOTE_UINT32, 1, NULL, 0, NULL, NULL),
                MOTE_ERROR_INVALID_ARGUMENT, "queue is NULL");
    fault_fail(FAULT_clEnqueueWriteBuffer, 1, 1, CL_OUT_OF_RESOURCES);
    bed_refused(
        mote_buffer_write(buffer, 0, 1, values, MOTE_UINT16, 0, b.any_order, 0, NULL, &done),
        CL_OUT_OF_RESOURCES, "clEnqueueWriteBuffer");
    if (done)
        await(done);
    bed_ok(mote_buffer_write(buffer, N, 0, NULL, MOTE_UINT32, 0, b.in_order, 0, NULL, &done));
    await(done);
    expect(buffer, N);
    mote_buffer_release(buffer);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(create),
    SUITE_TEST(resize_within_reserve),
    SUITE_TEST(grow_keeping),
    SUITE_TEST(failed_grow_keeps_everything),
    SUITE_TEST(no_event_of_refused_calls),
    SUITE_TEST(release_while_running),
    SUITE_TEST(swap),
    SUITE_TEST(transfers_refuse),
};

SUITE_MAIN_FIXTURE("buffer", tests, setup, teardown)
