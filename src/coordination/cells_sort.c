/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting entries by cell, and their coordinates. */
#include <stdio.h>

#include "cl_sources.h"
#include "coordination/cells.h"
#include "coordination/entries.h"
#include "reduce/bin_by_key.h"
#include "reduce/scan.h"

#define PADDING        16 /* of planes; cl/coordination/cells_place.cl */
#define ITEMS_PER_UNIT 4
#define FEWEST         1024 /* entries worth a work-item of their own */

static mote_type type_of(const mote_coordination_job *job)
{
    return job->plan->precision == MOTE_PRECISION_DOUBLE ? MOTE_FLOAT64 : MOTE_FLOAT32;
}

static size_t bins_of(const mote_cells *cells, size_t frames)
{
    return frames * cells->lists * cells->most;
}

void mote_cells_sort_carve(const mote_coordination_job *job, mote_cells *cells, mote_carve *carve)
{
    const mote_context *ctx = job->call->ctx;
    size_t frames = cells->sums.frames_at_once, count = frames * job->entries;
    size_t bins = bins_of(cells, frames);
    size_t scratch = cells->cpu ? mote_bin_by_key_scratch(ctx, count, (uint32_t)bins)
                                : mote_scan_u32_scratch(ctx, bins);
    cells->sums.params.plane = (uint32_t)(count + PADDING);
    cells->key = mote_carve_take(carve, count, MOTE_UINT32);
    cells->any = mote_carve_take(carve, count, MOTE_UINT32);
    cells->order = mote_carve_take(carve, count, MOTE_UINT32);
    cells->starts = mote_carve_take(carve, bins + 1, MOTE_UINT32);
    if (!cells->cpu) {
        cells->slot = mote_carve_take(carve, count, MOTE_UINT32);
        cells->counts = mote_carve_take(carve, bins, MOTE_UINT32);
    }
    cells->scratch = mote_carve_take(carve, scratch, MOTE_UINT32);
    cells->sorted = mote_carve_take(carve, 4 * (count + PADDING), type_of(job));
}

static mote_status launch_place(const mote_coordination_job *job, const mote_cells *cells,
                                size_t count, size_t bins)
{
    const mote_coordination_params *p = &cells->sums.params;
    size_t units = job->call->ctx->device.compute_units, items = count / FEWEST + 1;
    char defines[32];
    mote_launch l;
    if (items > ITEMS_PER_UNIT * units)
        items = ITEMS_PER_UNIT * units;
    size_t each = (count + items - 1) / items;
    snprintf(defines, sizeof(defines), "-DDOUBLE=%d -DPBC=%d", type_of(job) == MOTE_FLOAT64,
             (int)job->plan->pbc);
    mote_launch_begin(&l, job->call, &mote_cl_coordination_cells_place, defines, "cells_place");
    mote_launch_struct(&l, p, sizeof(*p));
    mote_launch_view(&l, &cells->any);
    mote_launch_view(&l, &cells->order);
    mote_launch_view(&l, &cells->loaded);
    mote_launch_view(&l, &cells->sorted);
    mote_launch_view(&l, &cells->starts);
    mote_launch_u32(&l, (uint32_t)count);
    mote_launch_u32(&l, (uint32_t)bins);
    mote_launch_u32(&l, (uint32_t)each);
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

static void begin_gpu(mote_launch *l, const mote_coordination_job *job, const char *kernel,
                      size_t local)
{
    char defines[48];
    snprintf(defines, sizeof(defines), "-DDOUBLE=%d -DPBC=%d -DWG=%zu",
             type_of(job) == MOTE_FLOAT64, (int)job->plan->pbc, local);
    mote_launch_begin(l, job->call, &mote_cl_coordination_cells_sort, defines, kernel);
}

static mote_status launch_scatter(const mote_coordination_job *job, const mote_cells *cells,
                                  size_t count)
{
    size_t local = mote_entries_local(job->call->ctx);
    mote_launch l;
    begin_gpu(&l, job, "cells_scatter", local);
    mote_launch_view(&l, &cells->key);
    mote_launch_view(&l, &cells->slot);
    mote_launch_view(&l, &cells->starts);
    mote_launch_view(&l, &cells->any);
    mote_launch_u32(&l, (uint32_t)count);
    mote_launch_bytes(&l, (uint64_t)count * 16);
    return mote_launch_run(&l, (count + local - 1) / local, local);
}

static mote_status launch_order(const mote_coordination_job *job, const mote_cells *cells,
                                size_t count)
{
    size_t local = mote_entries_local(job->call->ctx);
    mote_launch l;
    begin_gpu(&l, job, "cells_order", local);
    mote_launch_view(&l, &cells->key);
    mote_launch_view(&l, &cells->starts);
    mote_launch_view(&l, &cells->any);
    mote_launch_view(&l, &cells->loaded);
    mote_launch_view(&l, &cells->order);
    mote_launch_view(&l, &cells->sorted);
    mote_launch_u32(&l, (uint32_t)count);
    mote_launch_bytes(&l, (uint64_t)count * (12 + 8 * mote_type_size(type_of(job))));
    return mote_launch_run(&l, (count + local - 1) / local, local);
}

static mote_status sort_gpu(const mote_coordination_job *job, const mote_cells *cells, size_t count,
                            size_t bins)
{
    mote_view counts = cells->counts;
    counts.count = bins;
    mote_status st = mote_scan_u32(job->call, &counts, &cells->starts, &cells->scratch, false);
    if (!st)
        st = launch_scatter(job, cells, count);
    return st ? st : launch_order(job, cells, count);
}

mote_status mote_cells_sort(const mote_coordination_job *job, const mote_cells *cells)
{
    size_t frames = cells->sums.params.frames, count = frames * job->entries;
    size_t bins = bins_of(cells, frames);
    return cells->cpu ? sort_cpu(job, cells, count, bins) : sort_gpu(job, cells, count, bins);
}
