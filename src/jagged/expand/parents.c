/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "jagged/expand/element_index.h"
#include "jagged/starts_stops.h"
#include "operations.h"

typedef struct plan {
    mote_jagged_parents_args args;
    mote_lists lists;
    mote_spans_plan spans; /* for lists described by starts and stops */
    mote_label_job job;    /* for lists described by offsets */
} plan;

static mote_status check_options(const mote_call *call, const plan *p)
{
    const mote_jagged_parents_args *a = &p->args;
    mote_status st = MOTE_CHECK_CHOICE(call->name, "strategy", a->strategy, mote_jagged_strategy);
    if (!st)
        st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    if (!st)
        st = MOTE_CHECK_CHOICE(call->name, "overlap", a->overlap, mote_jagged_overlap);
    if (!st && p->lists.spans && a->strategy == MOTE_JAGGED_SEARCH)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: strategy search needs lists in order, as offsets are; starts and stops "
                       "take auto, event or balanced",
                       call->name);
    return st;
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_parents_args *a = &p->args;
    mote_status st =
        mote_lists_make(call, &a->offsets, &a->starts, &a->stops, a->parents.type, &p->lists);
    if (!st)
        st = check_options(call, p);
    if (st)
        return st;
    size_t m = p->lists.count;
    uint32_t same = p->lists.type < 32 ? MOTE_TYPE_BIT(p->lists.type) : UINT32_MAX;
    unsigned span = VIEW_EXACT | VIEW_OPTIONAL_IF(!p->lists.spans);
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, m + 1,
         VIEW_EXACT | VIEW_OPTIONAL_IF(p->lists.spans)},
        {"starts", &a->starts, MOTE_JAGGED_INDEX, m, span},
        {"stops", &a->stops, MOTE_JAGGED_INDEX, m, span},
        {"parents", &a->parents, same, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static mote_label_job make_job(const plan *p)
{
    const mote_jagged_parents_args *a = &p->args;
    const size_t length = a->absolute ? a->parents.count : a->content_length;
    return (mote_label_job){.lists = p->lists,
                            .offsets = a->offsets,
                            .out = a->parents,
                            .relative = !a->absolute,
                            .length = length || a->absolute ? length : SIZE_MAX,
                            .strategy = a->strategy,
                            .full = a->validate == MOTE_JAGGED_VALIDATE_FULL};
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    if (p->lists.spans) {
        p->spans = mote_spans_make(call->ctx, &p->args, &p->lists, carve);
    } else {
        p->job = make_job(p);
        mote_label_plan(call, &p->job);
    }
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    return p->lists.spans ? mote_spans_run(call, &p->spans) : mote_label_run(call, &p->job);
}

const mote_descriptor mote_jagged_parents_operation = {
    MOTE_DESCRIBE(mote_jagged_parents, mote_jagged_parents_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_parents_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_parents_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_parents, mote_jagged_parents_args, mote_jagged_parents_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_parents_workspace_size, mote_jagged_parents_args,
                           mote_jagged_parents_operation)
