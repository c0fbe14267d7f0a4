/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "core/size.h"
#include "jagged/sort.h"
#include "mote/pixels_measure.h"
#include "operations.h"
#include "pixels/sweep.h"
#include "pixels/views.h"
#include "reduce/scan.h"
#include "shared/pixels_params.h"

#include "cl_sources.h"

#include <stdio.h>

typedef struct plan {
    mote_pixels_cluster_digis_args args;
    mote_pixels_params params;
    mote_sweep clear, digis;
    uint32_t capacity;
    char defines[128];
    size_t tiles;     /* GPU form */
    uint32_t merging; /* logarithm of the number of positions of a tile */
    mote_view cluster, place, count, scan, pixel, sorted; /* scratch */
    mote_view owner, merges;                              /* scratch of the GPU form */
    mote_sort sort;                                       /* CPU form */
} plan;

static mote_status check_numbers(const mote_call *call, const mote_pixels_cluster_digis_args *a)
{
    size_t n = a->module_id.count;
    mote_status st = mote_pixels_check_sizes(call, n, &a->event_offsets, a->n_modules);
    if (!st && n > 0 && a->n_modules < 1)
        st =
            mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                      "%s: n_modules is 0: it must be at least 1 when there are digis", call->name);
    if (!st && a->cluster_offsets.count > MOTE_JAGGED_MOST_LISTS)
        st = mote_fail(MOTE_ERROR_UNSUPPORTED,
                       "%s: cluster_offsets has %zu elements: a call takes at most 2^31",
                       call->name, a->cluster_offsets.count);
    return st;
}

static mote_status check_views(const mote_call *call, const mote_pixels_cluster_digis_args *a)
{
    const uint32_t u16 = MOTE_TYPE_BIT(MOTE_UINT16);
    const size_t n = a->module_id.count;
    const size_t slots = mote_pixels_events(&a->event_offsets) * a->n_modules;
    const mote_view_rule views[] = {
        {"module_id", &a->module_id, MOTE_PIXELS_NARROW, n, VIEW_EXACT},
        {"x", &a->x, u16, n, VIEW_EXACT},
        {"y", &a->y, u16, n, VIEW_EXACT},
        {"event_offsets", &a->event_offsets, MOTE_PIXELS_U32, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"n_device", &a->n_device, MOTE_PIXELS_U32, 1, VIEW_OPTIONAL},
        {"cluster_id", &a->cluster_id, MOTE_PIXELS_I32, n, VIEW_EXACT},
        {"cluster_start", &a->cluster_start, MOTE_PIXELS_U32, slots + 1, VIEW_EXACT},
        {"cluster_offsets", &a->cluster_offsets, MOTE_PIXELS_U32, 1, VIEW_WRITES},
        {"digis", &a->digis, MOTE_PIXELS_U32, n, VIEW_EXACT | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static void make_plan(const mote_context *ctx, plan *p)
{
    const mote_pixels_cluster_digis_args *a = &p->args;
    const size_t n = a->module_id.count;
    p->capacity = (uint32_t)(a->cluster_offsets.count - 1);
    p->params = (mote_pixels_params){
        .n = (uint32_t)n,
        .n_events = (uint32_t)mote_pixels_events(&a->event_offsets),
        .n_modules = a->n_modules,
        .invalid_module = mote_pixels_invalid_module(a->invalid_module_id, a->module_id.type),
        .flags = (a->event_offsets.count ? MOTE_PIXELS_HAS_EVENTS : 0) |
                 (a->n_device.count ? MOTE_PIXELS_HAS_N : 0) |
                 (a->error ? MOTE_PIXELS_HAS_ERROR : 0),
    };
    p->clear = mote_sweep_make(ctx, "pixels.form", p->capacity);
    p->digis = mote_sweep_make(ctx, "pixels.form", n);
    while ((size_t)2 << p->merging <= p->digis.local)
        p->merging++;
    p->clear.local = p->digis.local = (size_t)1 << p->merging;
    p->tiles = div_ceil(n, p->digis.local << MOTE_PIXELS_TILE_BITS);
    mote_pixels_sweep_defines(&p->digis, a->module_id.type, MOTE_TYPE_NONE, "", p->defines,
                              sizeof(p->defines));
    if (!p->digis.cpu)
        return;
    const mote_view values = {.count = n, .type = MOTE_UINT64};
    p->sort.args = (mote_jagged_sort_args){.offsets = a->cluster_offsets, .values = values};
    p->sort.lists = (mote_lists){.count = p->capacity, .type = MOTE_UINT32};
    mote_sort_make(ctx, &p->sort);
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    mote_status st = check_numbers(call, &p->args);
    if (!st)
        st = check_views(call, &p->args);
    if (!st)
        make_plan(call->ctx, p);
    return st;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    const size_t n = p->params.n;
    p->cluster = mote_carve_take(carve, n, MOTE_UINT32);
    p->place = mote_carve_take(carve, n, MOTE_UINT32);
    p->count = mote_carve_take(carve, p->capacity, MOTE_UINT32);
    p->scan = mote_carve_take(carve, mote_scan_u32_scratch(call->ctx, p->capacity), MOTE_UINT32);
    p->pixel = p->sort.args.values = mote_carve_take(carve, n, MOTE_UINT64);
    p->sorted = p->sort.args.result = mote_carve_take(carve, n, MOTE_UINT64);
    if (p->digis.cpu) {
        mote_sort_carve(&p->sort, carve);
        return;
    }
    p->owner = mote_carve_take(carve, n, MOTE_UINT32);
    p->merges = mote_carve_take(carve, p->tiles, MOTE_UINT32);
}

static void begin(mote_launch *l, mote_call *call, const plan *p, const char *kernel)
{
    mote_launch_begin(l, call, &mote_cl_pixels_clusters_digis, p->defines, kernel);
}

static mote_status launch_clear(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "digis_clear");
    mote_launch_view(&l, "count", &p->count);
    mote_launch_u32(&l, "capacity", p->capacity);
    mote_launch_view(&l, "error", &call->error);
    return mote_launch_run(&l, p->clear.groups, p->clear.local);
}

static mote_status launch_count(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_digis_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "digis_count");
    mote_launch_struct(&l, "prm", &p->params, sizeof(p->params));
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "events", &a->event_offsets);
    mote_launch_view(&l, "n_device", &a->n_device);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "cluster_start", &a->cluster_start);
    mote_launch_view(&l, "cluster", &p->cluster);
    mote_launch_view(&l, "place", &p->place);
    mote_launch_view(&l, "count", &p->count);
    mote_launch_u32(&l, "capacity", p->capacity);
    mote_launch_view(&l, "error", &call->error);
    mote_launch_bytes(&l, 14 * (uint64_t)p->params.n);
    return mote_launch_run(&l, p->digis.groups, p->digis.local);
}

static mote_status launch_place(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "digis_place");
    mote_launch_struct(&l, "prm", &p->params, sizeof(p->params));
    mote_launch_view(&l, "x", &p->args.x);
    mote_launch_view(&l, "y", &p->args.y);
    mote_launch_view(&l, "cluster", &p->cluster);
    mote_launch_view(&l, "place", &p->place);
    mote_launch_view(&l, "offsets", &p->args.cluster_offsets);
    mote_launch_u32(&l, "capacity", p->capacity);
    mote_launch_view(&l, "pixel", &p->pixel);
    mote_launch_view(&l, "owner", &p->owner);
    mote_launch_bytes(&l, (p->digis.cpu ? 20 : 24) * (uint64_t)p->params.n);
    return mote_launch_run(&l, p->digis.groups, p->digis.local);
}

static mote_status launch_order(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "digis_order");
    mote_launch_struct(&l, "prm", &p->params, sizeof(p->params));
    mote_launch_view(&l, "sorted", &p->sorted);
    mote_launch_view(&l, "offsets", &p->args.cluster_offsets);
    mote_launch_u32(&l, "capacity", p->capacity);
    mote_launch_view(&l, "digis", &p->args.digis);
    mote_launch_bytes(&l, 12 * (uint64_t)p->params.n);
    mote_launch_last(&l);
    return mote_launch_run(&l, p->digis.groups, p->digis.local);
}

static void begin_tiles(mote_launch *l, mote_call *call, const plan *p, const char *kernel)
{
    char defines[32];
    snprintf(defines, sizeof(defines), "-DWG=%zu", p->digis.local);
    mote_launch_begin(l, call, &mote_cl_pixels_clusters_digis_order, defines, kernel);
    mote_launch_struct(l, "prm", &p->params, sizeof(p->params));
    mote_launch_view(l, "owner", &p->owner);
    mote_launch_view(l, "offsets", &p->args.cluster_offsets);
    mote_launch_u32(l, "capacity", p->capacity);
}

static mote_status run_tiles(mote_launch *l, const plan *p)
{
    return mote_launch_run(l, min_size(p->tiles, p->digis.groups), p->digis.local);
}

static mote_status launch_merge(mote_call *call, const plan *p, uint32_t shift,
                                const mote_view *from, const mote_view *to, bool last)
{
    mote_launch l;
    begin_tiles(&l, call, p, "digis_merge");
    mote_launch_view(&l, "merges", &p->merges);
    mote_launch_view(&l, "from", from);
    mote_launch_view(&l, "to", to);
    mote_launch_u32(&l, "shift", shift);
    mote_launch_view(&l, "digis", &p->args.digis);
    if (last)
        mote_launch_last(&l);
    return run_tiles(&l, p);
}

/* Sorts the lists on a GPU. */
static mote_status launch_tiles(mote_call *call, const plan *p)
{
    const mote_view *from = &p->pixel, *to = &p->sorted, *other;
    uint32_t shift = p->merging + MOTE_PIXELS_TILE_BITS;
    mote_launch l;
    begin_tiles(&l, call, p, "digis_rank");
    mote_launch_view(&l, "pixel", &p->pixel);
    mote_launch_view(&l, "merges", &p->merges);
    mote_launch_view(&l, "digis", &p->args.digis);
    mote_launch_bytes(&l, 16 * (uint64_t)p->params.n);
    if (p->tiles < 2)
        mote_launch_last(&l);
    mote_status st = run_tiles(&l, p);
    for (; !st && (p->params.n - 1) >> shift; shift += MOTE_PIXELS_MERGE_BITS) {
        const uint32_t wide = shift + MOTE_PIXELS_MERGE_BITS;
        st = launch_merge(call, p, shift, from, to, wide > 31 || (p->params.n - 1) >> wide == 0);
        other = from, from = to, to = other;
        if (wide > 31)
            break;
    }
    return st;
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    const mote_view no_error = {0};
    const bool any = p->params.n > 0;
    mote_status st = launch_clear(call, p);
    if (!st)
        st = launch_count(call, p); /* reports a lack of capacity even if there are no digis */
    if (!st)
        st = mote_scan_u32(call, &p->count, &p->args.cluster_offsets, &p->scan, !any);
    if (!st && any)
        st = launch_place(call, p);
    if (!st && any && !p->digis.cpu)
        return launch_tiles(call, p);
    if (!st && any)
        st = mote_sort_run(call, &p->sort, &no_error, false);
    return !st && any ? launch_order(call, p) : st;
}

const mote_descriptor mote_pixels_cluster_digis_operation = {
    MOTE_DESCRIBE(mote_pixels_cluster_digis, mote_pixels_cluster_digis_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pixels_cluster_digis_args),
    MOTE_DESCRIBE_ERROR(mote_pixels_cluster_digis_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_pixels_cluster_digis, mote_pixels_cluster_digis_args,
                 mote_pixels_cluster_digis_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_cluster_digis_workspace_size, mote_pixels_cluster_digis_args,
                           mote_pixels_cluster_digis_operation)
