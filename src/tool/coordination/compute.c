/* SPDX-License-Identifier: Apache-2.0 */
/* Coordination numbers of a batch, on the device of a worker. */
#include "job.h"

#include <stdlib.h>

/* What a worker keeps: plans by mote_pbc, made when needed. */
typedef struct worker_plans {
    mote_coordination *of[3];
} worker_plans;

const char *coordination_pbc_name(mote_pbc pbc)
{
    static const char *const names[] = {"no box", "orthorhombic box", "triclinic box"};
    return names[pbc];
}

bool coordination_ready(device_crew *crew)
{
    coordination_job *job = crew->job;
    const coordination_options *options = job->options;
    job->precision = options->precision;
    if (!options->has_precision)
        job->precision =
            devices_have_fp64(&crew->devices) ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
    return true;
}

static bool make_plan(crew_worker *w, mote_pbc pbc, mote_coordination **plan)
{
    const coordination_job *job = w->crew->job;
    const coordination_options *options = job->options;
    mote_coordination_plan_args args;
    mote_coordination_plan_args_init(&args);
    args.function = options->function;
    args.mode = options->pair               ? MOTE_COORDINATION_PAIR
                : options->group_b.n_ranges ? MOTE_COORDINATION_TWO
                                            : MOTE_COORDINATION_SELF;
    args.n_atoms = job->n_atoms;
    args.group_a = options->group_a.atoms;
    args.n_a = options->group_a.count;
    args.group_b = options->group_b.atoms;
    args.n_b = options->group_b.count;
    args.pbc = pbc;
    args.precision = job->precision;
    args.method = options->method;
    mote_status status = mote_coordination_create(w->ctx, &args, plan);
    return !status || failure_of_library(&w->failure, status);
}

bool coordination_compute(crew_worker *w, size_t slot)
{
    const coordination_job *job = w->crew->job;
    const coordination_batch *batch = &job->batches[slot];
    if (!w->own)
        w->own = calloc(1, sizeof(worker_plans));
    worker_plans *plans = w->own;
    if (!plans)
        return failure_set(&w->failure, TOOL_DEVICE, "out of memory");
    if (!plans->of[batch->pbc] && !make_plan(w, batch->pbc, &plans->of[batch->pbc]))
        return false;
    mote_coordination_host_args args;
    mote_coordination_host_args_init(&args);
    args.plan = plans->of[batch->pbc];
    args.frames = batch->frames;
    args.positions64 = batch->positions;
    args.box = batch->box;
    args.value = batch->value;
    args.virial = batch->virial;
    args.derivatives64 = batch->derivatives;
    args.coordination = batch->coordination;
    double start = tool_seconds();
    mote_status status = mote_coordination_host(w->ctx, w->host, &args);
    w->device_s += tool_seconds() - start;
    return !status || failure_of_library(&w->failure, status);
}

void coordination_end(crew_worker *w)
{
    worker_plans *plans = w->own;
    for (int i = 0; plans && i < 3; i++)
        mote_coordination_release(plans->of[i]);
    free(plans);
}
