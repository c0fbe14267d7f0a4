/* SPDX-License-Identifier: Apache-2.0 */
/* The mean of q6 of atoms at the density of the oxygens of water, with derivatives and virial. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/coordination/job.h"
#include "mote/steinhardt.h"

#define R_0   0.3  /* nm */
#define D_MAX 0.35 /* with 6 neighbours of each atom on average */
#define LOOPS 2000 /* atoms whose order parameters are compared */

typedef struct atoms_set {
    const char *name;
    size_t n;
} atoms_set;

static const atoms_set sets[] = {{"oxygens-4096", 4096}, {"oxygens-110592", 110592}};

#define N_SETS      (sizeof(sets) / sizeof(sets[0]))
#define QUICK_ATOMS ((size_t)4096)

typedef struct job {
    mote_bench_state *bench;
    const atoms_set *set;
    mote_system system;
    size_t n;
    uint32_t local;
    float *positions, *order;
    cl_mem mem_positions, mem_order, mem_value, mem_derivatives, mem_virial;
} job;

const char *mote_bench_steinhardt_set(size_t k)
{
    return k < N_SETS ? sets[k].name : NULL;
}

static mote_status call(void *data)
{
    const job *j = data;
    mote_steinhardt_args a;

    mote_steinhardt_args_init(&a);
    a.positions = mote_view_make(j->mem_positions, 3 * j->n, MOTE_FLOAT32);
    a.function.r_0 = R_0;
    a.function.d_max = D_MAX;
    a.l = 6;
    a.local = j->local;
    a.box = j->system.box;
    a.pbc = MOTE_NEIGHBOURS_XYZ;
    a.order = mote_view_make(j->mem_order, j->n, MOTE_FLOAT32);
    a.value = mote_view_make(j->mem_value, 1, MOTE_FLOAT32);
    a.derivatives = mote_view_make(j->mem_derivatives, 3 * j->n, MOTE_FLOAT32);
    a.virial = mote_view_make(j->mem_virial, 9, MOTE_FLOAT32);
    return mote_steinhardt(j->bench->ctx, j->bench->queue, &a, 0, NULL, NULL);
}

/* Returns s, stretched so that it is 0 at D_MAX. */
static double switched(double r)
{
    double end = 1.0 / (1.0 + pow(D_MAX / R_0, 6)), s = 1.0 / (1.0 + pow(r / R_0, 6));

    return (s - end) / (1.0 - end);
}

/* Returns Legendre's polynomial of degree 6. */
static double legendre(double z)
{
    double w = z * z;

    return ((231.0 * w - 315.0) * w + 105.0) * w / 16.0 - 5.0 / 16.0;
}

/* Returns q6 of atom i by the addition theorem: a sum over pairs of neighbours. */
static double order_of(const job *j, size_t i)
{
    const double pi = acos(-1.0), side = j->system.box[0];
    double vector[256][3], s[256], sum = 0, total = 0;
    size_t count = 0;

    for (size_t k = 0; k < j->n && count < 256; k++) {
        double square = 0;

        for (size_t axis = 0; axis < 3; axis++) {
            double d = (double)j->positions[3 * k + axis] - (double)j->positions[3 * i + axis];

            d += d > side / 2 ? -side : d < -side / 2 ? side : 0;
            vector[count][axis] = d;
            square += d * d;
        }
        if (k == i || square > D_MAX * D_MAX)
            continue;
        for (size_t axis = 0; axis < 3; axis++)
            vector[count][axis] /= sqrt(square);
        s[count] = switched(sqrt(square));
        total += s[count++];
    }
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < count; b++)
            sum += s[a] * s[b] *
                   legendre(vector[a][0] * vector[b][0] + vector[a][1] * vector[b][1] +
                            vector[a][2] * vector[b][2]);
    return total > 0 ? sqrt(fmax(sum, 0.0) * 13.0 / (4.0 * pi)) / total : 0;
}

/* Compares order parameters, whose derivatives the tests compare. */
static mote_bench_status check(const job *j, const mote_bench_row *row)
{
    if (call((void *)(uintptr_t)j) ||
        !mote_bench_read(j->bench, j->mem_order, j->n * sizeof(float), j->order))
        return mote_bench_failed(j->bench, row);
    for (size_t i = 0; i < j->n; i += j->n / LOOPS + 1) {
        double expected = order_of(j, i);

        if (!(fabs((double)j->order[i] - expected) < 1e-4)) {
            snprintf(j->bench->message, j->bench->size, "%s on %s: q6 of atom %zu is %g, not %g",
                     row->call, row->set, i, (double)j->order[i], expected);
            return MOTE_BENCH_DISAGREE;
        }
    }
    return MOTE_BENCH_OK;
}

static mote_bench_status run_way(job *j)
{
    mote_bench_state *bench = j->bench;
    mote_bench_status status = MOTE_BENCH_OK;
    mote_bench_row row = {
        .area = "coordination",
        .call = "steinhardt",
        .set = j->set->name,
        .lists = j->n,
        .n = j->n,
        .scale = 1,
        .bytes = {.read = 12 * (double)j->n, .written = 16 * (double)j->n},
    };

    snprintf(row.way, sizeof(row.way), "%s, derivatives", j->local ? "local q6" : "q6");
    if (!j->local && !bench->options->no_check)
        status = check(j, &row);
    if (!status && mote_time_call(bench->queue, call, j, mote_bench_repeats(bench), &row.times))
        status = mote_bench_failed(bench, &row);
    if (!status)
        mote_bench_row_print(bench, &row);
    return status;
}

static bool make_atoms(job *j)
{
    if (!mote_system_liquid(&j->system, j->n))
        return false;
    j->positions = malloc(3 * j->n * sizeof(float));
    j->order = malloc(j->n * sizeof(float));
    if (!j->positions || !j->order)
        return false;
    for (size_t i = 0; i < 3 * j->n; i++)
        j->positions[i] = (float)j->system.positions[i];
    j->mem_positions = mote_bench_buffer(j->bench, 3 * j->n * sizeof(float), j->positions);
    j->mem_order = mote_bench_buffer(j->bench, j->n * sizeof(float), NULL);
    j->mem_value = mote_bench_buffer(j->bench, sizeof(float), NULL);
    j->mem_derivatives = mote_bench_buffer(j->bench, 3 * j->n * sizeof(float), NULL);
    j->mem_virial = mote_bench_buffer(j->bench, 9 * sizeof(float), NULL);
    return j->mem_positions && j->mem_order && j->mem_value && j->mem_derivatives && j->mem_virial;
}

/* Runs one set; a quick run leaves out the large one unless it is named. */
static mote_bench_status run_set(mote_bench_state *bench, size_t number)
{
    const atoms_set *set = &sets[number];

    if (bench->options->quick && !bench->options->set && set->n > QUICK_ATOMS)
        return MOTE_BENCH_OK;
    job j = {.bench = bench, .set = set, .n = set->n};
    mote_bench_status status =
        make_atoms(&j) ? MOTE_BENCH_OK : mote_bench_no_memory(bench, set->name);

    for (j.local = 0; j.local < 2 && !status; j.local++)
        status = run_way(&j);
    const cl_mem all[] = {j.mem_positions, j.mem_order, j.mem_value, j.mem_derivatives,
                          j.mem_virial};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        if (all[k])
            clReleaseMemObject(all[k]);
    mote_system_free(&j.system);
    free(j.positions);
    free(j.order);
    return status;
}

mote_bench_status mote_bench_steinhardt(mote_bench_state *bench)
{
    bench->peer_us = 0;
    return mote_bench_row_sets(bench, "order parameters; elements are atoms",
                               mote_bench_steinhardt_set, run_set);
}
