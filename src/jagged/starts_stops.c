/* SPDX-License-Identifier: Apache-2.0 */
#include "shared/jagged.h"
#include "jagged/starts_stops.h"
#include "core/error.h"
#include "core/log.h"
#include "core/size.h"
#include "core/sweep.h"
#include "core/tune.h"

#include "cl_sources.h"

#define WIDTH ((size_t)MOTE_SPANS_WIDTH)

static size_t nodes_above(size_t count)
{
    return div_ceil(count, WIDTH);
}

mote_spans_plan mote_spans_make(const mote_context *ctx, const mote_jagged_parents_args *args,
                                const mote_lists *lists, mote_carve *carve)
{
    mote_spans_plan plan = {.args = *args,
                            .lists = *lists,
                            .cpu = mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU,
                            .overlap = args->overlap == MOTE_JAGGED_OVERLAP_CHECK,
                            .levels = 1};
    if (plan.cpu)
        return plan;
    for (size_t count = args->parents.count; count > WIDTH; plan.levels++) {
        count = nodes_above(count);
        plan.nodes += count;
    }
    plan.leaves = args->parents;
    if (lists->type == MOTE_INT64)
        plan.leaves = mote_carve_take(carve, args->parents.count, MOTE_UINT32);
    plan.tree = mote_carve_take(carve, plan.nodes, MOTE_UINT32);
    return plan;
}

static void begin(mote_launch *launch, mote_call *call, const mote_spans_plan *plan,
                  const char *kernel)
{
    mote_launch_begin(launch, call,
                      plan->cpu ? &mote_cl_jagged_starts_stops_parents_cpu
                                : &mote_cl_jagged_starts_stops_parents,
                      mote_lists_defines(plan->lists.type), kernel);
}

static void set_lists(mote_launch *launch, const mote_spans_plan *plan)
{
    const mote_jagged_parents_args *a = &plan->args;
    mote_launch_view(launch, "starts", &a->starts);
    mote_launch_view(launch, "stops", &a->stops);
    mote_launch_view(launch, "error", &launch->call->error);
    mote_launch_u32(launch, "m", (uint32_t)plan->lists.count);
    mote_launch_u64(launch, "n", a->parents.count);
}

/* Launches a work-item for each of `count` elements; it is the last launch of the call if
 * `last`. */
static mote_status run(mote_launch *launch, size_t count, size_t bytes, bool last)
{
    mote_sweep sweep = mote_sweep_make(launch->call->ctx, "jagged.form", count);
    mote_launch_bytes(launch, bytes);
    if (last)
        mote_launch_last(launch);
    return mote_launch_run(launch, sweep.groups, sweep.local);
}

static mote_status launch_clear(mote_call *call, const mote_spans_plan *plan)
{
    size_t n = plan->args.parents.count;
    mote_launch launch;
    begin(&launch, call, plan, "span_clear");
    mote_launch_view(&launch, "leaves", &plan->leaves);
    mote_launch_u64(&launch, "n", n);
    mote_launch_view(&launch, "tree", &plan->tree);
    mote_launch_u64(&launch, "nodes", plan->nodes);
    return run(&launch, n, 4 * (n + plan->nodes), false);
}

static mote_status launch_paint(mote_call *call, const mote_spans_plan *plan)
{
    size_t m = plan->lists.count;
    mote_launch launch;
    begin(&launch, call, plan, "span_paint");
    set_lists(&launch, plan);
    mote_launch_u32(&launch, "levels", plan->levels);
    mote_launch_u32(&launch, "lowest", plan->overlap);
    mote_launch_view(&launch, "leaves", &plan->leaves);
    mote_launch_view(&launch, "tree", &plan->tree);
    return run(&launch, m, 2 * m * mote_type_size(plan->lists.type), false);
}

static mote_status launch_resolve(mote_call *call, const mote_spans_plan *plan)
{
    const mote_view *out = &plan->args.parents;
    mote_launch launch;
    begin(&launch, call, plan, "span_resolve");
    mote_launch_view(&launch, "leaves", &plan->leaves);
    mote_launch_u64(&launch, "n", out->count);
    mote_launch_u32(&launch, "levels", plan->levels);
    mote_launch_u32(&launch, "lowest", plan->overlap);
    mote_launch_view(&launch, "tree", &plan->tree);
    mote_launch_view(&launch, "parents", out);
    return run(&launch, out->count, out->count * (4 + mote_type_size(out->type)), !plan->overlap);
}

static mote_status launch_raise(mote_call *call, const mote_spans_plan *plan, size_t from,
                                size_t count, size_t to, bool leaves)
{
    mote_launch launch;
    begin(&launch, call, plan, "span_raise");
    mote_launch_view(&launch, "parents", &plan->args.parents);
    mote_launch_u32(&launch, "leaves", leaves);
    mote_launch_view(&launch, "tree", &plan->tree);
    mote_launch_u64(&launch, "from", from);
    mote_launch_u64(&launch, "count", count);
    mote_launch_u64(&launch, "to", to);
    return run(&launch, nodes_above(count), 4 * count, false);
}

static mote_status launch_overlap(mote_call *call, const mote_spans_plan *plan)
{
    size_t m = plan->lists.count, from = 0, to = 0, count = plan->args.parents.count;
    mote_status st = MOTE_SUCCESS;
    for (uint32_t level = 1; !st && level < plan->levels; level++) {
        st = launch_raise(call, plan, from, count, to, level == 1);
        from = to;
        count = nodes_above(count);
        to += count;
    }
    if (st)
        return st;
    mote_launch launch;
    begin(&launch, call, plan, "span_overlap");
    set_lists(&launch, plan);
    mote_launch_u32(&launch, "levels", plan->levels);
    mote_launch_view(&launch, "parents", &plan->args.parents);
    mote_launch_view(&launch, "tree", &plan->tree);
    return run(&launch, m, 2 * m * mote_type_size(plan->lists.type), true);
}

/* Every work-item reads all lists, so there are not more work-items than cores. */
static mote_status launch_cpu(mote_call *call, const mote_spans_plan *plan)
{
    const mote_view *out = &plan->args.parents;
    size_t units = call->ctx->device.compute_units;
    size_t items = mote_tune_size(call->ctx, "jagged.items", units, 1, 1 << 20);
    mote_launch launch;
    begin(&launch, call, plan, "span_all");
    set_lists(&launch, plan);
    mote_launch_u32(&launch, "check", plan->overlap);
    mote_launch_view(&launch, "out", out);
    mote_launch_bytes(&launch, (2 * plan->lists.count + out->count) * mote_type_size(out->type));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, items, 1);
}

mote_status mote_spans_run(mote_call *call, const mote_spans_plan *plan)
{
    const mote_jagged_parents_args *a = &plan->args;
    mote_log(MOTE_LOG_DEBUG, "%s: %zu elements, %zu lists by starts and stops: %s, %s", call->name,
             a->parents.count, plan->lists.count,
             plan->cpu ? "shares of elements (CPU form)" : "a tree of elements (GPU form)",
             plan->overlap ? "shared elements are looked for" : "the highest list wins");
    mote_status st = mote_error_clear(call);
    if (st || (a->parents.count == 0 && plan->lists.count == 0 && !call->preparing))
        return st;
    if (plan->cpu)
        return launch_cpu(call, plan);
    st = launch_clear(call, plan);
    if (!st)
        st = launch_paint(call, plan);
    if (!st)
        st = launch_resolve(call, plan);
    return !st && plan->overlap ? launch_overlap(call, plan) : st;
}
