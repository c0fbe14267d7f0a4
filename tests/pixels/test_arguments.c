/* SPDX-License-Identifier: Apache-2.0 */
/* Wrong arguments: a status, a sentence that names the argument, and nothing enqueued. */
#include <string.h>

#include "harness.h"

#define N 64

/* A valid call, of which each test changes one argument. */
typedef struct good_call {
    bed b;
    cl_mem memory;
    mote_pixels_cluster_args args;
} good_call;

static mote_view range(cl_mem memory, size_t bytes, size_t count, mote_type type)
{
    return (mote_view){
        .mem = memory, .offset = bytes / mote_type_size(type), .count = count, .type = type};
}

static void good_create(good_call *g)
{
    uint16_t zeros[4096] = {0};
    cl_int code = CL_SUCCESS;

    bed_open(&g->b, NULL);
    g->memory = clCreateBuffer(mote_context_cl(g->b.ctx), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                               sizeof(zeros), zeros, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    mote_pixels_cluster_args_init(&g->args);
    g->args.module_id = range(g->memory, 0, N, MOTE_UINT16);
    g->args.x = range(g->memory, 512, N, MOTE_UINT16);
    g->args.y = range(g->memory, 1024, N, MOTE_UINT16);
    g->args.adc = range(g->memory, 1536, N, MOTE_UINT16);
    g->args.cluster_id = range(g->memory, 2048, N, MOTE_INT32);
    g->args.n_clusters = range(g->memory, 2560, 4, MOTE_UINT32);
    g->args.n_modules = 4;
    g->args.rows = 10;
    g->args.columns = 12;
}

static void good_release(good_call *g)
{
    clReleaseMemObject(g->memory);
    bed_close(&g->b);
}

static mote_status attempt(good_call *g, const mote_pixels_cluster_args *args)
{
    cl_event event = NULL;
    mote_status status = mote_pixels_cluster(g->b.ctx, g->b.in_order, args, 0, NULL, &event);

    if (status)
        ck_assert_ptr_null(event);
    else
        ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    if (event)
        clReleaseEvent(event);
    return status;
}

/* The sentence must contain `word`, usually the field's name. */
static void refuse(good_call *g, const mote_pixels_cluster_args *args, mote_status expected,
                   const char *word)
{
    mote_status status = attempt(g, args);

    ck_assert_msg(status == expected, "%s: %s, expected %s: %s", word, mote_status_name(status),
                  mote_status_name(expected), mote_last_error());
    ck_assert_msg(strstr(mote_last_error(), word) != NULL, "'%s' is not in: %s", word,
                  mote_last_error());
}

#define REFUSE(change, expected, word)                                                             \
    do {                                                                                           \
        mote_pixels_cluster_args args = g.args;                                                    \
        change;                                                                                    \
        refuse(&g, &args, expected, word);                                                         \
    } while (0)

START_TEST(values)
{
    good_call g;

    good_create(&g);
    ck_assert_msg(!attempt(&g, &g.args), "%s", mote_last_error());
    REFUSE(args.rows = 0, MOTE_ERROR_INVALID_ARGUMENT, "rows");
    REFUSE(args.rows = 65537, MOTE_ERROR_INVALID_ARGUMENT, "rows");
    REFUSE(args.columns = 0, MOTE_ERROR_INVALID_ARGUMENT, "columns");
    REFUSE(args.columns = 65537, MOTE_ERROR_INVALID_ARGUMENT, "columns");
    REFUSE(args.n_modules = 0, MOTE_ERROR_INVALID_ARGUMENT, "n_modules");
    REFUSE(args.connectivity = 5, MOTE_ERROR_INVALID_ARGUMENT, "connectivity");
    REFUSE(args.invalid_cluster_id = 3, MOTE_ERROR_INVALID_ARGUMENT, "invalid_cluster_id");
    REFUSE(args.charge_cut_inner = 5, MOTE_ERROR_INVALID_ARGUMENT, "inner_modules is 0");
    REFUSE((args.adc = (mote_view){0}, args.charge_cut = 5), MOTE_ERROR_INVALID_ARGUMENT, "adc");
    REFUSE((args.adc = (mote_view){0}, args.adc_threshold = 5), MOTE_ERROR_INVALID_ARGUMENT, "adc");
    REFUSE((args.adc = (mote_view){0}, args.duplicates = MOTE_DUPLICATES_MAX),
           MOTE_ERROR_INVALID_ARGUMENT, "adc");
    good_release(&g);
}
END_TEST

/* Tests errors that one view alone cannot show: memory shared between views in any way. */
START_TEST(shared_memory)
{
    good_call g;
    good_create(&g);
    cl_mem part[2];
    for (int k = 0; k < 2; k++) {
        const cl_buffer_region region = {.origin = 4096, .size = 1024};
        cl_int code = CL_SUCCESS;
        part[k] = clCreateSubBuffer(g.memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                    &region, &code);
        ck_assert_int_eq(code, CL_SUCCESS);
    }
    REFUSE((args.cluster_id = range(part[0], 0, N, MOTE_INT32),
            args.n_clusters = range(part[1], 128, 4, MOTE_UINT32)),
           MOTE_ERROR_INVALID_VIEW, "cluster_id (bytes 4096 to 4352) and n_clusters");
    REFUSE((args.cluster_id = range(part[0], 0, N, MOTE_INT32),
            args.x = range(g.memory, 4096, N, MOTE_UINT16)),
           MOTE_ERROR_INVALID_VIEW, "x (bytes 4096 to 4224) and cluster_id");
    mote_pixels_cluster_args apart = g.args;
    apart.cluster_id = range(part[0], 0, N, MOTE_INT32);
    apart.n_clusters = range(part[1], 512, 4, MOTE_UINT32);
    ck_assert_msg(!attempt(&g, &apart), "%s", mote_last_error());
    size_t bytes = 0;
    ck_assert_int_eq(mote_pixels_cluster_workspace_size(g.b.ctx, &g.args, &bytes), 0);
    size_t words = bytes / 4 + 1;
    cl_int code = CL_SUCCESS;
    cl_mem room =
        clCreateBuffer(mote_context_cl(g.b.ctx), CL_MEM_READ_WRITE, 4 * words + 4096, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    REFUSE((args.workspace = range(room, 0, words, MOTE_UINT32),
            args.cluster_id = range(room, 4 * words - 64, N, MOTE_INT32)),
           MOTE_ERROR_INVALID_VIEW, "workspace");
    REFUSE(args.workspace = range(g.memory, 0, words, MOTE_UINT32), MOTE_ERROR_INVALID_VIEW,
           "workspace");
    clReleaseMemObject(room);
    clReleaseMemObject(part[0]);
    clReleaseMemObject(part[1]);
    good_release(&g);
}
END_TEST

/* A single offset describes no event, with memory or without. */
START_TEST(one_event_offset)
{
    good_call g;
    size_t bytes = 0;
    good_create(&g);
    REFUSE(args.event_offsets = range(g.memory, 4096, 1, MOTE_UINT32), MOTE_ERROR_INVALID_ARGUMENT,
           "event_offsets has 1 elements");
    mote_pixels_cluster_args args = g.args;
    args.event_offsets = range(NULL, 0, 1, MOTE_UINT32);
    ck_assert_int_eq(mote_pixels_cluster_workspace_size(g.b.ctx, &args, &bytes),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_prepare(g.b.ctx, MOTE_OPERATION_PIXELS_CLUSTER, &args),
                     MOTE_ERROR_INVALID_ARGUMENT);
    good_release(&g);
}
END_TEST

START_TEST(handles)
{
    good_call g;
    bed other;
    cl_event event = NULL;

    good_create(&g);
    bed_open(&other, NULL);
    ck_assert_int_eq(mote_pixels_cluster(g.b.ctx, g.b.in_order, NULL, 0, NULL, NULL),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_pixels_cluster(g.b.ctx, g.b.in_order, &g.args, 1, NULL, &event),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(mote_pixels_cluster(other.ctx, other.in_order, &g.args, 0, NULL, &event),
                     MOTE_ERROR_WRONG_CONTEXT);
    cl_event foreign = clCreateUserEvent(mote_context_cl(other.ctx), NULL);

    ck_assert_ptr_nonnull(foreign);
    ck_assert_int_eq(mote_pixels_cluster(g.b.ctx, g.b.in_order, &g.args, 1, &foreign, &event),
                     MOTE_ERROR_WRONG_CONTEXT);
    clSetUserEventStatus(foreign, CL_COMPLETE);
    clReleaseEvent(foreign);
    ck_assert_ptr_null(event);
    bed_close(&other);
    good_release(&g);
}
END_TEST

START_TEST(structures)
{
    good_call g;

    good_create(&g);
    /* A program that was built when the structure had no workspace member. */
    mote_pixels_cluster_args shorter = g.args;

    shorter.size = offsetof(mote_pixels_cluster_args, workspace);
    memset((char *)&shorter + shorter.size, 0x5a, sizeof(shorter) - shorter.size);
    ck_assert_msg(!attempt(&g, &shorter), "%s", mote_last_error());
    good_release(&g);
}
END_TEST

START_TEST(sizes)
{
    good_call g;
    mote_pixels_cluster_args args;
    size_t bytes = 0;

    good_create(&g);
    args = g.args;
    args.n_clusters = (mote_view){0};
    args.module_id.mem = args.x.mem = args.y.mem = args.adc.mem = args.cluster_id.mem = NULL;
    ck_assert_msg(!mote_pixels_cluster_workspace_size(g.b.ctx, &args, &bytes), "%s",
                  mote_last_error());
    size_t n = (size_t)1 << 31;

    args.module_id.count = args.x.count = args.y.count = args.adc.count = n;
    args.cluster_id.count = n;
    ck_assert_int_eq(mote_pixels_cluster_workspace_size(g.b.ctx, &args, &bytes),
                     MOTE_ERROR_UNSUPPORTED);
    ck_assert_int_eq(mote_prepare(g.b.ctx, MOTE_OPERATION_PIXELS_CLUSTER, &args),
                     MOTE_ERROR_UNSUPPORTED);
    /* Too small a workspace. */
    args = g.args;
    args.order = MOTE_ORDER_ANY;
    ck_assert_int_eq(mote_pixels_cluster_workspace_size(g.b.ctx, &args, &bytes), 0);
    if (bytes > 4) {
        args.workspace = range(g.memory, 4096, bytes / 8, MOTE_UINT32);
        ck_assert_int_ne(attempt(&g, &args), 0);
    }
    good_release(&g);
}
END_TEST

/* No digis, with all digi views absent: counts and offsets are 0, and the event is valid. */
START_TEST(nothing)
{
    good_call g;
    mote_pixels_cluster_args args;
    uint32_t words[9] = {7, 7, 7, 7, 7, 7, 7, 7, 7};
    cl_event event = NULL;

    good_create(&g);
    ck_assert_int_eq(clEnqueueWriteBuffer(g.b.in_order, g.memory, CL_TRUE, 2560, sizeof(words),
                                          words, 0, NULL, NULL),
                     0);
    mote_pixels_cluster_args_init(&args);
    args.n_modules = 4;
    args.rows = args.columns = 10;
    args.n_clusters = range(g.memory, 2560, 4, MOTE_UINT32);
    args.cluster_start = range(g.memory, 2560 + 16, 5, MOTE_UINT32);
    ck_assert_msg(!mote_pixels_cluster(g.b.ctx, g.b.in_order, &args, 0, NULL, &event), "%s",
                  mote_last_error());
    ck_assert_ptr_nonnull(event);
    ck_assert_int_eq(clEnqueueReadBuffer(g.b.in_order, g.memory, CL_TRUE, 2560, sizeof(words),
                                         words, 1, &event, NULL),
                     0);
    for (int i = 0; i < 9; i++)
        ck_assert_uint_eq(words[i], 0);
    clReleaseEvent(event);
    good_release(&g);
}
END_TEST

/* After mote_prepare() a call neither builds nor allocates. */
START_TEST(prepared)
{
    good_call g;
    mote_memory before, after;

    good_create(&g);
    ck_assert_msg(!mote_prepare(g.b.ctx, MOTE_OPERATION_PIXELS_CLUSTER, &g.args), "%s",
                  mote_last_error());
    mote_memory_init(&before);
    mote_memory_init(&after);
    ck_assert_int_eq(mote_context_memory(g.b.ctx, &before), 0);
    ck_assert_msg(!attempt(&g, &g.args), "%s", mote_last_error());
    ck_assert_int_eq(mote_context_memory(g.b.ctx, &after), 0);
    ck_assert_uint_eq(after.programs, before.programs);
    ck_assert_uint_eq(after.scratch_peak, before.scratch_peak);
    ck_assert_uint_gt(after.programs, 0);
    good_release(&g);
}
END_TEST

Suite *arguments_suite(void)
{
    Suite *suite = suite_create("arguments");
    TCase *cases = tcase_create("arguments");

    tcase_add_test(cases, values);
    tcase_add_test(cases, shared_memory);
    tcase_add_test(cases, one_event_offset);
    tcase_add_test(cases, handles);
    tcase_add_test(cases, structures);
    tcase_add_test(cases, sizes);
    tcase_add_test(cases, nothing);
    tcase_add_test(cases, prepared);
    tcase_set_timeout(cases, 0);
    suite_add_tcase(suite, cases);
    return suite;
}
