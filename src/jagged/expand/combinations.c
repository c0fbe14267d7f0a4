/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_product() and mote_jagged_pairs(): the offsets are computed first, then the
 * combinations. */
#include "core/fail.h"
#include "jagged/expand/balanced.h"
#include "jagged/lengths/compact.h"
#include "jagged/expand/element_index.h"
#include "operations.h"

#include "cl_sources.h"

#include <stdio.h>

typedef struct plan {
    mote_jagged_combinations_args args;
    mote_lists lists;
    bool pairs;
    mote_compact compact;
    mote_balanced_plan shares;
} plan;

static bool present(const mote_view *view)
{
    return view->mem || view->offset || view->count || view->type;
}

static mote_status check_views(const mote_call *call, const plan *p)
{
    const mote_jagged_combinations_args *a = &p->args;
    size_t m = p->lists.count;
    uint32_t types = mote_lists_types(&p->lists);
    if (p->pairs && present(&a->offsets_b))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: offsets_b must be absent: pairs are of the lists of a alone",
                         call->name);
    if (a->first.count != a->second.count)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: first has room for %zu elements and second for %zu: give both the "
                         "same",
                         call->name, a->first.count, a->second.count);
    const mote_view_rule views[] = {
        {"offsets_a", &a->offsets_a, MOTE_JAGGED_INDEX, m + 1, VIEW_EXACT},
        {"offsets_b", &a->offsets_b, types, m + 1, VIEW_EXACT | VIEW_OPTIONAL_IF(p->pairs)},
        {"offsets", &a->offsets, types, m + 1, VIEW_EXACT | VIEW_WRITES},
        {"first", &a->first, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"second", &a->second, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static mote_status check(mote_call *call, plan *p, bool pairs)
{
    const mote_jagged_combinations_args *a = &p->args;
    mote_status st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    p->pairs = pairs;
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets_a, &p->lists);
    if (!st)
        st = check_views(call, p);
    p->compact = (mote_compact){.of = pairs ? MOTE_LENGTH_OF_PAIRS : MOTE_LENGTH_OF_PRODUCT,
                                .lists = p->lists.count,
                                .a = a->offsets_a,
                                .b = a->offsets_b,
                                .offsets = a->offsets,
                                .error = call->error};
    return st;
}

static mote_status check_product(mote_call *call, void *call_plan)
{
    return check(call, call_plan, false);
}

static mote_status check_pairs(mote_call *call, void *call_plan)
{
    return check(call, call_plan, true);
}

static mote_status check_either(mote_call *call, void *call_plan)
{
    const plan *p = call_plan;
    return check(call, call_plan, !present(&p->args.offsets_b));
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    mote_compact_carve(call->ctx, &p->compact, carve);
    const mote_balanced_job job = {
        .lists = &p->lists, .n = p->args.first.count, .inside = true, .reads = true};
    p->shares = mote_balanced_make(call->ctx, &job);
}

static mote_status launch_fill(mote_call *call, const plan *p)
{
    const mote_jagged_combinations_args *a = &p->args;
    size_t size = mote_type_size(p->lists.type);
    const mote_balanced_kernel kernel = {
        .gpu = &mote_cl_jagged_expand_combine,
        .cpu = &mote_cl_jagged_expand_combine_cpu,
        .defines = p->pairs ? "-DPAIRS=1" : "-DPAIRS=0",
        .name = "combine",
        .bytes = (2 * (uint64_t)a->first.count + 2 * (uint64_t)p->lists.count) * size};
    const mote_places_input input = {
        .offsets = a->offsets, .length = SIZE_MAX, .error = p->compact.error};
    mote_launch launch;
    mote_balanced_begin(&launch, call, &p->shares, &kernel, &input);
    mote_launch_view(&launch, "a", &a->offsets_a);
    mote_launch_view(&launch, "b", &a->offsets_b);
    mote_launch_view(&launch, "first", &a->first);
    mote_launch_view(&launch, "second", &a->second);
    return mote_balanced_run(&launch, &p->shares);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = mote_compact_run(call, &p->compact, false);
    return st ? st : launch_fill(call, p);
}

const mote_descriptor mote_jagged_product_operation = {
    MOTE_DESCRIBE(mote_jagged_product, mote_jagged_combinations_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_combinations_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_combinations_args),
    .check = check_product,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_ARGS_INIT(mote_jagged_combinations_args_init, mote_jagged_combinations_args)
MOTE_DEFINE_CALL(mote_jagged_product, mote_jagged_combinations_args, mote_jagged_product_operation)

const mote_descriptor mote_jagged_pairs_operation = {
    MOTE_DESCRIBE(mote_jagged_pairs, mote_jagged_combinations_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_combinations_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_combinations_args),
    .check = check_pairs,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_pairs, mote_jagged_combinations_args, mote_jagged_pairs_operation)

/* With offsets_b it describes mote_jagged_product(), else mote_jagged_pairs(). */
static const mote_descriptor either = {
    MOTE_DESCRIBE(mote_jagged_combinations, mote_jagged_combinations_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_combinations_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_combinations_args),
    .check = check_either,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_combinations_workspace_size, mote_jagged_combinations_args,
                           either)
