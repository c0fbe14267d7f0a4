/* SPDX-License-Identifier: Apache-2.0 */
#include "core/size.h"
#include "pixels/cluster_time.h"

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

mote_status mote_pixels_time_table(mote_call *call, const mote_time_plan *p)
{
    mote_status st = sort_hits(call, p);
    if (!st)
        st = link_hits(call, p, false);
    return !st && p->sweep.groups > 1 ? link_hits(call, p, true) : st;
}
