/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/tune.h"
#include "jagged/expand/balanced.h"
#include "mote/jagged.h"
#include "operations.h"
#include "shared/from_parents.h"

#include "cl_sources.h"

#include <stdio.h>

#define MOST_ELEMENTS  ((size_t)UINT32_MAX - 1)
#define GROUP          ((size_t)128)
#define ITEMS_PER_UNIT ((size_t)4) /* CPU form */
#define LEAST_AN_ITEM  ((size_t)4096)

#define MEAN ((size_t)4) /* mean labels per list below which each list searches for its labels */

typedef struct plan {
    mote_jagged_offsets_from_parents_args args;
    mote_lists lists;
    bool cpu;
    size_t local, groups;
    size_t each; /* CPU form: elements and lists of a group */
    size_t span,
        spans;       /* lists of a group that searches for long runs, and number of such groups */
    uint32_t rounds; /* rounds of a search among the labels */
    uint32_t lead;   /* distance of the first element from an aligned position */
    bool entries;    /* labels are counted by `shares` */
    mote_balanced_plan shares;
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
    size_t units = ctx->device.compute_units;
    p->local = 1;
    p->each = div_ceil(all, clamp(all / LEAST_AN_ITEM, 1, ITEMS_PER_UNIT * units));
    p->groups = div_ceil(all, p->each);
}

/* A group processes a tile of elements. */
static void plan_gpu(const mote_context *ctx, plan *p)
{
    size_t n = p->args.parents.count, lists = p->lists.count + 1;
    size_t group = clamp(ctx->device.max_work_group, 1, GROUP);
    p->local = mote_tune_size(ctx, "jagged.group", group, 1, GROUP);
    p->span = mote_tune_size(ctx, "jagged.from_parents_span", MOTE_FROM_PARENTS_SPAN, 1,
                             MOTE_FROM_PARENTS_SPAN);
    p->spans = lists > p->span ? div_ceil(lists, p->span) : 0;
    p->lead = (uint32_t)(p->args.parents.offset % 4);
    p->groups = p->spans + max_size(div_ceil(n + p->lead, MOTE_FROM_PARENTS_TILE(p->local)), 1);
}

static void make_plan(const mote_context *ctx, plan *p)
{
    p->cpu = mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU;
    if (p->cpu)
        plan_cpu(ctx, p);
    else
        plan_gpu(ctx, p);
    size_t n = p->args.parents.count, m = p->lists.count;
    bool dense = n > 0 && m > 0 && n <= MOTE_JAGGED_MOST_LISTS &&
                 n / m < mote_tune_size(ctx, "jagged.from_parents_mean", MEAN, 0, 1 << 20);
    const mote_lists entries = {.count = n - 1, .type = p->lists.type};
    const mote_balanced_job job = {.lists = &entries, .n = m + 1, .full = true, .entries = true};
    if (dense)
        p->shares = mote_balanced_make(ctx, &job);
    p->entries = dense && !p->shares.cpu; /* that kernel exists for GPUs only */
    p->rounds = 0;
    for (size_t left = n; left > 0; left /= p->local + 1)
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
                      p->cpu ? &mote_cl_jagged_from_parents_offsets_cpu
                             : &mote_cl_jagged_from_parents_offsets,
                      defines, "offsets_from_parents");
    mote_launch_view(&launch, "parents", &p->args.parents);
    mote_launch_u64(&launch, "n", n);
    mote_launch_u32(&launch, "m", (uint32_t)m);
    if (p->cpu)
        mote_launch_u64(&launch, "each", p->each);
    mote_launch_u32(&launch, "rounds", p->rounds);
    if (!p->cpu) {
        mote_launch_u32(&launch, "span", (uint32_t)p->span);
        mote_launch_u32(&launch, "spans", (uint32_t)p->spans);
        mote_launch_u32(&launch, "lead", p->lead);
    }
    mote_launch_view(&launch, "offsets", &p->args.offsets);
    mote_launch_view(&launch, "error", &call->error);
    mote_launch_bytes(&launch, ((uint64_t)n + m + 1) * mote_type_size(p->lists.type));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, p->groups, p->local);
}

static mote_status launch_entries(mote_call *call, const plan *p)
{
    size_t n = p->args.parents.count, m = p->lists.count;
    const mote_balanced_kernel kernel = {.gpu = &mote_cl_jagged_from_parents_offsets_short_lists,
                                         .defines = "",
                                         .name = "offsets_of_entries",
                                         .bytes =
                                             ((uint64_t)n + m + 1) * mote_type_size(p->lists.type)};
    const mote_list_bounds_input input = {
        .offsets = p->args.parents, .length = m - 1, .error = call->error};
    mote_launch launch;
    mote_balanced_begin(&launch, call, &p->shares, &kernel, &input);
    mote_launch_view(&launch, "out", &p->args.offsets);
    return mote_balanced_run(&launch, &p->shares);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = mote_error_clear(call);
    if (!st)
        st = p->entries ? launch_entries(call, p) : launch_fill(call, p);
    return st;
}

const mote_descriptor mote_jagged_offsets_from_parents_operation = {
    MOTE_DESCRIBE(mote_jagged_offsets_from_parents, mote_jagged_offsets_from_parents_args, plan),
    MOTE_DESCRIBE_ERROR(mote_jagged_offsets_from_parents_args),
    .check = check,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_offsets_from_parents, mote_jagged_offsets_from_parents_args,
                 mote_jagged_offsets_from_parents_operation)
