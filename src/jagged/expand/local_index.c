/* SPDX-License-Identifier: Apache-2.0 */
#include "jagged/expand/element_index.h"
#include "operations.h"

typedef struct plan {
    mote_jagged_local_index_args args;
    mote_label_job job;
} plan;

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_local_index_args *a = &p->args;
    mote_lists lists;
    mote_status st = MOTE_CHECK_CHOICE(call->name, "strategy", a->strategy, mote_jagged_strategy);
    if (!st)
        st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets, &lists);
    if (st)
        return st;
    uint32_t same = a->offsets.type < 32 ? MOTE_TYPE_BIT(a->offsets.type) : UINT32_MAX;
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, lists.count + 1, VIEW_EXACT},
        {"local_index", &a->local_index, same, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
    };
    p->job = (mote_label_job){.local_index = true,
                              .lists = lists,
                              .offsets = a->offsets,
                              .out = a->local_index,
                              .relative = true,
                              .length = a->content_length ? a->content_length : SIZE_MAX,
                              .strategy = a->strategy,
                              .full = a->validate == MOTE_JAGGED_VALIDATE_FULL};
    mote_label_plan(call, &p->job);
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    return mote_label_run(call, &p->job);
}

const mote_descriptor mote_jagged_local_index_operation = {
    MOTE_DESCRIBE(mote_jagged_local_index, mote_jagged_local_index_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_local_index_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_local_index_args),
    .check = check,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_local_index, mote_jagged_local_index_args,
                 mote_jagged_local_index_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_local_index_workspace_size, mote_jagged_local_index_args,
                           mote_jagged_local_index_operation)
