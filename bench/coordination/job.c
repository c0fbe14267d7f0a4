/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/coordination/job.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values of 1000, 10 000 and 100 000 atoms agree with those of other programs; the other values
 * were computed once in double, by plain loops over all pairs. */
static const mote_atoms_set sets[] = {
    {"1000",
     1000,
     {2976.4644891068, 8795.3350745178, 453644},
     {2760.7939436087, 8158.8657476290, 29335}},
    {"10000",
     10000,
     {29521.0147722382, 88463.1039610942, 5971911},
     {27343.2716248813, 81920.4460005914, 294432}},
    {"50000",
     50000,
     {147315.8270088021, 442022.4470479467, 29864200},
     {136416.2646790950, 409313.1357306199, 1474741}},
    {"100000",
     100000,
     {295059.1508971981, 884138.3152468783, 59727835},
     {273267.8420889608, 818726.6026205043, 2948266}},
    {"200000",
     200000,
     {590588.4308300605, 1773280.7586042708, 119459129},
     {546998.1126229913, 1642521.8469837728, 5900687}},
};

#define N_SETS (sizeof(sets) / sizeof(sets[0]))

#define SAMPLES 5 /* atoms whose derivatives are compared */

const mote_atoms_set *mote_atoms_set_at(size_t k)
{
    return k < N_SETS ? &sets[k] : NULL;
}

const char *mote_bench_coordination_set(size_t k)
{
    size_t lists = 0;

    if (k < N_SETS)
        return sets[k].name;
    while (mote_bench_neighbours_set(lists))
        lists++;
    k -= N_SETS;
    return k < lists ? mote_bench_neighbours_set(k) : mote_bench_steinhardt_set(k - lists);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static bool make_arrays(mote_atoms_job *j)
{
    size_t count = 3 * j->set->n;
    bool fp64 = mote_context_device(j->bench->ctx)->has_fp64;

    if (!mote_system_liquid(&j->system, j->set->n))
        return false;
    j->positions32 = malloc(2 * count * sizeof(float));
    j->derivatives = malloc(count * sizeof(double));
    if (!j->positions32 || !j->derivatives)
        return false;
    for (size_t i = 0; i < count; i++)
        j->positions32[i] = j->positions32[count + i] = (float)j->system.positions[i];
    j->positions32[count] += (float)MOTE_ATOMS_SKIN;
    j->mem32 = mote_bench_buffer(j->bench, 2 * count * sizeof(float), j->positions32);
    if (fp64)
        j->mem64 = mote_bench_buffer(j->bench, count * sizeof(double), j->system.positions);
    j->mem_sums = mote_bench_buffer(j->bench, 10 * sizeof(double), NULL);
    j->mem_derivatives = mote_bench_buffer(j->bench, count * sizeof(double), NULL);
    return j->mem32 && (j->mem64 || !fp64) && j->mem_sums && j->mem_derivatives;
}

mote_bench_status mote_atoms_job_create(mote_bench_state *bench, const mote_atoms_set *set,
                                        mote_atoms_job *job)
{
    *job = (mote_atoms_job){.bench = bench, .set = set};
    if (!make_arrays(job) || mote_host_create(bench->ctx, NULL, &job->host))
        return mote_bench_no_memory(bench, set->name);
    return MOTE_BENCH_OK;
}

void mote_atoms_job_release(mote_atoms_job *job)
{
    cl_mem mems[] = {job->mem32, job->mem64, job->mem_sums, job->mem_derivatives};

    for (size_t k = 0; k < sizeof(mems) / sizeof(mems[0]); k++)
        if (mems[k])
            clReleaseMemObject(mems[k]);
    mote_coordination_release(job->plan);
    mote_host_release(job->host);
    mote_system_free(&job->system);
    free(job->positions32);
    free(job->derivatives);
}

/* ---- calls ----------------------------------------------------------------------------------- */

mote_status mote_atoms_job_plan(mote_atoms_job *job, const mote_atoms_way *way)
{
    mote_coordination_plan_args args;

    mote_coordination_release(job->plan);
    job->plan = NULL;
    job->way = *way;
    job->in_float = way->precision == MOTE_PRECISION_SINGLE || !job->mem64;
    mote_coordination_plan_args_init(&args);
    args.function = job->system.function;
    if (way->method == MOTE_COORDINATION_CELLS)
        args.function.d_max = MOTE_ATOMS_NEAR;
    args.n_atoms = job->set->n;
    args.pbc = job->system.pbc;
    args.precision = way->precision;
    args.method = way->method;
    args.skin = way->skin ? MOTE_ATOMS_SKIN : 0;
    job->moved = false;
    return mote_coordination_create(job->bench->ctx, &args, &job->plan);
}

/* Value and virial are doubles, or pairs of floats. */
static mote_view sums_view(const mote_atoms_job *j, size_t skip, size_t count)
{
    size_t wide = j->mem64 ? 1 : 2;
    mote_view view =
        mote_view_make(j->mem_sums, wide * count, j->mem64 ? MOTE_FLOAT64 : MOTE_FLOAT32);

    view.offset = wide * skip;
    return view;
}

mote_status mote_atoms_call(void *data)
{
    mote_atoms_job *j = data;
    mote_type real = j->in_float ? MOTE_FLOAT32 : MOTE_FLOAT64;
    mote_coordination_args args;

    mote_coordination_args_init(&args);
    args.plan = j->plan;
    args.positions = mote_view_make(j->in_float ? j->mem32 : j->mem64, 3 * j->set->n, real);
    if (j->way.moves && j->moved)
        args.positions.offset = 3 * j->set->n;
    j->moved = !j->moved;
    args.box = j->system.box;
    args.value = sums_view(j, 0, 1);
    if (j->way.derivatives) {
        args.virial = sums_view(j, 1, 9);
        args.derivatives = mote_view_make(j->mem_derivatives, 3 * j->set->n, real);
    }
    return mote_coordination_compute(j->bench->ctx, j->bench->queue, &args, 0, NULL, NULL);
}

mote_status mote_atoms_call_whole(void *data)
{
    mote_atoms_job *j = data;
    mote_coordination_host_args args;

    mote_coordination_host_args_init(&args);
    args.plan = j->plan;
    if (j->in_float)
        args.positions32 = j->positions32;
    else
        args.positions64 = j->system.positions;
    args.box = j->system.box;
    args.value = &j->value;
    if (j->way.derivatives) {
        args.virial = j->virial;
        args.derivatives32 = j->in_float ? j->derivatives : NULL;
        args.derivatives64 = j->in_float ? NULL : j->derivatives;
    }
    return mote_coordination_host(j->bench->ctx, j->host, &args);
}

bool mote_atoms_poison(mote_atoms_job *job)
{
    return mote_bench_poison(job->bench, job->mem_sums, 10 * sizeof(double)) &&
           mote_bench_poison(job->bench, job->mem_derivatives, 3 * job->set->n * sizeof(double));
}

bool mote_atoms_fetch(mote_atoms_job *job)
{
    size_t real = job->in_float ? sizeof(float) : sizeof(double);
    double sums[10], wide[10];
    float two[20];

    if (!mote_bench_read(job->bench, job->mem_sums, sizeof(sums), sums) ||
        !mote_bench_read(job->bench, job->mem_derivatives, 3 * job->set->n * real,
                         job->derivatives))
        return false;
    memcpy(two, sums, sizeof(sums));
    for (size_t k = 0; k < 10; k++)
        wide[k] = job->mem64 ? sums[k] : (double)two[2 * k] + (double)two[2 * k + 1];
    job->value = wide[0];
    memcpy(job->virial, wide + 1, sizeof(job->virial));
    return true;
}

/* ---- what is right --------------------------------------------------------------------------- */

/* The derivative of one atom, and the sum of its terms' sizes. */
static double derive(const mote_atoms_job *j, size_t atom, double sum[3])
{
    const mote_switch *function = mote_coordination_function(j->plan);
    const double *x = j->system.positions, side = j->system.box[0];
    double size = 0;

    sum[0] = sum[1] = sum[2] = 0;
    for (size_t other = 0; other < j->set->n; other++) {
        double d[3], square = 0, slope = 0;

        for (size_t k = 0; k < 3; k++) {
            d[k] = x[3 * other + k] - x[3 * atom + k];
            d[k] -= side * rint(d[k] / side);
            square += d[k] * d[k];
        }
        if (other == atom || square > function->d_max * function->d_max)
            continue;
        mote_switch_value(function, sqrt(square), &slope);
        for (size_t k = 0; k < 3; k++)
            sum[k] -= slope / sqrt(square) * d[k];
        size += fabs(slope);
    }
    return size;
}

static bool derivatives_right(const mote_atoms_job *j, double relative, char *message, size_t size)
{
    for (size_t s = 0; s < SAMPLES; s++) {
        size_t atom = s * (j->set->n - 1) / (SAMPLES - 1);
        double expected[3], most = derive(j, atom, expected) * relative;

        for (size_t k = 0; k < 3; k++) {
            double got = j->in_float ? (double)((const float *)j->derivatives)[3 * atom + k]
                                     : ((const double *)j->derivatives)[3 * atom + k];

            if (!(fabs(got - expected[k]) <= most)) {
                snprintf(message, size, "derivative %zu of atom %zu is %.9g, not %.9g", k, atom,
                         got, expected[k]);
                return false;
            }
        }
    }
    return true;
}

bool mote_atoms_right(const mote_atoms_job *j, char *message, size_t size)
{
    bool in_double = j->way.precision == MOTE_PRECISION_DOUBLE && !j->in_float;
    bool near = j->way.method == MOTE_COORDINATION_CELLS;
    const mote_atoms_known *known = near ? &j->set->near : &j->set->all;
    double relative = in_double ? 1e-11 : 2e-5;

    if (!(fabs(j->value - known->value) <= relative * known->value)) {
        snprintf(message, size, "the value is %.12g, not %.12g", j->value, known->value);
        return false;
    }
    if (!j->way.derivatives)
        return true;
    double trace = j->virial[0] + j->virial[4] + j->virial[8];

    if (!(fabs(trace - known->trace) <= relative * known->trace)) {
        snprintf(message, size, "the trace of the virial is %.12g, not %.12g", trace, known->trace);
        return false;
    }
    return derivatives_right(j, 10 * relative, message, size);
}
