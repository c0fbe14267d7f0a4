/* SPDX-License-Identifier: Apache-2.0 */
/* Tests lists of digis and measurements of known clusters, and a cluster of all pixels of a module.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "testkit/rng.h"

#define FORMS 2

static const char *const forms[FORMS] = {"pixels.form=cpu,jagged.form=cpu",
                                         "pixels.form=gpu,jagged.form=gpu"};

static cl_mem buffer(const bed *b, const void *data, size_t bytes)
{
    cl_mem mem = clCreateBuffer(mote_context_cl(b->ctx), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                bytes, (void *)(uintptr_t)data, NULL);
    ck_assert(mem != NULL);
    return mem;
}

/* Labelled digis on the host, and the lists of their clusters. */
typedef struct labelled {
    uint32_t n, n_modules, clusters;
    const uint16_t *module, *x, *y, *adc;
    const int32_t *label;
    const uint32_t *start; /* n_modules + 1 */
    uint32_t *offsets;     /* clusters + 1 */
    uint32_t *digis;       /* n */
} labelled;

/* The same on a device. */
typedef struct uploaded {
    cl_mem module, x, y, adc, label, start, offsets, digis;
} uploaded;

static uploaded upload(const bed *b, const labelled *d)
{
    return (uploaded){.module = buffer(b, d->module, d->n * 2),
                      .x = buffer(b, d->x, d->n * 2),
                      .y = buffer(b, d->y, d->n * 2),
                      .adc = buffer(b, d->adc, d->n * 2),
                      .label = buffer(b, d->label, d->n * 4),
                      .start = buffer(b, d->start, (d->n_modules + 1) * 4),
                      .offsets = buffer(b, d->offsets, (d->clusters + 1) * 4),
                      .digis = buffer(b, d->digis, d->n * 4)};
}

static void release(uploaded *u)
{
    cl_mem *const all[] = {&u->module, &u->x,     &u->y,       &u->adc,
                           &u->label,  &u->start, &u->offsets, &u->digis};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        clReleaseMemObject(*all[k]);
}

static void read(const bed *b, cl_mem mem, void *to, size_t bytes)
{
    ck_assert_int_eq(clEnqueueReadBuffer(b->in_order, mem, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
                     CL_SUCCESS);
}

/* Fills d->offsets and d->digis. */
static void list(const bed *b, const labelled *d, const uploaded *u)
{
    mote_pixels_cluster_digis_args a = MOTE_PIXELS_CLUSTER_DIGIS_ARGS_INIT;

    a.module_id = (mote_view){u->module, 0, d->n, MOTE_UINT16};
    a.x = (mote_view){u->x, 0, d->n, MOTE_UINT16};
    a.y = (mote_view){u->y, 0, d->n, MOTE_UINT16};
    a.cluster_id = (mote_view){u->label, 0, d->n, MOTE_INT32};
    a.cluster_start = (mote_view){u->start, 0, d->n_modules + 1, MOTE_UINT32};
    a.n_modules = d->n_modules;
    a.cluster_offsets = (mote_view){u->offsets, 0, d->clusters + 1, MOTE_UINT32};
    a.digis = (mote_view){u->digis, 0, d->n, MOTE_UINT32};
    bed_ok(mote_pixels_cluster_digis(b->ctx, b->in_order, &a, 0, NULL, NULL));
    read(b, u->offsets, d->offsets, (d->clusters + 1) * 4);
    read(b, u->digis, d->digis, d->n * 4);
}

enum { OUT_X, OUT_Y, OUT_X_VAR, OUT_Y_VAR, OUTS };

/* Adds lists and outputs to `a`, and measures; real[k] receives output k of all clusters. */
static void measure(const bed *b, const labelled *d, const uploaded *u, mote_pixels_measure_args *a,
                    float *const real[OUTS], uint32_t *rows, uint32_t *columns)
{
    cl_mem out[OUTS + 2];
    mote_view *const views[OUTS + 2] = {&a->cluster_x,     &a->cluster_y,    &a->cluster_x_var,
                                        &a->cluster_y_var, &a->cluster_rows, &a->cluster_columns};

    for (size_t k = 0; k < OUTS + 2; k++) {
        out[k] = buffer(b, d->offsets, d->clusters * 4);
        *views[k] = (mote_view){out[k], 0, d->clusters, k < OUTS ? MOTE_FLOAT32 : MOTE_UINT32};
    }
    a->module_id = (mote_view){u->module, 0, d->n, MOTE_UINT16};
    a->x = (mote_view){u->x, 0, d->n, MOTE_UINT16};
    a->y = (mote_view){u->y, 0, d->n, MOTE_UINT16};
    a->adc = (mote_view){u->adc, 0, d->n, MOTE_UINT16};
    a->cluster_offsets = (mote_view){u->offsets, 0, d->clusters + 1, MOTE_UINT32};
    a->digis = (mote_view){u->digis, 0, d->n, MOTE_UINT32};
    a->n_modules = d->n_modules;
    bed_ok(mote_pixels_measure(b->ctx, b->in_order, a, 0, NULL, NULL));
    for (size_t k = 0; k < OUTS; k++)
        read(b, out[k], real[k], d->clusters * 4);
    read(b, out[OUTS], rows, d->clusters * 4);
    read(b, out[OUTS + 1], columns, d->clusters * 4);
    for (size_t k = 0; k < OUTS + 2; k++)
        clReleaseMemObject(out[k]);
}

/* Tests that an edge that is not finite is reported if a pixel has it. */
static void check_edges(const bed *b, mote_pixels_measure_args a)
{
    static const struct {
        float edge;
        size_t at;
        mote_status status;
        uint32_t index;
    } wrong[] = {{NAN, 3, MOTE_ERROR_EDGES, 2},
                 {-INFINITY, 0, MOTE_ERROR_EDGES, 0},
                 {NAN, 2, MOTE_ERROR_EDGES, 2}};
    const mote_view none = {0};

    a.cluster_x = a.cluster_y = a.cluster_x_var = a.cluster_y_var = none;
    a.cluster_rows = a.cluster_columns = none;
    bed_ok(mote_error_create(mote_context_cl(b->ctx), &a.error));
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        const size_t offset = wrong[k].at * sizeof(float);
        uint32_t index = 0;
        mote_error_word word;
        float right;

        clEnqueueReadBuffer(b->in_order, a.column_edges.mem, CL_TRUE, offset, 4, &right, 0, NULL,
                            NULL);
        clEnqueueWriteBuffer(b->in_order, a.column_edges.mem, CL_TRUE, offset, 4, &wrong[k].edge, 0,
                             NULL, NULL);
        bed_ok(mote_pixels_measure(b->ctx, b->in_order, &a, 0, NULL, NULL));
        read(b, a.error, &word, sizeof(word));
        ck_assert_int_eq(mote_error_decode(&word, &index), wrong[k].status);
        ck_assert_uint_eq(index, wrong[k].index);
        clEnqueueWriteBuffer(b->in_order, a.column_edges.mem, CL_TRUE, offset, 4, &right, 0, NULL,
                             NULL);
    }
    clReleaseMemObject(a.error);
}

/* Module 0 has rows of widths 1, 1 and 2, and columns of widths 4 and 2, which are numbered against
 * the axis. Module 1 has one column, a strip. */
START_TEST(known)
{
    static const uint16_t module[] = {1, 0, 0, 1, 0, 0, 1}, x[] = {1, 2, 0, 0, 1, 2, 1};
    static const uint16_t y[] = {0, 0, 0, 0, 1, 0, 0}, adc[] = {3, 1, 9, 1, 1, 2, 4};
    static const int32_t label[] = {0, 0, -1, 0, 0, 0, 0};
    static const uint32_t start[] = {0, 1, 2}, design[] = {1, 0};
    static const uint32_t row_offsets[] = {0, 3, 7}, column_offsets[] = {0, 2, 5};
    static const float row_edges[] = {0, 10, 20, 0, 1, 2, 4}, column_edges[] = {-50, 50, 6, 2, 0};
    static const float shift_x[] = {0.5f, 0}, shift_y[] = {0, -8};
    static const uint32_t listed[] = {1, 5, 4, 3, 0, 6};
    uint32_t offsets[4] = {0}, digis[7] = {0}, rows[3], columns[3];
    float real[OUTS][3];
    float *const outs[OUTS] = {real[0], real[1], real[2], real[3]};
    const labelled d = {7, 2, 3, module, x, y, adc, label, start, offsets, digis};
    mote_pixels_measure_args a = MOTE_PIXELS_MEASURE_ARGS_INIT;
    bed b;

    bed_open(&b, forms[_i]);
    uploaded u = upload(&b, &d);
    list(&b, &d, &u);
    ck_assert_uint_eq(offsets[1], 3);
    ck_assert_uint_eq(offsets[2], 6);
    ck_assert_uint_eq(offsets[3], 6);
    ck_assert_mem_eq(digis, listed, sizeof(listed));
    cl_mem mem[] = {buffer(&b, design, sizeof(design)),
                    buffer(&b, row_offsets, sizeof(row_offsets)),
                    buffer(&b, row_edges, sizeof(row_edges)),
                    buffer(&b, column_offsets, sizeof(column_offsets)),
                    buffer(&b, column_edges, sizeof(column_edges)),
                    buffer(&b, shift_x, sizeof(shift_x)),
                    buffer(&b, shift_y, sizeof(shift_y))};
    a.design = (mote_view){mem[0], 0, 2, MOTE_UINT32};
    a.row_offsets = (mote_view){mem[1], 0, 3, MOTE_UINT32};
    a.row_edges = (mote_view){mem[2], 0, 7, MOTE_FLOAT32};
    a.column_offsets = (mote_view){mem[3], 0, 3, MOTE_UINT32};
    a.column_edges = (mote_view){mem[4], 0, 5, MOTE_FLOAT32};
    a.shift_x = (mote_view){mem[5], 0, 2, MOTE_FLOAT32};
    a.shift_y = (mote_view){mem[6], 0, 2, MOTE_FLOAT32};
    a.widths = 1;
    a.duplicates = MOTE_DUPLICATES_MAX;
    measure(&b, &d, &u, &a, outs, rows, columns);
    /* Module 0: charge 2 at (3, 4) in a pixel of 2 x 4, charge 1 at (1.5, 1) in one of 1 x 2. */
    ck_assert_float_eq(real[OUT_X][0], 3.0f);
    ck_assert_float_eq(real[OUT_Y][0], 3.0f);
    ck_assert_float_eq(real[OUT_X_VAR][0], 0.75f);
    ck_assert_float_eq(real[OUT_Y_VAR][0], 3.0f);
    ck_assert(rows[0] == 2 && columns[0] == 2);
    /* Module 1: charge 1 at 5 and charge 4 at 15, in pixels of 10 x 100. */
    ck_assert_float_eq(real[OUT_X][1], 13.0f);
    ck_assert_float_eq(real[OUT_Y][1], -8.0f);
    ck_assert_float_eq(real[OUT_X_VAR][1], (float)(16.0 + 100.0 / 12.0));
    ck_assert_float_eq(real[OUT_Y_VAR][1], (float)(10000.0 / 12.0));
    ck_assert(rows[1] == 2 && columns[1] == 1);
    for (size_t k = 0; k < OUTS; k++)
        ck_assert_float_eq(real[k][2], 0.0f);
    ck_assert(rows[2] == 0 && columns[2] == 0);
    check_edges(&b, a);
    for (size_t k = 0; k < sizeof(mem) / sizeof(mem[0]); k++)
        clReleaseMemObject(mem[k]);
    release(&u);
    bed_close(&b);
}
END_TEST

#define ROWS    160
#define COLUMNS 416
#define PIXELS  (ROWS * COLUMNS)

typedef struct full_module {
    uint16_t module[PIXELS], x[PIXELS], y[PIXELS], adc[PIXELS];
    int32_t label[PIXELS];
    uint32_t order[PIXELS]; /* digi of each pixel, by column and row */
    uint32_t digis[PIXELS];
} full_module;

/* Tests one cluster of all pixels in random order, with and without charge. Optional arrays without
 * elements are none. */
START_TEST(full)
{
    static const uint32_t start[] = {0, 1};
    full_module *f = calloc(1, sizeof(*f));
    uint32_t offsets[2] = {0}, rows, columns;
    float real[OUTS];
    float *const outs[OUTS] = {&real[0], &real[1], &real[2], &real[3]};
    mote_rng rng;
    bed b;

    ck_assert(f != NULL);
    mote_rng_seed(&rng, 1);
    for (uint32_t i = 0; i < PIXELS; i++) {
        uint32_t j = mote_rng_below(&rng, i + 1);
        f->order[i] = f->order[j];
        f->order[j] = i;
    }
    for (uint32_t pixel = 0; pixel < PIXELS; pixel++) {
        f->x[f->order[pixel]] = (uint16_t)(pixel % ROWS);
        f->y[f->order[pixel]] = (uint16_t)(pixel / ROWS);
    }
    bed_open(&b, forms[_i]);
    for (uint16_t charge = 0; charge < 2; charge++) {
        const labelled d = {PIXELS, 1,        1,     f->module, f->x,    f->y,
                            f->adc, f->label, start, offsets,   f->digis};
        mote_pixels_measure_args a = MOTE_PIXELS_MEASURE_ARGS_INIT;

        for (size_t i = 0; i < PIXELS; i++)
            f->adc[i] = charge;
        uploaded u = upload(&b, &d);
        a.row_offsets = a.column_offsets = (mote_view){u.x, 0, 0, MOTE_UINT32};
        list(&b, &d, &u);
        ck_assert_uint_eq(offsets[1], PIXELS);
        ck_assert_mem_eq(f->digis, f->order, sizeof(f->order));
        measure(&b, &d, &u, &a, outs, &rows, &columns);
        ck_assert_float_eq(real[OUT_X], (ROWS - 1) / 2.0f);
        ck_assert_float_eq(real[OUT_Y], (COLUMNS - 1) / 2.0f);
        ck_assert_float_eq(real[OUT_X_VAR], (float)((ROWS * ROWS - 1) / 12.0));
        ck_assert_float_eq(real[OUT_Y_VAR], (float)((COLUMNS * COLUMNS - 1) / 12.0));
        ck_assert(rows == ROWS && columns == COLUMNS);
        release(&u);
    }
    bed_close(&b);
    free(f);
}
END_TEST

/* Tests combinations of arguments that are wrong only together. */
START_TEST(refused)
{
    mote_pixels_measure_args a = MOTE_PIXELS_MEASURE_ARGS_INIT, good;
    const mote_view two = {.count = 2, .type = MOTE_UINT32};
    size_t bytes;
    bed b;

    bed_open(&b, NULL);
    a.module_id = a.x = a.y = (mote_view){.count = 5, .type = MOTE_UINT16};
    a.cluster_offsets = a.digis = two;
    a.n_modules = 1;
    a.weight = MOTE_PIXELS_WEIGHT_NONE;
    good = a;
    ck_assert_int_eq(mote_pixels_measure_workspace_size(b.ctx, &a, &bytes), MOTE_SUCCESS);
    const struct {
        mote_pixels_measure_args args;
        const char *word;
    } wrong[] = {
        {(a.weight = MOTE_PIXELS_WEIGHT_CHARGE, a), "adc is missing: weights"},
        {(a = good, a.gain = (mote_view){.count = 1, .type = MOTE_FLOAT32}, a), "gain"},
        {(a = good, a.charge_min = 7, a), "charge_min = 7"},
        {(a = good, a.n_modules = 0, a), "n_modules"},
        {(a = good, a.design = (mote_view){.count = 1, .type = MOTE_UINT32}, a), "design"},
        {(a = good, a.row_offsets = two,
          a.column_offsets = (mote_view){.count = 3, .type = MOTE_UINT32}, a),
         "column_offsets has 3"},
        {(a = good, a.row_offsets = (mote_view){.count = 4, .type = MOTE_UINT32},
          a.x_var_by_rows = (mote_view){.count = 5, .type = MOTE_FLOAT32}, a),
         "x_var_by_rows has 5"},
        {(a = good, a.y_var_by_columns = (mote_view){.type = MOTE_FLOAT32}, a),
         "y_var_by_columns has 0"},
    };
    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        ck_assert_int_eq(mote_pixels_measure_workspace_size(b.ctx, &wrong[k].args, &bytes),
                         MOTE_ERROR_INVALID_ARGUMENT);
        ck_assert_msg(strstr(mote_last_error(), wrong[k].word) != NULL, "%s", mote_last_error());
    }
    bed_close(&b);
}
END_TEST

Suite *measure_suite(void)
{
    Suite *suite = suite_create("measure");
    TCase *all = suite_case(suite, "all", NULL);

    tcase_add_loop_test(all, known, 0, FORMS);
    tcase_add_loop_test(all, full, 0, FORMS);
    tcase_add_test(all, refused);
    return suite;
}
