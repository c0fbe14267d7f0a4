/* SPDX-License-Identifier: Apache-2.0 */
/* Every pair of types, in both directions, on host and device, compared with an oracle that uses
 * long double: it represents every value of every type, so that only one rounding remains. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "call_bed.h"
#include "common/suite.h"

#define TYPES  9
#define VALUES 64

_Static_assert(LDBL_MANT_DIG >= 64, "the oracle needs a long double that holds 64-bit integers");

static bed b;
static mote_buffer *buffers[TYPES + 1];

typedef union element {
    uint8_t u8;
    uint16_t u16;
    int32_t i32;
    uint32_t u32;
    int64_t i64;
    uint64_t u64;
    float f32;
    double f64;
} element;

static void setup(void)
{
    call_bed_open(&b, NULL);
}

static void teardown(void)
{
    for (int t = 1; t <= TYPES; t++) {
        mote_buffer_release(buffers[t]);
        buffers[t] = NULL;
    }
    call_bed_close(&b);
}

static long double get(mote_type type, const void *at)
{
    element e = {0};
    memcpy(&e, at, mote_type_size(type));
    const long double values[] = {0,     e.u8 != 0, e.u8,  e.u16, e.i32,
                                  e.u32, e.i64,     e.u64, e.f32, e.f64};
    return values[type];
}

/* Returns the nearest integer towards zero within the limits; NaN is 0. */
static long double clamp(long double v, long double least, long double most)
{
    if (isnan(v))
        return 0;
    v = truncl(v);
    return v < least ? least : (v > most ? most : v);
}

static void put(mote_type type, long double v, void *at)
{
    element e = {0};
    if (type == MOTE_BOOL)
        e.u8 = !isnan(v) && v != 0;
    else if (type == MOTE_UINT8)
        e.u8 = (uint8_t)clamp(v, 0, UINT8_MAX);
    else if (type == MOTE_UINT16)
        e.u16 = (uint16_t)clamp(v, 0, UINT16_MAX);
    else if (type == MOTE_INT32)
        e.i32 = (int32_t)clamp(v, INT32_MIN, INT32_MAX);
    else if (type == MOTE_UINT32)
        e.u32 = (uint32_t)clamp(v, 0, UINT32_MAX);
    else if (type == MOTE_INT64)
        e.i64 = (int64_t)clamp(v, INT64_MIN, INT64_MAX);
    else if (type == MOTE_UINT64)
        e.u64 = (uint64_t)clamp(v, 0, UINT64_MAX);
    else if (type == MOTE_FLOAT32)
        e.f32 = (float)v;
    else
        e.f64 = (double)v;
    memcpy(at, &e, mote_type_size(type));
}

/* Limits of every type and their neighbours, halves, values between floats, infinities and NaN.
 */
static const long double interesting[] = {
    0,
    -0.0L,
    1,
    -1,
    2,
    0.5L,
    -0.5L,
    0.999L,
    -0.999L,
    1.5L,
    -1.5L,
    2.5L,
    127,
    128,
    254,
    255,
    255.5L,
    256,
    257,
    32767,
    32768,
    65534,
    65535,
    65535.5L,
    65536,
    16777215,
    16777216,
    16777217,
    16777219,
    33554435,
    2147483520,
    2147483646,
    2147483647,
    2147483648.0L,
    2147483904.0L,
    -2147483647,
    -2147483648.0L,
    -2147483649.0L,
    4294967040.0L,
    4294967294.0L,
    4294967295.0L,
    4294967296.0L,
    9007199254740993.0L,
    9223371487098961920.0L,
    9223372036854775807.0L,
    9223372036854775808.0L,
    -9223372036854775808.0L,
    -9223373136366403584.0L,
    18446742974197923840.0L,
    18446744073709551615.0L,
    18446744073709551616.0L,
    3.4028234e38L,
    3.4028236e38L,
    -3.5e38L,
    1e300L,
    1.17549435e-38L,
    1e-30L,
    -1e300L,
    3.14159265358979L,
    -2.71828182845905L,
};

/* Fills an array of a type with the interesting values that it can represent, and with other
 * values. */
static void fill(mote_type type, char *at)
{
    size_t size = mote_type_size(type), count = sizeof(interesting) / sizeof(interesting[0]);
    ck_assert_uint_le(count + 4, VALUES);
    for (size_t i = 0; i < VALUES; i++)
        put(type, i < count ? interesting[i] : (long double)i, at + i * size);
    if (type == MOTE_BOOL)
        at[1] = (char)0xfe;
    if (type == MOTE_FLOAT32 || type == MOTE_FLOAT64) {
        put(type, NAN, at + (VALUES - 1) * size);
        put(type, INFINITY, at + (VALUES - 2) * size);
        put(type, -INFINITY, at + (VALUES - 3) * size);
    }
}

static void compare(mote_type from, mote_type to, const char *in, const char *out, const char *how)
{
    size_t from_size = mote_type_size(from), to_size = mote_type_size(to);
    for (size_t i = 0; i < VALUES; i++) {
        char right[8];
        if (from == to)
            memcpy(right, in + i * from_size, to_size);
        else
            put(to, get(from, in + i * from_size), right);
        long double value = get(to, out + i * to_size);
        bool both_nan = isnan(value) && isnan(get(to, right));
        ck_assert_msg(both_nan || memcmp(right, out + i * to_size, to_size) == 0,
                      "%s: %s to %s: %.21Lg gave %.21Lg instead of %.21Lg", how,
                      mote_type_name(from), mote_type_name(to), get(from, in + i * from_size),
                      value, get(to, right));
    }
}

static void await(cl_event event)
{
    ck_assert_ptr_nonnull(event);
    ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    clReleaseEvent(event);
}

/* Writes host type `from` to a buffer of type `to` and reads it back unchanged; then the other
 * direction. */
static void pair(mote_type from, mote_type to, int blocking, cl_command_queue queue,
                 cl_mem_flags flags)
{
    char in[VALUES * 8], out[VALUES * 8];
    const char *how = blocking ? "host" : "device";
    mote_buffer *buffer = NULL;
    cl_event written = NULL, done = NULL;
    bed_ok(mote_buffer_create(b.ctx, to, VALUES + 3, flags, &buffer));
    buffers[to] = buffer;
    fill(from, in);
    bed_ok(mote_buffer_write(buffer, 3, VALUES, in, from, blocking, queue, 0, NULL, &written));
    bed_ok(mote_buffer_read(buffer, 3, VALUES, out, to, 0, queue, 1, &written, &done));
    await(done);
    clReleaseEvent(written);
    compare(from, to, in, out, how);
    fill(to, in);
    bed_ok(mote_buffer_write(buffer, 2, VALUES, in, to, 0, queue, 0, NULL, &written));
    bed_ok(mote_buffer_read(buffer, 2, VALUES, out, from, blocking, queue, 1, &written, &done));
    await(done);
    clReleaseEvent(written);
    compare(to, from, in, out, how);
    mote_buffer_release(buffer);
    buffers[to] = NULL;
}

static void pairs(int blocking, cl_command_queue queue)
{
    for (int from = 1; from <= TYPES; from++)
        for (int to = from; to <= TYPES; to++)
            pair((mote_type)from, (mote_type)to, blocking, queue, 0);
}

START_TEST(on_the_host)
{
    pairs(1, b.any_order);
}
END_TEST

START_TEST(on_the_device)
{
    pairs(0, b.any_order);
}
END_TEST

START_TEST(with_rights)
{
    pair(MOTE_FLOAT32, MOTE_UINT16, 0, b.in_order, CL_MEM_READ_ONLY);
    pair(MOTE_FLOAT32, MOTE_UINT16, 0, b.any_order, CL_MEM_WRITE_ONLY);
    pair(MOTE_INT32, MOTE_FLOAT32, 1, b.in_order, CL_MEM_READ_ONLY);
}
END_TEST

/* Tests more than one piece on the host, more than one round on the device. */
START_TEST(long_arrays)
{
    const size_t n = 300001;
    uint32_t *values = malloc(n * sizeof(*values));
    uint64_t *back = malloc(n * sizeof(*back));
    mote_buffer *buffer = NULL;
    ck_assert(values && back);
    bed_ok(mote_buffer_create(b.ctx, MOTE_FLOAT32, n, 0, &buffer));
    for (int blocking = 0; blocking < 2; blocking++) {
        for (size_t i = 0; i < n; i++) {
            values[i] = (uint32_t)i + (uint32_t)blocking;
            back[i] = 0;
        }
        cl_event written = NULL, done = NULL;
        bed_ok(mote_buffer_write(buffer, 0, n, values, MOTE_UINT32, blocking, b.any_order, 0, NULL,
                                 &written));
        bed_ok(mote_buffer_read(buffer, 0, n, back, MOTE_UINT64, blocking, b.any_order, 1, &written,
                                &done));
        await(done);
        clReleaseEvent(written);
        for (size_t i = 0; i < n; i++)
            ck_assert_uint_eq(back[i], i + (size_t)blocking);
    }
    mote_buffer_release(buffer);
    free(values);
    free(back);
}
END_TEST

/* The GPU form gives the same bits. */
START_TEST(gpu_form)
{
    call_bed_close(&b);
    call_bed_open(&b, "core.form=gpu");
    pair(MOTE_FLOAT64, MOTE_INT32, 0, b.in_order, 0);
    pair(MOTE_INT64, MOTE_FLOAT32, 0, b.in_order, 0);
}
END_TEST

/* A device conversion waits for its list and returns at once. */
START_TEST(asynchronous)
{
    float values[VALUES];
    uint16_t back[VALUES] = {0};
    cl_int code;
    cl_event gate = clCreateUserEvent(mote_context_cl(b.ctx), &code), written = NULL, done = NULL;
    mote_buffer *buffer = NULL;
    bed_ok(mote_buffer_create(b.ctx, MOTE_INT32, VALUES, 0, &buffer));
    bed_ok(mote_buffer_write(buffer, 0, VALUES, values, MOTE_FLOAT32, 0, b.any_order, 1, &gate,
                             &written));
    bed_ok(
        mote_buffer_read(buffer, 0, VALUES, back, MOTE_UINT16, 0, b.any_order, 1, &written, &done));
    ck_assert_int_ne(bed_event_state(done), CL_COMPLETE);
    for (int i = 0; i < VALUES; i++)
        values[i] = (float)i + 0.25f;
    clSetUserEventStatus(gate, CL_COMPLETE);
    clReleaseEvent(gate);
    await(done);
    clReleaseEvent(written);
    for (int i = 0; i < VALUES; i++)
        ck_assert_uint_eq(back[i], (unsigned)i);
    mote_buffer_release(buffer);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(on_the_host), SUITE_TEST_LONG(on_the_device), SUITE_TEST(with_rights),
    SUITE_TEST(long_arrays), SUITE_TEST(gpu_form),           SUITE_TEST(asynchronous),
};

SUITE_MAIN_FIXTURE("convert", tests, setup, teardown)
