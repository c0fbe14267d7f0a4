/* SPDX-License-Identifier: Apache-2.0 */
/* Another thread changes arrays during a call. The results are then unspecified, but nothing
 * outside of the arrays may be read or written. The thread writes to the memory that the device
 * reads, through a mapping that lasts as long as the calls. */
#include "testkit/cases/pixels/decode.h"
#include "testkit/cases/pixels/positions.h"
#include "common/suite.h"
#include "harness.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define MODULES 15
#define ROWS    100
#define COLUMNS 130
#define ARRAYS  7
#define SECONDS 0.5

/* An input array in device memory, and its valid and invalid contents. */
typedef struct changed {
    cl_mem mem;
    char *base, *array; /* the mapping, and the view's position in it */
    char *good, *bad;
    size_t bytes, element;
} changed;

typedef struct changing {
    bed b;
    mote_digis digis;
    mote_pixels_options options;
    mote_pixels_device in;
    mote_pixels_positions_device positions;
    mote_guard cluster_id, module_id_out, n_clusters, cluster_start, properties, error, workspace;
    mote_pixels_cluster_args args;
    changed arrays[ARRAYS];
    size_t count;
    atomic_bool stop;
    pthread_t thread;
    char message[MESSAGE_SIZE];
} changing;

/* Overwrites random ranges of the arrays with their valid or invalid contents. */
static void *change(void *of)
{
    changing *c = of;
    mote_rng rng;

    mote_rng_seed(&rng, 1);
    while (!atomic_load(&c->stop)) {
        const changed *a = &c->arrays[mote_rng_below(&rng, (uint32_t)c->count)];
        size_t elements = a->bytes / a->element, first = mote_rng_below(&rng, (uint32_t)elements);
        size_t most = mote_rng_below(&rng, 4) ? 64 : elements, length;
        length =
            1 + mote_rng_below(&rng, (uint32_t)(most < elements - first ? most : elements - first));
        memcpy(a->array + first * a->element,
               (mote_rng_below(&rng, 2) ? a->good : a->bad) + first * a->element,
               length * a->element);
    }
    return NULL;
}

/* Maps an array and makes its invalid contents: numbers below `most`, except for one in eight that
 * can be any number. */
static void add(changing *c, const mote_guard *guard, const void *good, uint32_t most)
{
    changed *a = &c->arrays[c->count];
    mote_rng rng;
    cl_int code;

    if (!guard->view.mem || guard->bytes == 0)
        return;
    c->count++;
    a->mem = guard->view.mem;
    a->bytes = guard->bytes;
    a->element = mote_type_size(guard->view.type);
    a->base = clEnqueueMapBuffer(c->b.in_order, a->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                 guard->margin + guard->bytes, 0, NULL, NULL, &code);
    bed_ok(code);
    a->array = a->base + guard->margin;
    a->good = malloc(a->bytes);
    a->bad = malloc(a->bytes);
    ck_assert(a->good && a->bad);
    memcpy(a->good, good, a->bytes);
    mote_rng_seed(&rng, most);
    for (size_t i = 0; i < a->bytes / a->element; i++) {
        uint32_t value =
            mote_rng_below(&rng, 8) ? mote_rng_below(&rng, most) : (uint32_t)mote_rng_next(&rng);
        memcpy(a->bad + i * a->element, &value, a->element);
    }
}

/* Makes digis of consecutive modules. The second module has half of all digis; some digis are
 * duplicates, some invalid. */
static void make_digis(changing *c, size_t n, size_t events, bool wide)
{
    mote_rng rng;

    mote_rng_seed(&rng, n);
    mote_digis_init(&c->digis, MODULES, ROWS, COLUMNS);
    if (wide) {
        c->digis.module_type = MOTE_UINT32;
        c->digis.invalid_module_id = UINT32_MAX - 1;
    }
    for (size_t e = 0; e < events; e++) {
        for (uint32_t m = 0; m < MODULES; m++)
            for (size_t i = 0; i < (m == 1 ? n / 2 : n / 2 / MODULES); i++) {
                mote_digis_push(&c->digis, m, mote_rng_below(&rng, ROWS),
                                mote_rng_below(&rng, COLUMNS), mote_rng_below(&rng, 60000));
                if (i % 40 == 0)
                    mote_digis_push_invalid(&c->digis);
            }
        mote_digis_end_event(&c->digis);
    }
    ck_assert(!c->digis.failed);
}

/* Sets the options: a mask of dead pixels, a linear calibration of charges, and marked modules. */
static void make_decode(mote_pixels_options *options)
{
    size_t words = (size_t)MODULES * COLUMNS * ((ROWS + 31) / 32);

    options->mask = calloc(words, sizeof(uint32_t));
    options->gain = malloc(MODULES * sizeof(float));
    options->morph = calloc(MODULES, 1);
    ck_assert(options->mask && options->gain && options->morph);
    for (size_t k = 0; k < words; k += 3)
        options->mask[k] = 1u << k % 32;
    for (size_t m = 0; m < MODULES; m++)
        options->gain[m] = 0.5f + (float)m, options->morph[m] = m % 3 == 1;
}

static void make_outputs(changing *c)
{
    cl_command_queue queue = c->b.in_order;
    size_t n = c->in.module_id.view.count, slots = c->digis.n_events * MODULES, bytes = 0;
    mote_pixels_cluster_args *a = &c->args;

    bed_ok(mote_guard_create(&c->cluster_id, c->b.ctx, queue, "cluster_id", MOTE_INT32, n, NULL));
    bed_ok(mote_guard_create(&c->module_id_out, c->b.ctx, queue, "module_id_out",
                             c->digis.module_type, n, NULL));
    bed_ok(
        mote_guard_create(&c->n_clusters, c->b.ctx, queue, "n_clusters", MOTE_UINT32, slots, NULL));
    bed_ok(mote_guard_create(&c->cluster_start, c->b.ctx, queue, "cluster_start", MOTE_UINT32,
                             slots + 1, NULL));
    bed_ok(mote_guard_create(&c->properties, c->b.ctx, queue, "properties",
                             MOTE_PIXELS_CLUSTER_TYPE, n, NULL));
    bed_ok(mote_guard_create(&c->error, c->b.ctx, queue, "error word", MOTE_UINT32,
                             MOTE_ERROR_SLOTS, NULL));
    bed_ok(mote_pixels_positions_create(&c->positions, c->b.ctx, queue, &c->digis, &c->options, n));
    a->cluster_id = c->cluster_id.view;
    a->module_id_out = c->module_id_out.view;
    a->n_clusters = c->n_clusters.view;
    a->cluster_start = c->cluster_start.view;
    a->properties = c->properties.view;
    a->error = c->error.view.mem;
    a->error_offset = c->error.margin;
    mote_pixels_positions_arguments(&c->positions, &c->options, a);
    bed_ok(mote_pixels_cluster_workspace_size(c->b.ctx, a, &bytes));
    bed_ok(mote_guard_create(&c->workspace, c->b.ctx, queue, "workspace", MOTE_UINT32,
                             (bytes + 3) / 4, NULL));
    a->workspace = c->workspace.view;
}

static void check_guard(changing *c, const mote_guard *guard)
{
    ck_assert_msg(
        mote_guard_read(guard, c->b.in_order, NULL, 0, NULL, c->message, sizeof(c->message)), "%s",
        c->message);
}

static void release(changing *c)
{
    mote_guard *const outputs[] = {&c->cluster_id,    &c->module_id_out, &c->n_clusters,
                                   &c->cluster_start, &c->properties,    &c->error,
                                   &c->workspace};
    mote_pixels_result none = {0};

    for (size_t k = 0; k < c->count; k++) {
        bed_ok(clEnqueueUnmapMemObject(c->b.in_order, c->arrays[k].mem, c->arrays[k].base, 0, NULL,
                                       NULL));
        free(c->arrays[k].good);
        free(c->arrays[k].bad);
    }
    bed_ok(clFinish(c->b.in_order));
    for (size_t k = 0; k < sizeof(outputs) / sizeof(outputs[0]); k++) {
        check_guard(c, outputs[k]);
        mote_guard_release(outputs[k]);
    }
    ck_assert_msg(mote_pixels_positions_read(&c->positions, c->b.in_order, true, &none, c->message,
                                             sizeof(c->message)),
                  "%s", c->message);
    mote_pixels_positions_release(&c->positions);
    mote_pixels_device_release(&c->in);
    mote_pixels_options_free(&c->options);
    mote_digis_free(&c->digis);
    bed_close(&c->b);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Clustering, then the charge cut and the search for modules as separate calls. */
static void call_all(changing *c, const mote_pixels_charge_cut_args *cut,
                     const mote_pixels_module_start_args *runs)
{
    for (int k = 0; k < 20; k++)
        bed_ok(mote_pixels_cluster(c->b.ctx, c->b.in_order, &c->args, 0, NULL, NULL));
    bed_ok(mote_pixels_charge_cut(c->b.ctx, c->b.in_order, cut, 0, NULL, NULL));
    bed_ok(mote_pixels_module_start(c->b.ctx, c->b.in_order, runs, 0, NULL, NULL));
    bed_ok(clFinish(c->b.in_order));
}

/* Repeats calls while the thread changes their inputs. */
static void call(changing *c)
{
    mote_pixels_charge_cut_args cut;
    mote_pixels_module_start_args runs;
    const char *text = getenv("MOTE_TEST_SECONDS");

    mote_pixels_charge_cut_args_init(&cut);
    cut.module_id = c->args.module_id;
    cut.adc = c->args.adc;
    cut.event_offsets = c->args.event_offsets;
    cut.n_modules = MODULES;
    cut.invalid_module_id = c->args.invalid_module_id;
    cut.charge_cut = 50000;
    cut.cluster_id = c->args.cluster_id;
    cut.n_clusters = c->args.n_clusters;
    mote_pixels_module_start_args_init(&runs);
    runs.module_id = c->args.module_id;
    runs.event_offsets = c->args.event_offsets;
    runs.invalid_module_id = c->args.invalid_module_id;
    runs.module_start = c->cluster_start.view;
    call_all(c, &cut, &runs); /* compiles, while no thread competes for the processor */
    double end = seconds() + (text ? strtod(text, NULL) : SECONDS);
    ck_assert_int_eq(pthread_create(&c->thread, NULL, change, c), 0);
    do
        call_all(c, &cut, &runs);
    while (seconds() < end);
    atomic_store(&c->stop, true);
    pthread_join(c->thread, NULL);
}

/* Tests one combination of options. Bits of `way`: order, duplicates (2 bits), 32-bit ids,
 * decoding, length in device memory. */
static void run(const char *tune, mote_pixels_strategy strategy, size_t n, size_t events,
                unsigned way)
{
    changing *c = calloc(1, sizeof(*c));
    uint32_t count[1];

    ck_assert(c != NULL);
    bed_open(&c->b, tune);
    make_digis(c, n, events, way & 8);
    c->options.order = way & 1 ? MOTE_ORDER_CONTIGUOUS : MOTE_ORDER_ANY;
    c->options.duplicates = (mote_pixels_duplicates)(way >> 1 & 3);
    c->options.strategy = strategy;
    c->options.charge_cut = 50000;
    if (way & 16)
        make_decode(&c->options);
    count[0] = (uint32_t)c->digis.n;
    ck_assert_msg(mote_pixels_upload(c->b.ctx, c->b.in_order, &c->digis, &c->options,
                                     way & 32 ? 300 : 0, &c->in, c->message, sizeof(c->message)),
                  "%s", c->message);
    mote_pixels_arguments(&c->digis, &c->options, &c->in, &c->args);
    make_outputs(c);
    size_t coordinates = c->in.x.view.count;
    uint16_t *good = calloc(coordinates, sizeof(*good));
    ck_assert(good != NULL);
    memcpy(good, c->digis.x, c->digis.n * sizeof(*good));
    add(c, &c->in.module_id, c->in.host_module_id, MODULES + 2);
    add(c, &c->in.x, good, ROWS + 1);
    memcpy(good, c->digis.y, c->digis.n * sizeof(*good));
    add(c, &c->in.y, good, COLUMNS + 1);
    add(c, &c->in.adc, c->in.host_adc, 60000);
    add(c, &c->in.event_offsets, c->digis.event_offsets, (uint32_t)c->digis.n + 1);
    add(c, &c->in.morph, c->options.morph, 2);
    add(c, &c->in.n_device, count, (uint32_t)c->digis.n + 300);
    free(good);
    call(c);
    release(c);
    free(c);
}

/* Tests the form for CPUs with all orders and policies, and with modules that exceed a work-item's
 * memory or are sorted. */
START_TEST(cpu)
{
    static const char *const tunes[] = {"pixels.form=cpu,pixels.cpu_tile=64",
                                        "pixels.form=cpu,pixels.cpu_slices=1"};
    unsigned turn = (unsigned)_i * 5 % 32, way = turn % 8;

    run(tunes[turn / 8 % 2], MOTE_PIXELS_UNION_FIND, turn / 16 ? 40000 : 6000, 1 + way % 3,
        way | (way % 3 ? 16u : 0) | (way % 2 ? 8u : 0) | (way % 5 ? 0 : 32u));
}
END_TEST

/* Tests the form for GPUs with tiles and by the size of modules, and with modules that exceed local
 * memory. */
START_TEST(gpu)
{
    static const char *const tunes[] = {
        "pixels.form=gpu,pixels.work_group=64",
        "pixels.form=gpu,pixels.work_group=64,pixels.by_size=1",
        "pixels.form=gpu,pixels.work_group=64,pixels.group_by_slices=0,pixels.tile=64,pixels.arena="
        "1024,"
        "pixels.positions_group=0",
        "pixels.form=gpu,pixels.work_group=64,pixels.by_size=1,pixels.arena=1024"};
    unsigned turn = (unsigned)_i * 5 % 32, way = turn % 8, tune = turn / 8;

    run(tunes[tune], way == 6 ? MOTE_PIXELS_HISTOGRAM : MOTE_PIXELS_UNION_FIND,
        tune > 1 ? 20000 : 6000, 1 + way % 3,
        (tune % 2 ? way & 1u : way) | (way % 3 ? 16u : 0) | (way % 2 ? 8u : 0) |
            (way % 5 ? 0 : 32u));
}
END_TEST

Suite *changing_suite(void)
{
    Suite *suite = suite_create("changing");
    TCase *all = suite_case(suite, "all", SUITE_LONG);

    /* Each turn builds programs for seconds. */
    tcase_add_loop_test(suite_case(suite, "cpu", NULL), cpu, 0, 1);
    tcase_add_loop_test(all, cpu, 1, 32);
    tcase_add_loop_test(all, gpu, 0, 32);
    return suite;
}
