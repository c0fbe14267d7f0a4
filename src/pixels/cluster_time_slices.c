/* SPDX-License-Identifier: Apache-2.0 */
/* Launches the kernels that sort and join hits on GPUs, in slices of the order by (t, pixel). */
#include "core/size.h"
#include "pixels/cluster_time.h"
#include "reduce/bin_by_key.h"
#include "shared/pixels_time.h"

#include "cl_sources.h"

typedef mote_time_plan plan;

/* Begins a kernel of the sort. */
static void begin(mote_launch *l, mote_call *call, const plan *p, const char *kernel)
{
    mote_launch_begin(l, call, &mote_cl_pixels_time_slice_sort, p->defines, kernel);
}

/* Tests whether the hits are in a loose order. With `binned`, tests the hits in bins of time. */
static mote_status judge(mote_call *call, const plan *p, bool binned)
{
    mote_launch l;
    begin(&l, call, p, "slice_extents");
    mote_launch_u64(&l, "n", p->n);
    mote_launch_view(&l, "t", binned ? &p->binned_t : &p->args.t);
    mote_launch_u32(&l, "binned", binned);
    mote_launch_view(&l, "state", &p->state);
    mote_launch_view(&l, "extents", &p->extents);
    mote_launch_bytes(&l, p->n * (uint64_t)8);
    mote_status st = mote_launch_run(&l, div_ceil(p->n, MOTE_TIME_TILE), p->sweep.local);
    if (st)
        return st;
    begin(&l, call, p, "slice_judge");
    mote_launch_u64(&l, "granules", p->granules);
    mote_launch_u32(&l, "binned", binned);
    mote_launch_u32(&l, "bits", p->bits);
    mote_launch_view(&l, "extents", &p->extents);
    mote_launch_view(&l, "state", &p->state);
    return mote_launch_run(&l, 1, p->sweep.local);
}

/* Sorts the hits into bins of time if they are far out of order. */
static mote_status sort_into_bins(mote_call *call, const plan *p)
{
    const mote_view far = {p->state.mem, p->state.offset + MOTE_TIME_FAR, 1, MOTE_UINT32};
    const mote_view lowest = {p->extents.mem, p->extents.offset + 2 * p->granules, 1, MOTE_INT64};
    const mote_bin_by_key bins = {.n = p->n,
                                  .n_bins = UINT32_C(1) << p->bits,
                                  .key = p->first,
                                  .sorted_key = p->last,
                                  .index = p->index,
                                  .scratch = p->bin,
                                  .guard = far};
    mote_launch l;
    begin(&l, call, p, "slice_keys");
    mote_launch_u64(&l, "n", p->n);
    mote_launch_view(&l, "t", &p->args.t);
    mote_launch_view(&l, "lowest", &lowest);
    mote_launch_view(&l, "state", &p->state);
    mote_launch_view(&l, "bin", &p->first);
    mote_status st = mote_launch_run(&l, p->sweep.groups, p->sweep.local);
    if (!st)
        st = mote_bin_by_key_run(call, &bins);
    if (st)
        return st;
    begin(&l, call, p, "slice_gather");
    mote_launch_u64(&l, "n", p->n);
    mote_launch_view(&l, "t", &p->args.t);
    mote_launch_view(&l, "pixel", &p->key);
    mote_launch_view(&l, "index", &p->index);
    mote_launch_view(&l, "state", &p->state);
    mote_launch_view(&l, "binned_t", &p->binned_t);
    mote_launch_view(&l, "binned_pixel", &p->pixel);
    return mote_launch_run(&l, p->sweep.groups, p->sweep.local);
}

static mote_status sort_hits(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(&l, call, p, "slice_sort");
    mote_launch_u64(&l, "n", p->n);
    mote_launch_view(&l, "t", &p->args.t);
    mote_launch_view(&l, "pixel", &p->key);
    mote_launch_view(&l, "binned_t", &p->binned_t);
    mote_launch_view(&l, "binned_pixel", &p->pixel);
    mote_launch_view(&l, "index", &p->index);
    mote_launch_view(&l, "state", &p->state);
    mote_launch_view(&l, "hits", &p->hits);
    mote_launch_view(&l, "parent", &p->parent);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_bytes(&l, p->n * (uint64_t)36);
    return mote_launch_run(&l, div_ceil(p->n, MOTE_TIME_TILE), p->sweep.local);
}

mote_status mote_pixels_time_slices(mote_call *call, const mote_time_plan *p)
{
    mote_launch l;
    mote_status st = judge(call, p, false);
    if (!st)
        st = sort_into_bins(call, p);
    if (!st)
        st = judge(call, p, true);
    if (!st)
        st = sort_hits(call, p);
    if (st)
        return st;
    mote_launch_begin(&l, call, &mote_cl_pixels_time_slice_link, p->defines, "slice_link");
    mote_launch_u64(&l, "n", p->n);
    mote_launch_u32(&l, "rows", p->args.rows);
    mote_launch_u32(&l, "columns", p->args.columns);
    mote_launch_u32(&l, "radius", p->radius);
    mote_launch_u64(&l, "window", (uint64_t)p->args.window);
    mote_launch_view(&l, "hits", &p->hits);
    mote_launch_view(&l, "parent", &p->parent);
    mote_launch_view(&l, "state", &p->state);
    mote_launch_bytes(&l, p->n * (uint64_t)20);
    return mote_launch_run(&l, div_ceil(p->n, MOTE_TIME_SLICE), p->sweep.local);
}

mote_status mote_pixels_time_slice_sums(mote_call *call, const mote_time_plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_time_slice_sums, p->defines, "slice_sums");
    mote_launch_u64(&l, "n", p->n);
    mote_launch_u32(&l, "rows", a->rows);
    mote_launch_u32(&l, "columns", a->columns);
    mote_launch_view(&l, "hits", &p->hits);
    mote_launch_view(&l, "root", &p->head);
    mote_launch_view(&l, "last", &p->last);
    mote_launch_view(&l, "number", &p->index);
    mote_launch_view(&l, "charge", &a->charge);
    mote_launch_view(&l, "records", &a->properties);
    mote_launch_u32(&l, "capacity", (uint32_t)min_size(p->capacity, UINT32_MAX));
    mote_launch_view(&l, "state", &p->state);
    mote_launch_bytes(&l, p->n * (uint64_t)26);
    return mote_launch_run(&l, div_ceil(p->n, MOTE_TIME_SLICE), p->sweep.local);
}
