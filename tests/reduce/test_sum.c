/* SPDX-License-Identifier: Apache-2.0 */
/* Combinations of arguments that mote_reduce(), mote_reduce_rows() and mote_reduce_host() reject,
 * rows without values, and arrays of more than 2^32 values. The suite `faults` tests the rejection
 * of single arguments, and tests/trials compares results. */
#include "common/suite.h"
#include "common/bed.h"
#include "mote/mote.h"

#include <math.h>

#define BYTES 65536

/* A valid call of 3 rows of 8 values, of which each test changes one argument. */
typedef struct good_call {
    bed b;
    cl_mem memory;
    mote_reduce_args args;
} good_call;

static mote_view range(cl_mem memory, size_t byte, size_t count, mote_type type)
{
    return (mote_view){
        .mem = memory, .offset = byte / mote_type_size(type), .count = count, .type = type};
}

static void good_create(good_call *g, const char *tune)
{
    cl_int code = CL_SUCCESS;
    bed_open(&g->b, tune);
    g->memory = clCreateBuffer(mote_context_cl(g->b.ctx), CL_MEM_READ_WRITE, BYTES, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    mote_reduce_args_init(&g->args);
    g->args.values = range(g->memory, 0, 24, MOTE_FLOAT32);
    g->args.rows = 3;
    g->args.result = range(g->memory, 1024, 3, MOTE_FLOAT32);
    g->args.result_low = range(g->memory, 2048, 3, MOTE_FLOAT32);
}

static void good_release(good_call *g)
{
    ck_assert_int_eq(clFinish(g->b.in_order), CL_SUCCESS);
    clReleaseMemObject(g->memory);
    bed_close(&g->b);
}

static void check_status(mote_status status, mote_status expected, const char *word)
{
    ck_assert_msg(status == expected, "%s: %s, expected %s: %s", word, mote_status_name(status),
                  mote_status_name(expected), mote_last_error());
    ck_assert_msg(!expected || strstr(mote_last_error(), word), "'%s' is not in: %s", word,
                  mote_last_error());
}

#define REFUSE_BY(call, change, expected, word)                                                    \
    do {                                                                                           \
        mote_reduce_args args = g.args;                                                            \
        change;                                                                                    \
        check_status(call(g.b.ctx, g.b.in_order, &args, 0, NULL, NULL), expected, word);           \
    } while (0)
#define REFUSE(change, expected, word) REFUSE_BY(mote_reduce_rows, change, expected, word)

START_TEST(refuses)
{
    good_call g;
    good_create(&g, "");
    REFUSE((void)args, MOTE_SUCCESS, "as it is");
    REFUSE(args.reduction = MOTE_REDUCE_PROD, MOTE_ERROR_INVALID_ARGUMENT, "reduction is 1");
    REFUSE(args.rows = 5, MOTE_ERROR_INVALID_ARGUMENT, "rows");
    REFUSE(args.rows = 0, MOTE_ERROR_INVALID_ARGUMENT, "rows");
    REFUSE(args.rows = (size_t)1 << 31, MOTE_ERROR_UNSUPPORTED, "rows");
    REFUSE_BY(mote_reduce, (void)args, MOTE_ERROR_INVALID_ARGUMENT, "mote_reduce_rows");
    REFUSE(args.values.count = SIZE_MAX / 2 / 3 * 3, MOTE_ERROR_INVALID_VIEW, "values");
    REFUSE(args.values.type = MOTE_UINT32, MOTE_ERROR_INVALID_TYPE, "must be uint64");
    REFUSE(args.values.type = MOTE_INT32, MOTE_ERROR_INVALID_TYPE, "must be int64");
    REFUSE(args.result.type = MOTE_INT64, MOTE_ERROR_INVALID_TYPE, "float32 or float64");
    REFUSE(args.reduction = MOTE_REDUCE_MIN, MOTE_ERROR_INVALID_ARGUMENT, "result_low");
    /* mote_reduce() and mote_prepare() treat 0 rows with one result as one row. */
    REFUSE_BY(mote_reduce, args.rows = 0;
              args.result.count = args.result_low.count = 1, MOTE_SUCCESS, "one row");
    g.args.rows = 0;
    g.args.result.count = g.args.result_low.count = 1;
    bed_ok(mote_prepare(g.b.ctx, MOTE_OPERATION_REDUCE, &g.args));
    /* Without values, the result's type determines their type. */
    g.args.values = (mote_view){0};
    REFUSE(args.result.type = MOTE_UINT32, MOTE_ERROR_INVALID_TYPE, "result");
    REFUSE(args.result.type = MOTE_INT32, MOTE_ERROR_INVALID_TYPE, "result");
    good_release(&g);
}
END_TEST

/* Tests calls on a device without double precision. */
START_TEST(refuses_float64)
{
    good_call g;
    good_create(&g, "reduce.fp64=0");
    REFUSE((void)args, MOTE_SUCCESS, "as it is");
    g.args.result_low = (mote_view){0};
    g.args.result.type = MOTE_FLOAT64;
    REFUSE((void)args, MOTE_ERROR_UNSUPPORTED, "result_low");
    REFUSE(args.values.type = MOTE_FLOAT64, MOTE_ERROR_UNSUPPORTED, "values is float64");
    good_release(&g);
}
END_TEST

/* Without values, each row has the extreme of an empty set. */
START_TEST(no_values)
{
    static const struct {
        mote_type type;
        uint32_t reduction;
        double extreme;
    } rows[] = {{MOTE_FLOAT32, MOTE_REDUCE_MIN, INFINITY},
                {MOTE_FLOAT64, MOTE_REDUCE_MAX, -INFINITY},
                {MOTE_INT8, MOTE_REDUCE_MIN, INT8_MAX},
                {MOTE_UINT16, MOTE_REDUCE_MAX, 0}};
    bed b;
    bed_open(&b, "");
    for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
        union {
            float f32[2];
            double f64[2];
            int8_t i8[2];
            uint16_t u16[2];
        } result = {.f64 = {4, 4}};
        mote_reduce_host_args args;
        mote_reduce_host_args_init(&args);
        args.type = rows[k].type;
        args.rows = 2;
        args.reduction = rows[k].reduction;
        args.result = &result;
        bed_ok(mote_reduce_host(b.ctx, NULL, &args));
        for (int i = 0; i < 2; i++)
            ck_assert_double_eq(rows[k].type == MOTE_FLOAT32   ? (double)result.f32[i]
                                : rows[k].type == MOTE_FLOAT64 ? result.f64[i]
                                : rows[k].type == MOTE_INT8    ? result.i8[i]
                                                               : result.u16[i],
                                rows[k].extreme);
    }
    bed_close(&b);
}
END_TEST

/* The workspace does not grow with a row, and none is needed for no rows. */
START_TEST(workspace_size)
{
    good_call g;
    size_t bytes = 0;
    good_create(&g, "");
    g.args.values = range(NULL, 0, (size_t)3 << 40, MOTE_FLOAT32);
    bed_ok(mote_reduce_workspace_size(g.b.ctx, &g.args, &bytes));
    ck_assert_uint_le(bytes, 3 * (8192 * 16 + 64));
    g.args.rows = g.args.values.count = g.args.result.count = g.args.result_low.count = 0;
    bed_ok(mote_reduce_workspace_size(g.b.ctx, &g.args, &bytes));
    ck_assert_uint_eq(bytes, 0);
    check_status(mote_reduce_workspace_size(g.b.ctx, &g.args, NULL), MOTE_ERROR_INVALID_ARGUMENT,
                 "bytes");
    good_release(&g);
}
END_TEST

#define REFUSE_HOST(change, expected, word)                                                        \
    do {                                                                                           \
        mote_reduce_host_args args = good;                                                         \
        change;                                                                                    \
        check_status(mote_reduce_host(b.ctx, NULL, &args), expected, word);                        \
    } while (0)

START_TEST(refuses_arrays)
{
    bed b, other;
    mote_host *foreign = NULL;
    const float values[6] = {1, 2, 3, 4, 5, 6};
    double result[2] = {0, 0};
    mote_reduce_host_args good;
    bed_open(&b, "");
    bed_open(&other, "");
    bed_ok(mote_host_create(other.ctx, NULL, &foreign));
    mote_reduce_host_args_init(&good);
    good.values = values;
    good.type = MOTE_FLOAT32;
    good.rows = 2;
    good.n = 3;
    good.result = result;
    bed_ok(mote_reduce_host(b.ctx, NULL, &good));
    ck_assert(result[0] == 6 && result[1] == 15);
    REFUSE_HOST(args.size = 0, MOTE_ERROR_INVALID_STRUCT, "mote_reduce_host_args_init");
    REFUSE_HOST(args.type = MOTE_PIXELS_CLUSTER_TYPE, MOTE_ERROR_INVALID_TYPE, "type is pixels");
    REFUSE_HOST(args.result_type = MOTE_INT64, MOTE_ERROR_INVALID_TYPE, "result");
    REFUSE_HOST(args.values = NULL, MOTE_ERROR_INVALID_ARGUMENT, "values");
    REFUSE_HOST(args.result = NULL, MOTE_ERROR_INVALID_ARGUMENT, "result");
    REFUSE_HOST(args.n = SIZE_MAX / 4, MOTE_ERROR_INVALID_ARGUMENT, "memory");
    REFUSE_HOST(args.rows = SIZE_MAX / 4, MOTE_ERROR_INVALID_ARGUMENT, "memory");
    REFUSE_HOST(args.reduction = MOTE_REDUCE_ALL, MOTE_ERROR_INVALID_ARGUMENT, "reduction");
    check_status(mote_reduce_host(NULL, NULL, &good), MOTE_ERROR_INVALID_ARGUMENT, "ctx");
    check_status(mote_reduce_host(b.ctx, foreign, &good), MOTE_ERROR_WRONG_CONTEXT, "host");
    check_status(mote_reduce_host(b.ctx, NULL, NULL), MOTE_ERROR_INVALID_ARGUMENT, "args");
    mote_host_release(foreign);
    bed_close(&other);
    bed_close(&b);
}
END_TEST

#define LARGE_PIECE ((size_t)1 << 24)

static void write_ints(bed *b, cl_mem mem, size_t at, size_t count, const int32_t *from)
{
    ck_assert_int_eq(clEnqueueWriteBuffer(b->in_order, mem, CL_TRUE, at * sizeof(*from),
                                          count * sizeof(*from), from, 0, NULL, NULL),
                     CL_SUCCESS);
}

/* Ones, and other numbers where an index of 31 or 32 bits would be wrong. The host writes them, so
 * that the test does not depend on a driver's fill of so long a buffer. */
static int64_t fill_large(bed *b, cl_mem mem, size_t count)
{
    const size_t places[] = {3, (size_t)1 << 31, ((size_t)1 << 32) + 1, count - 1};
    int32_t *ones = malloc(LARGE_PIECE * sizeof(*ones));
    int64_t sum = (int64_t)count;
    ck_assert_ptr_nonnull(ones);
    for (size_t k = 0; k < LARGE_PIECE; k++)
        ones[k] = 1;
    for (size_t at = 0; at < count; at += LARGE_PIECE)
        write_ints(b, mem, at, count - at < LARGE_PIECE ? count - at : LARGE_PIECE, ones);
    free(ones);
    for (size_t k = 0; k < 4; k++) {
        const int32_t value = 1000 << (4 * k);
        if (places[k] >= count)
            continue;
        write_ints(b, mem, places[k], 1, &value);
        sum += value - 1;
    }
    return sum;
}

static void sum_large(bed *b, size_t count)
{
    cl_int code[2];
    cl_context cl = mote_context_cl(b->ctx);
    cl_mem values = clCreateBuffer(cl, 0, count * sizeof(int32_t), NULL, &code[0]);
    cl_mem result = clCreateBuffer(cl, 0, sizeof(int64_t), NULL, &code[1]);
    ck_assert(code[0] == CL_SUCCESS && code[1] == CL_SUCCESS);
    int64_t expected = fill_large(b, values, count), sum = 0;
    mote_reduce_args args;
    mote_reduce_args_init(&args);
    args.values = mote_view_make(values, count, MOTE_INT32);
    args.result = mote_view_make(result, 1, MOTE_INT64);
    bed_ok(mote_reduce(b->ctx, b->in_order, &args, 0, NULL, NULL));
    code[0] =
        clEnqueueReadBuffer(b->in_order, result, CL_TRUE, 0, sizeof(sum), &sum, 0, NULL, NULL);
    ck_assert_int_eq(code[0], CL_SUCCESS);
    ck_assert_int_eq(sum, expected);
    clReleaseMemObject(values);
    clReleaseMemObject(result);
}

/* Tests more values than 31 and 32 bits can index, on devices with enough memory. */
START_TEST(large)
{
    bed b;
    bed_open(&b, "");
    const mote_device_info *device = mote_context_device(b.ctx);
    for (unsigned bits = 31; bits <= 32; bits++) {
        const size_t count = ((size_t)1 << bits) + 5003;
        if (device->device_class == MOTE_DEVICE_GPU &&
            device->max_alloc_bytes >= count * sizeof(int32_t))
            sum_large(&b, count);
        else
            printf("# skipped: %s takes no buffer of %zu int32\n", device->name, count);
    }
    bed_close(&b);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST(refuses),        SUITE_TEST(refuses_float64), SUITE_TEST(workspace_size),
    SUITE_TEST(refuses_arrays), SUITE_TEST(no_values),       SUITE_TEST(large),
};
SUITE_MAIN("reduce_sum", tests)
