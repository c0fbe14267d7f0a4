/* SPDX-License-Identifier: Apache-2.0 */
/* mote_jagged_product() and mote_jagged_pairs(): offsets first, then what they count. */
#include "core/error.h"
#include "core/fail.h"
#include "jagged/balanced.h"
#include "jagged/compact.h"
#include "jagged/label.h"
#include "jagged/operations.h"

#include "cl_sources.h"

#include <stdio.h>

typedef struct plan {
    mote_jagged_combinations_args args;
    mote_lists lists;
    bool pairs;
    mote_compact compact;
} plan;

void mote_jagged_combinations_args_init(mote_jagged_combinations_args *args)
{
    if (args)
        *args = (mote_jagged_combinations_args){.size = sizeof(*args)};
}

static bool present(const mote_view *view)
{
    return view->mem || view->offset || view->count || view->type;
}

static mote_status check(const mote_call *call, const mote_jagged_combinations_args *a,
                         const mote_lists *lists, bool pairs)
{
    size_t m = lists->count;
    uint32_t types = mote_lists_types(lists);
    if (pairs && present(&a->offsets_b))
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
        {"offsets_b", &a->offsets_b, types, m + 1, VIEW_EXACT | VIEW_OPTIONAL_IF(pairs)},
        {"offsets", &a->offsets, types, m + 1, VIEW_EXACT | VIEW_WRITES},
        {"first", &a->first, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"second", &a->second, types, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"workspace", &a->workspace, MOTE_TYPE_BIT(MOTE_UINT32), VIEW_ANY_COUNT,
         VIEW_OPTIONAL | VIEW_WRITES},
    };
    mote_status st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    return st ? st : mote_check_error_word(call, a->error, a->error_offset);
}

static mote_status plan_call(const mote_call *call, plan *p, mote_carve *carve)
{
    mote_jagged_combinations_args *a = &p->args;
    mote_status st = mote_label_check_validate(call, a->validate);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets_a, &p->lists);
    if (!st)
        st = check(call, a, &p->lists, p->pairs);
    if (st)
        return st;
    p->compact = (mote_compact){.of = p->pairs ? MOTE_LENGTH_OF_PAIRS : MOTE_LENGTH_OF_PRODUCT,
                                .lists = p->lists.count,
                                .a = a->offsets_a,
                                .b = a->offsets_b,
                                .offsets = a->offsets,
                                .error = mote_error_view(a->error, a->error_offset)};
    mote_compact_carve(call->ctx, &p->compact, carve);
    return MOTE_SUCCESS;
}

static mote_status launch_fill(mote_call *call, const plan *p)
{
    const mote_jagged_combinations_args *a = &p->args;
    const mote_balanced_kernel kernel = {.gpu = &mote_cl_jagged_combine,
                                         .cpu = &mote_cl_jagged_combine_cpu,
                                         .defines = p->pairs ? "-DPAIRS=1" : "-DPAIRS=0",
                                         .name = "combine"};
    const mote_balanced_plan shares =
        mote_balanced_make(call->ctx, &p->lists, a->first.count, false);
    const mote_places_input input = {
        .offsets = a->offsets, .length = SIZE_MAX, .error = p->compact.error};
    size_t size = mote_type_size(p->lists.type);
    mote_launch launch;
    mote_balanced_begin(&launch, call, &shares, &kernel, &input);
    mote_launch_view(&launch, &a->offsets_a);
    mote_launch_view(&launch, &a->offsets_b);
    mote_launch_view(&launch, &a->first);
    mote_launch_view(&launch, &a->second);
    mote_launch_bytes(&launch, (2 * (uint64_t)a->first.count + 2 * p->lists.count) * size);
    mote_launch_last(&launch);
    return mote_balanced_run(&launch, &shares);
}

static mote_status copy_args(const mote_call *call, const void *args,
                             mote_jagged_combinations_args *a)
{
    return mote_check_args(call->name, "mote_jagged_combinations_args_init", args, a, sizeof(*a));
}

static mote_status enqueue(mote_context *ctx, cl_command_queue queue, bool pairs, bool prepare,
                           const void *args, cl_uint num_wait, const cl_event *wait,
                           cl_event *event)
{
    mote_call call;
    plan p = {.pairs = pairs};
    mote_carve carve = {0};
    mote_view scratch;
    mote_status st = mote_call_begin(&call, pairs ? "mote_jagged_pairs" : "mote_jagged_product",
                                     ctx, queue, prepare, num_wait, wait, event);
    if (!st)
        st = copy_args(&call, args, &p.args);
    if (!st)
        st = plan_call(&call, &p, &carve);
    if (!st)
        st = mote_call_scratch(&call, carve.used, &p.args.workspace, &scratch);
    if (!st) {
        carve = (mote_carve){.scratch = scratch};
        mote_compact_carve(ctx, &p.compact, &carve);
        st = mote_compact_run(&call, &p.compact, false);
    }
    if (!st)
        st = launch_fill(&call, &p);
    return mote_call_end(&call, st);
}

mote_status mote_jagged_product_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                        const void *args, cl_uint num_wait, const cl_event *wait,
                                        cl_event *event)
{
    return enqueue(ctx, queue, false, prepare, args, num_wait, wait, event);
}

mote_status mote_jagged_pairs_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                      const void *args, cl_uint num_wait, const cl_event *wait,
                                      cl_event *event)
{
    return enqueue(ctx, queue, true, prepare, args, num_wait, wait, event);
}

mote_status mote_jagged_product(mote_context *ctx, cl_command_queue queue,
                                const mote_jagged_combinations_args *args, cl_uint num_wait,
                                const cl_event *wait, cl_event *event)
{
    return enqueue(ctx, queue, false, false, args, num_wait, wait, event);
}

mote_status mote_jagged_pairs(mote_context *ctx, cl_command_queue queue,
                              const mote_jagged_combinations_args *args, cl_uint num_wait,
                              const cl_event *wait, cl_event *event)
{
    return enqueue(ctx, queue, true, false, args, num_wait, wait, event);
}

/* With offsets_b it is for mote_jagged_product(), else for mote_jagged_pairs(). */
mote_status mote_jagged_combinations_workspace_size(mote_context *ctx,
                                                    const mote_jagged_combinations_args *args,
                                                    size_t *bytes)
{
    mote_call call;
    plan p = {0};
    mote_carve carve = {0};
    mote_status st = mote_call_begin(&call, "mote_jagged_combinations_workspace_size", ctx, NULL,
                                     true, 0, NULL, NULL);
    if (!st && !bytes)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: bytes is NULL", call.name);
    if (!st)
        st = copy_args(&call, args, &p.args);
    if (!st) {
        p.pairs = !present(&p.args.offsets_b);
        st = plan_call(&call, &p, &carve);
    }
    if (!st)
        *bytes = carve.used + MOTE_WORKSPACE_SLACK;
    return mote_call_end(&call, st);
}
