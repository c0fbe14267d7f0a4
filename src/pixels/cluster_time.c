/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/size.h"
#include "core/sweep.h"
#include "mote/pixels_time.h"
#include "operations.h"
#include "pixels/properties.h"
#include "pixels/views.h"
#include "reduce/bin_by_key.h"
#include "reduce/scan.h"

#include "cl_sources.h"

#include <stdio.h>

#define MOST_RADIUS 15u

typedef struct plan {
    mote_pixels_cluster_time_args args;
    mote_sweep sweep;
    size_t n, starts_count;
    uint32_t pixels, radius, shift; /* `starts` lists every 2^shift-th pixel */
    size_t capacity;                /* capacity of the results of clusters */
    char defines[128];
    /* Scratch. Several steps use the same arrays of n elements, one after the other. */
    mote_view key, sorted, index, order, other, first, last, tail, sorted_t, starts, number, bin,
        scan;
} plan;

/* ---- arguments ------------------------------------------------------------------------------- */

static mote_status invalid(const mote_call *call, const char *field, int64_t value,
                           const char *remedy)
{
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s = %lld: %s", call->name, field,
                     (long long)value, remedy);
}

static mote_status check_numbers(const mote_call *call, const mote_pixels_cluster_time_args *a)
{
    const mote_view no_events = {0};
    if (a->rows < 1 || a->rows > 65536)
        return invalid(call, "rows", a->rows, "must be 1 .. 65536");
    if (a->columns < 1 || a->columns > 65536)
        return invalid(call, "columns", a->columns, "must be 1 .. 65536");
    if (a->n_modules < 1 && a->module_id.count > 0)
        return invalid(call, "n_modules", a->n_modules, "must be at least 1 when there are hits");
    if (a->radius > MOST_RADIUS && a->radius != MOTE_PIXELS_SAME_PIXEL)
        return invalid(call, "radius", a->radius,
                       "must be at most 15, or MOTE_PIXELS_SAME_PIXEL (0 = 1)");
    if (a->window < 0)
        return invalid(call, "window", a->window, "must be 0 or more");
    const uint64_t most = (uint64_t)UINT32_MAX - 1, module = (uint64_t)a->rows * a->columns;
    if (a->n_modules > most / module)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %u modules of %u x %u pixels: a call takes at most 2^32 - 2 pixels, "
                         "split the modules",
                         call->name, (unsigned)a->n_modules, (unsigned)a->rows,
                         (unsigned)a->columns);
    return mote_pixels_check_sizes(call, a->module_id.count, &no_events, 0);
}

static mote_status check_views(const mote_call *call, plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    const uint32_t times = MOTE_TYPE_BIT(MOTE_INT64);
    const size_t n = a->module_id.count;
    const size_t capacity = larger(larger(a->properties.count, a->cluster_module.count),
                                   larger(a->cluster_first.count, a->cluster_last.count));
    const unsigned result = VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES;
    const mote_view_rule views[] = {
        {"module_id", &a->module_id, MOTE_PIXELS_NARROW, n, VIEW_EXACT},
        {"x", &a->x, MOTE_TYPE_BIT(MOTE_UINT16), n, VIEW_EXACT},
        {"y", &a->y, MOTE_TYPE_BIT(MOTE_UINT16), n, VIEW_EXACT},
        {"t", &a->t, times, n, VIEW_EXACT},
        {"charge", &a->charge, MOTE_PIXELS_NARROW, n, VIEW_EXACT | VIEW_OPTIONAL},
        {"cluster_id", &a->cluster_id, MOTE_PIXELS_I32, n, VIEW_EXACT | VIEW_WRITES},
        {"n_clusters", &a->n_clusters, MOTE_PIXELS_U32, 1, VIEW_EXACT | VIEW_WRITES},
        {"properties", &a->properties, MOTE_TYPE_BIT(MOTE_PIXELS_CLUSTER_TYPE), capacity, result},
        {"cluster_module", &a->cluster_module, MOTE_PIXELS_U32, capacity, result},
        {"cluster_first", &a->cluster_first, times, capacity, result},
        {"cluster_last", &a->cluster_last, times, capacity, result},
    };
    p->capacity = capacity;
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static void make_plan(const mote_context *ctx, plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    p->n = a->module_id.count;
    p->pixels = a->n_modules * a->rows * a->columns;
    p->radius = a->radius == 0 ? 1 : a->radius == MOTE_PIXELS_SAME_PIXEL ? 0 : a->radius;
    while (p->pixels >> p->shift > larger(p->n, 1))
        p->shift++;
    p->starts_count = (size_t)(p->pixels >> p->shift) + 2;
    p->sweep = mote_sweep_make(ctx, "pixels.form", p->n);
    snprintf(p->defines, sizeof(p->defines), "-DWG=%zu -DID_T=%s -DADC_T=%s%s", p->sweep.local,
             a->module_id.type == MOTE_UINT32 ? "uint" : "ushort",
             a->charge.type == MOTE_UINT32 ? "uint" : "ushort", p->sweep.cpu ? " -DCPU_FORM" : "");
    mote_log(MOTE_LOG_DEBUG, "cluster_time: %s form, %zu hits, %u pixels, %zu starts",
             p->sweep.cpu ? "CPU" : "GPU", p->n, (unsigned)p->pixels, p->starts_count);
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    mote_status st = check_numbers(call, &p->args);
    if (!st)
        st = check_views(call, p);
    if (!st)
        make_plan(call->ctx, p);
    return st;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    size_t by_pixel = mote_bin_by_key_scratch(call->ctx, p->n, p->pixels);
    size_t by_time = mote_bin_by_key_scratch(call->ctx, p->n, UINT32_MAX);
    mote_view *const all[] = {&p->key,   &p->sorted, &p->index, &p->order,
                              &p->other, &p->first,  &p->last,  &p->tail};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        *all[k] = mote_carve_take(carve, p->n, MOTE_UINT32);
    p->sorted_t = mote_carve_take(carve, p->n, MOTE_INT64);
    p->starts = mote_carve_take(carve, p->starts_count, MOTE_UINT32);
    p->number = mote_carve_take(carve, p->n + 1, MOTE_UINT32);
    p->bin = mote_carve_take(carve, larger(by_pixel, by_time), MOTE_UINT32);
    p->scan = mote_carve_take(carve, mote_scan_u32_scratch(call->ctx, p->n), MOTE_UINT32);
}

/* ---- launches -------------------------------------------------------------------------------- */

static void begin(mote_launch *l, mote_call *call, const plan *p, const char *kernel)
{
    mote_launch_begin(l, call, &mote_cl_pixels_time_cluster, p->defines, kernel);
    mote_launch_u64(l, "n", p->n);
}

static void set_pixels(mote_launch *l, const plan *p)
{
    mote_launch_u32(l, "n_modules", p->args.n_modules);
    mote_launch_u32(l, "rows", p->args.rows);
    mote_launch_u32(l, "columns", p->args.columns);
    mote_launch_view(l, "module_id", &p->args.module_id);
    mote_launch_view(l, "x", &p->args.x);
    mote_launch_view(l, "y", &p->args.y);
}

/* Runs a kernel that reads and writes `bytes` bytes for each hit. */
static mote_status run(mote_launch *l, const plan *p, uint64_t bytes)
{
    mote_launch_bytes(l, bytes * p->n);
    return mote_launch_run(l, p->sweep.groups, p->sweep.local);
}

/* Sorts the keys in p->key, and writes the order to *index. */
static mote_status sort(mote_call *call, const plan *p, uint32_t bins, const mote_view *index)
{
    const mote_bin_by_key args = {.n = p->n,
                                  .n_bins = bins,
                                  .key = p->key,
                                  .sorted_key = p->sorted,
                                  .index = *index,
                                  .scratch = p->bin};
    return mote_bin_by_key_run(call, &args);
}

/* Sorts the hits by (t, pixel): by pixel, then by the lower half of t, then by its upper half.
 * Afterwards, hit p->order[p->index[k]] has rank k. */
static mote_status sort_by_time(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "time_pixels");
    set_pixels(&l, p);
    mote_launch_view(&l, "key", &p->key);
    mote_launch_view(&l, "error", &call->error);
    mote_status st = run(&l, p, 10);
    if (!st)
        st = sort(call, p, p->pixels, &p->other);
    if (st)
        return st;
    begin(&l, call, p, "time_low");
    mote_launch_view(&l, "t", &a->t);
    mote_launch_view(&l, "order", &p->other);
    mote_launch_view(&l, "key", &p->key);
    st = run(&l, p, 16);
    if (!st)
        st = sort(call, p, UINT32_MAX, &p->index);
    if (st)
        return st;
    begin(&l, call, p, "time_high");
    mote_launch_view(&l, "t", &a->t);
    mote_launch_view(&l, "before", &p->other);
    mote_launch_view(&l, "index", &p->index);
    mote_launch_view(&l, "order", &p->order);
    mote_launch_view(&l, "key", &p->key);
    st = run(&l, p, 24);
    return st ? st : sort(call, p, UINT32_MAX, &p->index);
}

/* Sorts the hits by (pixel, t). Afterwards, p->other is the hit of each rank; p->sorted is the
 * pixel, and p->index the rank, of each hit in the order by (pixel, t). */
static mote_status sort_by_pixel(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "time_order");
    set_pixels(&l, p);
    mote_launch_view(&l, "before", &p->order);
    mote_launch_view(&l, "index", &p->index);
    mote_launch_view(&l, "order", &p->other);
    mote_launch_view(&l, "key", &p->key);
    mote_status st = run(&l, p, 22);
    if (!st)
        st = sort(call, p, p->pixels, &p->index);
    if (st)
        return st;
    begin(&l, call, p, "time_gather");
    mote_launch_view(&l, "t", &p->args.t);
    mote_launch_view(&l, "order", &p->other);
    mote_launch_view(&l, "rank", &p->index);
    mote_launch_view(&l, "sorted_t", &p->sorted_t);
    mote_launch_view(&l, "parent", &p->order);
    mote_launch_view(&l, "first", &p->first);
    mote_launch_view(&l, "last", &p->last);
    st = run(&l, p, 36);
    if (st)
        return st;
    begin(&l, call, p, "time_starts");
    mote_launch_view(&l, "pixel", &p->sorted);
    mote_launch_u64(&l, "count", p->starts_count);
    mote_launch_u32(&l, "shift", p->shift);
    mote_launch_view(&l, "starts", &p->starts);
    return run(&l, p, 4);
}

static mote_status join_hits(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "time_link");
    mote_launch_u32(&l, "rows", p->args.rows);
    mote_launch_u32(&l, "columns", p->args.columns);
    mote_launch_u32(&l, "radius", p->radius);
    mote_launch_u64(&l, "window", (uint64_t)p->args.window);
    mote_launch_view(&l, "pixel", &p->sorted);
    mote_launch_view(&l, "sorted_t", &p->sorted_t);
    mote_launch_view(&l, "starts", &p->starts);
    mote_launch_u32(&l, "shift", p->shift);
    mote_launch_view(&l, "parent", &p->order);
    mote_status st = run(&l, p, 20);
    if (st)
        return st;
    begin(&l, call, p, "time_roots");
    mote_launch_view(&l, "parent", &p->order);
    mote_launch_view(&l, "rank", &p->index);
    mote_launch_view(&l, "root", &p->key);
    mote_launch_view(&l, "first", &p->first);
    mote_launch_view(&l, "last", &p->last);
    return run(&l, p, 20);
}

/* Flags the first hits of closed clusters, in the order by (t, pixel). */
static mote_status flag_heads(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "time_flags");
    mote_launch_view(&l, "t", &a->t);
    mote_launch_view(&l, "order", &p->other);
    mote_launch_view(&l, "rank", &p->index);
    mote_launch_view(&l, "root", &p->key);
    mote_launch_view(&l, "first", &p->first);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_u32(&l, "streaming", a->streaming != 0);
    mote_launch_u64(&l, "complete", (uint64_t)a->complete);
    mote_launch_u64(&l, "window", (uint64_t)a->window);
    mote_launch_view(&l, "head", &p->order);
    mote_launch_view(&l, "tail", &p->tail);
    mote_launch_view(&l, "flag", &p->sorted);
    return run(&l, p, 20);
}

static mote_status launch_labels(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "time_labels");
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "t", &a->t);
    mote_launch_view(&l, "order", &p->other);
    mote_launch_view(&l, "head", &p->order);
    mote_launch_view(&l, "tail", &p->tail);
    mote_launch_view(&l, "number", &p->number);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "n_clusters", &a->n_clusters);
    mote_launch_view(&l, "records", &a->properties);
    mote_launch_view(&l, "cluster_module", &a->cluster_module);
    mote_launch_view(&l, "cluster_first", &a->cluster_first);
    mote_launch_view(&l, "cluster_last", &a->cluster_last);
    mote_launch_u32(&l, "capacity", (uint32_t)smaller(p->capacity, UINT32_MAX));
    mote_launch_view(&l, "error", &call->error);
    if (!a->properties.count)
        mote_launch_last(&l);
    return run(&l, p, 16);
}

static mote_status launch_sums(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    size_t each =
        p->sweep.cpu ? parts(p->n, p->sweep.groups) : mote_pixels_digis_each(call->ctx, p->n);
    mote_launch l;
    begin(&l, call, p, "time_sums");
    mote_launch_view(&l, "x", &a->x);
    mote_launch_view(&l, "y", &a->y);
    mote_launch_view(&l, "charge", &a->charge);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "records", &a->properties);
    mote_launch_u32(&l, "capacity", (uint32_t)smaller(p->capacity, UINT32_MAX));
    mote_launch_u64(&l, "each", each);
    mote_launch_bytes(&l, (uint64_t)p->n * 10);
    mote_launch_last(&l);
    return mote_launch_run(&l, parts(parts(p->n, each), p->sweep.local), p->sweep.local);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    const bool any = p->n > 0;
    mote_status st = mote_error_clear(call);
    if (!st && any)
        st = sort_by_time(call, p);
    if (!st && any)
        st = sort_by_pixel(call, p);
    if (!st && any)
        st = join_hits(call, p);
    if (!st && any)
        st = flag_heads(call, p);
    if (!st)
        st = mote_scan_u32(call, &p->sorted, &p->number, &p->scan, false);
    if (!st)
        st = launch_labels(call, p);
    return !st && any && p->args.properties.count ? launch_sums(call, p) : st;
}

const mote_descriptor mote_pixels_cluster_time_operation = {
    MOTE_DESCRIBE(mote_pixels_cluster_time, mote_pixels_cluster_time_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pixels_cluster_time_args),
    MOTE_DESCRIBE_ERROR(mote_pixels_cluster_time_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_ARGS_INIT(mote_pixels_cluster_time_args_init, mote_pixels_cluster_time_args)
MOTE_DEFINE_CALL(mote_pixels_cluster_time, mote_pixels_cluster_time_args,
                 mote_pixels_cluster_time_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_cluster_time_workspace_size, mote_pixels_cluster_time_args,
                           mote_pixels_cluster_time_operation)
