/* SPDX-License-Identifier: Apache-2.0 */
/* The computing threads: one opens the devices while the first frames are read, and starts the
 * others; each works on batches with a device of its own. */
#include "job.h"

#include <stdint.h>
#include <stdlib.h>

/* A device and what it needs. */
typedef struct worker {
    coordination_job *job;
    mote_context *ctx;
    mote_host *host;
    mote_coordination *plans[3]; /* by mote_pbc, made when needed */
    double device_s;
    pthread_t thread;
    bool started;
    size_t failed_at; /* the batch */
    tool_failure failure;
} worker;

const char *coordination_pbc_name(mote_pbc pbc)
{
    static const char *const names[] = {"no box", "orthorhombic box", "triclinic box"};
    return names[pbc];
}

static bool make_plan(worker *w, mote_pbc pbc)
{
    const coordination_options *options = w->job->options;
    mote_coordination_plan_args args;
    mote_coordination_plan_args_init(&args);
    args.function = options->function;
    args.mode = options->pair               ? MOTE_COORDINATION_PAIR
                : options->group_b.n_ranges ? MOTE_COORDINATION_TWO
                                            : MOTE_COORDINATION_SELF;
    args.n_atoms = w->job->n_atoms;
    args.group_a = options->group_a.atoms;
    args.n_a = options->group_a.count;
    args.group_b = options->group_b.atoms;
    args.n_b = options->group_b.count;
    args.pbc = pbc;
    args.precision = w->job->precision;
    args.method = options->method;
    mote_status status = mote_coordination_create(w->ctx, &args, &w->plans[pbc]);
    return !status || failure_of_library(&w->failure, status);
}

static bool compute(worker *w, coordination_batch *batch)
{
    mote_coordination_host_args args;
    mote_coordination_host_args_init(&args);
    if (!w->plans[batch->pbc] && !make_plan(w, batch->pbc))
        return false;
    args.plan = w->plans[batch->pbc];
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

static void *work(void *user)
{
    worker *w = user;
    pipeline *p = &w->job->pipeline;
    mote_status status = mote_host_create(w->ctx, NULL, &w->host);
    bool good = !status || failure_of_library(&w->failure, status);
    size_t portion = 0;
    while (good && pipeline_take(p, &portion)) {
        good = compute(w, &w->job->batches[portion % p->slots]);
        if (good)
            pipeline_done(p, portion);
    }
    if (!good) {
        w->failed_at = portion;
        pipeline_fail(p, portion);
    }
    return NULL;
}

/* The first worker has this thread. */
static void start(worker *w, coordination_job *job, size_t i)
{
    *w = (worker){.job = job, .ctx = job->devices.ctx[i], .failure.code = TOOL_GO_ON};
    w->started = i && pthread_create(&w->thread, NULL, work, w) == 0;
    if (i && !w->started) {
        failure_set(&w->failure, TOOL_DEVICE, "no thread can be started");
        pipeline_fail(&job->pipeline, 0);
    }
}

/* Waits for a worker, and keeps its failure when that comes before those of others. */
static void end(worker *w, size_t *first)
{
    coordination_job *job = w->job;
    if (w->started)
        pthread_join(w->thread, NULL);
    if (w->failure.code != TOOL_GO_ON && w->failed_at < *first) {
        *first = w->failed_at;
        job->compute_failure = w->failure;
    }
    if (w->device_s > job->timing.device_s)
        job->timing.device_s = w->device_s;
    for (int i = 0; i < 3; i++)
        mote_coordination_release(w->plans[i]);
    mote_host_release(w->host);
}

/* Works with all devices until nothing is left. */
static bool run_workers(coordination_job *job)
{
    const device_list *devices = &job->devices;
    worker *workers = calloc(devices->count, sizeof(*workers));
    size_t first = SIZE_MAX;
    if (!workers)
        return failure_set(&job->compute_failure, TOOL_DEVICE, "out of memory");
    for (size_t i = 0; i < devices->count; i++)
        start(&workers[i], job, i);
    work(&workers[0]);
    for (size_t i = 0; i < devices->count; i++)
        end(&workers[i], &first);
    free(workers);
    return true;
}

void *coordination_compute(void *user)
{
    coordination_job *job = user;
    const coordination_options *options = job->options;
    bool good = devices_open(&job->devices, &job->compute_failure);
    if (good) {
        job->precision = options->precision;
        if (!options->has_precision)
            job->precision =
                devices_have_fp64(&job->devices) ? MOTE_PRECISION_DOUBLE : MOTE_PRECISION_MIXED;
        good = run_workers(job);
    }
    if (!good)
        pipeline_fail(&job->pipeline, 0);
    return NULL;
}
