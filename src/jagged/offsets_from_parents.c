/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/tune.h"
#include "jagged/lists.h"
#include "mote/jagged.h"
#include "operations.h"
#include "shared/from_parents.h"

#include "cl_sources.h"

#include <stdio.h>

#define MOST_ELEMENTS ((size_t)UINT32_MAX - 1)
#define GROUP         ((size_t)128)
#define ITEMS_A_UNIT  ((size_t)4) /* CPU form */
#define LEAST_AN_ITEM ((size_t)4096)

typedef struct plan {
    mote_jagged_offsets_from_parents_args args;
    mote_lists lists;
    bool cpu;
    size_t local, groups;
    size_t each;        /* of a group: elements; in the form for CPUs elements and lists */
    size_t span, spans; /* lists of a group that looks for long runs, and such groups */
    uint32_t rounds;    /* of a search among the labels */
    uint32_t lead;      /* elements by which the first one is behind an aligned place */
} plan;

static mote_status check_number(const mote_call *call,
                                const mote_jagged_offsets_from_parents_args *a)
{
    size_t n = a->parents.count;
    if (n >= MOST_ELEMENTS + 1)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %zu parents: a call takes fewer than 2^32 - 1, split the array",
                         call->name, n);
    if (a->offsets.type == MOTE_INT32 && n > INT32_MAX)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %zu parents: offsets of int32 cannot count them, use uint32 or int64",
                         call->name, n);
    return MOTE_SUCCESS;
}

static void plan_cpu(const mote_context *ctx, plan *p)
{
    size_t all = p->args.parents.count + p->lists.count + 1;
    size_t units = ctx->device.compute_units ? ctx->device.compute_units : 1;
    p->local = 1;
    p->each = parts(all, clamp(all / LEAST_AN_ITEM, 1, ITEMS_A_UNIT * units));
    p->groups = parts(all, p->each);
}

/* Of the lists that local memory holds, how many a tile has by the average at most. */
#define FAIR (0.75 * MOTE_FROM_PARENTS_STAGED)

/* A group takes a tile of elements; fewer, when these have too many lists for local memory. */
static void plan_gpu(const mote_context *ctx, plan *p)
{
    size_t n = p->args.parents.count, lists = p->lists.count + 1;
    size_t group = clamp(ctx->device.max_work_group, 1, GROUP);
    p->local = mote_tune_size(ctx, "jagged.group", group, 1, GROUP);
    p->span = mote_tune_size(ctx, "jagged.from_parents_span", MOTE_FROM_PARENTS_SPAN, 1,
                             MOTE_FROM_PARENTS_SPAN);
    p->spans = lists > p->span ? parts(lists, p->span) : 0;
    p->lead = (uint32_t)(p->args.parents.offset % 4);
    size_t most = MOTE_FROM_PARENTS_TILE(p->local);
    double fair = FAIR * (double)n / (double)lists;
    p->each = fair < (double)most ? clamp((size_t)fair / 4 * 4, 4, most) : most;
    p->groups = p->spans + clamp(parts(n + p->lead, p->each), 1, SIZE_MAX);
}

static void make_plan(const mote_context *ctx, plan *p)
{
    p->cpu = mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU;
    if (p->cpu)
        plan_cpu(ctx, p);
    else
        plan_gpu(ctx, p);
    p->rounds = 0;
    for (size_t left = p->args.parents.count; left > 0; left /= p->local + 1)
        p->rounds++;
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_jagged_offsets_from_parents_args *a = &p->args;
    mote_status st = mote_lists_of_offsets(call, &a->offsets, &p->lists);
    if (!st)
        st = check_number(call, a);
    if (st)
        return st;
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, VIEW_WRITES},
        {"parents", &a->parents, mote_lists_types(&p->lists), a->parents.count, VIEW_EXACT},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    if (!st)
        make_plan(call->ctx, p);
    return st;
}

static mote_status launch_fill(mote_call *call, const plan *p)
{
    size_t n = p->args.parents.count, m = p->lists.count;
    mote_launch launch;
    char defines[128];
    snprintf(defines, sizeof(defines), "%s -DWG=%zu", mote_lists_defines(p->lists.type), p->local);
    mote_launch_begin(&launch, call,
                      p->cpu ? &mote_cl_jagged_offsets_from_parents_cpu
                             : &mote_cl_jagged_offsets_from_parents,
                      defines, "offsets_from_parents");
    mote_launch_view(&launch, &p->args.parents);
    mote_launch_u64(&launch, n);
    mote_launch_u32(&launch, (uint32_t)m);
    if (p->cpu)
        mote_launch_u64(&launch, p->each);
    else
        mote_launch_u32(&launch, (uint32_t)p->each);
    mote_launch_u32(&launch, p->rounds);
    if (!p->cpu) {
        mote_launch_u32(&launch, (uint32_t)p->span);
        mote_launch_u32(&launch, (uint32_t)p->spans);
        mote_launch_u32(&launch, p->lead);
    }
    mote_launch_view(&launch, &p->args.offsets);
    mote_launch_view(&launch, &call->error);
    mote_launch_bytes(&launch, ((uint64_t)n + m + 1) * mote_type_size(p->lists.type));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, p->groups, p->local);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    mote_status st = mote_error_clear(call);
    return st ? st : launch_fill(call, call_plan);
}

const mote_descriptor mote_jagged_offsets_from_parents_operation = {
    MOTE_DESCRIBE(mote_jagged_offsets_from_parents, mote_jagged_offsets_from_parents_args, plan),
    MOTE_DESCRIBE_ERROR(mote_jagged_offsets_from_parents_args),
    .check = check,
    .launch = launch_all,
};
MOTE_DEFINE_ARGS_INIT(mote_jagged_offsets_from_parents_args_init,
                      mote_jagged_offsets_from_parents_args)
MOTE_DEFINE_CALL(mote_jagged_offsets_from_parents, mote_jagged_offsets_from_parents_args,
                 mote_jagged_offsets_from_parents_operation)
