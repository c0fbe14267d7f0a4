/* SPDX-License-Identifier: Apache-2.0 */
/* mote_coordination_compute(): which method a call takes. */
#include "coordination/method.h"
#include "operations.h"

typedef struct plan {
    mote_coordination_job job;
    bool cells;             /* which method is chosen */
    mote_method methods[2]; /* all pairs, cells; only those that are carved */
} plan;

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    mote_status st = mote_coordination_check(call, &p->job);
    if (!st)
        p->cells = mote_method_is_cells(&p->job);
    return st;
}

/* A call that is prepared, or asked for its workspace, may choose otherwise later. */
static bool is_wanted(const plan *p, bool cells)
{
    return cells == p->cells || (p->job.call->preparing && mote_method_is_open(&p->job));
}

/* The methods share the scratch behind what the runner has taken. */
static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    const mote_carve taken = *carve;
    (void)call;
    for (int cells = 0; cells < 2; cells++) {
        mote_carve own = taken;
        if (!is_wanted(p, cells))
            continue;
        mote_method_carve(&p->job, cells, &p->methods[cells], &own);
        carve->used = own.used > carve->used ? own.used : carve->used;
    }
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = MOTE_SUCCESS;
    (void)call;
    for (int cells = 0; !st && cells < 2; cells++) {
        mote_method method = p->methods[cells];
        if (is_wanted(p, cells))
            st = mote_method_run(&p->job, &method);
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
