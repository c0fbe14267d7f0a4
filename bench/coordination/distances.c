/* SPDX-License-Identifier: Apache-2.0 */
/* Histograms of the distances of atoms like those of a liquid, in a periodic cube. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/coordination/job.h"
#include "mote/pair_histogram.h"

#define R_MAX   1.5 /* with 472 partners of each atom on average */
#define BINS    300
#define SAMPLES 100 /* atoms whose distances are compared */

typedef struct job {
    mote_bench_state *bench;
    mote_system system;
    size_t n, n_other; /* n_other: 0, or the number of partners in a second list */
    float *positions;
    cl_mem mem_positions, mem_counts;
    int64_t counts[BINS];
} job;

static mote_status call(void *data)
{
    const job *j = data;
    mote_pair_histogram_args a;

    mote_pair_histogram_args_init(&a);
    a.positions = mote_view_make(j->mem_positions, 3 * j->n, MOTE_FLOAT32);
    if (j->n_other)
        a.other = mote_view_make(j->mem_positions, 3 * j->n_other, MOTE_FLOAT32);
    a.r_max = R_MAX;
    a.box = j->system.box;
    a.pbc = MOTE_NEIGHBOURS_XYZ;
    a.counts = mote_view_make(j->mem_counts, BINS, MOTE_INT64);
    return mote_pair_histogram(j->bench->ctx, j->bench->queue, &a, 0, NULL, NULL);
}

/* Adds 1 to the bin of a pair, by the formulas of the header. */
static void count_pair(const job *j, size_t i, size_t k, int64_t *counts)
{
    const double side = j->system.box[0], width = R_MAX / BINS;
    double square = 0;
    size_t bin;

    for (size_t axis = 0; axis < 3; axis++) {
        double d = (double)j->positions[3 * k + axis] - (double)j->positions[3 * i + axis];

        d += d > side / 2 ? -side : d < -side / 2 ? side : 0;
        square += d * d;
    }
    bin = (size_t)(sqrt(square) / width);
    for (; bin > 0 && square < (double)bin * width * ((double)bin * width); bin--)
        ;
    while (square >= (double)(bin + 1) * width * ((double)(bin + 1) * width))
        bin++;
    if (square < R_MAX * R_MAX)
        counts[bin < BINS ? bin : BINS - 1]++;
}

/* Compares the distances from all atoms to the first ones. */
static mote_bench_status check(job *j, const mote_bench_row *row)
{
    int64_t expected[BINS] = {0};

    j->n_other = SAMPLES;
    if (call(j) || !mote_bench_read(j->bench, j->mem_counts, sizeof(j->counts), j->counts))
        return mote_bench_failed(j->bench, row);
    j->n_other = 0;
    for (size_t i = 0; i < j->n; i++)
        for (size_t k = 0; k < SAMPLES; k++)
            count_pair(j, i, k, expected);
    for (size_t k = 0; k < BINS; k++)
        if (j->counts[k] != expected[k]) {
            snprintf(j->bench->message, j->bench->size,
                     "%s on %s: bin %zu has %lld pairs, not %lld", row->call, row->set, k,
                     (long long)j->counts[k], (long long)expected[k]);
            return MOTE_BENCH_DISAGREE;
        }
    return MOTE_BENCH_OK;
}

static mote_bench_status run(job *j, const char *set)
{
    mote_bench_state *bench = j->bench;
    mote_bench_status status = MOTE_BENCH_OK;
    mote_bench_row row = {.area = "coordination",
                          .call = "pair_histogram",
                          .set = set,
                          .lists = j->n,
                          .scale = 1,
                          .bytes = {.read = 12 * (double)j->n, .written = 8 * (double)BINS}};

    snprintf(row.way, sizeof(row.way), "distances, %d bins", BINS);
    if (!bench->options->no_check)
        status = check(j, &row);
    if (!status &&
        (call(j) || !mote_bench_read(bench, j->mem_counts, sizeof(j->counts), j->counts)))
        status = mote_bench_failed(bench, &row);
    for (size_t k = 0; k < BINS; k++)
        row.n += (size_t)j->counts[k];
    if (!status && mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row.times))
        status = mote_bench_failed(bench, &row);
    if (!status)
        mote_bench_row_print(bench, &row);
    return status;
}

mote_bench_status mote_bench_distances(mote_bench_state *bench, const char *set, size_t n)
{
    job j = {.bench = bench, .n = n};
    mote_bench_status status = MOTE_BENCH_OK;

    if (mote_system_liquid(&j.system, n))
        j.positions = malloc(3 * n * sizeof(float));
    for (size_t i = 0; j.positions && i < 3 * n; i++)
        j.positions[i] = (float)j.system.positions[i];
    if (j.positions) {
        j.mem_positions = mote_bench_buffer(bench, 3 * n * sizeof(float), j.positions);
        j.mem_counts = mote_bench_buffer(bench, BINS * sizeof(int64_t), NULL);
    }
    status = j.mem_positions && j.mem_counts ? run(&j, set) : mote_bench_no_memory(bench, set);
    mote_system_free(&j.system);
    free(j.positions);
    if (j.mem_positions)
        clReleaseMemObject(j.mem_positions);
    if (j.mem_counts)
        clReleaseMemObject(j.mem_counts);
    return status;
}
