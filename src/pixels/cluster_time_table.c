/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/size.h"
#include "pixels/cluster_time.h"
#include "reduce/scan.h"

#include "cl_sources.h"

typedef mote_time_plan plan;

static void begin(mote_launch *l, mote_call *call, const plan *p, const char *kernel)
{
    mote_launch_begin(l, call, &mote_cl_pixels_time_table_cpu, p->defines, kernel);
    mote_launch_u64(l, "n", p->n);
}

/* Runs a kernel that reads and writes `bytes` bytes for each hit. */
static mote_status run(mote_launch *l, const plan *p, uint64_t bytes)
{
    mote_launch_bytes(l, bytes * p->n);
    return mote_launch_run(l, p->sweep.groups, p->sweep.local);
}

/* Sorts the hits by (t, pixel). */
static mote_status sort_hits(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "table_sort");
    mote_launch_u32(&l, "n_modules", p->args.n_modules);
    mote_launch_u32(&l, "rows", p->args.rows);
    mote_launch_u32(&l, "columns", p->args.columns);
    mote_launch_u32(&l, "radius", p->radius);
    mote_launch_view(&l, "module_id", &p->args.module_id);
    mote_launch_view(&l, "x", &p->args.x);
    mote_launch_view(&l, "y", &p->args.y);
    mote_launch_view(&l, "t", &p->args.t);
    mote_launch_view(&l, "hits", &p->hits);
    mote_launch_view(&l, "spare", &p->spare);
    mote_launch_view(&l, "error", &call->error);
    mote_status st = run(&l, p, 30);
    for (size_t width = div_ceil(p->n, p->sweep.groups); !st && width < p->n; width *= 2) {
        begin(&l, call, p, "table_merge");
        mote_launch_u64(&l, "width", width);
        mote_launch_view(&l, "hits", &p->hits);
        mote_launch_view(&l, "spare", &p->spare);
        st = run(&l, p, 0);
    }
    return st;
}

/* Joins the hits of each work-item's range or, with `across`, of different ranges. */
static mote_status link_hits(mote_call *call, const plan *p, bool across)
{
    mote_launch l;
    begin(&l, call, p, "table_link");
    mote_launch_u32(&l, "radius", p->radius);
    mote_launch_u32(&l, "row", p->args.rows + 2 * p->radius);
    mote_launch_u64(&l, "window", (uint64_t)p->args.window);
    mote_launch_view(&l, "hits", &p->hits);
    mote_launch_view(&l, "table", &p->table);
    mote_launch_u64(&l, "entries", p->entries);
    mote_launch_view(&l, "parent", &p->parent);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_u32(&l, "across", across);
    return run(&l, p, across ? 0 : 24);
}

/* Finds the roots of clusters, and flags those of closed clusters. */
static mote_status find_roots(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "table_roots");
    mote_launch_view(&l, "parent", &p->parent);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "last", &p->last);
    mote_status st = run(&l, p, 8);
    if (st)
        return st;
    begin(&l, call, p, "table_flags");
    mote_launch_view(&l, "hits", &p->hits);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_u32(&l, "streaming", a->streaming != 0);
    mote_launch_u64(&l, "complete", (uint64_t)a->complete);
    mote_launch_u64(&l, "window", (uint64_t)a->window);
    mote_launch_view(&l, "flag", &p->first);
    return run(&l, p, 8);
}

static mote_status write_labels(mote_call *call, const plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "table_labels");
    mote_launch_view(&l, "hits", &p->hits);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_view(&l, "number", &p->index);
    mote_launch_u32(&l, "module_entries", (uint32_t)(p->entries / a->n_modules));
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "n_clusters", &a->n_clusters);
    mote_launch_u32(&l, "has_results", p->has_results);
    mote_launch_view(&l, "records", &a->properties);
    mote_launch_view(&l, "cluster_module", &a->cluster_module);
    mote_launch_view(&l, "cluster_first", &a->cluster_first);
    mote_launch_view(&l, "cluster_last", &a->cluster_last);
    mote_launch_u32(&l, "capacity", (uint32_t)min_size(p->capacity, UINT32_MAX));
    mote_launch_view(&l, "error", &call->error);
    if (!a->properties.count)
        mote_launch_last(&l);
    return run(&l, p, 24);
}

mote_status mote_pixels_time_table_run(mote_call *call, const mote_time_plan *p)
{
    mote_status st = sort_hits(call, p);
    if (!st)
        st = link_hits(call, p, false);
    if (!st && p->sweep.groups > 1)
        st = link_hits(call, p, true);
    if (!st)
        st = find_roots(call, p);
    if (!st)
        st = mote_scan_u32(call, &p->first, &p->index, &p->scan, false);
    return st ? st : write_labels(call, p);
}
