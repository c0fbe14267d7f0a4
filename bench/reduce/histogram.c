/* SPDX-License-Identifier: Apache-2.0 */
/* The area of the benchmark that counts values in bins, and adds up weights. */
#include <stdlib.h>
#include <string.h>

#include "bench/row.h"
#include "bench/reduce/values.h"

#define LOW  (-1024.0F) /* of the values */
#define HIGH 1024.0F

typedef struct set {
    const char *name;
    size_t n, bins;
} set;

static const set sets[] = {
    {"1e6x100", 1000000, 100},
    {"1e8x100", 100000000, 100},
    {"1e8x4096", 100000000, 4096},
    {"1e8x1e6", 100000000, 1000000},
};

#define N_SETS      (sizeof(sets) / sizeof(sets[0]))
#define QUICK_BYTES ((double)(1 << 25))

typedef struct job {
    mote_bench_state *bench;
    const set *set;
    size_t n;
    unsigned scale;
    bool weighted, even; /* even: regular edges instead of an equal array */
    float *values, *weights, *edges;
    double *expected; /* counts, and then sums of weights: integers, multiplied by a unit */
    cl_mem mem_values, mem_weights, mem_edges, mem_result;
} job;

const char *mote_bench_histogram_set(size_t k)
{
    return k < N_SETS ? sets[k].name : NULL;
}

static mote_status call(void *data)
{
    const job *j = data;
    mote_histogram_args args;

    mote_histogram_args_init(&args);
    args.values = mote_view_make(j->mem_values, j->n, MOTE_FLOAT32);
    args.low = (double)LOW;
    args.high = (double)HIGH;
    if (!j->even)
        args.edges = mote_view_make(j->mem_edges, j->set->bins + 1, MOTE_FLOAT32);
    if (j->weighted)
        args.weights = mote_view_make(j->mem_weights, j->n, MOTE_FLOAT32);
    args.result =
        mote_view_make(j->mem_result, j->set->bins, j->weighted ? MOTE_FLOAT32 : MOTE_INT64);
    return mote_histogram(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

static size_t result_size(const job *j)
{
    return j->weighted ? sizeof(float) : sizeof(int64_t);
}

static mote_bench_row row_of(const job *j)
{
    mote_bench_row row = {
        .area = "histogram",
        .call = "histogram",
        .set = j->set->name,
        .lists = j->set->bins,
        .n = j->n,
        .scale = j->scale,
        .bytes = {.read = (double)(j->n * (j->weighted ? 3 : 1) * sizeof(float)),
                  .written = (double)(j->set->bins * result_size(j))},
    };

    snprintf(row.way, sizeof(row.way), "%s, %s", j->weighted ? "weights" : "counts",
             j->even ? "regular" : "edges");
    return row;
}

static mote_bench_status disagrees(const job *j, const char *who, size_t bin, double got)
{
    mote_bench_row row = row_of(j);

    snprintf(j->bench->message, j->bench->size,
             "histogram of %s, %s, %s: bin %zu is %.17g, not %.17g", row.set, row.way, who, bin,
             got, j->expected[bin + (j->weighted ? j->set->bins : 0)]);
    return MOTE_BENCH_DISAGREE;
}

static mote_bench_status check(job *j, const mote_bench_row *row)
{
    size_t bins = j->set->bins, bytes = bins * result_size(j), bad = bins;
    void *result = malloc(bytes);
    double got = 0;
    bool good = result && mote_bench_poison(j->bench, j->mem_result, bytes) && !call(j) &&
                mote_bench_read(j->bench, j->mem_result, bytes, result);

    for (size_t k = 0; good && bad == bins && k < bins; k++) {
        got = j->weighted ? (double)((float *)result)[k] : (double)((int64_t *)result)[k];
        if (j->weighted ? got != (double)(float)j->expected[bins + k] : got != j->expected[k])
            bad = k;
    }
    free(result);
    if (!good)
        return mote_bench_failed(j->bench, row);
    return bad == bins ? MOTE_BENCH_OK : disagrees(j, "device", bad, got);
}

static mote_bench_status check_alone(void *data)
{
    mote_bench_row row = row_of(data);

    return check(data, &row);
}

typedef struct native {
    const job *j;
    mote_histogram_peer_fn run;
    double *result;
    bool good;
} native;

static mote_status call_native(void *data)
{
    native *p = data;
    const job *j = p->j;

    p->good =
        p->run(j->values, j->weighted ? j->weights : NULL, j->n, j->edges, j->set->bins, p->result);
    return MOTE_SUCCESS;
}

static mote_bench_status run_peer(job *j)
{
    const mote_bench_peers *peers = j->bench->options->peers;
    mote_bench_row row = row_of(j);
    mote_bench_status status = MOTE_BENCH_OK;
    mote_spread times = {0};
    size_t bins = j->set->bins;

    if (!peers)
        return status;
    native p = {.j = j, .run = peers->histogram, .result = malloc(bins * sizeof(double))};
    if (!p.result || mote_time_whole(call_native, &p, mote_bench_repeats(j->bench), &times) ||
        !p.good)
        status = mote_bench_no_memory(j->bench, row.set);
    for (size_t k = 0; !status && k < bins; k++)
        if (p.result[k] != j->expected[k + (j->weighted ? bins : 0)])
            status = disagrees(j, "OpenMP", k, p.result[k]);
    free(p.result);
    if (!status)
        mote_bench_row_peer(j->bench, &row, "OpenMP", &times);
    return status;
}

static mote_bench_status run_way(job *j)
{
    mote_bench_state *bench = j->bench;
    mote_bench_row row = row_of(j);
    mote_bench_status status = MOTE_BENCH_OK;

    if (mote_bench_try(bench, &row, call, check_alone, j, &status))
        return status;
    if (!bench->options->no_check)
        status = check(j, &row);
    if (!status && mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row.times))
        status = mote_bench_failed(bench, &row);
    if (!status)
        mote_bench_row_print(bench, &row);
    return status;
}

/* Values and weights are multiples of a unit, so that sums of weights are exact in double. */
static bool make_data(job *j)
{
    size_t bins = j->set->bins;

    j->values = malloc(j->n * sizeof(float));
    j->weights = malloc(j->n * sizeof(float));
    j->edges = malloc((bins + 1) * sizeof(float));
    j->expected = calloc(2 * bins, sizeof(double));
    if (!j->values || !j->weights || !j->edges || !j->expected)
        return false;
    mote_bench_values_f32(j->values, j->n, 7);
    mote_bench_values_f32(j->weights, j->n, 11);
    double step = ((double)HIGH - (double)LOW) / (double)bins;
    for (size_t k = 0; k <= bins; k++)
        j->edges[k] = (float)((double)LOW + (double)k * step);
    for (size_t i = 0; i < j->n; i++) {
        size_t k = (size_t)(((double)j->values[i] - (double)LOW) / step);
        k = k < bins ? k : bins - 1;
        while (j->values[i] < j->edges[k])
            k--;
        while (k + 1 < bins && j->values[i] >= j->edges[k + 1])
            k++;
        j->expected[k] += 1;
        j->expected[bins + k] += (double)j->weights[i];
    }
    return true;
}

static mote_bench_status run_set(mote_bench_state *bench, size_t number)
{
    const set *s = &sets[number];
    job j = {.bench = bench, .set = s, .n = s->n, .scale = 1};
    mote_bench_status status = MOTE_BENCH_OK;

    for (; bench->options->quick && (double)(j.n * sizeof(float)) > QUICK_BYTES; j.scale *= 2)
        j.n /= 2;
    if (make_data(&j)) {
        j.mem_values = mote_bench_buffer(bench, j.n * sizeof(float), j.values);
        j.mem_weights = mote_bench_buffer(bench, j.n * sizeof(float), j.weights);
        j.mem_edges = mote_bench_buffer(bench, (s->bins + 1) * sizeof(float), j.edges);
        j.mem_result = mote_bench_buffer(bench, s->bins * sizeof(int64_t), NULL);
    }
    if (!j.mem_values || !j.mem_weights || !j.mem_edges || !j.mem_result)
        status = mote_bench_no_memory(bench, s->name);
    for (int way = 0; way < 4 && !status; way++) {
        j.weighted = way >= 2;
        j.even = way % 2 == 0 && mote_context_device(bench->ctx)->has_fp64;
        if (way % 2 == 0) {
            bench->peer_us = 0;
            status = run_peer(&j);
        }
        if (!status && (way % 2 || j.even))
            status = run_way(&j);
    }
    cl_mem mem[] = {j.mem_values, j.mem_weights, j.mem_edges, j.mem_result};
    for (size_t k = 0; k < sizeof(mem) / sizeof(mem[0]); k++)
        if (mem[k])
            clReleaseMemObject(mem[k]);
    free(j.values);
    free(j.weights);
    free(j.edges);
    free(j.expected);
    return status;
}

mote_bench_status mote_bench_histogram(mote_bench_state *bench)
{
    return mote_bench_row_sets(bench, "histograms", mote_bench_histogram_set, run_set);
}
