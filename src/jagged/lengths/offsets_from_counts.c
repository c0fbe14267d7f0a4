/* SPDX-License-Identifier: Apache-2.0 */
#include "jagged/lengths/compact.h"
#include "jagged/lists.h"
#include "mote/jagged.h"
#include "operations.h"

typedef struct plan {
    mote_jagged_offsets_from_counts_args args;
    mote_compact compact;
} plan;

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_offsets_from_counts_args *a = &p->args;
    mote_lists lists;
    mote_status st =
        mote_lists_of_counts(call, &a->counts, &a->starts, &a->stops, a->offsets.type, &lists);
    if (st)
        return st;
    size_t m = lists.count;
    unsigned span = VIEW_EXACT | VIEW_OPTIONAL_IF(!lists.spans);
    const mote_view_rule views[] = {
        {"counts", &a->counts, MOTE_JAGGED_INDEX, m, VIEW_EXACT | VIEW_OPTIONAL_IF(lists.spans)},
        {"starts", &a->starts, MOTE_JAGGED_INDEX, m, span},
        {"stops", &a->stops, mote_lists_types(&lists), m, span},
        {"offsets", &a->offsets, mote_lists_types(&lists), m + 1, VIEW_EXACT | VIEW_WRITES},
    };
    p->compact = (mote_compact){.of = lists.spans ? MOTE_LENGTH_OF_SPANS : MOTE_LENGTH_OF_COUNTS,
                                .lists = m,
                                .a = lists.spans ? a->starts : a->counts,
                                .b = a->stops,
                                .offsets = a->offsets,
                                .error = call->error};
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    mote_compact_carve(call->ctx, &p->compact, carve);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    return mote_compact_run(call, &p->compact, true);
}

const mote_descriptor mote_jagged_offsets_from_counts_operation = {
    MOTE_DESCRIBE(mote_jagged_offsets_from_counts, mote_jagged_offsets_from_counts_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_offsets_from_counts_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_offsets_from_counts_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_offsets_from_counts, mote_jagged_offsets_from_counts_args,
                 mote_jagged_offsets_from_counts_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_offsets_from_counts_workspace_size,
                           mote_jagged_offsets_from_counts_args,
                           mote_jagged_offsets_from_counts_operation)
