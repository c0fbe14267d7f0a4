/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms with known results, combinations of arguments that mote_histogram() and
 * mote_histogram_host() reject, and more than 2^32 values. The suite `faults` tests the rejection
 * of single arguments, and tests/trials compares results. */
#include "common/suite.h"
#include "common/bed.h"
#include "mote/mote.h"

#include <math.h>

static void check_status(mote_status status, mote_status expected, const char *word)
{
    ck_assert_msg(status == expected, "%s: %s, expected %s: %s", word, mote_status_name(status),
                  mote_status_name(expected), mote_last_error());
    ck_assert_msg(!expected || strstr(mote_last_error(), word), "'%s' is not in: %s", word,
                  mote_last_error());
}

static const char *const forms[] = {"reduce.form=cpu", "reduce.form=gpu"};

static const float few[8] = {-1, 0, 0.5F, 1, 1.5F, 2, 2.5F, NAN};
static const float weights[8] = {64, 1, 2, 4, 8, 16, 32, 128};

static mote_histogram_host_args few_args(void *result)
{
    mote_histogram_host_args args;
    mote_histogram_host_args_init(&args);
    args.values = few;
    args.n = 8;
    args.type = MOTE_FLOAT32;
    args.bins = 2;
    args.low = 0;
    args.high = 2;
    args.result = result;
    return args;
}

/* The last bin includes the last edge; values outside are in no bin. */
START_TEST(known)
{
    static const float edges[4] = {0, 1, 1, 2};
    static const int8_t below[3] = {-3, -2, 127};
    int64_t counts[3] = {9, 9, 9};
    float sums[3] = {9, 9, 9};
    bed b;
    bed_open(&b, forms[_i]);
    mote_histogram_host_args args = few_args(counts);
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    ck_assert(counts[0] == 2 && counts[1] == 3);
    args.edges = edges;
    args.edges_type = MOTE_FLOAT32;
    args.bins = 3;
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    ck_assert(counts[0] == 2 && counts[1] == 0 && counts[2] == 3);
    args.weights = weights;
    args.weights_type = MOTE_FLOAT32;
    args.result = sums;
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    ck_assert(sums[0] == 3 && sums[1] == 0 && sums[2] == 28);
    /* Edges outside the range of the type of the values. */
    args = few_args(counts);
    args.values = below;
    args.n = 3;
    args.type = MOTE_INT8;
    args.low = 127;
    args.high = 1e9;
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    ck_assert(counts[0] == 1 && counts[1] == 0);
    args.low = 127.5;
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    ck_assert(counts[0] == 0 && counts[1] == 0);
    args.low = -1e9;
    args.high = -128.5;
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    ck_assert(counts[0] == 0 && counts[1] == 0);
    bed_close(&b);
}
END_TEST

/* The order of the values does not change a sum, and the error bound of the header holds. */
START_TEST(rounding)
{
    float w[3] = {1, 0x1p-60F, 3}, turned[3] = {3, 0x1p-60F, 1}, sum[2] = {0, 0};
    bed b;
    bed_open(&b, forms[_i]);
    mote_histogram_host_args args = few_args(&sum[0]);
    args.n = 3;
    args.bins = 1;
    args.low = -2;
    args.weights = w;
    args.weights_type = MOTE_FLOAT32;
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    args.weights = turned;
    args.result = &sum[1];
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    ck_assert(sum[0] == 4 && sum[1] == 4);
    w[1] = INFINITY;
    w[2] = -INFINITY;
    args.weights = w;
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    ck_assert(isnan(sum[1]));
    bed_close(&b);
}
END_TEST

#define MANY 8192

/* Each number of fixed point is rounded up to a power of two. */
START_TEST(rounded_up)
{
    float *half = malloc(MANY * sizeof(*half));
    double *w = malloc(MANY * sizeof(*w)), sum = 0;
    bed b;
    ck_assert(half && w);
    for (size_t i = 0; i < MANY; i++) {
        half[i] = 0.5F;
        w[i] = 1 - 0x1p-53;
    }
    bed_open(&b, forms[_i]);
    mote_histogram_host_args args = few_args(&sum);
    args.values = half;
    args.n = MANY;
    args.bins = 1;
    args.weights = w;
    args.weights_type = MOTE_FLOAT64;
    bed_ok(mote_histogram_host(b.ctx, NULL, &args));
    ck_assert_double_eq(sum, MANY);
    bed_close(&b);
    free(half);
    free(w);
}
END_TEST

#define REFUSE(change, expected, word)                                                             \
    do {                                                                                           \
        mote_histogram_host_args args = few_args(counts);                                          \
        change;                                                                                    \
        check_status(mote_histogram_host(b.ctx, NULL, &args), expected, word);                     \
    } while (0)

#define EDGES(...)                                                                                 \
    do {                                                                                           \
        args.edges = (const float[]){__VA_ARGS__};                                                 \
        args.edges_type = MOTE_FLOAT32;                                                            \
    } while (0)

START_TEST(refuses)
{
    int64_t counts[3] = {9, 9, 9};
    bed b;
    bed_open(&b, forms[_i]);
    REFUSE((void)args, MOTE_SUCCESS, "as it is");
    REFUSE(args.size = 0, MOTE_ERROR_INVALID_STRUCT, "mote_histogram_host_args_init");
    REFUSE(args.high = 0, MOTE_ERROR_INVALID_ARGUMENT, "low = 0 and high = 0");
    REFUSE(args.low = NAN, MOTE_ERROR_INVALID_ARGUMENT, "low = nan");
    REFUSE(args.high = INFINITY, MOTE_ERROR_INVALID_ARGUMENT, "high = inf");
    REFUSE(args.low = -1e308; args.high = 1e308, MOTE_ERROR_INVALID_ARGUMENT, "difference");
    REFUSE(args.bins = 0, MOTE_ERROR_INVALID_ARGUMENT, "bins is 0");
    REFUSE(args.bins = SIZE_MAX / 8, MOTE_ERROR_INVALID_ARGUMENT, "memory");
    REFUSE(args.n = SIZE_MAX / 4, MOTE_ERROR_INVALID_ARGUMENT, "memory");
    REFUSE(args.type = MOTE_PIXELS_CLUSTER_TYPE, MOTE_ERROR_INVALID_TYPE, "type is pixels");
    REFUSE(args.values = NULL, MOTE_ERROR_INVALID_ARGUMENT, "values is NULL");
    REFUSE(args.result = NULL, MOTE_ERROR_INVALID_ARGUMENT, "result is NULL");
    REFUSE(args.weights_type = MOTE_FLOAT32, MOTE_ERROR_INVALID_ARGUMENT, "weights is NULL");
    REFUSE(args.weights = weights;
           args.weights_type = MOTE_INT32, MOTE_ERROR_INVALID_TYPE, "weights_type is int32");
    REFUSE(EDGES(0, 1, 2);
           args.edges_type = MOTE_INT32, MOTE_ERROR_INVALID_TYPE, "edges_type is int32");
    REFUSE(EDGES(0, 2, 1), MOTE_ERROR_EDGES, "edge 1");
    REFUSE(EDGES(NAN, 1, 2), MOTE_ERROR_EDGES, "edge 0");
    REFUSE(EDGES(0, 1, NAN), MOTE_ERROR_EDGES, "edge 1");
    bed_close(&b);
}
END_TEST

/* Rejects views that do not match, and a device without double precision. */
START_TEST(refuses_views)
{
    bed b;
    size_t bytes = 0;
    mote_histogram_args args;
    bed_open(&b, "reduce.fp64=0");
    mote_histogram_args_init(&args);
    args.values = mote_view_make(NULL, 8, MOTE_FLOAT32);
    args.edges = mote_view_make(NULL, 3, MOTE_FLOAT32);
    args.result = mote_view_make(NULL, 2, MOTE_INT64);
    bed_ok(mote_histogram_workspace_size(b.ctx, &args, &bytes));
    ck_assert_uint_gt(bytes, 0);
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_HISTOGRAM, &args));
#define REFUSE_VIEW(change, expected, word)                                                        \
    do {                                                                                           \
        const mote_histogram_args before = args;                                                   \
        change;                                                                                    \
        check_status(mote_histogram_workspace_size(b.ctx, &args, &bytes), expected, word);         \
        args = before;                                                                             \
    } while (0)
    REFUSE_VIEW(args.result.type = MOTE_FLOAT32, MOTE_ERROR_INVALID_TYPE, "result");
    REFUSE_VIEW(args.weights = args.values, MOTE_ERROR_INVALID_TYPE, "result");
    REFUSE_VIEW(args.edges.type = MOTE_INT32, MOTE_ERROR_INVALID_TYPE, "edges");
    REFUSE_VIEW(args.result.count = 0; args.edges.count = 1, MOTE_ERROR_INVALID_ARGUMENT, "bin");
    REFUSE_VIEW(args.result.count = 1U << 31;
                args.edges.count = (1U << 31) + 1, MOTE_ERROR_UNSUPPORTED, "2147483648 bins");
    REFUSE_VIEW(args.edges = (mote_view){0};
                args.high = 1, MOTE_ERROR_UNSUPPORTED, "edges is NULL");
    REFUSE_VIEW(args.edges.type = MOTE_FLOAT64, MOTE_ERROR_UNSUPPORTED, "edges is float64");
    REFUSE_VIEW(args.values.type = MOTE_FLOAT64, MOTE_ERROR_UNSUPPORTED, "values is float64");
    bed_close(&b);
}
END_TEST

#define PIECE ((size_t)1 << 24)

/* Tests more values than 32 bits can count, on devices with enough memory. */
START_TEST(large)
{
    const size_t count = ((size_t)1 << 32) + 5;
    bed b;
    cl_int code[2];
    int64_t counts[2] = {0, 0};
    uint8_t *zeros = calloc(PIECE, 1), one = 1;
    bed_open(&b, "");
    const mote_device_info *device = mote_context_device(b.ctx);
    if (device->device_class != MOTE_DEVICE_GPU || device->max_alloc_bytes < count) {
        printf("# skipped: %s takes no buffer of %zu uint8\n", device->name, count);
    } else if (zeros) {
        cl_mem values = clCreateBuffer(mote_context_cl(b.ctx), 0, count, NULL, &code[0]);
        cl_mem result = clCreateBuffer(mote_context_cl(b.ctx), 0, sizeof(counts), NULL, &code[1]);
        ck_assert(code[0] == CL_SUCCESS && code[1] == CL_SUCCESS);
        for (size_t at = 0; at < count; at += PIECE)
            ck_assert_int_eq(clEnqueueWriteBuffer(b.in_order, values, CL_TRUE, at,
                                                  count - at < PIECE ? count - at : PIECE, zeros, 0,
                                                  NULL, NULL),
                             CL_SUCCESS);
        ck_assert_int_eq(
            clEnqueueWriteBuffer(b.in_order, values, CL_TRUE, count - 1, 1, &one, 0, NULL, NULL),
            CL_SUCCESS);
        mote_histogram_args args;
        mote_histogram_args_init(&args);
        args.values = mote_view_make(values, count, MOTE_UINT8);
        args.high = 2;
        args.result = mote_view_make(result, 2, MOTE_INT64);
        bed_ok(mote_histogram(b.ctx, b.in_order, &args, 0, NULL, NULL));
        ck_assert_int_eq(clEnqueueReadBuffer(b.in_order, result, CL_TRUE, 0, sizeof(counts), counts,
                                             0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert(counts[0] == (int64_t)count - 1 && counts[1] == 1);
        clReleaseMemObject(values);
        clReleaseMemObject(result);
    }
    free(zeros);
    bed_close(&b);
}
END_TEST

static const suite_test tests[] = {
    SUITE_TEST_OF_TWO(known),   SUITE_TEST_OF_TWO(rounding), SUITE_TEST_OF_TWO(rounded_up),
    SUITE_TEST_OF_TWO(refuses), SUITE_TEST(refuses_views),   SUITE_TEST(large),
};
SUITE_MAIN("reduce_histogram", tests)
