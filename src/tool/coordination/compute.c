/* SPDX-License-Identifier: Apache-2.0 */
/* The computing thread: opens the device while the first frames are read, then works on batches. */
#include "job.h"

#include <stdio.h>

const char *coordination_pbc_name(mote_pbc pbc)
{
    static const char *const names[] = {"no box", "orthorhombic box", "triclinic box"};
    return names[pbc];
}

static bool fail(coordination_job *job, int code, const char *text)
{
    job->compute_failure.code = code;
    snprintf(job->compute_failure.text, sizeof(job->compute_failure.text), "%s", text);
    return false;
}

/* The library's failure with its own sentence. */
static bool fail_library(coordination_job *job, mote_status status)
{
    char text[1300];
    const char *sentence = tool_sentence();
    snprintf(text, sizeof(text), "%.1200s (%s)", *sentence ? sentence : "the library failed",
             mote_status_name(status));
    return fail(job, tool_code_of(status), text);
}

static bool open_device(coordination_job *job)
{
    const coordination_options *options = job->options;
    mote_status status = mote_context_open(options->common.device, &job->ctx);
    if (!status)
        status = mote_host_create(job->ctx, NULL, &job->host);
    if (status)
        return fail_library(job, status);
    job->precision = options->precision;
    if (!options->has_precision)
        job->precision =
            mote_context_device(job->ctx)->has_fp64 ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
    return true;
}

static bool make_plan(coordination_job *job, mote_pbc pbc)
{
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
    mote_status status = mote_coordination_create(job->ctx, &args, &job->plans[pbc]);
    return !status || fail_library(job, status);
}

static bool compute(coordination_job *job, coordination_batch *batch)
{
    mote_coordination_host_args args;
    mote_coordination_host_args_init(&args);
    if (!job->plans[batch->pbc] && !make_plan(job, batch->pbc))
        return false;
    args.plan = job->plans[batch->pbc];
    args.frames = batch->frames;
    args.positions64 = batch->positions;
    args.box = batch->box;
    args.value = batch->value;
    args.virial = batch->virial;
    args.derivatives64 = batch->derivatives;
    args.coordination = batch->coordination;
    double start = tool_seconds();
    mote_status status = mote_coordination_host(job->ctx, job->host, &args);
    job->timing.device_s += tool_seconds() - start;
    return !status || fail_library(job, status);
}

void *coordination_compute(void *user)
{
    coordination_job *job = user;
    coordination_batch *batch;
    bool good = open_device(job);
    while (good && (batch = ring_next(&job->ring, RING_COMPUTE))) {
        good = compute(job, batch);
        if (good)
            ring_pass(&job->ring, RING_COMPUTE);
    }
    ring_end(&job->ring, RING_COMPUTE);
    return NULL;
}
