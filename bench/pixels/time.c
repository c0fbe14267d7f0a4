/* SPDX-License-Identifier: Apache-2.0 */
/* Clusters of hits in space and time. */
#include <stdlib.h>
#include <string.h>

#include "bench/pixels/sets.h"
#include "bench/row.h"
#include "testkit/reference/pixels/time_oracle.h"
#include "testkit/rng.h"

#define MODULES 4
#define SIDE    256
#define WINDOW  64 /* ticks */

/* Hits of small clusters at random places, whose times increase on average by 20 ns for each hit if
 * a tick is 1.5625 ns; or hits of one pixel at random times. */
typedef struct time_set {
    const char *name;
    size_t n;
    bool one_pixel;
    size_t shuffled; /* neighbouring hits are shuffled in groups of this many; 0: all hits */
} time_set;

static const time_set sets[] = {
    {"hits-1e6", 1000000, false, 1},      {"hits-1e7", 10000000, false, 1},
    {"pixel-1e6", 1000000, true, 1},      {"late-1us", 10000000, false, 50},
    {"late-1ms", 10000000, false, 50000}, {"late-any", 10000000, false, 0},
    {"late-1e8", 100000000, false, 50}};

#define N_SETS      (sizeof(sets) / sizeof(sets[0]))
#define QUICK_SCALE 16
#define MOST_CPU    10000000 /* hits on CPUs */

enum {
    IN_MODULE,
    IN_X,
    IN_Y,
    IN_T,
    IN_CHARGE,
    OUT_LABEL,
    OUT_COUNT,
    OUT_RECORDS,
    OUT_FIRST,
    OUT_LAST,
    ARRAYS
};

typedef struct job {
    mote_bench_state *bench;
    mote_host *host;
    int32_t *label; /* pinned, like the next arrays: those of the whole call */
    void *pinned[IN_CHARGE + 1];
    const time_set *set;
    mote_time_hits hits;
    mote_time_clusters clusters; /* the expected ones */
    uint16_t *module, *charge;
    unsigned scale;
    cl_mem mem[ARRAYS];
} job;

const char *mote_bench_time_set(size_t k)
{
    return k < N_SETS ? sets[k].name : NULL;
}

static mote_status call(void *data)
{
    const job *j = data;
    const mote_time_hits *h = &j->hits;
    mote_pixels_cluster_time_args a;

    mote_pixels_cluster_time_args_init(&a);
    a.module_id = mote_view_make(j->mem[IN_MODULE], h->n, MOTE_UINT16);
    a.x = mote_view_make(j->mem[IN_X], h->n, MOTE_UINT16);
    a.y = mote_view_make(j->mem[IN_Y], h->n, MOTE_UINT16);
    a.t = mote_view_make(j->mem[IN_T], h->n, MOTE_INT64);
    a.charge = mote_view_make(j->mem[IN_CHARGE], h->n, MOTE_UINT16);
    a.n_modules = h->n_modules;
    a.rows = h->rows;
    a.columns = h->columns;
    a.window = h->window;
    a.cluster_id = mote_view_make(j->mem[OUT_LABEL], h->n, MOTE_INT32);
    a.n_clusters = mote_view_make(j->mem[OUT_COUNT], 1, MOTE_UINT32);
    a.properties = mote_view_make(j->mem[OUT_RECORDS], j->clusters.count, MOTE_PIXELS_CLUSTER_TYPE);
    a.cluster_first = mote_view_make(j->mem[OUT_FIRST], j->clusters.count, MOTE_INT64);
    a.cluster_last = mote_view_make(j->mem[OUT_LAST], j->clusters.count, MOTE_INT64);
    return mote_pixels_cluster_time(j->bench->ctx, j->bench->queue, &a, 0, NULL, NULL);
}

static void swap_hits(job *j, size_t a, size_t b)
{
    mote_time_hits *h = &j->hits;
    const uint16_t module = j->module[a], x = h->x[a], y = h->y[a], charge = j->charge[a];
    const int64_t t = h->t[a];

    h->module[a] = j->module[a] = j->module[b];
    h->x[a] = h->x[b];
    h->y[a] = h->y[b];
    h->t[a] = h->t[b];
    h->charge[a] = j->charge[a] = j->charge[b];
    h->module[b] = j->module[b] = module;
    h->x[b] = x;
    h->y[b] = y;
    h->t[b] = t;
    h->charge[b] = j->charge[b] = charge;
}

/* Shuffles the hits of each group of `each` neighbouring hits. */
static void shuffle(job *j, mote_rng *rng, size_t each)
{
    for (size_t begin = 0; begin < j->hits.n; begin += each) {
        size_t count = j->hits.n - begin < each ? j->hits.n - begin : each;

        for (size_t k = count; k > 1; k--)
            swap_hits(j, begin + k - 1, begin + mote_rng_below(rng, (uint32_t)k));
    }
}

static void draw_hits(job *j)
{
    mote_time_hits *h = &j->hits;
    uint32_t left = 0, module = 0, x = 0, y = 0;
    int64_t at = 0;
    mote_rng rng;

    mote_rng_seed(&rng, 37);
    for (size_t i = 0; i < h->n; i++) {
        if (left == 0 && !j->set->one_pixel) {
            left = 1 + mote_rng_below(&rng, 9);
            module = mote_rng_below(&rng, MODULES);
            x = mote_rng_below(&rng, SIDE - 8);
            y = mote_rng_below(&rng, SIDE - 8);
            at += (int64_t)mote_rng_below(&rng, 2 * WINDOW);
        }
        left -= left > 0;
        j->module[i] = (uint16_t)module;
        h->module[i] = module;
        h->x[i] = (uint16_t)(x + (j->set->one_pixel ? 0 : mote_rng_below(&rng, 3)));
        h->y[i] = (uint16_t)(y + (j->set->one_pixel ? 0 : mote_rng_below(&rng, 3)));
        h->t[i] = j->set->one_pixel ? mote_rng_between(&rng, 0, (int64_t)h->n * WINDOW)
                                    : at + (int64_t)mote_rng_below(&rng, WINDOW / 2);
        h->charge[i] = j->charge[i] = (uint16_t)mote_rng_next(&rng);
    }
    if (j->set->shuffled != 1)
        shuffle(j, &rng, j->set->shuffled ? j->set->shuffled : h->n);
}

static bool make_arrays(job *j)
{
    size_t n = j->hits.n;
    mote_time_hits *h = &j->hits;
    mote_time_clusters *c = &j->clusters;

    j->module = malloc(n * sizeof(*j->module));
    j->charge = malloc(n * sizeof(*j->charge));
    h->module = malloc(n * sizeof(*h->module));
    h->charge = malloc(n * sizeof(*h->charge));
    h->x = malloc(n * sizeof(*h->x));
    h->y = malloc(n * sizeof(*h->y));
    h->t = malloc(n * sizeof(*h->t));
    c->label = malloc(n * sizeof(*c->label));
    c->records = malloc(n * sizeof(*c->records));
    c->module = malloc(n * sizeof(*c->module));
    c->first = malloc(n * sizeof(*c->first));
    c->last = malloc(n * sizeof(*c->last));
    return j->module && j->charge && h->module && h->charge && h->x && h->y && h->t && c->label &&
           c->records && c->module && c->first && c->last;
}

static void release(job *j)
{
    void *const arrays[] = {j->module,          j->charge,         j->hits.module,
                            j->hits.charge,     j->hits.x,         j->hits.y,
                            j->hits.t,          j->clusters.label, j->clusters.records,
                            j->clusters.module, j->clusters.first, j->clusters.last};

    for (size_t k = 0; k < sizeof(arrays) / sizeof(arrays[0]); k++)
        free(arrays[k]);
    for (size_t k = 0; k < ARRAYS; k++)
        if (j->mem[k])
            clReleaseMemObject(j->mem[k]);
    for (size_t k = 0; k <= IN_CHARGE; k++)
        mote_host_free(j->bench->ctx, j->pinned[k]);
    mote_host_free(j->bench->ctx, j->label);
    mote_host_release(j->host);
}

static bool make_buffers(job *j)
{
    const mote_time_hits *h = &j->hits;
    const mote_time_clusters *c = &j->clusters;
    const struct {
        size_t bytes;
        const void *from;
    } arrays[ARRAYS] = {[IN_MODULE] = {h->n * 2, j->module},
                        [IN_X] = {h->n * 2, h->x},
                        [IN_Y] = {h->n * 2, h->y},
                        [IN_T] = {h->n * 8, h->t},
                        [IN_CHARGE] = {h->n * 2, j->charge},
                        [OUT_LABEL] = {h->n * 4, NULL},
                        [OUT_COUNT] = {4, NULL},
                        [OUT_RECORDS] = {c->count * sizeof(*c->records), NULL},
                        [OUT_FIRST] = {c->count * 8, NULL},
                        [OUT_LAST] = {c->count * 8, NULL}};

    for (size_t k = 0; k < ARRAYS; k++)
        if (!(j->mem[k] = mote_bench_buffer(j->bench, arrays[k].bytes, arrays[k].from)))
            return false;
    return true;
}

static mote_status call_whole(void *data)
{
    const job *j = data;
    const mote_time_hits *h = &j->hits;
    mote_pixels_time_host_args a;

    mote_pixels_time_host_args_init(&a);
    a.n = h->n;
    a.module_id16 = j->pinned[IN_MODULE];
    a.x = j->pinned[IN_X];
    a.y = j->pinned[IN_Y];
    a.t = j->pinned[IN_T];
    a.charge16 = j->pinned[IN_CHARGE];
    a.n_modules = h->n_modules;
    a.rows = h->rows;
    a.columns = h->columns;
    a.window = h->window;
    a.cluster_id = j->label;
    return mote_pixels_cluster_time_host(j->bench->ctx, j->host, &a, NULL);
}

/* Times the labels of a whole call whose arrays are in pinned memory. */
static mote_status time_whole(job *j, mote_bench_row *row)
{
    const mote_time_hits *h = &j->hits;
    mote_context *ctx = j->bench->ctx;
    const void *const from[] = {j->module, h->x, h->y, h->t, j->charge};
    mote_repeats repeats = mote_bench_repeats(j->bench);
    mote_spread spread;
    void *label = NULL;
    mote_status st = mote_host_create(ctx, NULL, &j->host);

    for (size_t k = 0; !st && k <= IN_CHARGE; k++) {
        const size_t bytes = h->n * (k == IN_T ? 8 : 2);
        st = mote_host_alloc(ctx, bytes, &j->pinned[k]);
        if (!st)
            memcpy(j->pinned[k], from[k], bytes);
    }
    if (!st)
        st = mote_host_alloc(ctx, h->n * sizeof(*j->label), &label);
    j->label = label;
    if (!st)
        st = mote_time_whole(call_whole, j, repeats, &spread);
    if (!st)
        row->whole_us = spread.median;
    return st;
}

/* Returns whether a result on the device is the expected one. */
static bool equals(const job *j, size_t array, const void *expected, size_t bytes, void *got)
{
    return mote_bench_read(j->bench, j->mem[array], bytes, got) &&
           memcmp(got, expected, bytes) == 0;
}

static mote_bench_status disagree(mote_bench_state *bench, const mote_bench_row *row)
{
    snprintf(bench->message, bench->size, "%s on %s: wrong result", row->call, row->set);
    return MOTE_BENCH_DISAGREE;
}

static mote_bench_status check(job *j, const mote_bench_row *row)
{
    const mote_time_clusters *c = &j->clusters;
    size_t labels = j->hits.n * sizeof(*c->label), records = c->count * sizeof(*c->records);
    size_t times = c->count * sizeof(int64_t);
    void *got = malloc(labels > records ? labels : records);
    bool good = got && mote_bench_poison(j->bench, j->mem[OUT_LABEL], labels) &&
                mote_bench_poison(j->bench, j->mem[OUT_COUNT], sizeof(c->count)) &&
                mote_bench_poison(j->bench, j->mem[OUT_RECORDS], records) &&
                mote_bench_poison(j->bench, j->mem[OUT_FIRST], times) &&
                mote_bench_poison(j->bench, j->mem[OUT_LAST], times) && !call(j);

    if (!good) {
        free(got);
        return mote_bench_failed(j->bench, row);
    }
    good = equals(j, OUT_COUNT, &c->count, sizeof(c->count), got) &&
           equals(j, OUT_LABEL, c->label, labels, got) &&
           equals(j, OUT_RECORDS, c->records, records, got) &&
           equals(j, OUT_FIRST, c->first, times, got) && equals(j, OUT_LAST, c->last, times, got);
    free(got);
    return good ? MOTE_BENCH_OK : disagree(j->bench, row);
}

static mote_bench_status time_it(job *j)
{
    mote_bench_state *bench = j->bench;
    mote_bench_status status = MOTE_BENCH_OK;
    mote_bench_row row = {
        .area = "pixels",
        .call = "time",
        .set = j->set->name,
        .way = "time",
        .lists = j->clusters.count,
        .n = j->hits.n,
        .scale = j->scale,
        .bytes = {.read = 16 * (double)j->hits.n,
                  .written = 4 * (double)j->hits.n +
                             (double)j->clusters.count *
                                 (double)(sizeof(*j->clusters.records) + 2 * sizeof(int64_t))},
    };

    if (!bench->options->no_check)
        status = check(j, &row);
    if (!status && (mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row.times) ||
                    time_whole(j, &row)))
        status = mote_bench_failed(bench, &row);
    if (!status && !bench->options->no_check &&
        memcmp(j->label, j->clusters.label, j->hits.n * sizeof(*j->label)) != 0)
        status = disagree(bench, &row);
    if (!status)
        mote_bench_row_print(bench, &row);
    return status;
}

static mote_bench_status run_set(mote_bench_state *bench, size_t number)
{
    const time_set *set = &sets[number];
    unsigned scale = bench->options->quick ? QUICK_SCALE : 1;
    mote_bench_status status = MOTE_BENCH_OK;
    job j = {.bench = bench,
             .set = set,
             .scale = scale,
             .hits = {.n = set->n / scale,
                      .n_modules = MODULES,
                      .rows = SIDE,
                      .columns = SIDE,
                      .radius = 1,
                      .window = WINDOW}};
    const bool cpu = mote_context_device(bench->ctx)->device_class == MOTE_DEVICE_CPU;
    const mote_bench_row skipped = {.area = "pixels",
                                    .call = "time",
                                    .set = set->name,
                                    .way = "time",
                                    .n = j.hits.n,
                                    .scale = scale};
    bool good;

    if (cpu && j.hits.n > MOST_CPU) {
        mote_bench_row_skip(bench, &skipped, "one call takes too long");
        return MOTE_BENCH_OK;
    }
    good = make_arrays(&j);
    if (good) {
        draw_hits(&j);
        good = mote_oracle_time(&j.hits, &j.clusters) && make_buffers(&j);
    }
    status = good ? time_it(&j) : mote_bench_no_memory(bench, set->name);
    release(&j);
    return status;
}

mote_bench_status mote_bench_time(mote_bench_state *bench)
{
    bench->peer_us = 0;
    return mote_bench_row_sets(bench, "clusters in space and time; elements are hits",
                               mote_bench_time_set, run_set);
}
