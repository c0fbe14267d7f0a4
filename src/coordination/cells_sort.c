/* SPDX-License-Identifier: Apache-2.0 */
/* Sorts entries by cell: in the CPU form, and in the GPU form by shares of the cells or by lists of
 * each cell's entries. */
#include "cl_sources.h"
#include "coordination/cells.h"
#include "coordination/defines.h"
#include "coordination/entries.h"
#include "coordination/weights.h"
#include "core/size.h"
#include "core/tune.h"
#include "reduce/bin_by_key.h"
#include "reduce/scan.h"

#define PADDING        MOTE_COORDINATION_PADDING
#define GRID_WORDS     MOTE_COORDINATION_GRID_WORDS
#define ITEMS_PER_UNIT 4    /* CPU form */
#define FEWEST         1024 /* entries for which another work-item is worthwhile */

/* Shares of the cells. Each of their groups reads every key, so lists are better for frames with
 * many entries. */
#define SHARES_BELOW ((size_t)30000)
#define SHARE_GROUP  ((size_t)1024)
#define SHARE_USUAL  ((size_t)512) /* entries of a share */
#define SHARE_LEAST  ((size_t)100) /* as long as there are enough shares to fill the device */

static size_t bins_of(const mote_cells *cells, size_t frames)
{
    return frames * cells->lists * cells->most;
}

/* Cells of a share that a group counts in local memory. */
static size_t cells_of_share(const mote_context *ctx)
{
    return ctx->device.local_bytes < ((size_t)40 << 10) ? 4096 : 8192;
}

void mote_cells_sort_choose_shape(const mote_coordination_job *job, mote_cells *cells)
{
    const mote_context *ctx = job->call->ctx;
    size_t below = mote_tune_size(ctx, "coordination.sort_below", SHARES_BELOW, 0, SIZE_MAX);
    size_t least = bins_of(cells, 1) / cells_of_share(ctx) + 1;
    size_t shares = job->entries / SHARE_LEAST, fill = 2 * ctx->device.compute_units;
    shares = max_size(min_size(shares, fill / job->args->frames), job->entries / SHARE_USUAL + 1);
    shares = mote_tune_size(ctx, "coordination.sort_shares", shares, 1, 4096);
    cells->shares = cells->cpu || job->entries >= below ? 0 : max_size(shares, least);
}

/* Coordinates are computed together with keys if the grid follows from a box and not from the
 * entries. */
static bool loads_with_keys(const mote_coordination_job *job, const mote_cells *cells)
{
    return cells->shares > 0 && job->plan->pbc != MOTE_PBC_NONE;
}

void mote_cells_sort_carve(const mote_coordination_job *job, mote_cells *cells, mote_carve *carve)
{
    const mote_context *ctx = job->call->ctx;
    size_t frames = cells->sums.frames_at_once, count = frames * job->entries;
    size_t bins = bins_of(cells, frames);
    bool lists = !cells->cpu && cells->shares == 0;
    size_t scratch = cells->cpu ? mote_bin_by_key_scratch(ctx, count, (uint32_t)bins)
                     : lists    ? mote_scan_u32_scratch(ctx, bins)
                                : 0;
    cells->sums.params.plane = (uint32_t)(count + PADDING);
    cells->loaded = mote_entries_carve(job, &cells->sums, carve);
    cells->grids = mote_carve_take(carve, frames * GRID_WORDS, MOTE_UINT64);
    cells->key = mote_carve_take(carve, count, MOTE_UINT32);
    cells->order = mote_carve_take(carve, count, MOTE_UINT32);
    cells->starts = mote_carve_take(carve, bins + 1, MOTE_UINT32);
    cells->sorted = mote_carve_take(carve, 4 * (count + PADDING), mote_coordination_real(job));
    cells->sum = mote_carve_take(carve, 4 * cells->planes * (count + PADDING), MOTE_UINT64);
    cells->weights = mote_weights_carve(job, count + PADDING, carve);
    cells->scratch = mote_carve_take(carve, scratch, MOTE_UINT32);
    if (job->plan->pbc == MOTE_PBC_NONE)
        cells->extents = mote_carve_take(carve, frames * cells->sums.params.bad_each * 8,
                                         mote_coordination_real(job));
    if (lists) {
        cells->link = mote_carve_take(carve, count, MOTE_UINT32);
        cells->tally = mote_carve_take(carve, 2 * bins, MOTE_UINT32);
    } else {
        cells->any = mote_carve_take(carve, count, MOTE_UINT32);
    }
}

static mote_status launch_key(const mote_coordination_job *job, const mote_cells *cells)
{
    const mote_coordination_params *p = &cells->sums.params;
    mote_defines d;
    size_t local = mote_entries_local(job->call->ctx);
    mote_launch l;
    mote_defines_begin(&d, job);
    mote_defines_add(&d, " -DWG=", local);
    mote_defines_add(&d, " -DLOAD=", loads_with_keys(job, cells));
    mote_defines_add(&d, " -DLINK=", !cells->cpu && cells->shares == 0);
    mote_launch_begin(&l, job->call, &mote_cl_coordination_cells_key, d.text, "cells_key");
    mote_launch_struct(&l, "p", p, sizeof(*p));
    mote_frames_set(&l, &cells->frames);
    mote_launch_view(&l, "positions", &job->args->positions);
    mote_launch_mem(&l, "atoms", job->plan->atoms);
    mote_launch_view(&l, "bad", &cells->sums.bad);
    mote_launch_view(&l, "extents", &cells->extents);
    mote_launch_view(&l, "loaded", &cells->loaded);
    mote_launch_view(&l, "grids", &cells->grids);
    mote_launch_view(&l, "key", &cells->key);
    mote_launch_view(&l, "link", &cells->link);
    mote_launch_view(&l, "tally", &cells->tally);
    mote_launch_u32(&l, "each", mote_entries_each(job, &cells->sums));
    mote_launch_u32(&l, "most", cells->most);
    mote_launch_u32(&l, "fine", cells->fine);
    mote_launch_u32(&l, "across", cells->across);
    mote_launch_u32(&l, "bins", (uint32_t)bins_of(cells, p->frames));
    mote_launch_bytes(&l, p->frames * (uint64_t)job->entries * 20);
    return mote_launch_run(&l, (size_t)p->frames * p->bad_each, local);
}

static mote_status launch_place(const mote_coordination_job *job, const mote_cells *cells,
                                size_t count, size_t bins)
{
    const mote_coordination_params *p = &cells->sums.params;
    size_t units = job->call->ctx->device.compute_units, items = count / FEWEST + 1;
    mote_defines d;
    mote_launch l;
    if (items > ITEMS_PER_UNIT * units)
        items = ITEMS_PER_UNIT * units;
    size_t each = (count + items - 1) / items;
    mote_defines_begin(&d, job);
    mote_launch_begin(&l, job->call, &mote_cl_coordination_cells_place_cpu, d.text, "cells_place");
    mote_launch_struct(&l, "p", p, sizeof(*p));
    mote_launch_view(&l, "key", &cells->any);
    mote_launch_view(&l, "order", &cells->order);
    mote_launch_view(&l, "loaded", &cells->loaded);
    mote_launch_view(&l, "sorted", &cells->sorted);
    mote_launch_view(&l, "starts", &cells->starts);
    mote_launch_u32(&l, "count", (uint32_t)count);
    mote_launch_u32(&l, "bins", (uint32_t)bins);
    mote_launch_u32(&l, "each", (uint32_t)each);
    mote_launch_bytes(&l, (uint64_t)count * 40 + (uint64_t)bins * 4);
    return mote_launch_run(&l, (count + each - 1) / each, 1);
}

static mote_status sort_cpu(const mote_coordination_job *job, const mote_cells *cells, size_t count,
                            size_t bins)
{
    mote_bin_by_key args = {.n = count,
                            .n_bins = (uint32_t)bins,
                            .key = cells->key,
                            .sorted_key = cells->any,
                            .index = cells->order,
                            .scratch = cells->scratch};
    mote_status st = mote_bin_by_key_run(job->call, &args);
    return st ? st : launch_place(job, cells, count, bins);
}

static mote_status launch_shares(const mote_coordination_job *job, const mote_cells *cells)
{
    const mote_context *ctx = job->call->ctx;
    size_t most = ctx->device.max_work_group, frames = cells->sums.params.frames;
    size_t usual = ctx->device.device_class == MOTE_DEVICE_GPU ? SHARE_GROUP : 64;
    size_t local = mote_tune_size(ctx, "coordination.sort_group", min_size(usual, most), 1, most);
    size_t bins = bins_of(cells, 1), count = frames * job->entries;
    mote_defines d;
    mote_launch l;
    mote_defines_begin(&d, job);
    mote_defines_add(&d, " -DWG=", local);
    mote_defines_add(&d, " -DCELLS=", cells_of_share(ctx));
    mote_launch_begin(&l, job->call, &mote_cl_coordination_cells_sort, d.text, "cells_sort");
    mote_launch_view(&l, "key", &cells->key);
    mote_launch_view(&l, "starts", &cells->starts);
    mote_launch_view(&l, "any", &cells->any);
    mote_launch_view(&l, "loaded", &cells->loaded);
    mote_launch_view(&l, "order", &cells->order);
    mote_launch_view(&l, "sorted", &cells->sorted);
    mote_launch_u32(&l, "entries", (uint32_t)job->entries);
    mote_launch_u32(&l, "bins", (uint32_t)bins);
    mote_launch_u32(&l, "shares", (uint32_t)cells->shares);
    mote_launch_bytes(&l, (uint64_t)count * (16 + 8 * mote_type_size(mote_coordination_real(job))));
    return mote_launch_run(&l, frames * cells->shares, local);
}

static mote_status launch_lists(const mote_coordination_job *job, const mote_cells *cells,
                                size_t count, const mote_view *heads)
{
    size_t local = mote_entries_local(job->call->ctx);
    mote_defines d;
    mote_launch l;
    mote_defines_begin(&d, job);
    mote_defines_add(&d, " -DWG=", local);
    mote_launch_begin(&l, job->call, &mote_cl_coordination_cells_lists, d.text, "cells_lists");
    mote_launch_view(&l, "key", &cells->key);
    mote_launch_view(&l, "heads", heads);
    mote_launch_view(&l, "link", &cells->link);
    mote_launch_view(&l, "starts", &cells->starts);
    mote_launch_view(&l, "loaded", &cells->loaded);
    mote_launch_view(&l, "order", &cells->order);
    mote_launch_view(&l, "sorted", &cells->sorted);
    mote_launch_u32(&l, "count", (uint32_t)count);
    mote_launch_bytes(&l, (uint64_t)count * (16 + 8 * mote_type_size(mote_coordination_real(job))));
    return mote_launch_run(&l, (count + local - 1) / local, local);
}

static mote_status sort_lists(const mote_coordination_job *job, const mote_cells *cells,
                              size_t count, size_t bins)
{
    mote_view counts = cells->tally, heads = cells->tally;
    counts.count = heads.count = bins;
    heads.offset += bins;
    mote_status st = mote_scan_u32(job->call, &counts, &cells->starts, &cells->scratch, false);
    return st ? st : launch_lists(job, cells, count, &heads);
}

mote_status mote_cells_sort(const mote_coordination_job *job, const mote_cells *cells)
{
    const mote_entries_more more = {.extents = cells->extents, .clear = cells->tally};
    size_t frames = cells->sums.params.frames, count = frames * job->entries;
    size_t bins = bins_of(cells, frames);
    mote_status st = MOTE_SUCCESS;
    if (!loads_with_keys(job, cells))
        st = mote_entries_run(job, &cells->frames, &cells->sums, &cells->loaded, &more);
    if (!st)
        st = launch_key(job, cells);
    if (st)
        return st;
    if (cells->cpu)
        return sort_cpu(job, cells, count, bins);
    return cells->shares ? launch_shares(job, cells) : sort_lists(job, cells, count, bins);
}
