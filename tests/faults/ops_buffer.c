/* SPDX-License-Identifier: Apache-2.0 */
/* Growing buffers and their conversions. */
#include "tables.h"

#include "core/fail.h"

#include <check.h>

#define N    ((size_t)700)
#define MORE ((size_t)900)

static mote_status create(fault_bed *b)
{
    mote_buffer *buffer = NULL;
    mote_status status = mote_buffer_create(b->ctx, MOTE_FLOAT32, N, 0, &buffer);
    b->made = buffer;
    return status;
}

static void uncreate(fault_bed *b)
{
    mote_buffer_release(b->made);
}

static float floats[N];
static double doubles[N];
static const void *source;
static void *target;

static void fill(void)
{
    for (size_t i = 0; i < N; i++) {
        floats[i] = (float)i * 0.5f;
        doubles[i] = floats[i];
    }
}

static void make(fault_bed *b, cl_mem_flags flags)
{
    mote_buffer *buffer = NULL;
    fill();
    ck_assert_msg(!mote_buffer_create(b->ctx, MOTE_FLOAT32, N, flags, &buffer), "%s",
                  mote_last_error());
    ck_assert_msg(
        !mote_buffer_write(buffer, 0, N, floats, MOTE_FLOAT32, 1, b->queue, 0, NULL, NULL), "%s",
        mote_last_error());
    b->kept = buffer;
}

static void release(fault_bed *b)
{
    mote_buffer_release(b->kept);
}

/* The contents of a buffer are an array that is compared. */
static void growing(fault_bed *b)
{
    make(b, 0);
    target = fault_host_out(b, "contents", N * sizeof(float));
}

static void fetch(fault_bed *b)
{
    ck_assert_msg(
        !mote_buffer_read(b->kept, 0, N, target, MOTE_FLOAT32, 1, b->queue, 0, NULL, NULL), "%s",
        mote_last_error());
}

static void shrink(fault_bed *b)
{
    fetch(b);
    ck_assert_int_eq(mote_buffer_reserve(b->kept, N, 1, b->queue, 0, NULL, NULL), MOTE_SUCCESS);
    clFinish(b->queue);
}

static mote_status unchanged(const fault_bed *b, mote_status status)
{
    if (status && (mote_buffer_size(b->kept) != N || mote_buffer_reserved(b->kept) != N))
        return mote_fail(MOTE_ERROR_INTERNAL, "a failed call changed the buffer's size");
    return status;
}

static mote_status resize(fault_bed *b)
{
    return unchanged(b, mote_buffer_resize(b->kept, MORE, 1, b->queue, 0, NULL, &b->event));
}

static mote_status reserve(fault_bed *b)
{
    return unchanged(b, mote_buffer_reserve(b->kept, MORE, 1, b->queue, 0, NULL, &b->event));
}

static void writing(fault_bed *b)
{
    growing(b);
    source = fault_host_in(b, "values", sizeof(floats), floats);
}

static void writing_doubles(fault_bed *b)
{
    growing(b);
    source = fault_host_in(b, "values", sizeof(doubles), doubles);
}

/* A buffer that kernels cannot write, so scratch is used. */
static void writing_closed(fault_bed *b)
{
    make(b, CL_MEM_READ_ONLY);
    target = fault_host_out(b, "contents", N * sizeof(float));
    source = fault_host_in(b, "values", sizeof(doubles), doubles);
}

static mote_status put(fault_bed *b, mote_type type, int blocking)
{
    return mote_buffer_write(b->kept, 0, N, source, type, blocking, b->queue, 0, NULL, &b->event);
}

static mote_status put_floats(fault_bed *b)
{
    return put(b, MOTE_FLOAT32, 0);
}

static mote_status put_doubles(fault_bed *b)
{
    return put(b, MOTE_FLOAT64, 0);
}

static mote_status put_waiting(fault_bed *b)
{
    return put(b, MOTE_FLOAT64, 1);
}

static void reading(fault_bed *b)
{
    make(b, 0);
    target = fault_host_out(b, "values", sizeof(floats));
}

static void reading_doubles(fault_bed *b)
{
    make(b, 0);
    target = fault_host_out(b, "values", sizeof(doubles));
}

static void reading_closed(fault_bed *b)
{
    make(b, CL_MEM_WRITE_ONLY);
    target = fault_host_out(b, "values", sizeof(doubles));
}

static mote_status get(fault_bed *b, mote_type type, int blocking)
{
    return mote_buffer_read(b->kept, 0, N, target, type, blocking, b->queue, 0, NULL, &b->event);
}

static mote_status get_floats(fault_bed *b)
{
    return get(b, MOTE_FLOAT32, 0);
}

static mote_status get_doubles(fault_bed *b)
{
    return get(b, MOTE_FLOAT64, 0);
}

static mote_status get_waiting(fault_bed *b)
{
    return get(b, MOTE_FLOAT64, 1);
}

#define ROW(text, made_by, runs, undone, how)                                                      \
    {                                                                                              \
        .name = text, .setup = made_by, .run = runs, .undo = undone, .cleanup = release,           \
        .flags = how                                                                               \
    }

const fault_operation fault_buffer[] = {
    {.name = "mote_buffer_create", .run = create, .undo = uncreate},
    ROW("mote_buffer_resize", growing, resize, shrink, 0),
    ROW("mote_buffer_reserve", growing, reserve, shrink, 0),
    ROW("mote_buffer_write", writing, put_floats, fetch, 0),
    ROW("mote_buffer_write, converting", writing_doubles, put_doubles, fetch, 0),
    ROW("mote_buffer_write, read only", writing_closed, put_doubles, fetch, 0),
    ROW("mote_buffer_write, blocking", writing_doubles, put_waiting, fetch, FAULT_WAITS),
    ROW("mote_buffer_read", reading, get_floats, NULL, 0),
    ROW("mote_buffer_read, converting", reading_doubles, get_doubles, NULL, 0),
    ROW("mote_buffer_read, write only", reading_closed, get_doubles, NULL, 0),
    ROW("mote_buffer_read, blocking", reading_doubles, get_waiting, NULL, FAULT_WAITS),
};
const size_t fault_buffer_count = sizeof(fault_buffer) / sizeof(fault_buffer[0]);
