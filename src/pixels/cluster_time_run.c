/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/size.h"
#include "pixels/cluster_time.h"
#include "reduce/bin_by_key.h"
#include "reduce/scan.h"

#include "cl_sources.h"

typedef mote_time_plan plan;

static void begin(mote_launch *l, mote_call *call, const plan *p, const char *kernel)
{
    mote_launch_begin(l, call, &mote_cl_pixels_time_cluster, p->defines, kernel);
    mote_launch_u64(l, "n", p->n);
}

/* Runs a kernel that reads and writes `bytes` bytes for each hit. */
static mote_status run(mote_launch *l, const plan *p, uint64_t bytes)
{
    mote_launch_bytes(l, bytes * p->n);
    return mote_launch_run(l, p->sweep.groups, p->sweep.local);
}

/* Writes the pixels of hits to p->key. */
static mote_status find_pixels(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "time_pixels");
    mote_launch_u32(&l, "n_modules", p->args.n_modules);
    mote_launch_u32(&l, "rows", p->args.rows);
    mote_launch_u32(&l, "columns", p->args.columns);
    mote_launch_view(&l, "module_id", &p->args.module_id);
    mote_launch_view(&l, "x", &p->args.x);
    mote_launch_view(&l, "y", &p->args.y);
    mote_launch_view(&l, "key", &p->key);
    mote_launch_view(&l, "error", &call->error);
    return run(&l, p, 10);
}

/* Sorts the hits by pixel. Afterwards, p->index contains the hit at each position of this order,
 * p->pixel contains its pixel, and p->starts contains the positions where pixels begin. */
static mote_status sort_by_pixel(mote_call *call, const plan *p)
{
    const mote_bin_by_key bins = {.n = p->n,
                                  .n_bins = p->pixels,
                                  .key = p->key,
                                  .sorted_key = p->pixel,
                                  .index = p->index,
                                  .scratch = p->bin,
                                  .guard = p->guard};
    mote_launch l;
    mote_status st = mote_bin_by_key_run(call, &bins);
    if (st)
        return st;
    begin(&l, call, p, "time_starts");
    mote_launch_view(&l, "pixel", &p->pixel);
    mote_launch_u64(&l, "count", p->starts_count);
    mote_launch_u32(&l, "shift", p->shift);
    mote_launch_view(&l, "starts", &p->starts);
    mote_launch_view(&l, "guard", &p->guard);
    return run(&l, p, 4);
}

/* Sorts the hits of each pixel by t. Afterwards, p->key contains the hit at each position of the
 * order by (pixel, t), and p->sorted_t contains its time. */
static mote_status sort_by_time(mote_call *call, const plan *p)
{
    const mote_view no_error = {0};
    mote_launch l;
    begin(&l, call, p, "time_gather");
    mote_launch_view(&l, "t", &p->args.t);
    mote_launch_view(&l, "pixel", &p->pixel);
    mote_launch_view(&l, "index", &p->index);
    mote_launch_view(&l, "starts", &p->starts);
    mote_launch_u64(&l, "count", p->starts_count);
    mote_launch_u32(&l, "shift", p->shift);
    mote_launch_view(&l, "times", &p->times);
    mote_launch_view(&l, "head", &p->head);
    mote_launch_view(&l, "guard", &p->guard);
    mote_status st = run(&l, p, 28);
    if (!st)
        st = mote_sort_run(call, &p->by_time, &no_error, false);
    if (st)
        return st;
    begin(&l, call, p, "time_order");
    mote_launch_view(&l, "index", &p->index);
    mote_launch_view(&l, "head", &p->head);
    mote_launch_view(&l, "order", &p->key);
    mote_launch_view(&l, "parent", &p->parent);
    mote_launch_view(&l, "first", &p->first);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_view(&l, "guard", &p->guard);
    return run(&l, p, 28);
}

/* Joins the hits that touch. Afterwards, p->head contains the root of each hit, and p->first and
 * p->last contain the first and the last hit of each cluster at its root. */
static mote_status join_hits(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "time_link");
    mote_launch_u32(&l, "rows", p->args.rows);
    mote_launch_u32(&l, "columns", p->args.columns);
    mote_launch_u32(&l, "radius", p->radius);
    mote_launch_u64(&l, "window", (uint64_t)p->args.window);
    mote_launch_view(&l, "pixel", &p->pixel);
    mote_launch_view(&l, "sorted_t", &p->sorted_t);
    mote_launch_view(&l, "starts", &p->starts);
    mote_launch_u32(&l, "shift", p->shift);
    mote_launch_view(&l, "parent", &p->parent);
    mote_launch_view(&l, "guard", &p->guard);
    mote_status st = run(&l, p, 20);
    if (st)
        return st;
    begin(&l, call, p, "time_roots");
    mote_launch_view(&l, "sorted_t", &p->sorted_t);
    mote_launch_view(&l, "parent", &p->parent);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "first", &p->first);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_view(&l, "guard", &p->guard);
    return run(&l, p, 24);
}

/* Writes flags to p->parent, in the order by (pixel, t): 1 for the first hit of a closed cluster.
 */
static mote_status flag_first(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "time_flags");
    mote_launch_view(&l, "sorted_t", &p->sorted_t);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "first", &p->first);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_u32(&l, "streaming", a->streaming != 0);
    mote_launch_u64(&l, "complete", (uint64_t)a->complete);
    mote_launch_u64(&l, "window", (uint64_t)a->window);
    mote_launch_view(&l, "flag", &p->parent);
    mote_launch_view(&l, "guard", &p->guard);
    return run(&l, p, 12);
}

/* Sorts the closed clusters by their first times, and writes their order to p->first. p->index
 * contains the number of closed clusters before each hit. */
static mote_status sort_clusters(mote_call *call, const plan *p)
{
    const mote_view no_error = {0};
    mote_launch l;
    begin(&l, call, p, "time_compact");
    mote_launch_view(&l, "sorted_t", &p->sorted_t);
    mote_launch_view(&l, "number", &p->index);
    mote_launch_view(&l, "times", &p->times);
    mote_launch_view(&l, "list", &p->list);
    mote_launch_view(&l, "guard", &p->guard);
    mote_status st = run(&l, p, 4);
    return st ? st : mote_sort_run(call, &p->by_first, &no_error, false);
}

static mote_status launch_numbers(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "time_numbers");
    mote_launch_view(&l, "number", &p->index);
    mote_launch_view(&l, "times", &p->cluster_t);
    mote_launch_view(&l, "from", &p->first);
    mote_launch_view(&l, "to", &p->parent);
    mote_launch_view(&l, "n_clusters", &a->n_clusters);
    mote_launch_u32(&l, "has_results", p->has_results);
    mote_launch_view(&l, "records", &a->properties);
    mote_launch_view(&l, "cluster_first", &a->cluster_first);
    mote_launch_u32(&l, "capacity", (uint32_t)min_size(p->capacity, UINT32_MAX));
    mote_launch_view(&l, "error", &call->error);
    mote_launch_view(&l, "guard", &p->guard);
    if (!p->n)
        mote_launch_last(&l);
    return run(&l, p, 0);
}

/* Writes the results of clusters, and the label of each root to p->last. */
static mote_status launch_clusters(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "time_clusters");
    mote_launch_view(&l, "pixel", &p->pixel);
    mote_launch_view(&l, "sorted_t", &p->sorted_t);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "number", &p->index);
    mote_launch_view(&l, "to", &p->parent);
    mote_launch_u32(&l, "module_pixels", a->rows * a->columns);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_view(&l, "cluster_module", &a->cluster_module);
    mote_launch_view(&l, "cluster_last", &a->cluster_last);
    mote_launch_u32(&l, "capacity", (uint32_t)min_size(p->capacity, UINT32_MAX));
    mote_launch_view(&l, "guard", &p->guard);
    return run(&l, p, 4);
}

static mote_status launch_labels(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "time_labels");
    mote_launch_view(&l, "order", &p->key);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "label", &p->last);
    mote_launch_view(&l, "cluster_id", &p->args.cluster_id);
    mote_launch_view(&l, "guard", &p->guard);
    if (!p->args.properties.count)
        mote_launch_last(&l);
    return run(&l, p, 16);
}

/* Clusters the hits in the order by (pixel, t). */
static mote_status run_pixels(mote_call *call, const plan *p)
{
    static mote_status (*const steps[])(mote_call *, const plan *) = {sort_by_pixel, sort_by_time,
                                                                      join_hits, flag_first};
    mote_status st = MOTE_SUCCESS;
    for (size_t k = 0; !st && k < sizeof(steps) / sizeof(steps[0]); k++)
        st = steps[k](call, p);
    return st;
}

static mote_status finish_pixels(mote_call *call, const plan *p)
{
    mote_status st = p->n ? sort_clusters(call, p) : MOTE_SUCCESS;
    if (!st)
        st = launch_numbers(call, p);
    if (!st && p->n)
        st = launch_clusters(call, p);
    return st || !p->n ? st : launch_labels(call, p);
}

mote_status mote_pixels_time_run(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    const mote_view flags = {p->parent.mem, p->parent.offset, p->n, MOTE_UINT32};
    const bool by_pixels = !p->entries, by_time = p->entries || p->granules;
    mote_status st = mote_error_clear(call);
    if (!st && by_pixels && p->n)
        st = find_pixels(call, p);
    if (!st && by_time)
        st = p->entries ? mote_pixels_time_table(call, p) : mote_pixels_time_slices(call, p);
    if (!st && by_time)
        st = mote_pixels_time_flags(call, p);
    if (!st && by_pixels && p->n)
        st = run_pixels(call, p);
    if (!st)
        st = mote_scan_u32(call, &flags, &p->index, &p->scan, false);
    if (!st && by_time)
        st = mote_pixels_time_labels(call, p);
    if (!st && p->granules && p->args.properties.count)
        st = mote_pixels_time_slice_sums(call, p);
    if (!st && by_pixels)
        st = finish_pixels(call, p);
    return !st && p->n && p->args.properties.count ? mote_pixels_time_sums(call, p) : st;
}
