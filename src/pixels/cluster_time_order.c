/* SPDX-License-Identifier: Apache-2.0 */
/* Launches the kernels that make the results of hits in the order by (t, pixel). */
#include "core/size.h"
#include "pixels/cluster_time.h"
#include "pixels/properties.h"
#include "shared/pixels_time.h"

#include "cl_sources.h"

typedef mote_time_plan plan;

static void begin(mote_launch *l, mote_call *call, const plan *p, const char *kernel)
{
    mote_launch_begin(l, call, &mote_cl_pixels_time_order, p->defines, kernel);
    mote_launch_u64(l, "n", p->n);
}

/* Runs a kernel that reads and writes `bytes` bytes for each hit. */
static mote_status run(mote_launch *l, const plan *p, uint64_t bytes)
{
    mote_launch_bytes(l, bytes * p->n);
    return mote_launch_run(l, p->sweep.groups, p->sweep.local);
}

mote_status mote_pixels_time_flags(mote_call *call, const mote_time_plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    begin(&l, call, p, "order_roots");
    mote_launch_view(&l, "parent", &p->parent);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_view(&l, "state", &p->state);
    mote_status st = run(&l, p, 8);
    if (st)
        return st;
    begin(&l, call, p, "order_flags");
    mote_launch_view(&l, "hits", &p->hits);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_u32(&l, "streaming", a->streaming != 0);
    mote_launch_u64(&l, "complete", (uint64_t)a->complete);
    mote_launch_u64(&l, "window", (uint64_t)a->window);
    mote_launch_view(&l, "flag", &p->parent);
    mote_launch_view(&l, "state", &p->state);
    return run(&l, p, 8);
}

mote_status mote_pixels_time_labels(mote_call *call, const mote_time_plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    const uint32_t module_pixels =
        p->entries ? (uint32_t)(p->entries / a->n_modules) : a->rows * a->columns;
    mote_launch l;
    begin(&l, call, p, "order_labels");
    mote_launch_view(&l, "hits", &p->hits);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_view(&l, "number", &p->index);
    mote_launch_u32(&l, "module_pixels", module_pixels);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "n_clusters", &a->n_clusters);
    mote_launch_u32(&l, "has_results", p->has_results);
    mote_launch_view(&l, "records", &a->properties);
    mote_launch_view(&l, "cluster_module", &a->cluster_module);
    mote_launch_view(&l, "cluster_first", &a->cluster_first);
    mote_launch_view(&l, "cluster_last", &a->cluster_last);
    mote_launch_u32(&l, "capacity", (uint32_t)min_size(p->capacity, UINT32_MAX));
    mote_launch_u32(&l, "slice", p->granules ? MOTE_TIME_SLICE : 0);
    mote_launch_view(&l, "error", &call->error);
    mote_launch_view(&l, "state", &p->state);
    if (p->entries && !a->properties.count)
        mote_launch_last(&l);
    return run(&l, p, 24);
}

mote_status mote_pixels_time_sums(mote_call *call, const mote_time_plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    const size_t each =
        p->sweep.cpu ? div_ceil(p->n, p->sweep.groups) : mote_pixels_digis_each(call->ctx, p->n);
    mote_launch l;
    begin(&l, call, p, "order_sums");
    mote_launch_view(&l, "x", &a->x);
    mote_launch_view(&l, "y", &a->y);
    mote_launch_view(&l, "charge", &a->charge);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "records", &a->properties);
    mote_launch_u32(&l, "capacity", (uint32_t)min_size(p->capacity, UINT32_MAX));
    mote_launch_u64(&l, "each", each);
    mote_launch_view(&l, "guard", &p->guard);
    mote_launch_bytes(&l, (uint64_t)p->n * 10);
    mote_launch_last(&l);
    return mote_launch_run(&l, div_ceil(div_ceil(p->n, each), p->sweep.local), p->sweep.local);
}
