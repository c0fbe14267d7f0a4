/* SPDX-License-Identifier: Apache-2.0 */
/* mote_coordination_compute(): checks, carves and launches all parts of a call. */
#include "coordination/method.h"
#include "operations.h"

/* Each part of a share with both methods and in both precisions. */
#define MOST_PASSES (MOTE_COORDINATION_MOST_PARTS * 2 * 2)

/* The launches of a part with one method in one precision. */
typedef struct pass {
    mote_coordination_job job;
    mote_method method;
} pass;

/* The runner zeroes only the members with a fixed size, because zeroing all passes would take
 * longer than the other host code of the call. */
typedef struct plan {
    mote_coordination_args args;
    size_t count;
    pass passes[]; /* `count` are used, at most MOST_PASSES */
} plan;

_Static_assert(sizeof(plan) + MOST_PASSES * sizeof(pass) <= MOTE_PLAN_BYTES,
               "MOTE_PLAN_BYTES is too small");

/* When a call is prepared, or its workspace size is computed, a later call may use the other
 * method. */
static void add_passes(plan *p, const mote_coordination_job *job, bool chosen)
{
    bool both = job->call->preparing && mote_method_is_open(job);
    for (int cells = 0; cells < 2; cells++) {
        pass *next = &p->passes[p->count];
        if (!both && cells != chosen)
            continue;
        next->job = *job;
        mote_method_choose_shape(&next->job, cells, &next->method);
        p->count++;
    }
}

/* Returns whether the call is being prepared before its box is known, and the box may need double
 * precision. */
static bool is_open(const mote_coordination_job *job)
{
    return job->call->preparing && job->call->ctx->device.has_fp64 &&
           job->plan->pbc != MOTE_PBC_NONE && job->precision != MOTE_PRECISION_DOUBLE &&
           !job->args->box && !job->args->box_device.count;
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    mote_coordination_job job;
    mote_status st = mote_coordination_check(call, &p->args, &job);
    for (size_t k = 0; !st && k < mote_coordination_job_count(&job); k++) {
        mote_coordination_job part = mote_coordination_job_part(&job, k);
        bool cells = mote_method_is_cells(&part), open = is_open(&part);
        add_passes(p, &part, cells);
        part.precision = MOTE_PRECISION_DOUBLE;
        if (open)
            add_passes(p, &part, cells);
    }
    return st;
}

/* Passes run one after the other and share the scratch. */
static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    const mote_carve begin = *carve;
    (void)call;
    for (size_t k = 0; k < p->count; k++) {
        mote_carve own = begin;
        mote_method_carve(&p->passes[k].job, &p->passes[k].method, &own);
        carve->used = max_size(carve->used, own.used);
    }
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = MOTE_SUCCESS;
    (void)call;
    for (size_t k = 0; !st && k < p->count; k++)
        st = mote_method_run(&p->passes[k].job, &p->passes[k].method);
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
MOTE_DEFINE_CALL(mote_coordination_compute, mote_coordination_args,
                 mote_coordination_compute_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_coordination_workspace_size, mote_coordination_args,
                           mote_coordination_compute_operation)
