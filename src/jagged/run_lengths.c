/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "core/sweep.h"
#include "core/type.h"
#include "jagged/nonzero.h"
#include "operations.h"
#include "reduce/reductions.h"
#include "shared/jagged.h"

#include "cl_sources.h"

#include <stdio.h>

typedef struct plan {
    mote_jagged_run_lengths_args args;
    mote_nonzero_plan kept; /* plan that keeps the first elements of runs */
} plan;

static mote_status check_views(const mote_call *call, const plan *p)
{
    const mote_jagged_run_lengths_args *a = &p->args;
    const mote_lists *lists = &p->kept.lists;
    uint32_t types = mote_lists_types(lists);
    uint32_t same = mote_type_in(MOTE_REDUCTION_VALUES, a->values.type);
    bool lengths = a->lengths.type != MOTE_TYPE_NONE;
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, 0},
        {"values", &a->values, MOTE_REDUCTION_VALUES, VIEW_ANY_COUNT, 0},
        {"offsets_out", &a->offsets_out, types, lists->count + 1, VIEW_EXACT | VIEW_WRITES},
        {"positions", &a->positions, types, lengths ? a->lengths.count : VIEW_ANY_COUNT,
         (lengths ? VIEW_EXACT : VIEW_OPTIONAL) | VIEW_WRITES},
        {"run_values", &a->run_values, same ? same : MOTE_REDUCTION_VALUES, VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
        {"lengths", &a->lengths, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_run_lengths_args *a = &p->args;
    bool elements = a->run_values.type != MOTE_TYPE_NONE;
    mote_status st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets, &p->kept.lists);
    if (!st)
        st = check_views(call, p);
    if (st)
        return st;
    p->kept.args = (mote_jagged_nonzero_args){.offsets = a->offsets,
                                              .values = a->values,
                                              .offsets_out = a->offsets_out,
                                              .positions = a->positions,
                                              .elements = elements ? a->values : (mote_view){0},
                                              .filtered = a->run_values};
    p->kept.runs = a->values.type == MOTE_BOOL                          ? 3
                   : a->equal_nan && mote_type_is_float(a->values.type) ? 2
                                                                        : 1;
    mote_nonzero_make(call->ctx, &p->kept);
    return st;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    mote_nonzero_carve(call, &p->kept, carve);
}

/* Begins a launch of a kernel over n elements, and returns its sizes. */
static mote_sweep begin(mote_launch *launch, mote_call *call, const plan *p,
                        const mote_source *source, const char *kernel, size_t n)
{
    mote_sweep sweep = mote_sweep_make(call->ctx, "jagged.form", n);
    char defines[128];
    snprintf(defines, sizeof(defines), "%s%s", mote_lists_defines(p->kept.lists.type),
             sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(launch, call, source, defines, kernel);
    return sweep;
}

/* Marks the first element of each list. */
static mote_status launch_heads(mote_call *call, const plan *p)
{
    const mote_nonzero_plan *k = &p->kept;
    const size_t blocks = k->padded / MOTE_NONZERO_BLOCK;
    mote_launch launch;
    mote_sweep sweep =
        begin(&launch, call, p, &mote_cl_jagged_nonzero_run_heads, "run_clear", blocks);
    mote_launch_view(&launch, "marks", &k->marks);
    mote_launch_u64(&launch, "blocks", blocks);
    mote_status st = mote_launch_run(&launch, sweep.groups, sweep.local);
    if (st)
        return st;
    sweep = begin(&launch, call, p, &mote_cl_jagged_nonzero_run_heads, "run_heads", k->lists.count);
    mote_launch_view(&launch, "offsets", &p->args.offsets);
    mote_launch_u32(&launch, "m", (uint32_t)k->lists.count);
    mote_launch_u64(&launch, "n", k->n);
    mote_launch_view(&launch, "marks", &k->marks);
    mote_launch_bytes(&launch, (uint64_t)k->lists.count * mote_type_size(k->lists.type));
    return mote_launch_run(&launch, sweep.groups, sweep.local);
}

static mote_status launch_lengths(mote_call *call, const plan *p)
{
    const mote_jagged_run_lengths_args *a = &p->args;
    mote_launch launch;
    mote_sweep sweep = begin(&launch, call, p, &mote_cl_jagged_nonzero_run_lengths, "run_lengths",
                             a->lengths.count);
    mote_launch_view(&launch, "offsets", &a->offsets);
    mote_launch_u32(&launch, "m", (uint32_t)p->kept.lists.count);
    mote_launch_u64(&launch, "n", p->kept.n);
    mote_launch_view(&launch, "out", &a->offsets_out);
    mote_launch_view(&launch, "positions", &a->positions);
    mote_launch_view(&launch, "lengths", &a->lengths);
    mote_launch_u64(&launch, "capacity", a->lengths.count);
    mote_launch_last(&launch);
    return mote_launch_run(&launch, sweep.groups, sweep.local);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    bool lengths = p->args.lengths.count > 0;
    mote_status st = launch_heads(call, p);
    if (!st)
        st = mote_nonzero_run(call, &p->kept, !lengths);
    return st || !lengths ? st : launch_lengths(call, p);
}

const mote_descriptor mote_jagged_run_lengths_operation = {
    MOTE_DESCRIBE(mote_jagged_run_lengths, mote_jagged_run_lengths_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_run_lengths_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_run_lengths_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_run_lengths, mote_jagged_run_lengths_args,
                 mote_jagged_run_lengths_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_run_lengths_workspace_size, mote_jagged_run_lengths_args,
                           mote_jagged_run_lengths_operation)
