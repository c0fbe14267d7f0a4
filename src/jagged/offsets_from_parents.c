/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "core/tune.h"
#include "jagged/lists.h"
#include "mote/jagged.h"
#include "operations.h"

#include "cl_sources.h"

#include <stdio.h>

#define MOST_ELEMENTS ((size_t)UINT32_MAX - 1)
#define GROUP         ((size_t)256)
#define GROUPS_A_UNIT ((size_t)16)
#define LEAST_A_GROUP ((size_t)8) /* elements and lists, times work-items */
#define ITEMS_A_UNIT  ((size_t)4) /* CPU form */
#define LEAST_AN_ITEM ((size_t)4096)

typedef struct plan {
    mote_jagged_offsets_from_parents_args args;
    mote_lists lists;
    bool cpu;
    size_t local, groups, each; /* elements and lists of a group */
    uint32_t rounds;            /* of the search for a group's share */
} plan;

void mote_jagged_offsets_from_parents_args_init(mote_jagged_offsets_from_parents_args *args)
{
    if (args)
        *args = (mote_jagged_offsets_from_parents_args){.size = sizeof(*args)};
}

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

static size_t clamp(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

static void make_plan(const mote_context *ctx, plan *p)
{
    size_t all = p->args.parents.count + p->lists.count + 1, least, most;
    size_t units = ctx->device.compute_units ? ctx->device.compute_units : 1;
    p->cpu = mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU;
    if (p->cpu) {
        p->local = 1;
        least = LEAST_AN_ITEM;
        most = ITEMS_A_UNIT * units;
    } else {
        size_t group = clamp(ctx->device.max_work_group, 1, GROUP);
        p->local = mote_tune_size(ctx, "jagged.group", group, 1, GROUP);
        least = LEAST_A_GROUP * p->local;
        most =
            units * mote_tune_size(ctx, "jagged.from_parents_groups_a_unit", GROUPS_A_UNIT, 1, 256);
    }
    p->groups = clamp(all / least, 1, most);
    p->each = all / p->groups + (all % p->groups != 0);
    p->groups = all / p->each + (all % p->each != 0);
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
    mote_launch_u64(&launch, p->each);
    mote_launch_u32(&launch, p->rounds);
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
MOTE_DEFINE_CALL(mote_jagged_offsets_from_parents, mote_jagged_offsets_from_parents_args,
                 mote_jagged_offsets_from_parents_operation)
