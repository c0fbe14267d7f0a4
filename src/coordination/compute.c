/* SPDX-License-Identifier: Apache-2.0 */
/* mote_coordination_compute(): which method a call takes. */
#include "coordination/method.h"
#include "operations.h"

typedef struct plan {
    mote_coordination_job job;
    bool cells[MOTE_COORDINATION_MOST_PARTS]; /* which method each part takes */
    mote_carve scratch;                       /* what the runner has taken of it */
} plan;

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    mote_status st = mote_coordination_check(call, &p->job);
    for (size_t part = 0; !st && part < mote_coordination_job_count(&p->job); part++) {
        mote_coordination_job job = mote_coordination_job_part(&p->job, part);
        p->cells[part] = mote_method_is_cells(&job);
    }
    return st;
}

/* A call that is prepared, or asked for its workspace, may choose otherwise later. */
static bool is_wanted(const mote_coordination_job *job, bool chosen, bool cells)
{
    return cells == chosen || (job->call->preparing && mote_method_is_open(job));
}

static void carve_part(const plan *p, size_t part, mote_precision precision, mote_carve *carve)
{
    mote_coordination_job job = mote_coordination_job_part(&p->job, part);
    job.precision = precision;
    for (int cells = 0; cells < 2; cells++) {
        mote_carve own = p->scratch;
        mote_method method;
        if (!is_wanted(&job, p->cells[part], cells))
            continue;
        mote_method_carve(&job, cells, &method, &own);
        carve->used = own.used > carve->used ? own.used : carve->used;
    }
}

/* Whether the call is being prepared before its box is known, and that box may need double
 * precision. */
static bool is_open(const mote_call *call, const plan *p)
{
    return call->preparing && call->ctx->device.has_fp64 && p->job.plan->pbc != MOTE_PBC_NONE &&
           p->job.precision != MOTE_PRECISION_DOUBLE && !p->job.args.box &&
           !p->job.args.box_device.count;
}

/* Jobs and methods run one after the other and share the scratch. launch_part() lays it out. */
static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    bool counts = !carve->scratch.mem;
    p->scratch = *carve;
    for (size_t part = 0; counts && part < mote_coordination_job_count(&p->job); part++) {
        carve_part(p, part, p->job.precision, carve);
        if (is_open(call, p))
            carve_part(p, part, MOTE_PRECISION_DOUBLE, carve);
    }
}

static mote_status launch_part(const plan *p, size_t part, mote_precision precision)
{
    mote_coordination_job job = mote_coordination_job_part(&p->job, part);
    mote_status st = MOTE_SUCCESS;
    job.precision = precision;
    for (int cells = 0; !st && cells < 2; cells++) {
        mote_carve own = p->scratch;
        mote_method method;
        if (!is_wanted(&job, p->cells[part], cells))
            continue;
        mote_method_carve(&job, cells, &method, &own);
        st = mote_method_run(&job, &method);
    }
    return st;
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = MOTE_SUCCESS;
    for (size_t part = 0; !st && part < mote_coordination_job_count(&p->job); part++) {
        st = launch_part(p, part, p->job.precision);
        if (!st && is_open(call, p))
            st = launch_part(p, part, MOTE_PRECISION_DOUBLE);
    }
    return st;
}

const mote_descriptor mote_coordination_compute_operation = {
    MOTE_DESCRIBE(mote_coordination_compute, mote_coordination_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_coordination_args),
    MOTE_DESCRIBE_ERROR(mote_coordination_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_ARGS_INIT(mote_coordination_args_init, mote_coordination_args)
MOTE_DEFINE_CALL(mote_coordination_compute, mote_coordination_args,
                 mote_coordination_compute_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_coordination_workspace_size, mote_coordination_args,
                           mote_coordination_compute_operation)
