/* SPDX-License-Identifier: Apache-2.0 */
/* Tests clusters in space and time: known results, streams that are cut in many ways, pixels and
 * clusters with many hits, and rejected arguments. */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "testkit/rng.h"

#define FORMS 2

static const char *const forms[FORMS] = {"pixels.form=cpu", "pixels.form=gpu"};

/* All tests have MODULES modules of SIDE x SIDE pixels. */
#define SIDE    16
#define MODULES 2

typedef struct hits {
    size_t n;
    uint16_t *module, *x, *y;
    int64_t *t;
    uint32_t *name; /* identifies each hit at any position */
} hits;

static hits hits_make(size_t n)
{
    hits h = {n, calloc(n, 2), calloc(n, 2), calloc(n, 2), calloc(n, 8), calloc(n, 4)};
    ck_assert(h.module && h.x && h.y && h.t && h.name);
    return h;
}

static void hits_free(hits *h)
{
    free(h->module);
    free(h->x);
    free(h->y);
    free(h->t);
    free(h->name);
}

static void hits_copy(hits *to, size_t at, const hits *from, size_t i)
{
    to->module[at] = from->module[i];
    to->x[at] = from->x[i];
    to->y[at] = from->y[i];
    to->t[at] = from->t[i];
    to->name[at] = from->name[i];
}

static cl_mem buffer(const bed *b, const void *data, size_t bytes)
{
    cl_context context = mote_context_cl(b->ctx);
    cl_mem mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                                (void *)(uintptr_t)data, NULL);
    ck_assert(mem != NULL);
    return mem;
}

/* Clusters at least one hit. Returns the number of clusters. */
static uint32_t run(const bed *b, const hits *h, const mote_pixels_cluster_time_args *options,
                    int32_t *labels)
{
    mote_pixels_cluster_time_args args = *options;
    uint32_t count = 0;
    size_t n = h->n;
    cl_mem mem[] = {buffer(b, h->module, n * 2), buffer(b, h->x, n * 2),   buffer(b, h->y, n * 2),
                    buffer(b, h->t, n * 8),      buffer(b, labels, n * 4), buffer(b, &count, 4)};
    cl_event done;

    args.module_id = (mote_view){mem[0], 0, n, MOTE_UINT16};
    args.x = (mote_view){mem[1], 0, n, MOTE_UINT16};
    args.y = (mote_view){mem[2], 0, n, MOTE_UINT16};
    args.t = (mote_view){mem[3], 0, n, MOTE_INT64};
    args.cluster_id = (mote_view){mem[4], 0, n, MOTE_INT32};
    args.n_clusters = (mote_view){mem[5], 0, 1, MOTE_UINT32};
    bed_ok(mote_pixels_cluster_time(b->ctx, b->in_order, &args, 0, NULL, &done));
    ck_assert_int_eq(clWaitForEvents(1, &done), CL_SUCCESS);
    clReleaseEvent(done);
    clEnqueueReadBuffer(b->in_order, mem[4], CL_TRUE, 0, n * 4, labels, 0, NULL, NULL);
    clEnqueueReadBuffer(b->in_order, mem[5], CL_TRUE, 0, 4, &count, 0, NULL, NULL);
    for (size_t k = 0; k < sizeof(mem) / sizeof(mem[0]); k++)
        clReleaseMemObject(mem[k]);
    return count;
}

static mote_pixels_cluster_time_args options_of(int64_t window)
{
    mote_pixels_cluster_time_args a = MOTE_PIXELS_CLUSTER_TIME_ARGS_INIT;
    a.n_modules = MODULES;
    a.rows = a.columns = SIDE;
    a.window = window;
    return a;
}

/* Tests known hits. Clusters whose first times are equal are numbered by module, column and row. */
START_TEST(known)
{
    static const struct {
        uint16_t module, x, y;
        int64_t t;
        int32_t label, label_of_pixel;
    } rows[] = {{1, 5, 5, 100, 4, 4}, {0, 7, 7, 120, 2, 8}, {0, 6, 6, 110, 2, 5},
                {0, 8, 5, 100, 3, 3}, {0, 5, 5, 100, 2, 2}, {0, 9, 4, 111, 5, 6},
                {0, 8, 5, -7, 0, 0},  {0, 1, 3, 99, 1, 1},  {1, 6, 4, 111, 6, 7}};
    enum { N = sizeof(rows) / sizeof(rows[0]) };
    mote_pixels_cluster_time_args a = options_of(10);
    hits h = hits_make(N);
    int32_t labels[N] = {0};
    bed b;

    bed_open(&b, forms[_i]);
    for (size_t i = 0; i < N; i++) {
        h.module[i] = rows[i].module;
        h.x[i] = rows[i].x;
        h.y[i] = rows[i].y;
        h.t[i] = rows[i].t;
    }
    ck_assert_uint_eq(run(&b, &h, &a, labels), 7);
    for (size_t i = 0; i < N; i++)
        ck_assert_int_eq(labels[i], rows[i].label);
    a.radius = MOTE_PIXELS_SAME_PIXEL;
    ck_assert_uint_eq(run(&b, &h, &a, labels), 9);
    for (size_t i = 0; i < N; i++)
        ck_assert_int_eq(labels[i], rows[i].label_of_pixel);
    hits_free(&h);
    bed_close(&b);
}
END_TEST

/* ---- streams --------------------------------------------------------------------------------- */

#define STREAM 3000
#define LATE   40 /* largest delay of a hit in ticks */

static hits draw_stream(mote_rng *rng)
{
    hits h = hits_make(STREAM);

    for (size_t i = 0; i < h.n; i++) {
        h.module[i] = (uint16_t)mote_rng_below(rng, MODULES);
        h.x[i] = (uint16_t)mote_rng_below(rng, SIDE);
        h.y[i] = (uint16_t)mote_rng_below(rng, SIDE);
        h.t[i] = (int64_t)i - (int64_t)mote_rng_below(rng, LATE);
        h.name[i] = (uint32_t)i;
    }
    return h;
}

/* Sets owner[name] of each hit that has a label to the lowest name in the hit's cluster. */
static void find_owners(const hits *h, const int32_t *labels, uint32_t count, uint32_t *owner)
{
    uint32_t *lowest = malloc((count + 1) * sizeof(*lowest));

    ck_assert(lowest != NULL);
    memset(lowest, 0xff, (count + 1) * sizeof(*lowest));
    for (size_t i = 0; i < h->n; i++)
        if (labels[i] >= 0 && h->name[i] < lowest[labels[i]])
            lowest[labels[i]] = h->name[i];
    for (size_t i = 0; i < h->n; i++)
        if (labels[i] >= 0)
            owner[h->name[i]] = lowest[labels[i]];
    free(lowest);
}

/* Clusters a stream in several calls. Each call gets `each` new hits and the hits whose clusters
 * are still open. Returns the number of clusters. */
static uint32_t cluster_in_parts(const bed *b, const hits *all,
                                 const mote_pixels_cluster_time_args *options, size_t each,
                                 uint32_t *owner)
{
    mote_pixels_cluster_time_args a = *options;
    int32_t labels[STREAM];
    hits now = hits_make(STREAM);
    size_t open = 0;
    uint32_t sum = 0;

    for (size_t i = 0; i < STREAM; i += each) {
        size_t end = i + each < STREAM ? i + each : STREAM;

        for (size_t k = i; k < end; k++)
            hits_copy(&now, open + k - i, all, k);
        now.n = open + end - i;
        a.streaming = end < STREAM;
        a.complete = INT64_MAX;
        for (size_t k = end; k < STREAM; k++)
            a.complete = all->t[k] < a.complete ? all->t[k] : a.complete;
        uint32_t count = run(b, &now, &a, labels);
        find_owners(&now, labels, count, owner);
        sum += count;
        open = 0;
        for (size_t k = 0; k < now.n; k++)
            if (labels[k] < 0)
                hits_copy(&now, open++, &now, k);
    }
    ck_assert_uint_eq(open, 0);
    hits_free(&now);
    return sum;
}

START_TEST(streams)
{
    static const size_t parts[] = {1500, 999, 100};
    uint32_t owner[STREAM], other[STREAM];
    int32_t labels[STREAM];
    mote_pixels_cluster_time_args a = options_of(12);
    mote_rng rng;
    bed b;

    bed_open(&b, forms[_i]);
    mote_rng_seed(&rng, 1);
    hits h = draw_stream(&rng);
    uint32_t count = run(&b, &h, &a, labels);
    ck_assert_uint_gt(count, STREAM / 20);
    ck_assert_uint_lt(count, STREAM - STREAM / 20);
    find_owners(&h, labels, count, owner);
    for (size_t k = 0; k < sizeof(parts) / sizeof(parts[0]); k++) {
        memset(other, 0xff, sizeof(other));
        ck_assert_uint_eq(cluster_in_parts(&b, &h, &a, parts[k], other), count);
        ck_assert_int_eq(memcmp(owner, other, sizeof(owner)), 0);
    }
    a.streaming = 1;
    a.complete = INT64_MIN;
    ck_assert_uint_eq(run(&b, &h, &a, labels), 0);
    hits_free(&h);
    bed_close(&b);
}
END_TEST

/* Tests that clusters do not depend on the order of hits. */
START_TEST(permutations)
{
    int32_t labels[STREAM], other[STREAM];
    mote_pixels_cluster_time_args a = options_of(12);
    mote_rng rng;
    bed b;

    bed_open(&b, forms[_i]);
    mote_rng_seed(&rng, 2);
    hits h = draw_stream(&rng), moved = hits_make(1);
    for (size_t i = 0; i < STREAM; i++)
        h.t[i] /= 8; /* many equal times */
    uint32_t count = run(&b, &h, &a, labels);
    for (size_t i = STREAM - 1; i > 0; i--) {
        size_t j = mote_rng_below(&rng, (uint32_t)i + 1);

        hits_copy(&moved, 0, &h, i);
        hits_copy(&h, i, &h, j);
        hits_copy(&h, j, &moved, 0);
    }
    ck_assert_uint_eq(run(&b, &h, &a, other), count);
    for (size_t i = 0; i < STREAM; i++)
        ck_assert_int_eq(other[i], labels[h.name[i]]);
    hits_free(&h);
    hits_free(&moved);
    bed_close(&b);
}
END_TEST

/* Returns element `at` of the sequence 0 .. SIDE - 1, SIDE - 1 .. 0, and so on. */
static int64_t reflected(int64_t at)
{
    return at % (2 * SIDE) < SIDE ? at % SIDE : SIDE - 1 - at % SIDE;
}

/* Tests all hits in one pixel, then a cluster of all hits but one, which winds through the
 * module. */
START_TEST(many_hits)
{
    enum { N = 100000 };
    mote_pixels_cluster_time_args a = options_of(1);
    int32_t *labels = calloc(N, sizeof(*labels));
    hits h = hits_make(N);
    bed b;

    bed_open(&b, forms[_i]);
    ck_assert(labels != NULL);
    for (uint32_t i = 0; i < N; i++)
        h.t[i] = (int64_t)i * 7919 % N;
    ck_assert_uint_eq(run(&b, &h, &a, labels), 1);
    for (uint32_t i = 0; i < N; i++) {
        h.x[i] = (uint16_t)reflected(h.t[i]);
        h.y[i] = (uint16_t)reflected(h.t[i] / SIDE);
    }
    h.y[0] = SIDE - 1; /* far from the others */
    ck_assert_uint_eq(run(&b, &h, &a, labels), 2);
    ck_assert_int_eq(labels[0], 0);
    hits_free(&h);
    free(labels);
    bed_close(&b);
}
END_TEST

/* ---- arguments ------------------------------------------------------------------------------- */

static void refused(const bed *b, const mote_pixels_cluster_time_args *a, mote_status status,
                    const char *words)
{
    ck_assert_int_eq(mote_prepare(b->ctx, MOTE_OPERATION_PIXELS_CLUSTER_TIME, a), status);
    ck_assert_msg(strstr(mote_last_error(), words) != NULL, "%s", mote_last_error());
}

START_TEST(refusals)
{
    mote_pixels_cluster_time_args good = options_of(5), a;
    const size_t n = 10;
    bed b;

    bed_open(&b, NULL);
    good.module_id = good.x = good.y = (mote_view){.count = n, .type = MOTE_UINT16};
    good.t = (mote_view){.count = n, .type = MOTE_INT64};
    good.cluster_id = (mote_view){.count = n, .type = MOTE_INT32};
    good.n_clusters = (mote_view){.count = 1, .type = MOTE_UINT32};
    a = good, a.rows = 0;
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "rows = 0: must be 1 .. 65536");
    a = good, a.columns = 65537;
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "columns = 65537: must be 1 .. 65536");
    a = good, a.n_modules = 0;
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "n_modules = 0: must be at least 1");
    a = good, a.radius = 16;
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "radius = 16: must be at most 15");
    a = good, a.window = -1;
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "window = -1: must be 0 or more");
    a = good, a.n_modules = UINT32_MAX / (SIDE * SIDE) + 1;
    refused(&b, &a, MOTE_ERROR_UNSUPPORTED, "at most 2^32 - 2 pixels");
    a = good, a.module_id.count = (size_t)1 << 31, a.x = a.y = a.module_id;
    a.t.count = a.cluster_id.count = (size_t)1 << 31;
    refused(&b, &a, MOTE_ERROR_UNSUPPORTED, "fewer than 2^31");
    a = good, a.cluster_first = (mote_view){.count = 3, .type = MOTE_INT64};
    a.cluster_module = (mote_view){.count = 4, .type = MOTE_UINT32};
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "cluster_first has 3 elements, but exactly 4");
    const uint32_t zero = 0;
    cl_mem mem = buffer(&b, &zero, sizeof(zero));
    a.cluster_first = (mote_view){.mem = mem, .type = MOTE_INT64};
    refused(&b, &a, MOTE_ERROR_INVALID_ARGUMENT, "cluster_first has 0 elements, but exactly 4");
    clReleaseMemObject(mem);
    bed_ok(mote_prepare(b.ctx, MOTE_OPERATION_PIXELS_CLUSTER_TIME, &good));
    bed_close(&b);
}
END_TEST

Suite *time_suite(void)
{
    Suite *suite = suite_create("time");
    TCase *both = suite_case(suite, "time", NULL);

    tcase_add_loop_test(both, known, 0, FORMS);
    tcase_add_loop_test(both, streams, 0, FORMS);
    tcase_add_loop_test(both, permutations, 0, FORMS);
    tcase_add_loop_test(both, many_hits, 0, FORMS);
    tcase_add_test(both, refusals);
    return suite;
}
