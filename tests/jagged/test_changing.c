/* SPDX-License-Identifier: Apache-2.0 */
/* Another thread changes arrays of integers during a call. The results are then unspecified, but
 * nothing outside of the call's arrays may be read or written. Each array ends at an inaccessible
 * page and begins less than a page after another one. */
#define _DEFAULT_SOURCE /* for MAP_ANONYMOUS */
#include "testkit/cases/jagged/run.h"
#include "testkit/cases/jagged/values.h"
#include "common/suite.h"
#include "pending_call.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define MOST_FENCED  12
#define MOST_CHANGED 2
#define SECONDS      0.5                                               /* duration of a trial */
#define PAGE         ((size_t)sysconf(_SC_PAGESIZE) / sizeof(int64_t)) /* elements of a page */

/* An input, and the valid and invalid contents that are copied to it in turn. */
typedef struct changed {
    int64_t *in, *good, *bad[2];
    size_t count;
} changed;

typedef struct changing {
    bed b;
    mote_host *host;
    struct {
        char *base;
        size_t bytes;
    } fenced[MOST_FENCED];
    size_t fences, arrays;
    changed array[MOST_CHANGED];
    mote_rng rng;
    atomic_bool stop;
    pthread_t thread;
} changing;

/* Returns a copy of `bytes` bytes that ends at an inaccessible page; zeros if `from` is NULL. */
static void *fence(changing *c, const void *from, size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), whole = (bytes + page - 1) / page * page;
    char *base = mmap(NULL, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert(base != MAP_FAILED && c->fences < MOST_FENCED);
    ck_assert(whole == 0 || mprotect(base + page, whole, PROT_READ | PROT_WRITE) == 0);
    c->fenced[c->fences].base = base;
    c->fenced[c->fences++].bytes = whole + 2 * page;
    char *array = base + page + whole - bytes;

    if (from)
        memcpy(array, from, bytes);
    return array;
}

/* Returns the change of an element: 0, a small number, or a number far outside of the array. */
static int64_t step(changing *c, uint32_t often)
{
    if (mote_rng_below(&c->rng, often))
        return 0;
    switch (mote_rng_below(&c->rng, 4)) {
    case 0:
        return (int64_t)1 << 47;
    case 1:
        return -((int64_t)1 << 40);
    case 2:
        return mote_rng_below(&c->rng, 1 << 19);
    default:
        return mote_rng_between(&c->rng, -40, 40);
    }
}

/* Returns a fenced copy of an input, which the thread changes from start_changing() on. */
static int64_t *changes(changing *c, const void *from, size_t count)
{
    changed *a = &c->array[c->arrays++];

    ck_assert_uint_le(c->arrays, MOST_CHANGED);
    *a = (changed){.in = fence(c, from, count * sizeof(int64_t)), .count = count};
    a->good = make_array(count, MOTE_INT64);
    memcpy(a->good, from, count * sizeof(int64_t));
    for (uint32_t k = 0; k < 2; k++) {
        a->bad[k] = make_array(count, MOTE_INT64);
        for (size_t i = 0; i < count; i++)
            a->bad[k][i] = a->good[i] + step(c, k ? 1 : 8);
    }
    return a->in;
}

static void *change(void *of)
{
    changing *c = of;

    for (size_t turn = 0; !atomic_load(&c->stop); turn++)
        for (size_t k = 0; k < c->arrays; k++) {
            const changed *a = &c->array[k];

            memcpy(a->in, turn % 2 ? a->bad[turn / 2 % 2] : a->good, a->count * sizeof(int64_t));
        }
    return NULL;
}

static void begin(changing *c, const char *tune)
{
    *c = (changing){0};
    bed_open(&c->b, tune);
    bed_ok(mote_host_create(c->b.ctx, NULL, &c->host));
    mote_rng_seed(&c->rng, fresh_seed());
}

static void start_changing(changing *c)
{
    atomic_store(&c->stop, false);
    ck_assert_int_eq(pthread_create(&c->thread, NULL, change, c), 0);
}

/* Stops the thread and frees the arrays of the trial. */
static void stop_changing(changing *c)
{
    atomic_store(&c->stop, true);
    pthread_join(c->thread, NULL);
    for (size_t k = 0; k < c->arrays; k++) {
        free(c->array[k].good);
        free(c->array[k].bad[0]);
        free(c->array[k].bad[1]);
    }
    for (size_t k = 0; k < c->fences; k++)
        munmap(c->fenced[k].base, c->fenced[k].bytes);
    c->arrays = c->fences = 0;
}

static void end(changing *c)
{
    mote_host_release(c->host);
    bed_close(&c->b);
}

/* Checks that the call succeeded or reported a bad list or label. */
static void told(mote_status status)
{
    static const mote_status faults[] = {
        MOTE_SUCCESS,
        MOTE_ERROR_OFFSETS_NEGATIVE,
        MOTE_ERROR_OFFSETS_NOT_MONOTONIC,
        MOTE_ERROR_PARENTS,
        MOTE_ERROR_OFFSETS_OUT_OF_RANGE,
        MOTE_ERROR_STOP_BEFORE_START,
        MOTE_ERROR_CAPACITY,
        MOTE_ERROR_OVERLAP,
    };
    bool known = false;

    for (size_t k = 0; k < sizeof(faults) / sizeof(faults[0]); k++)
        known = known || status == faults[k];
    ck_assert_msg(known, "%s: %s", mote_status_name(status), mote_last_error());
}

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#define REPEATED for (double until = seconds() + SECONDS; seconds() < until;)

/* Short lists, which kernels for CPUs process several at a time, lists of medium length, and long
 * lists, which several work-items share. */
static const mote_lists_case shapes[] = {
    {"about 2", {MOTE_LENGTH_POISSON, 1000, 2, 0, 0}, 0, 0},
    {"about 40", {MOTE_LENGTH_POISSON, 300, 40, 0, 0}, 0, 0},
    {"about 6000", {MOTE_LENGTH_POISSON, 12, 6000, 0, 0}, 0, 0},
    {"one huge", {MOTE_LENGTH_ONE_HUGE, 200, 3, 50000, 0}, 0, 0},
};

#define SHAPES (int)(sizeof(shapes) / sizeof(shapes[0]))
#define TUNE                                                                                       \
    "jagged.items=8,jagged_reduce.items=8,jagged_reduce.single_group=4096,jagged.cpu_serial_"      \
    "lists=16"

/* Tests calls that compute parents, local indices, counts and offsets. */
START_TEST(companions)
{
    changing c;

    begin(&c, TUNE);
    for (int w = 0; w < MOTE_WORKS; w++) {
        mote_jagged_run run, call;

        ck_assert(
            mote_jagged_run_make(&run, &shapes[_i], MOTE_INT64, fresh_seed(), (mote_jagged_work)w));
        call = run;
        if (w == MOTE_WORK_SPANS) {
            call.lists.starts = changes(&c, run.lists.starts, run.lists.count);
            call.lists.stops = changes(&c, run.lists.stops, run.lists.count);
        } else if (w == MOTE_WORK_FROM_COUNTS) {
            call.input = changes(&c, run.input, run.lists.count);
        } else if (w == MOTE_WORK_FROM_PARENTS) {
            call.elements -= run.elements % PAGE; /* the array then begins at a page */
            call.input = changes(&c, run.input, call.elements);
        } else {
            call.lists.offsets = changes(&c, run.lists.offsets, run.lists.count + 1);
        }
        void *results = fence(&c, NULL, run.count * sizeof(int64_t));

        start_changing(&c);
        REPEATED told(mote_jagged_run_call(&call, c.b.ctx, c.host, results));
        stop_changing(&c);
        mote_jagged_run_free(&run);
    }
    end(&c);
}
END_TEST

/* Tests every variant of the reduction of lists in kernels for CPUs. */
START_TEST(reduce)
{
    static const struct {
        mote_reduction reduction;
        mote_type values;
    } questions[] = {
        {MOTE_REDUCE_SUM, MOTE_FLOAT32},  {MOTE_REDUCE_SUM, MOTE_INT32},
        {MOTE_REDUCE_MEAN, MOTE_FLOAT64}, {MOTE_REDUCE_ARGMIN, MOTE_FLOAT32},
        {MOTE_REDUCE_ANY, MOTE_BOOL},     {MOTE_REDUCE_COUNTNONZERO, MOTE_INT16},
        {MOTE_REDUCE_COUNT, MOTE_INT32},
    };
    changing c;

    begin(&c, TUNE);
    for (size_t q = 0; q < sizeof(questions) / sizeof(questions[0]); q++) {
        mote_jagged_reduce_host_args args;
        mote_jagged_reduce_what what = {.type = questions[q].values};
        size_t size = mote_type_size(what.type);
        mote_case_lists lists;

        ck_assert(mote_lists_case_make(&shapes[_i], MOTE_INT64, fresh_seed(), &lists));
        char *values = fence(&c, NULL, lists.content * size);
        mote_jagged_values_fill(&lists, &what, MOTE_VALUES_PLAIN, lists.content, &c.rng, values);
        mote_jagged_reduce_host_args_init(&args);
        args.offsets_type = MOTE_INT64;
        args.lists = lists.count;
        args.offsets = changes(&c, lists.offsets, lists.count + 1);
        args.values_type = what.type;
        args.values = values;
        args.values_length = lists.content;
        args.base_first = (uint32_t)(q % 2);
        args.reduction = questions[q].reduction;
        args.result_type = mote_jagged_reduce_result_type(args.reduction, what.type, MOTE_INT64);
        args.result = fence(&c, NULL, lists.count * mote_type_size(args.result_type));
        start_changing(&c);
        REPEATED told(mote_jagged_reduce_host(c.b.ctx, c.host, &args));
        stop_changing(&c);
        mote_case_lists_free(&lists);
    }
    end(&c);
}
END_TEST

/* Returns a view of fenced memory, for calls that have no counterpart for plain arrays. */
static mote_view lend(changing *c, void *array, size_t count)
{
    cl_int code;
    cl_mem mem = clCreateBuffer(mote_context_cl(c->b.ctx), CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                                count * sizeof(int64_t), array, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return mote_view_make(mem, count, MOTE_INT64);
}

static void finish(changing *c, mote_status status)
{
    told(status);
    ck_assert_int_eq(clFinish(c->b.in_order), CL_SUCCESS);
}

/* Makes the calls that select elements from the lists in view[0]. */
static void select_elements(changing *c, const mote_view view[7], size_t m)
{
    static const double middle = 0.5;
    mote_jagged_pad_args pad;
    mote_jagged_slice_args slice;
    mote_jagged_quantile_args quantile;

    mote_jagged_pad_args_init(&pad);
    pad.offsets = view[0];
    pad.values = view[2];
    pad.k = 1;
    pad.result = mote_view_make(view[1].mem, m, MOTE_INT64);
    mote_jagged_slice_args_init(&slice);
    slice.offsets = view[0];
    slice.values = view[2];
    slice.stop = 5;
    slice.offsets_out = view[3];
    slice.sliced = view[1];
    slice.positions = view[6];
    mote_jagged_quantile_args_init(&quantile);
    quantile.offsets = view[0];
    quantile.values = mote_view_make(view[2].mem, 2 * view[2].count, MOTE_FLOAT32);
    quantile.quantiles = &middle;
    quantile.count = 1;
    quantile.result = mote_view_make(view[1].mem, m, MOTE_FLOAT32);
    REPEATED
    {
        finish(c, mote_jagged_pad(c->b.ctx, c->b.in_order, &pad, 0, NULL, NULL));
        finish(c, mote_jagged_slice(c->b.ctx, c->b.in_order, &slice, 0, NULL, NULL));
        finish(c, mote_jagged_quantile(c->b.ctx, c->b.in_order, &quantile, 0, NULL, NULL));
    }
}

/* Tests calls that expand, scan and sort lists. They use device memory, which on CPUs may be the
 * caller's array. */
START_TEST(expansions)
{
    changing c;
    mote_case_lists lists;
    mote_jagged_gather_by_parent_args gather;
    mote_jagged_combinations_args combine;
    mote_jagged_nonzero_args nonzero;
    mote_jagged_scan_args scan;
    mote_jagged_sort_args sort;

    begin(&c, TUNE);
    if (mote_context_device(c.b.ctx)->device_class != MOTE_DEVICE_CPU) {
        end(&c);
        return;
    }
    ck_assert(mote_lists_case_make(&shapes[_i], MOTE_INT64, fresh_seed(), &lists));
    size_t m = lists.count, n = lists.content, room = n + m;
    mote_view view[7];

    view[0] = lend(&c, changes(&c, lists.offsets, m + 1), m + 1);
    view[1] = lend(&c, fence(&c, NULL, room * sizeof(int64_t)), room);
    view[2] = lend(&c, fence(&c, NULL, room * sizeof(int64_t)), room);
    view[3] = lend(&c, fence(&c, NULL, (m + 1) * sizeof(int64_t)), m + 1);
    view[4] = lend(&c, fence(&c, lists.offsets, m * sizeof(int64_t)), m);
    view[5] = lend(&c, changes(&c, lists.offsets, m + 1), m + 1);
    view[6] = lend(&c, fence(&c, NULL, room * sizeof(int64_t)), room);
    mote_jagged_gather_by_parent_args_init(&gather);
    gather.offsets = view[0];
    gather.values = view[4];
    gather.result = view[1];
    mote_jagged_combinations_args_init(&combine);
    combine.offsets_a = view[0];
    combine.offsets = view[3];
    combine.first = view[1];
    combine.second = view[2];
    mote_jagged_nonzero_args_init(&nonzero);
    nonzero.offsets = view[0];
    nonzero.values = view[2];
    nonzero.offsets_out = view[3];
    nonzero.positions = view[1];
    mote_jagged_scan_args_init(&scan);
    scan.offsets = view[0];
    scan.values = view[2];
    scan.result = view[1];
    mote_jagged_sort_args_init(&sort);
    sort.offsets = view[0];
    sort.values = view[2];
    sort.result = view[1];
    sort.indices = view[6];
    start_changing(&c);
    REPEATED finish(&c, mote_jagged_scan(c.b.ctx, c.b.in_order, &scan, 0, NULL, NULL));
    REPEATED finish(&c, mote_jagged_sort(c.b.ctx, c.b.in_order, &sort, 0, NULL, NULL));
    REPEATED finish(&c,
                    mote_jagged_gather_by_parent(c.b.ctx, c.b.in_order, &gather, 0, NULL, NULL));
    REPEATED finish(&c, mote_jagged_nonzero(c.b.ctx, c.b.in_order, &nonzero, 0, NULL, NULL));
    REPEATED finish(&c, mote_jagged_pairs(c.b.ctx, c.b.in_order, &combine, 0, NULL, NULL));
    combine.offsets_b = view[5];
    REPEATED finish(&c, mote_jagged_product(c.b.ctx, c.b.in_order, &combine, 0, NULL, NULL));
    select_elements(&c, view, m);
    for (size_t k = 0; k < 7; k++)
        clReleaseMemObject(view[k].mem);
    stop_changing(&c);
    mote_case_lists_free(&lists);
    end(&c);
}
END_TEST

Suite *changing_suite(void)
{
    Suite *suite = suite_create("changing");
    TCase *t = suite_case(suite, "changing", SUITE_THOROUGH);

    tcase_add_loop_test(t, companions, 0, SHAPES);
    tcase_add_loop_test(t, reduce, 0, SHAPES);
    tcase_add_loop_test(t, expansions, 0, SHAPES);
    return suite;
}
