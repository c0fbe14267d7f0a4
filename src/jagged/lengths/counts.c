/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/sweep.h"
#include "shared/jagged.h"
#include "jagged/lists.h"
#include "mote/jagged.h"
#include "operations.h"

#include "cl_sources.h"

#include <stdio.h>

#define LISTS_AT_A_TIME 4

typedef struct plan {
    mote_jagged_counts_args args;
    mote_lists lists;
} plan;

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_counts_args *a = &p->args;
    mote_status st =
        mote_lists_make(call, &a->offsets, &a->starts, &a->stops, a->counts.type, &p->lists);
    if (st)
        return st;
    size_t m = p->lists.count;
    uint32_t types = mote_lists_types(&p->lists);
    unsigned span = VIEW_EXACT | VIEW_OPTIONAL_IF(!p->lists.spans);
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"starts", &a->starts, MOTE_JAGGED_INDEX, m, span},
        {"stops", &a->stops, types, m, span},
        {"counts", &a->counts, types, m, VIEW_EXACT | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static mote_status launch_counts(mote_call *call, const plan *p)
{
    const mote_jagged_counts_args *a = &p->args;
    const mote_lists *lists = &p->lists;
    size_t m = lists->count;
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", m / LISTS_AT_A_TIME);
    mote_launch launch;
    char defines[128];
    snprintf(defines, sizeof(defines), "%s -DLENGTH_OF=%d%s", mote_lists_defines(lists->type),
             lists->spans ? MOTE_LENGTH_OF_SPANS : MOTE_LENGTH_OF_OFFSETS,
             sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&launch, call,
                      sweep.cpu ? &mote_cl_jagged_lengths_counts_cpu
                                : &mote_cl_jagged_lengths_counts,
                      defines, "counts");
    mote_launch_view(&launch, "a", lists->spans ? &a->starts : &a->offsets);
    mote_launch_view(&launch, "b", &a->stops);
    mote_launch_u64(&launch, "lists", m);
    mote_launch_view(&launch, "counts", &a->counts);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, (lists->spans ? 3 : 2) * (uint64_t)m * mote_type_size(lists->type));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, m > 0 ? sweep.groups : 0, sweep.local);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    mote_status st = mote_error_clear(call);
    return st ? st : launch_counts(call, call_plan);
}

const mote_descriptor mote_jagged_counts_operation = {
    MOTE_DESCRIBE(mote_jagged_counts, mote_jagged_counts_args, plan),
    MOTE_DESCRIBE_ERROR(mote_jagged_counts_args),
    .check = check,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_counts, mote_jagged_counts_args, mote_jagged_counts_operation)
