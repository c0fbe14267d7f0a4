/* SPDX-License-Identifier: Apache-2.0 */
/* What mote_reduce() and mote_reduce_rows() refuse, prepare and reserve. */
#include "common/suite.h"
#include "words.h"
#include "mote/mote.h"

#include <math.h>

#define BYTES 65536

/* A good call of 3 rows of 8, from which each test changes one thing. */
typedef struct good_call {
    bed b;
    cl_mem memory;
    mote_reduce_args args;
} good_call;

/* byte: a multiple of the type's size. */
static mote_view range(cl_mem memory, size_t byte, size_t count, mote_type type)
{
    return (mote_view){
        .mem = memory, .offset = byte / mote_type_size(type), .count = count, .type = type};
}

static void good_create(good_call *g, const char *tune)
{
    cl_int code = CL_SUCCESS;
    void *zeros = calloc(1, BYTES);
    ck_assert_ptr_nonnull(zeros);
    bed_open(&g->b, tune);
    g->memory = clCreateBuffer(mote_context_cl(g->b.ctx), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                               BYTES, zeros, &code);
    free(zeros);
    ck_assert_int_eq(code, CL_SUCCESS);
    mote_reduce_args_init(&g->args);
    g->args.values = range(g->memory, 0, 24, MOTE_FLOAT32);
    g->args.rows = 3;
    g->args.result = range(g->memory, 1024, 3, MOTE_FLOAT32);
    g->args.result_low = range(g->memory, 2048, 3, MOTE_FLOAT32);
    g->args.workspace = range(g->memory, 4096, 1024, MOTE_UINT32);
}

static void good_release(good_call *g)
{
    clReleaseMemObject(g->memory);
    bed_close(&g->b);
}

static mote_status attempt(good_call *g, const mote_reduce_args *args, bool rows)
{
    cl_event event = NULL;
    mote_status status = rows ? mote_reduce_rows(g->b.ctx, g->b.in_order, args, 0, NULL, &event)
                              : mote_reduce(g->b.ctx, g->b.in_order, args, 0, NULL, &event);
    if (status)
        ck_assert_ptr_null(event);
    else
        ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    if (event)
        clReleaseEvent(event);
    return status;
}

static void check_status(mote_status status, mote_status expected, const char *word)
{
    ck_assert_msg(status == expected, "%s: %s, expected %s: %s", word, mote_status_name(status),
                  mote_status_name(expected), mote_last_error());
    ck_assert_msg(!expected || strstr(mote_last_error(), word), "'%s' is not in: %s", word,
                  mote_last_error());
}

#define REFUSE_BY(rows_call, change, expected, word)                                               \
    do {                                                                                           \
        mote_reduce_args args = g.args;                                                            \
        change;                                                                                    \
        check_status(attempt(&g, &args, rows_call), expected, word);                               \
    } while (0)
#define REFUSE(change, expected, word) REFUSE_BY(true, change, expected, word)
#define ACCEPT(change)                 REFUSE_BY(true, change, MOTE_SUCCESS, #change)

START_TEST(test_refuses)
{
    good_call g;
    good_create(&g, "");
    ACCEPT((void)args);
    REFUSE(args.size = 0, MOTE_ERROR_INVALID_STRUCT, "mote_reduce_args_init");
    REFUSE(args.reduction = MOTE_REDUCE_PROD, MOTE_ERROR_INVALID_ARGUMENT, "reduction is 1");
    REFUSE(args.reduction = (mote_reduction)77, MOTE_ERROR_INVALID_ARGUMENT, "reduction is 77");
    REFUSE(args.accumulation = (mote_accumulation)3, MOTE_ERROR_INVALID_ARGUMENT,
           "accumulation is 3");
    REFUSE(args.nan = (mote_nan_policy)2, MOTE_ERROR_INVALID_ARGUMENT, "nan is 2");
    REFUSE(args.rows = 5, MOTE_ERROR_INVALID_ARGUMENT, "rows");
    REFUSE(args.rows = 0, MOTE_ERROR_INVALID_ARGUMENT, "rows");
    REFUSE(args.rows = (size_t)1 << 31, MOTE_ERROR_UNSUPPORTED, "rows");
    REFUSE_BY(false, (void)args, MOTE_ERROR_INVALID_ARGUMENT, "mote_reduce_rows");
    REFUSE(args.values.type = MOTE_UINT32, MOTE_ERROR_INVALID_TYPE, "must be uint64");
    REFUSE(args.values.type = (mote_type)99, MOTE_ERROR_INVALID_TYPE, "values");
    REFUSE(args.values.count = SIZE_MAX / 2 / 3 * 3, MOTE_ERROR_INVALID_VIEW, "values");
    REFUSE(args.values.mem = NULL, MOTE_ERROR_INVALID_VIEW, "values");
    REFUSE(args.result.count = 2, MOTE_ERROR_INVALID_ARGUMENT, "result has 2");
    REFUSE(args.result.count = 4, MOTE_ERROR_INVALID_ARGUMENT, "result has 4");
    REFUSE(args.result = (mote_view){0}, MOTE_ERROR_INVALID_ARGUMENT, "result");
    REFUSE(args.result.type = MOTE_INT64, MOTE_ERROR_INVALID_TYPE, "float32 or float64");
    REFUSE(args.values.type = MOTE_INT32, MOTE_ERROR_INVALID_TYPE, "must be int64");
    REFUSE(args.result_low.count = 2, MOTE_ERROR_INVALID_ARGUMENT, "result_low");
    REFUSE(args.reduction = MOTE_REDUCE_MIN, MOTE_ERROR_INVALID_ARGUMENT, "result_low");
    REFUSE(args.result.offset = 0, MOTE_ERROR_INVALID_VIEW, "overlap");
    REFUSE(args.result_low = args.result, MOTE_ERROR_INVALID_VIEW, "overlap");
    REFUSE(args.workspace = range(g.memory, 0, 1024, MOTE_UINT32), MOTE_ERROR_INVALID_VIEW,
           "overlap");
    ACCEPT(args.workspace = (mote_view){0});
    ACCEPT(args.result_low = (mote_view){0});
    ACCEPT((args.rows = 0, args.values.count = args.result.count = args.result_low.count = 0));
    check_status(mote_reduce_rows(g.b.ctx, NULL, &g.args, 0, NULL, NULL),
                 MOTE_ERROR_INVALID_ARGUMENT, "queue");
    good_release(&g);
}
END_TEST

/* Without values the result's type tells what is summed. */
START_TEST(test_no_values)
{
    good_call g;
    float result[3] = {1, 2, 3};
    good_create(&g, _i ? "reduce.form=gpu" : "reduce.form=cpu");
    for (int k = 0; k < 3; k++) {
        mote_reduce_args args = g.args;
        args.values = (mote_view){0};
        args.result_low = (mote_view){0};
        args.reduction = k == 0 ? MOTE_REDUCE_SUM : k == 1 ? MOTE_REDUCE_MIN : MOTE_REDUCE_MAX;
        bed_ok(attempt(&g, &args, true));
        ck_assert_int_eq(clEnqueueReadBuffer(g.b.in_order, g.memory, CL_TRUE, 1024, sizeof(result),
                                             result, 0, NULL, NULL),
                         0);
        for (int row = 0; row < 3; row++)
            ck_assert(result[row] == (k == 0 ? 0.0f : k == 1 ? INFINITY : -INFINITY));
    }
    REFUSE((args.values = (mote_view){0}, args.result.type = MOTE_UINT32), MOTE_ERROR_INVALID_TYPE,
           "result");
    REFUSE((args.values = (mote_view){0}, args.result.type = MOTE_INT32), MOTE_ERROR_INVALID_TYPE,
           "result");
    good_release(&g);
}
END_TEST

/* A device without double precision says so. */
START_TEST(test_no_fp64)
{
    good_call g;
    good_create(&g, "reduce.fp64=0");
    REFUSE((args.result.type = MOTE_FLOAT64, args.result_low = (mote_view){0}),
           MOTE_ERROR_UNSUPPORTED, "result_low");
    REFUSE((args.values.type = args.result.type = MOTE_FLOAT64, args.result_low = (mote_view){0}),
           MOTE_ERROR_UNSUPPORTED, "values is float64");
    ACCEPT((void)args);
    good_release(&g);
}
END_TEST

/* What was prepared neither builds nor allocates. */
START_TEST(test_prepare)
{
    good_call g;
    mote_memory before, after;
    good_create(&g, _i ? "reduce.form=gpu" : "reduce.form=cpu");
    g.args.values.count = 12000;
    g.args.rows = 1;
    g.args.result.count = 1;
    g.args.result = range(g.memory, 50000 / 4 * 4, 1, MOTE_FLOAT32);
    g.args.result_low = g.args.workspace = (mote_view){0};
    mote_reduce_args args = g.args;
    args.values.mem = args.result.mem = NULL;
    args.rows = 0;
    bed_ok(mote_prepare(g.b.ctx, MOTE_OPERATION_REDUCE, &args));
    mote_memory_init(&before);
    mote_memory_init(&after);
    bed_ok(mote_context_memory(g.b.ctx, &before));
    ck_assert_uint_gt(before.programs, 0);
    ck_assert_uint_gt(before.scratch_idle, 0);
    bed_ok(attempt(&g, &g.args, false));
    bed_ok(mote_context_memory(g.b.ctx, &after));
    ck_assert_uint_eq(after.programs, before.programs);
    ck_assert_uint_eq(after.scratch_peak, before.scratch_peak);
    args.reduction = MOTE_REDUCE_ANY;
    check_status(mote_prepare(g.b.ctx, MOTE_OPERATION_REDUCE, &args), MOTE_ERROR_INVALID_ARGUMENT,
                 "reduction");
    good_release(&g);
}
END_TEST

START_TEST(test_workspace_size)
{
    good_call g;
    size_t bytes = 0;
    good_create(&g, "");
    g.args.values = range(NULL, 0, (size_t)1 << 40, MOTE_FLOAT32);
    g.args.rows = 0;
    g.args.result.count = g.args.result_low.count = 1;
    bed_ok(mote_reduce_workspace_size(g.b.ctx, &g.args, &bytes));
    ck_assert_uint_le(bytes, 8192 * 16 + 64); /* however large the row */
    g.args.values.count = 0;
    g.args.result.count = g.args.result_low.count = 0;
    bed_ok(mote_reduce_workspace_size(g.b.ctx, &g.args, &bytes));
    check_status(mote_reduce_workspace_size(g.b.ctx, &g.args, NULL), MOTE_ERROR_INVALID_ARGUMENT,
                 "bytes");
    mote_reduce_args args = g.args;
    args.nan = (mote_nan_policy)5;
    check_status(mote_reduce_workspace_size(g.b.ctx, &args, &bytes), MOTE_ERROR_INVALID_ARGUMENT,
                 "nan");
    /* Too little of it. */
    g.args.values = range(g.memory, 0, 12000, MOTE_FLOAT32);
    g.args.result = range(g.memory, 50000, 1, MOTE_FLOAT32);
    g.args.result_low = (mote_view){0};
    g.args.workspace = range(g.memory, 60000, 1, MOTE_UINT32);
    check_status(attempt(&g, &g.args, false), MOTE_ERROR_INVALID_ARGUMENT, "workspace");
    good_release(&g);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reduce_sum_calls");
    TCase *all = tcase_create("calls");
    tcase_set_timeout(all, 0);
    tcase_add_test(all, test_refuses);
    tcase_add_loop_test(all, test_no_values, 0, 2);
    tcase_add_test(all, test_no_fp64);
    tcase_add_loop_test(all, test_prepare, 0, 2);
    tcase_add_test(all, test_workspace_size);
    suite_add_tcase(suite, all);
    return suites_run(&suite, 1);
}
