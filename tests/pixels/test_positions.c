/* SPDX-License-Identifier: Apache-2.0 */
/* Positions of clusters: known values, sums of any size, capacity, geometry, rejected calls. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "testkit/cases/pixels/positions.h"
#include "harness.h"

#define MOST 8

static const char *const forms[] = {"pixels.form=cpu", "pixels.form=gpu"};

/* A small batch on the device, with guarded outputs. */
typedef struct small_call {
    bed b;
    mote_digis digis;
    mote_pixels_options options;
    mote_pixels_device in;
    mote_guard labels, error;
    mote_pixels_positions_device out;
    mote_pixels_cluster_args args;
    char message[MESSAGE_SIZE];
} small_call;

/* Module 0: three pixels with charge, and one without; module 2: a pair without charge. */
static void fill(mote_digis *d)
{
    mote_digis_init(d, 3, 160, 416);
    mote_digis_push(d, 0, 10, 20, 100);
    mote_digis_push(d, 0, 11, 20, 300);
    mote_digis_push(d, 0, 11, 21, 200);
    mote_digis_push(d, 0, 50, 60, 0);
    mote_digis_push(d, 2, 7, 400, 0);
    mote_digis_push(d, 2, 8, 401, 0);
    mote_digis_end_event(d);
}

static void small_create(small_call *s, const char *form, size_t room, mote_pixels_options options)
{
    memset(s, 0, sizeof(*s));
    s->options = options;
    bed_open(&s->b, form);
    fill(&s->digis);
    ck_assert_msg(mote_pixels_upload(s->b.ctx, s->b.in_order, &s->digis, &s->options, 0, &s->in,
                                     s->message, sizeof(s->message)),
                  "%s", s->message);
    ck_assert_int_eq(mote_guard_create(&s->labels, s->b.ctx, s->b.in_order, "labels", MOTE_INT32,
                                       s->digis.n, NULL),
                     0);
    ck_assert_int_eq(mote_guard_create(&s->error, s->b.ctx, s->b.in_order, "error", MOTE_UINT32,
                                       MOTE_ERROR_SLOTS, NULL),
                     0);
    ck_assert_int_eq(mote_pixels_positions_create(&s->out, s->b.ctx, s->b.in_order, &s->digis,
                                                  &s->options, room),
                     0);
    mote_pixels_arguments(&s->digis, &s->options, &s->in, &s->args);
    s->args.cluster_id = s->labels.view;
    s->args.error = s->error.view.mem;
    s->args.error_offset = s->error.margin;
    mote_pixels_positions_arguments(&s->out, &s->options, &s->args);
}

static void small_release(small_call *s)
{
    mote_pixels_positions_release(&s->out);
    mote_guard_release(&s->labels);
    mote_guard_release(&s->error);
    mote_pixels_device_release(&s->in);
    mote_digis_free(&s->digis);
    bed_close(&s->b);
}

/* Runs, and reads positions of `clusters`; returns the error word's status and index. */
static mote_status small_run(small_call *s, size_t clusters, mote_pixels_position *got,
                             uint32_t *index)
{
    mote_pixels_result result = {.n_total = clusters};
    cl_event done = NULL;

    bed_ok(mote_pixels_cluster(s->b.ctx, s->b.in_order, &s->args, 0, NULL, &done));
    mote_status status =
        mote_error_read(s->b.in_order, s->error.view.mem, s->error.margin, index, 1, &done);

    clReleaseEvent(done);
    ck_assert_msg(mote_pixels_positions_read(&s->out, s->b.in_order, false, &result, s->message,
                                             sizeof(s->message)),
                  "%s", s->message);
    memcpy(got, result.positions, clusters * sizeof(*got));
    mote_pixels_result_free(&result);
    return status;
}

START_TEST(by_hand)
{
    small_call s;
    mote_pixels_position p[MOST];
    uint32_t index;

    small_create(&s, forms[_i], 3, (mote_pixels_options){0});
    ck_assert_int_eq(small_run(&s, 3, p, &index), 0);
    ck_assert(p[0].x == (float)(65.0 / 6.0) && p[0].y == (float)(61.0 / 3.0));
    ck_assert(p[0].x_var == (float)(5.0 / 36.0) && p[0].y_var == (float)(2.0 / 9.0));
    ck_assert(p[0].xy_cov == (float)(1.0 / 18.0));
    ck_assert_uint_eq(p[0].charge, 600);
    ck_assert_uint_eq(p[0].charge_min, 100);
    ck_assert_uint_eq(p[0].charge_max, 300);
    ck_assert_uint_eq(p[0].size, 3);
    ck_assert(p[1].x == 50.0f && p[1].y == 60.0f && p[1].x_var == 0.0f && p[1].charge == 0);
    ck_assert(p[2].x == 7.5f && p[2].y == 400.5f && p[2].x_var == 0.25f && p[2].xy_cov == 0.25f);
    ck_assert_uint_eq(p[2].charge_max, 0);
    ck_assert_uint_eq(p[2].size, 2);
    s.args.weight = MOTE_PIXELS_WEIGHT_NONE;
    ck_assert_int_eq(small_run(&s, 3, p, &index), 0);
    ck_assert(p[0].x == (float)(32.0 / 3.0) && p[0].y == (float)(61.0 / 3.0));
    ck_assert(p[0].xy_cov == (float)(1.0 / 9.0));
    ck_assert_uint_eq(p[0].charge, 600);
    small_release(&s);
}
END_TEST

/* Insufficient capacity is reported with the required one; other outputs are valid, and nothing
 * else is written. */
START_TEST(room)
{
    small_call s;
    mote_pixels_position p[MOST];
    uint32_t index = 0;

    small_create(&s, forms[_i], 2, (mote_pixels_options){.local = true, .float_numbers = true});
    ck_assert_int_eq(small_run(&s, 2, p, &index), MOTE_ERROR_CAPACITY);
    ck_assert_uint_eq(index, 3);
    float g[4], size;

    mote_pixels_module_geometry(0, g);
    memcpy(&size, &p[0].size, sizeof(size));
    ck_assert(size == 3.0f);
    ck_assert(fabs((double)p[1].x - ((double)g[0] + 50.0 * (double)g[2])) < 1e-6);
    small_release(&s);
}
END_TEST

/* Tests each output alone, and without an error word. */
START_TEST(one_output)
{
    static const size_t field[] = {
        offsetof(mote_pixels_cluster_args, cluster_x),
        offsetof(mote_pixels_cluster_args, cluster_y),
        offsetof(mote_pixels_cluster_args, cluster_x_var),
        offsetof(mote_pixels_cluster_args, cluster_y_var),
        offsetof(mote_pixels_cluster_args, cluster_xy_cov),
        offsetof(mote_pixels_cluster_args, cluster_charge),
        offsetof(mote_pixels_cluster_args, cluster_charge_min),
        offsetof(mote_pixels_cluster_args, cluster_charge_max),
        offsetof(mote_pixels_cluster_args, cluster_size),
    };
    small_call s;
    mote_pixels_position all[MOST];
    uint32_t index, words[MOST];

    small_create(&s, forms[_i], MOST, (mote_pixels_options){0});
    ck_assert_int_eq(small_run(&s, 3, all, &index), 0);
    mote_pixels_cluster_args one = s.args;

    one.error = NULL;
    for (int k = 0; k < MOTE_POSITION_OUTPUTS; k++)
        memset((char *)&one + field[k], 0, sizeof(mote_view));
    for (int k = 0; k < MOTE_POSITION_OUTPUTS; k++) {
        mote_pixels_cluster_args args = one;
        cl_event done = NULL;

        memcpy((char *)&args + field[k], &s.out.out[k].view, sizeof(mote_view));
        ck_assert_int_eq(mote_guard_refill(&s.out.out[k], s.b.any_order, NULL), 0);
        bed_ok(mote_pixels_cluster(s.b.ctx, s.b.any_order, &args, 0, NULL, &done));
        ck_assert_msg(mote_guard_read(&s.out.out[k], s.b.any_order, words, 1, &done, s.message,
                                      sizeof(s.message)),
                      "%s", s.message);
        clReleaseEvent(done);
        for (int i = 0; i < 3; i++)
            ck_assert_mem_eq(&words[i], (char *)&all[i] + 4 * k, 4);
        ck_assert_uint_eq(words[3], 0xa5a5a5a5u);
    }
    small_release(&s);
}
END_TEST

static void refuse(small_call *s, const mote_pixels_cluster_args *args, mote_status expected,
                   const char *word)
{
    cl_event done = NULL;
    mote_status status = mote_pixels_cluster(s->b.ctx, s->b.in_order, args, 0, NULL, &done);

    ck_assert_ptr_null(done);
    ck_assert_msg(status == expected, "%s: %s: %s", word, mote_status_name(status),
                  mote_last_error());
    ck_assert_msg(strstr(mote_last_error(), word) != NULL, "'%s' is not in: %s", word,
                  mote_last_error());
}

#define REFUSE(change, expected, word)                                                             \
    do {                                                                                           \
        mote_pixels_cluster_args args = s.args;                                                    \
        change;                                                                                    \
        refuse(&s, &args, expected, word);                                                         \
    } while (0)

START_TEST(refused)
{
    small_call s;

    small_create(&s, NULL, MOST, (mote_pixels_options){.local = true});
    REFUSE(args.cluster_y.count--, MOTE_ERROR_INVALID_ARGUMENT, "cluster_y");
    REFUSE(args.cluster_x.type = MOTE_UINT32, MOTE_ERROR_INVALID_TYPE, "cluster_x");
    REFUSE(args.cluster_size.type = MOTE_UINT16, MOTE_ERROR_INVALID_TYPE, "cluster_size");
    REFUSE(args.cluster_x_var = args.cluster_x, MOTE_ERROR_INVALID_VIEW, "overlap");
    REFUSE(args.cluster_charge.offset += 1 << 20, MOTE_ERROR_INVALID_VIEW, "cluster_charge");
    REFUSE(args.origin_x.count = 2, MOTE_ERROR_INVALID_ARGUMENT, "origin_x");
    REFUSE(args.pitch_y.type = MOTE_FLOAT64, MOTE_ERROR_INVALID_TYPE, "pitch_y");
    REFUSE(args.weight = (mote_pixels_weight)7, MOTE_ERROR_INVALID_ARGUMENT, "weight");
    REFUSE(args.adc = (mote_view){0}, MOTE_ERROR_INVALID_ARGUMENT, "adc is missing");
    s.args.adc = (mote_view){0};
    s.args.weight = MOTE_PIXELS_WEIGHT_NONE;
    bed_ok(mote_pixels_cluster(s.b.ctx, s.b.in_order, &s.args, 0, NULL, NULL));
    ck_assert_int_eq(clFinish(s.b.in_order), 0);
    small_release(&s);
}
END_TEST

/* Plain arrays receive the same results as device buffers. */
START_TEST(plain_arrays)
{
    mote_digis d;
    mote_pixels_options options = {.local = true};
    mote_pixels_result expected;
    mote_pixels_host_args args = MOTE_PIXELS_HOST_ARGS_INIT;
    mote_pixels_host_result result = MOTE_PIXELS_HOST_RESULT_INIT;
    mote_host *host = NULL;
    float g[4][3];
    int32_t labels[MOST];
    bed b;

    bed_open(&b, NULL);
    fill(&d);
    ck_assert(mote_pixels_oracle(&d, &options, &expected));
    for (uint32_t m = 0; m < 3; m++) {
        float one[4];

        mote_pixels_module_geometry(m, one);
        for (int k = 0; k < 4; k++)
            g[k][m] = one[k];
    }
    bed_ok(mote_host_create(b.ctx, NULL, &host));
    args.n = d.n;
    args.module_id32 = d.module_id;
    args.x = d.x;
    args.y = d.y;
    args.adc32 = d.adc;
    args.n_modules = 3;
    args.rows = d.rows;
    args.columns = d.columns;
    args.cluster_id = labels;
    bed_ok(mote_pixels_cluster_host(b.ctx, host, &args, &result));
    ck_assert_ptr_null(result.x);
    args.positions = 1;
    args.origin_x = g[0];
    args.origin_y = g[1];
    args.pitch_x = g[2];
    args.pitch_y = g[3];
    bed_ok(mote_pixels_cluster_host(b.ctx, host, &args, &result));
    ck_assert_uint_eq(result.n_clusters, 3);
    for (size_t k = 0; k < 3; k++) {
        mote_pixels_position got = {
            result.x[k],          result.y[k],          result.x_var[k],
            result.y_var[k],      result.xy_cov[k],     result.charge[k],
            result.charge_min[k], result.charge_max[k], result.cluster_size[k]};

        ck_assert_mem_eq(&got, &expected.positions[k], sizeof(got));
    }
    uint64_t wide[6] = {0, 0, 0, 0, 2, 2};

    args.module_id32 = NULL;
    args.module_id64 = wide;
    ck_assert_int_eq(mote_pixels_cluster_host(b.ctx, host, &args, &result),
                     MOTE_ERROR_INVALID_ARGUMENT);
    ck_assert(strstr(mote_last_error(), "origin_x") != NULL);
    mote_host_release(host);
    mote_pixels_result_free(&expected);
    mote_digis_free(&d);
    bed_close(&b);
}
END_TEST

/* A caller's kernel that reads records. */
static const char *const reader =
    "#include \"mote/layout/pixels.h\"\n"
    "__kernel void read(__global const mote_pixels_cluster_record *records, __global float *out)\n"
    "{\n"
    "    uint k = get_global_id(0);\n"
    "    mote_pixels_cluster_record r = records[k];\n"
    "    out[5 * k] = mote_pixels_record_x(&r);\n"
    "    out[5 * k + 1] = mote_pixels_record_y(&r);\n"
    "    out[5 * k + 2] = mote_pixels_record_x_var(&r);\n"
    "    out[5 * k + 3] = mote_pixels_record_y_var(&r);\n"
    "    out[5 * k + 4] = (float)mote_pixels_record_charge(&r);\n"
    "}\n";

static cl_kernel build_reader(const bed *b, cl_program *program)
{
    cl_int code;

    *program = clCreateProgramWithSource(mote_context_cl(b->ctx), 1,
                                         (const char **)(uintptr_t)&reader, NULL, &code);
    ck_assert_int_eq(code, 0);
    ck_assert_int_eq(clBuildProgram(*program, 0, NULL, "-cl-std=CL1.2 -I " INCLUDE_DIR, NULL, NULL),
                     0);
    cl_kernel kernel = clCreateKernel(*program, "read", &code);

    ck_assert_int_eq(code, 0);
    return kernel;
}

START_TEST(kernel_of_a_caller)
{
    small_call s;
    mote_pixels_position p[MOST];
    float out[3][5];
    uint32_t index;
    mote_guard records;
    cl_program program;
    size_t clusters = 3;

    small_create(&s, NULL, 3, (mote_pixels_options){0});
    ck_assert_int_eq(mote_guard_create(&records, s.b.ctx, s.b.in_order, "records",
                                       MOTE_PIXELS_CLUSTER_TYPE, 3, NULL),
                     0);
    s.args.properties = records.view;
    ck_assert_int_eq(small_run(&s, 3, p, &index), 0);
    cl_kernel kernel = build_reader(&s.b, &program);
    cl_mem from =
        clCreateBuffer(mote_context_cl(s.b.ctx), CL_MEM_READ_WRITE, records.bytes, NULL, NULL);
    cl_mem to =
        clCreateBuffer(mote_context_cl(s.b.ctx), CL_MEM_READ_WRITE, sizeof(out), NULL, NULL);

    ck_assert(from && to);
    ck_assert_int_eq(clEnqueueCopyBuffer(s.b.in_order, records.view.mem, from, records.margin, 0,
                                         records.bytes, 0, NULL, NULL),
                     0);
    ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(from), &from), 0);
    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(to), &to), 0);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(s.b.in_order, kernel, 1, NULL, &clusters, NULL, 0, NULL, NULL), 0);
    ck_assert_int_eq(
        clEnqueueReadBuffer(s.b.in_order, to, CL_TRUE, 0, sizeof(out), out, 0, NULL, NULL), 0);
    for (int k = 0; k < 3; k++) {
        ck_assert(out[k][0] == p[k].x && out[k][1] == p[k].y);
        ck_assert(out[k][2] == (p[k].charge ? p[k].x_var : 0.0f));
        ck_assert(out[k][3] == (p[k].charge ? p[k].y_var : 0.0f));
        ck_assert(out[k][4] == (float)p[k].charge);
    }
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    mote_guard_release(&records);
    small_release(&s);
}
END_TEST

START_TEST(names)
{
    ck_assert_str_eq(mote_pixels_weight_name(MOTE_PIXELS_WEIGHT_CHARGE), "charge");
    ck_assert_str_eq(mote_pixels_weight_name(MOTE_PIXELS_WEIGHT_NONE), "none");
    ck_assert_ptr_null(mote_pixels_weight_name((mote_pixels_weight)2));
}
END_TEST

Suite *positions_suite(void)
{
    Suite *suite = suite_create("positions");
    TCase *cases = suite_case(suite, "positions", NULL);
    TCase *rest = suite_case(suite, "positions of the other form", SUITE_THOROUGH);

    tcase_add_loop_test(cases, by_hand, 0, 2);
    suite_split(cases, rest, room, 1, 2);
    suite_split(cases, rest, one_output, 1, 2);
    tcase_add_test(cases, refused);
    tcase_add_test(cases, plain_arrays);
    tcase_add_test(cases, kernel_of_a_caller);
    tcase_add_test(cases, names);
    return suite;
}
