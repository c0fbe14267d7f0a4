/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/sweep.h"
#include "jagged/length_of.h"
#include "jagged/lists.h"
#include "jagged/operations.h"

#include "cl_sources.h"

#include <stdio.h>

#define LISTS_AT_A_TIME 4

void mote_jagged_counts_args_init(mote_jagged_counts_args *args)
{
    if (args)
        *args = (mote_jagged_counts_args){.size = sizeof(*args)};
}

static mote_status check(const mote_call *call, const void *args, mote_jagged_counts_args *a,
                         mote_lists *lists)
{
    mote_status st =
        mote_check_args(call->name, "mote_jagged_counts_args_init", args, a, sizeof(*a));
    if (!st)
        st = mote_lists_make(call, &a->offsets, &a->starts, &a->stops, a->counts.type, lists);
    if (st)
        return st;
    size_t m = lists->count;
    bool spans = lists->spans;
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"starts", &a->starts, MOTE_JAGGED_INDEX, m, VIEW_EXACT | VIEW_OPTIONAL_IF(!spans)},
        {"stops", &a->stops, mote_lists_types(lists), m, VIEW_EXACT | VIEW_OPTIONAL_IF(!spans)},
        {"counts", &a->counts, mote_lists_types(lists), m, VIEW_EXACT | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    return st ? st : mote_check_error_word(call, a->error, a->error_offset);
}

static mote_status launch_counts(mote_call *call, const mote_jagged_counts_args *a,
                                 const mote_lists *lists)
{
    size_t m = lists->count;
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", m / LISTS_AT_A_TIME);
    mote_view error = mote_error_view(a->error, a->error_offset);
    mote_launch launch;
    char defines[128];
    snprintf(defines, sizeof(defines), "%s -DLENGTH_OF=%d%s", mote_lists_defines(lists->type),
             lists->spans ? MOTE_LENGTH_OF_SPANS : MOTE_LENGTH_OF_OFFSETS,
             sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&launch, call,
                      sweep.cpu ? &mote_cl_jagged_counts_cpu : &mote_cl_jagged_counts, defines,
                      "counts");
    mote_launch_view(&launch, lists->spans ? &a->starts : &a->offsets);
    mote_launch_view(&launch, &a->stops);
    mote_launch_u64(&launch, m);
    mote_launch_view(&launch, &a->counts);
    mote_launch_view(&launch, &error);
    mote_launch_bytes(&launch, (lists->spans ? 3 : 2) * (uint64_t)m * mote_type_size(lists->type));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, m > 0 ? sweep.groups : 0, sweep.local);
}

mote_status mote_jagged_counts_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                       const void *args, cl_uint num_wait, const cl_event *wait,
                                       cl_event *event)
{
    mote_call call;
    mote_jagged_counts_args a;
    mote_lists lists;
    mote_status st =
        mote_call_begin(&call, "mote_jagged_counts", ctx, queue, prepare, num_wait, wait, event);
    if (!st)
        st = check(&call, args, &a, &lists);
    if (!st)
        st = mote_error_clear(&call, a.error, a.error_offset);
    if (!st)
        st = launch_counts(&call, &a, &lists);
    return mote_call_end(&call, st);
}

mote_status mote_jagged_counts(mote_context *ctx, cl_command_queue queue,
                               const mote_jagged_counts_args *args, cl_uint num_wait,
                               const cl_event *wait, cl_event *event)
{
    return mote_jagged_counts_enqueue(ctx, queue, false, args, num_wait, wait, event);
}
