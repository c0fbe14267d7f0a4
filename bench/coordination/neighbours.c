/* SPDX-License-Identifier: Apache-2.0 */
/* Neighbour lists of atoms like those of a liquid, in a periodic cube. */
#include <stdlib.h>
#include <string.h>

#include "bench/coordination/job.h"
#include "mote/neighbours.h"
#include "testkit/rng.h"

#define CUTOFF  0.8 /* with 72 neighbours of each atom on average */
#define SAMPLES 200 /* atoms whose numbers of neighbours are compared */

typedef struct atoms_set {
    const char *name;
    size_t n;
    bool distances; /* distances are counted instead */
} atoms_set;

static const atoms_set sets[] = {{"atoms-1000", 1000, false},
                                 {"atoms-32768", 32768, false},
                                 {"atoms-1e6", 1000000, false},
                                 {"atoms-1e5", 100000, true}};

#define N_SETS      (sizeof(sets) / sizeof(sets[0]))
#define QUICK_ATOMS ((size_t)32768)

typedef struct job {
    mote_bench_state *bench;
    const atoms_set *set;
    mote_system system;
    bool half;
    size_t n, capacity;
    float *positions;
    int32_t *offsets;
    cl_mem mem_positions, mem_offsets, mem_partner, mem_distance;
} job;

const char *mote_bench_neighbours_set(size_t k)
{
    return k < N_SETS ? sets[k].name : NULL;
}

/* Computes partners and distances, or only the offsets if the job has no capacity. */
static mote_status call(void *data)
{
    const job *j = data;
    mote_neighbours_args a;

    mote_neighbours_args_init(&a);
    a.positions = mote_view_make(j->mem_positions, 3 * j->n, MOTE_FLOAT32);
    a.cutoff = CUTOFF;
    a.box = j->system.box;
    a.pbc = MOTE_NEIGHBOURS_XYZ;
    a.half = j->half;
    a.offsets = mote_view_make(j->mem_offsets, j->n + 1, MOTE_INT32);
    if (j->capacity) {
        a.partner = mote_view_make(j->mem_partner, j->capacity, MOTE_INT32);
        a.distance = mote_view_make(j->mem_distance, j->capacity, MOTE_FLOAT32);
    }
    return mote_neighbours(j->bench->ctx, j->bench->queue, &a, 0, NULL, NULL);
}

static bool read_offsets(const job *j)
{
    return mote_bench_read(j->bench, j->mem_offsets, (j->n + 1) * sizeof(int32_t), j->offsets);
}

/* Returns the number of neighbours of atom i, by a loop over all atoms and their nearest images. */
static size_t count_neighbours(const job *j, size_t i)
{
    const double side = j->system.box[0];
    size_t count = 0;

    for (size_t k = j->half ? i + 1 : 0; k < j->n; k++) {
        double square = 0;

        for (size_t axis = 0; axis < 3; axis++) {
            double d = (double)j->positions[3 * k + axis] - (double)j->positions[3 * i + axis];

            d += d > side / 2 ? -side : d < -side / 2 ? side : 0;
            square += d * d;
        }
        count += k != i && square < CUTOFF * CUTOFF;
    }
    return count;
}

/* Compares the lengths of some lists, whose partners and distances the tests compare. */
static mote_bench_status check(const job *j, const mote_bench_row *row)
{
    mote_rng rng;

    mote_rng_seed(&rng, 36);
    for (size_t k = 0; k < SAMPLES; k++) {
        size_t i = mote_rng_below(&rng, (uint32_t)j->n);
        size_t expected = count_neighbours(j, i);

        if ((size_t)(j->offsets[i + 1] - j->offsets[i]) != expected) {
            snprintf(j->bench->message, j->bench->size,
                     "%s on %s: atom %zu has %d neighbours, not %zu", row->call, row->set, i,
                     (int)(j->offsets[i + 1] - j->offsets[i]), expected);
            return MOTE_BENCH_DISAGREE;
        }
    }
    return MOTE_BENCH_OK;
}

/* Finds the capacity by a first call. */
static bool make_lists(job *j)
{
    size_t count;

    j->capacity = 0;
    if (call(j) || !read_offsets(j))
        return false;
    count = (size_t)j->offsets[j->n];
    j->mem_partner = mote_bench_buffer(j->bench, count * sizeof(int32_t), NULL);
    j->mem_distance = mote_bench_buffer(j->bench, count * sizeof(float), NULL);
    j->capacity = count;
    return j->mem_partner && j->mem_distance && !call(j) && read_offsets(j);
}

static void release_lists(job *j)
{
    if (j->mem_partner)
        clReleaseMemObject(j->mem_partner);
    if (j->mem_distance)
        clReleaseMemObject(j->mem_distance);
    j->mem_partner = j->mem_distance = NULL;
}

static mote_bench_status run_way(job *j)
{
    mote_bench_state *bench = j->bench;
    mote_bench_status status = MOTE_BENCH_OK;
    mote_bench_row row = {
        .area = "coordination",
        .call = "neighbours",
        .set = j->set->name,
        .lists = j->n,
        .scale = 1,
    };

    snprintf(row.way, sizeof(row.way), "neighbours, %s", j->half ? "half" : "full");
    if (!make_lists(j))
        status = mote_bench_failed(bench, &row);
    row.n = j->capacity;
    row.bytes = (mote_bytes){.read = 12 * (double)j->n,
                             .written = 4 * (double)j->n + 8 * (double)j->capacity};
    if (!status && !bench->options->no_check)
        status = check(j, &row);
    if (!status && mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row.times))
        status = mote_bench_failed(bench, &row);
    if (!status)
        mote_bench_row_print(bench, &row);
    release_lists(j);
    return status;
}

static bool make_atoms(job *j)
{
    if (!mote_system_liquid(&j->system, j->n))
        return false;
    j->positions = malloc(3 * j->n * sizeof(float));
    j->offsets = malloc((j->n + 1) * sizeof(int32_t));
    if (!j->positions || !j->offsets)
        return false;
    for (size_t i = 0; i < 3 * j->n; i++)
        j->positions[i] = (float)j->system.positions[i];
    j->mem_positions = mote_bench_buffer(j->bench, 3 * j->n * sizeof(float), j->positions);
    j->mem_offsets = mote_bench_buffer(j->bench, (j->n + 1) * sizeof(int32_t), NULL);
    return j->mem_positions && j->mem_offsets;
}

/* Runs one set; a quick run leaves out large ones unless they are named. */
static mote_bench_status run_set(mote_bench_state *bench, size_t number)
{
    const atoms_set *set = &sets[number];

    if (bench->options->quick && !bench->options->set && set->n > QUICK_ATOMS)
        return MOTE_BENCH_OK;
    if (set->distances)
        return mote_bench_distances(bench, set->name, set->n);
    job j = {.bench = bench, .set = set, .n = set->n};
    mote_bench_status status =
        make_atoms(&j) ? MOTE_BENCH_OK : mote_bench_no_memory(bench, set->name);

    for (int half = 0; half < 2 && !status; half++) {
        j.half = half;
        status = run_way(&j);
    }
    mote_system_free(&j.system);
    free(j.positions);
    free(j.offsets);
    if (j.mem_positions)
        clReleaseMemObject(j.mem_positions);
    if (j.mem_offsets)
        clReleaseMemObject(j.mem_offsets);
    return status;
}

mote_bench_status mote_bench_neighbours(mote_bench_state *bench)
{
    bench->peer_us = 0;
    return mote_bench_row_sets(bench, "neighbour lists and distances; elements are pairs",
                               mote_bench_neighbours_set, run_set);
}
