/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, minima and maxima against the layout's oracle, bit for bit, and against exact sums. */
#include "common/suite.h"
#include "words.h"
#include "testkit/cases/reduce/run.h"

#include <stdio.h>

/* Forms, work-group sizes and arithmetics; the first ones meet everything. */
static const char *const tunes[] = {
    "reduce.form=cpu",
    "reduce.form=gpu",
    "reduce.form=cpu,reduce.fp64=0,reduce.sum_items=1",
    "reduce.form=gpu,reduce.sum_group=64,reduce.sum_groups=1",
    "reduce.form=gpu,reduce.sum_group=128,reduce.fp64=0",
    "reduce.form=gpu,reduce.sum_group=512,reduce.sum_groups=2",
    "reduce.form=gpu,reduce.sum_group=1024",
};

#define FORMS      2
#define TUNES      (sizeof(tunes) / sizeof(tunes[0]))
#define FULL_TUNES 3

static const size_t sizes[] = {0,    1,    2,    3,    4,     5,     15,    16,   17,   31,
                               32,   33,   63,   64,   65,    127,   256,   257,  511,  512,
                               513,  1000, 1023, 1024, 1025,  2047,  2049,  4096, 7168, 7169,
                               8191, 8192, 8193, 9217, 10007, 16384, 16385, 30000};

#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

typedef struct sum_bed {
    bed bed;
    bool has_fp64;
    uint64_t seed;
} sum_bed;

static void open_tune(sum_bed *b, const char *tune)
{
    bed_open(&b->bed, tune);
    b->has_fp64 = b->bed.ctx->device.has_fp64 && !strstr(tune, "fp64=0");
    b->seed = 1;
}

/* Runs a case on a queue, with or without gate and workspace, that vary with the seed. */
static void run(sum_bed *b, mote_reduce_case c)
{
    char message[1024] = "";
    c.task.has_fp64 = b->has_fp64;
    if (!b->has_fp64 && (c.task.type == MOTE_FLOAT64 || c.result == MOTE_FLOAT64))
        return;
    c.seed = b->seed++;
    c.gated = c.seed % 3 == 0;
    c.workspace = c.seed % 5 == 0;
    c.low = c.result == MOTE_FLOAT32 && c.task.reduction == MOTE_REDUCE_SUM && c.seed % 4;
    cl_command_queue queue = c.seed % 2 ? b->bed.in_order : b->bed.any_order;
    ck_assert_msg(mote_reduce_run(b->bed.ctx, queue, &c, message, sizeof(message)), "%s", message);
}

static mote_reduce_case sum_of(mote_type type, mote_type result, mote_accumulation accumulation)
{
    return (mote_reduce_case){
        .task = {.type = type, .accumulation = accumulation}, .result = result, .rows = 1};
}

/* Every size, at every alignment. */
START_TEST(test_sizes)
{
    sum_bed b;
    open_tune(&b, tunes[_i]);
    for (size_t k = 0; k < SIZES; k++)
        for (size_t shift = 0; shift < 4; shift++) {
            mote_reduce_case c = sum_of(MOTE_FLOAT32, MOTE_FLOAT32, MOTE_ACCUMULATE_DEFAULT);
            c.n = sizes[k];
            c.shift = shift;
            run(&b, c);
        }
    bed_close(&b.bed);
}
END_TEST

/* Types and ways of summing: every one by the first tunes, every third by the others, to build
 * less. */
static void run_ways(sum_bed *b, int tune, mote_reduce_case c)
{
    static const mote_reduce_task tasks[] = {
        {.type = MOTE_FLOAT32},
        {.type = MOTE_FLOAT32, .accumulation = MOTE_ACCUMULATE_NATIVE},
        {.type = MOTE_FLOAT32, .accumulation = MOTE_ACCUMULATE_COMPENSATED},
        {.type = MOTE_FLOAT64},
        {.type = MOTE_FLOAT64, .accumulation = MOTE_ACCUMULATE_COMPENSATED},
        {.type = MOTE_INT32},
        {.type = MOTE_INT64},
    };
    for (size_t k = 0; k < sizeof(tasks) / sizeof(tasks[0]); k++) {
        if (tune >= FULL_TUNES && (k + (size_t)tune) % 3 != 0)
            continue;
        c.task = tasks[k];
        c.result = MOTE_TYPE_NONE;
        run(b, c);
    }
}

START_TEST(test_ways)
{
    static const size_t shapes[][2] = {{1, 30001}, {9, 1},    {9, 2},     {1000, 3}, {128, 7},
                                       {9, 32},    {33, 129}, {5, 257},   {9, 513},  {9, 1025},
                                       {3, 2049},  {3, 8193}, {9, 12345}, {3, 0},    {2, 100000},
                                       {70, 1023}, {0, 0},    {517, 33},  {2000, 1}};
    sum_bed b;
    open_tune(&b, tunes[_i]);
    for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++)
        run_ways(&b, _i,
                 (mote_reduce_case){.rows = shapes[k][0],
                                    .n = shapes[k][1],
                                    .shift = k % 3,
                                    .kind = k % 2 ? MOTE_SUM_UNIT : MOTE_SUM_SCALES});
    bed_close(&b.bed);
}
END_TEST

/* Blocks of more than one tile. */
START_TEST(test_many_blocks)
{
    sum_bed b;
    open_tune(&b, tunes[_i]);
    mote_reduce_case c = sum_of(MOTE_FLOAT32, 0, MOTE_ACCUMULATE_DEFAULT);
    c.n = 9000001;
    run(&b, c);
    bed_close(&b.bed);
}
END_TEST

static void run_kinds(sum_bed *b, mote_reduce_case c)
{
    static const size_t shapes[][2] = {{1, 7}, {40, 100}, {2, 1500}, {2, 20011}};
    for (int kind = 0; kind < MOTE_SUM_KINDS; kind++)
        for (size_t k = 0; k < sizeof(shapes) / sizeof(shapes[0]); k++) {
            c.kind = (mote_reduce_kind)kind;
            c.rows = shapes[k][0];
            c.n = shapes[k][1];
            run(b, c);
        }
}

/* Everything that goes wrong somewhere, in sums. */
START_TEST(test_kinds)
{
    sum_bed b;
    open_tune(&b, tunes[_i]);
    for (int nan = 0; nan < 2; nan++)
        for (int how = 0; how < 3; how++)
            for (int wide = 0; wide < 2; wide++) {
                mote_type type = wide ? MOTE_FLOAT64 : MOTE_FLOAT32;
                mote_reduce_case c = sum_of(type, type, (mote_accumulation)how);
                c.task.nan = (mote_nan_policy)nan;
                run_kinds(&b, c);
            }
    for (int wide = 0; wide < 2; wide++)
        run_kinds(&b, sum_of(wide ? MOTE_INT64 : MOTE_INT32, 0, MOTE_ACCUMULATE_DEFAULT));
    bed_close(&b.bed);
}
END_TEST

START_TEST(test_extremes)
{
    static const mote_type types[] = {MOTE_FLOAT32, MOTE_FLOAT64, MOTE_INT32, MOTE_INT64};
    sum_bed b;
    open_tune(&b, tunes[_i]);
    for (int nan = 0; nan < 2; nan++)
        for (int most = 0; most < 2; most++)
            for (size_t k = 0; k < 4; k++) {
                mote_reduce_case c = sum_of(types[k], 0, MOTE_ACCUMULATE_DEFAULT);
                c.task.reduction = most ? MOTE_REDUCE_MAX : MOTE_REDUCE_MIN;
                c.task.nan = (mote_nan_policy)nan;
                run_kinds(&b, c);
                c.n = 0;
                c.rows = 3;
                run(&b, c);
            }
    bed_close(&b.bed);
}
END_TEST

#define LARGE_PIECE ((size_t)1 << 24)

static void write_ints(bed *b, cl_mem mem, size_t at, size_t count, const int32_t *from)
{
    ck_assert_int_eq(clEnqueueWriteBuffer(b->in_order, mem, CL_TRUE, at * sizeof(*from),
                                          count * sizeof(*from), from, 0, NULL, NULL),
                     CL_SUCCESS);
}

/* Ones, and other numbers where an index of 31 or 32 bits would go wrong. They come from the host,
 * so that no driver's way of filling so long a buffer takes part. */
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

/* More values than 32 bits can number, on devices that hold them. */
START_TEST(test_large)
{
    sum_bed b;
    open_tune(&b, "");
    const size_t count = ((size_t)1 << (31 + _i)) + 5003;
    const mote_device_info *device = &b.bed.ctx->device;
    if (device->device_class != MOTE_DEVICE_GPU ||
        device->max_alloc_bytes < count * sizeof(int32_t)) {
        printf("# skipped: %s takes no buffer of %zu int32\n", device->name, count);
        bed_close(&b.bed);
        return;
    }
    cl_int code;
    cl_context cl = mote_context_cl(b.bed.ctx);
    cl_mem values = clCreateBuffer(cl, 0, count * sizeof(int32_t), NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    cl_mem result = clCreateBuffer(cl, 0, sizeof(int64_t), NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    int64_t expected = fill_large(&b.bed, values, count), sum = 0;
    mote_reduce_args args;
    mote_reduce_args_init(&args);
    args.values = mote_view_make(values, count, MOTE_INT32);
    args.result = mote_view_make(result, 1, MOTE_INT64);
    bed_ok(mote_reduce(b.bed.ctx, b.bed.in_order, &args, 0, NULL, NULL));
    code =
        clEnqueueReadBuffer(b.bed.in_order, result, CL_TRUE, 0, sizeof(sum), &sum, 0, NULL, NULL);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(sum, expected);
    clReleaseMemObject(values);
    clReleaseMemObject(result);
    bed_close(&b.bed);
}
END_TEST

static Suite *suite(void)
{
    const struct {
        const char *name;
        const TTest *test;
        size_t usual, tunes;
    } tests[] = {
        {"sizes", test_sizes, FORMS, TUNES},    {"ways", test_ways, 0, TUNES},
        {"kinds", test_kinds, 0, FULL_TUNES},   {"extremes", test_extremes, 0, FULL_TUNES},
        {"blocks", test_many_blocks, 1, TUNES}, {"large", test_large, FORMS, FORMS},
    };
    Suite *s = suite_create("reduce_sum");
    for (size_t k = 0; k < sizeof(tests) / sizeof(tests[0]); k++) {
        TCase *forms = suite_case(s, tests[k].name, NULL);
        TCase *tuned = suite_case(s, tests[k].name, SUITE_THOROUGH);
        suite_split(forms, tuned, tests[k].test, tests[k].usual, tests[k].tunes);
    }
    return s;
}

int main(void)
{
    Suite *all = suite();
    return suites_run(&all, 1);
}
