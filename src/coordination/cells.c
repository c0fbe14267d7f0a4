/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/cells.h"

#include "cl_sources.h"
#include "coordination/defines.h"
#include "coordination/entries.h"
#include "coordination/weights.h"
#include "core/log.h"
#include "core/size.h"
#include "core/tune.h"

#define MOST_CELLS     ((size_t)1 << 24)
#define ITEMS_PER_UNIT 8     /* CPU form */
#define FEWEST         64    /* number of entries that makes another work-item worthwhile */
#define FEWEST_SUMS    4096  /* the same with sums of entries, above one work-item per unit */
#define MOST_APART     32768 /* most sums of entries for which each work-item has its own */

/* GPU form: work-items of a compute unit, and slices of the rows around an entry: with two slices
 * the groups of a large frame end at the same time; more slices distribute the little work of a
 * small frame. */
#define ITEMS_TO_FILL 1024
#define LEAST_SLICES  2
#define SOME_SLICES   5
#define MOST_SLICES   9
#define FEW           5000 /* entries */

/* Sets limits of the grids; the device decides the sizes of cells. */
static void shape_grids(const mote_coordination_job *job, mote_cells *cells)
{
    const mote_context *ctx = job->call->ctx;
    cells->lists = job->plan->mode == MOTE_COORDINATION_TWO ? 2 : 1;
    size_t most = min_size(2 * job->entries + 27, MOST_CELLS);
    cells->most = (uint32_t)mote_tune_size(ctx, "coordination.cells", most, 1, MOST_CELLS);
    cells->fine = (uint32_t)mote_tune_size(ctx, "coordination.cells_fine", 8, 1, 64);
    cells->across = (uint32_t)mote_tune_size(ctx, "coordination.cells_across", 1, 1, 4);
}

/* If sums of entries are needed, a pair split between two work-items is evaluated twice: few
 * work-items are better then, and with few entries each work-item has its own sums of all
 * entries. */
static void choose_shape_cpu(const mote_coordination_job *job, mote_cells *cells)
{
    const mote_context *ctx = job->call->ctx;
    mote_coordination_params *p = &cells->sums.params;
    bool sums = mote_coordination_wants_partials(job);
    size_t units = ctx->device.compute_units;
    size_t items = min_size(units * ITEMS_PER_UNIT, div_ceil(job->entries, FEWEST));
    if (sums && items > units)
        items = units + min_size(items - units, job->entries / FEWEST_SUMS);
    items = items ? mote_tune_size(ctx, "coordination.items", items, 1, 4096) : 0;
    cells->local = 1;
    p->groups = (uint32_t)items; /* without entries no group writes totals */
    bool apart =
        mote_tune_size(ctx, "coordination.private_sums", items * job->entries <= MOST_APART, 0, 1);
    p->slices_a = p->slices_b = sums && apart && items ? p->groups : 1;
    cells->planes = sums ? p->slices_a : 0;
}

static void choose_shape_gpu(const mote_coordination_job *job, mote_cells *cells)
{
    const mote_context *ctx = job->call->ctx;
    mote_coordination_params *p = &cells->sums.params;
    size_t most = min_size(ctx->device.max_work_group, 256);
    size_t items = (size_t)ctx->device.compute_units * ITEMS_TO_FILL;
    size_t slices = job->entries ? div_ceil(items, job->entries) : LEAST_SLICES;
    size_t most_slices = job->entries < FEW ? MOST_SLICES : SOME_SLICES;
    slices = slices < LEAST_SLICES ? LEAST_SLICES : min_size(slices, most_slices);
    slices = mote_tune_size(ctx, "coordination.slices", slices, 1, 64);
    cells->local = mote_tune_size(ctx, "coordination.group", min_size(128, most), 8, most) / 8 * 8;
    p->slices_a = p->slices_b = (uint32_t)slices;
    p->groups = (uint32_t)(div_ceil(job->entries, cells->local) * slices);
}

/* Returns the number of bytes of a frame, except those that sums.c computes. */
static size_t bytes_of_frame(const mote_coordination_job *job, const mote_cells *cells)
{
    size_t coordinates = 4 * mote_type_size(mote_coordination_real(job));
    size_t sums = cells->planes * 4 * sizeof(uint64_t);
    size_t weight = mote_coordination_is_weighted(job) ? coordinates / 4 : 0;
    return job->entries * (2 * coordinates + weight + 4 * sizeof(uint32_t) + sums) +
           (size_t)cells->lists * cells->most * 3 * sizeof(uint32_t) +
           cells->sums.params.bad_each * 2 * coordinates;
}

void mote_cells_choose_shape(const mote_coordination_job *job, mote_cells *cells)
{
    *cells =
        (mote_cells){.cpu = mote_tune_form(job->call->ctx, "coordination.form") == MOTE_DEVICE_CPU,
                     .sums.params = mote_coordination_job_constants(job)->params};
    cells->sums.twice = cells->cpu ? 1.0 : 2.0;
    shape_grids(job, cells);
    if (cells->cpu)
        choose_shape_cpu(job, cells);
    else
        choose_shape_gpu(job, cells);
    mote_entries_choose_shape(job, &cells->sums);
    mote_cells_sort_choose_shape(job, cells);
    mote_coordination_sums_choose_frames(job, &cells->sums, bytes_of_frame(job, cells));
}

void mote_cells_carve(const mote_coordination_job *job, mote_cells *cells, mote_carve *carve)
{
    mote_frames_carve(job, &cells->frames, carve);
    mote_coordination_sums_carve(job, &cells->sums, carve);
    mote_cells_sort_carve(job, cells, carve);
}

static mote_status launch_pairs(const mote_coordination_job *job, const mote_cells *cells)
{
    const mote_coordination_params *p = &cells->sums.params;
    const mote_kernel_constants *constants = mote_coordination_job_constants(job);
    mote_defines d;
    mote_launch l;
    mote_defines_begin_pairs(&d, job);
    if (cells->cpu) {
        mote_defines_add(&d, " -DLANES=", mote_coordination_is_double(job) ? 8 : 16);
    } else {
        mote_defines_add(&d, " -DWG=", cells->local);
        mote_defines_add(&d, " -DOWN=1 -DSKIP=",
                         constants->ends &&
                             mote_tune_size(job->call->ctx, "coordination.skip", 0, 0, 1));
    }
    mote_launch_begin(&l, job->call,
                      cells->cpu ? &mote_cl_coordination_cells_cpu
                                 : &mote_cl_coordination_cells_rows,
                      d.text, cells->cpu ? "cells_cpu" : "cells_rows");
    mote_launch_struct(&l, "p", p, sizeof(*p));
    mote_frames_set(&l, &cells->frames);
    mote_launch_view(&l, "grids", &cells->grids);
    mote_launch_view(&l, "starts", &cells->starts);
    mote_launch_view(&l, "order", &cells->order);
    mote_launch_view(&l, "sorted", &cells->sorted);
    if (cells->cpu)
        mote_launch_view(&l, "sum", &cells->sum);
    mote_launch_view(&l, "partial", &cells->sums.partial);
    mote_launch_view(&l, "totals", &cells->sums.totals);
    mote_launch_u32(&l, "most", cells->most);
    mote_weights_set(&l, job, &cells->weights);
    mote_launch_bytes(&l, p->frames * (uint64_t)job->entries * 36);
    return mote_launch_run(&l, (size_t)p->frames * p->groups, cells->local);
}

static void log_choice(const mote_coordination_job *job, const mote_cells *cells)
{
    const mote_coordination_params *p = &cells->sums.params;
    mote_log(MOTE_LOG_DEBUG,
             "%s: cells in the %s form, %u and %u entries; %zu frames, %zu at once, each in %u "
             "groups of %zu; at most %u cells, %u in d_max along x and %u across; %u slices",
             job->call->name, cells->cpu ? "CPU" : "GPU", (unsigned)p->n_a, (unsigned)p->n_b,
             job->args->frames, cells->sums.frames_at_once, (unsigned)p->groups, cells->local,
             (unsigned)cells->most, (unsigned)cells->fine, (unsigned)cells->across,
             (unsigned)p->slices_a);
}

mote_status mote_cells_run(const mote_coordination_job *job, const mote_cells *carved)
{
    mote_cells cells = *carved; /* its frames differ from launch to launch */
    mote_status st = mote_frames_run(job, &cells.frames);
    log_choice(job, &cells);
    for (size_t first = 0; !st && first < job->args->frames; first += cells.sums.frames_at_once) {
        mote_coordination_sums_select(job, &cells.sums, &cells.frames, first);
        if (job->entries)
            st = mote_cells_sort(job, &cells);
        if (!st)
            st = mote_weights_run(job, &cells.sums, &cells.weights, &cells.order, 0, 0);
        if (job->entries && !st)
            st = launch_pairs(job, &cells);
        if (!st)
            st = mote_coordination_finish(job, &cells.frames, &cells.sums);
        if (job->call->preparing)
            break;
    }
    return st;
}
