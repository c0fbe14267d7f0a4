/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "core/size.h"
#include "mote/pixels.h"
#include "operations.h"
#include "shared/pixels_params.h"
#include "pixels/sweep.h"
#include "pixels/views.h"
#include "reduce/scan.h"

#include "cl_sources.h"

/* Digis of a chunk: there are enough chunks to fill a GPU, and a GPU's work-item is slow. */
#define ITEMS_PER_UNIT ((size_t)1024)
#define LEAST_EACH     ((size_t)16)
#define LEAST_EACH_CPU ((size_t)1024)

typedef struct plan {
    mote_pixels_module_start_args args;
    mote_pixels_params params;
    mote_sweep sweep;
    size_t chunks, each;
    char defines[128];
    mote_view last, before, count, base, scan;
} plan;

static void make_plan(const mote_context *ctx, plan *p)
{
    const mote_pixels_module_start_args *a = &p->args;
    size_t n = a->module_id.count;
    p->params = (mote_pixels_params){
        .n = (uint32_t)n,
        .n_events = (uint32_t)mote_pixels_events(&a->event_offsets),
        .invalid_module = mote_pixels_invalid_module(a->invalid_module_id, a->module_id.type),
        .flags = (a->event_offsets.count ? MOTE_PIXELS_HAS_EVENTS : 0) |
                 (a->error ? MOTE_PIXELS_HAS_ERROR : 0),
    };
    p->sweep = mote_sweep_make(ctx, "pixels.form", n);
    size_t items = p->sweep.cpu ? p->sweep.groups : ITEMS_PER_UNIT * ctx->device.compute_units;
    size_t least = p->sweep.cpu ? LEAST_EACH_CPU : LEAST_EACH;
    p->each = n / (items + 1) + 1;
    if (p->each < least)
        p->each = least;
    p->chunks = n / p->each + 1;
    mote_pixels_sweep_defines(&p->sweep, a->module_id.type, MOTE_UINT16, "", p->defines,
                              sizeof(p->defines));
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_pixels_module_start_args *a = &p->args;
    size_t n = a->module_id.count, room = a->module_start.count;
    mote_status st = mote_pixels_check_sizes(call, n, &a->event_offsets, 0);
    if (!st && room < 1)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: module_start is missing or empty: it must have 1 + capacity elements",
                       call->name);
    if (st)
        return st;
    const mote_view_rule views[] = {
        {"module_id", &a->module_id, MOTE_PIXELS_NARROW, n, VIEW_EXACT},
        {"event_offsets", &a->event_offsets, MOTE_PIXELS_U32, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"module_start", &a->module_start, MOTE_PIXELS_U32, room, VIEW_EXACT | VIEW_WRITES},
        {"run_module", &a->run_module, MOTE_PIXELS_U32, room - 1, VIEW_OPTIONAL | VIEW_WRITES},
        {"cluster_id", &a->cluster_id, MOTE_PIXELS_I32, n,
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    if (!st)
        make_plan(call->ctx, p);
    return st;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    p->last = mote_carve_take(carve, p->chunks, MOTE_UINT32);
    p->before = mote_carve_take(carve, p->chunks, MOTE_UINT32);
    p->count = mote_carve_take(carve, p->chunks, MOTE_UINT32);
    p->base = mote_carve_take(carve, p->chunks + 1, MOTE_UINT32);
    p->scan = mote_carve_take(carve, mote_scan_u32_scratch(call->ctx, p->chunks), MOTE_UINT32);
}

static mote_status run(const plan *p, mote_launch *l)
{
    mote_launch_u32(l, "chunks", (uint32_t)p->chunks);
    mote_launch_u32(l, "each", (uint32_t)p->each);
    return mote_launch_run(l, div_ceil(p->chunks, p->sweep.local), p->sweep.local);
}

static mote_status launch_find(mote_call *call, const plan *p)
{
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_group_module_start, p->defines,
                      "module_start_find");
    mote_launch_struct(&l, "prm", &p->params, sizeof(p->params));
    mote_launch_view(&l, "module_id", &p->args.module_id);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_view(&l, "cluster_id", &p->args.cluster_id);
    mote_launch_view(&l, "error", &call->error);
    mote_launch_bytes(&l, 6 * (uint64_t)p->params.n);
    return run(p, &l);
}

static mote_status launch_count(mote_call *call, const plan *p)
{
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_group_module_start, p->defines,
                      "module_start_count");
    mote_launch_struct(&l, "prm", &p->params, sizeof(p->params));
    mote_launch_view(&l, "module_id", &p->args.module_id);
    mote_launch_view(&l, "events", &p->args.event_offsets);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_view(&l, "before", &p->before);
    mote_launch_view(&l, "count", &p->count);
    mote_launch_bytes(&l, 2 * (uint64_t)p->params.n);
    return run(p, &l);
}

static mote_status launch_write(mote_call *call, const plan *p)
{
    size_t room = p->args.module_start.count - 1;
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_group_module_start, p->defines,
                      "module_start_write");
    mote_launch_struct(&l, "prm", &p->params, sizeof(p->params));
    mote_launch_view(&l, "module_id", &p->args.module_id);
    mote_launch_view(&l, "events", &p->args.event_offsets);
    mote_launch_view(&l, "before", &p->before);
    mote_launch_view(&l, "base", &p->base);
    mote_launch_view(&l, "module_start", &p->args.module_start);
    mote_launch_view(&l, "run_module", &p->args.run_module);
    mote_launch_view(&l, "error", &call->error);
    mote_launch_u32(&l, "capacity", room < UINT32_MAX ? (uint32_t)room : UINT32_MAX);
    mote_launch_bytes(&l, 2 * (uint64_t)p->params.n);
    mote_launch_last(&l);
    return run(p, &l);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = launch_find(call, p);
    if (!st)
        st = launch_count(call, p);
    if (!st)
        st = mote_scan_u32(call, &p->count, &p->base, &p->scan, false);
    return st ? st : launch_write(call, p);
}

const mote_descriptor mote_pixels_module_start_operation = {
    MOTE_DESCRIBE(mote_pixels_module_start, mote_pixels_module_start_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pixels_module_start_args),
    MOTE_DESCRIBE_ERROR(mote_pixels_module_start_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_pixels_module_start, mote_pixels_module_start_args,
                 mote_pixels_module_start_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_module_start_workspace_size, mote_pixels_module_start_args,
                           mote_pixels_module_start_operation)
