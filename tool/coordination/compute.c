/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers of a batch, on the device of a worker. */
#include "order.h"

#include <stdio.h>
#include <stdlib.h>

/* Data that a worker keeps: plans of each number by mote_pbc, created when needed. */
typedef struct worker_plans {
    mote_coordination *of[3];
    double *weights; /* weights for functions of single atoms' numbers, for a batch */
    order_arrays *order;
} worker_plans;

const char *coordination_pbc_name(mote_pbc pbc)
{
    static const char *const names[] = {"no box", "orthorhombic box", "triclinic box"};
    return names[pbc];
}

bool coordination_ready(device_workers *workers)
{
    coordination_job *job = workers->job;
    const coordination_options *options = job->options;
    job->precision = options->precision;
    if (!options->has_precision)
        job->precision =
            devices_have_fp64(&workers->devices) ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
    return true;
}

static bool make_plan(device_worker *w, const coordination_cv *cv, mote_pbc pbc,
                      mote_coordination **plan)
{
    const coordination_job *job = w->workers->job;
    const coordination_options *options = job->options;
    mote_coordination_plan_args args;
    mote_coordination_plan_args_init(&args);
    args.function = cv->function;
    args.mode = cv->pair               ? MOTE_COORDINATION_PAIR
                : cv->group_b.n_ranges ? MOTE_COORDINATION_TWO
                                       : MOTE_COORDINATION_SELF;
    args.n_atoms = job->n_atoms;
    args.group_a = cv->group_a.atoms;
    args.n_a = cv->group_a.count;
    args.group_b = cv->group_b.atoms;
    args.n_b = cv->group_b.count;
    args.pbc = pbc;
    args.precision = job->precision;
    args.method = options->method;
    mote_status status = mote_coordination_create(w->ctx, &args, plan);
    return !status || failure_of_library(&w->failure, status);
}

static double *behind(double *array, size_t count)
{
    return array ? array + count : NULL;
}

/* Prepares the call for one number of all frames, without outputs; same: it is not the batch's
 * first call. */
static bool begin_call(device_worker *w, const coordination_batch *batch, size_t c, bool same,
                       mote_coordination_host_args *args)
{
    const coordination_job *job = w->workers->job;
    const coordination_cv *cv = &job->options->cvs[c];
    mote_pbc pbc = cv->no_pbc ? MOTE_PBC_NONE : batch->pbc;
    worker_plans *plans = w->own;
    mote_coordination **plan = &plans[c - cv->behind].of[pbc];
    mote_coordination_host_args_init(args);
    if (!*plan && !make_plan(w, cv_lists(cv), pbc, plan))
        return false;
    args->plan = *plan;
    args->frames = batch->frames;
    args->positions64 = batch->positions;
    args->same_positions = same;
    args->box = batch->box;
    return true;
}

/* A bad box may come from an option. */
bool coordination_fail(device_worker *w, mote_status status)
{
    const coordination_job *job = w->workers->job;
    char text[sizeof(w->failure.text)];
    failure_of_library(&w->failure, status);
    if (status != MOTE_ERROR_BOX || !job->options->rules.box)
        return false;
    snprintf(text, sizeof(text), "--box: %.1300s", w->failure.text);
    return failure_set(&w->failure, TOOL_USAGE, text);
}

static bool call(device_worker *w, const mote_coordination_host_args *args)
{
    double start = tool_seconds();
    mote_status status = mote_coordination_host(w->ctx, w->host, args);
    w->device_s += tool_seconds() - start;
    return !status || coordination_fail(w, status);
}

/* Returns whether a number is the first one whose call gets the positions of a batch. */
static bool is_first(const coordination_job *job, size_t c)
{
    size_t k = 0;
    while (k < c && job->options->cvs[k].order.l)
        k++;
    return k == c;
}

/* Computes the numbers of single atoms, once for all functions of them. */
static bool compute_numbers(device_worker *w, const coordination_batch *batch, size_t c)
{
    const coordination_job *job = w->workers->job;
    worker_plans *plans = w->own;
    mote_coordination_host_args args;
    if (job->options->cvs[c].order.l)
        return order_compute(w, &plans[c].order, batch, c, NULL);
    if (!begin_call(w, batch, c, !is_first(job, c), &args))
        return false;
    args.coordination = batch->coordination + job->most_frames * job->options->cvs[c].first;
    return call(w, &args);
}

/* Computes one function of single atoms' numbers: its value from them, and its derivatives with the
 * weights that follow from its derivative with respect to each. */
static bool compute_function(device_worker *w, const coordination_batch *batch, size_t c)
{
    const coordination_job *job = w->workers->job;
    const coordination_cv *cv = &job->options->cvs[c];
    size_t most = job->most_frames;
    const double *numbers = batch->coordination + most * cv_lists(cv)->first;
    worker_plans *plans = w->own;
    double **weights = &plans[c - cv->behind].weights;
    bool slopes = batch->virial || batch->derivatives;
    mote_coordination_host_args args;
    if (!cv->behind && !compute_numbers(w, batch, c))
        return false;
    if (slopes && !*weights)
        *weights = calloc(most * cv->entries + 1, sizeof(**weights));
    if (slopes && !*weights)
        return failure_set(&w->failure, TOOL_DEVICE, "out of memory");
    for (size_t f = 0; f < batch->frames; f++)
        batch->value[most * c + f] =
            component_value(&cv->component, numbers + f * cv->entries, cv_atoms(cv),
                            slopes ? *weights + f * cv->entries : NULL);
    if (!slopes)
        return true;
    if (cv->order.l)
        return order_compute(w, &plans[c - cv->behind].order, batch, c, *weights);
    if (!begin_call(w, batch, c, true, &args))
        return false;
    args.weights = *weights;
    args.virial = behind(batch->virial, 9 * most * c);
    args.derivatives64 = behind(batch->derivatives, 3 * most * cv->first);
    return call(w, &args);
}

/* Computes one number of all frames. */
static bool compute(device_worker *w, const coordination_batch *batch, size_t c)
{
    const coordination_job *job = w->workers->job;
    const coordination_cv *cv = &job->options->cvs[c];
    size_t most = job->most_frames;
    mote_coordination_host_args args;
    if (cv->component.kind != COMPONENT_NONE)
        return compute_function(w, batch, c);
    if (!begin_call(w, batch, c, !is_first(job, c), &args))
        return false;
    args.value = batch->value + most * c;
    args.virial = behind(batch->virial, 9 * most * c);
    args.derivatives64 = behind(batch->derivatives, 3 * most * cv->first);
    args.coordination = behind(batch->coordination, most * cv->first);
    return call(w, &args);
}

bool coordination_compute(device_worker *w, size_t slot)
{
    const coordination_job *job = w->workers->job;
    const coordination_batch *batch = &job->batches[slot];
    bool good = true;
    w->units = batch->frames;
    if (!w->own)
        w->own = calloc(job->options->n_cvs, sizeof(worker_plans));
    if (!w->own)
        return failure_set(&w->failure, TOOL_DEVICE, "out of memory");
    for (size_t c = 0; c < job->options->n_cvs && good; c++)
        good = compute(w, batch, c);
    return good;
}

void coordination_end(device_worker *w)
{
    const coordination_job *job = w->workers->job;
    worker_plans *plans = w->own;
    for (size_t i = 0; plans && i < job->options->n_cvs; i++) {
        for (int pbc = 0; pbc < 3; pbc++)
            mote_coordination_release(plans[i].of[pbc]);
        free(plans[i].weights);
        order_free(plans[i].order);
    }
    free(plans);
}
