/* SPDX-License-Identifier: Apache-2.0 */
/* All pairs in the GPU form, each evaluated once; see cl/coordination/pairs/tiles.cl. */
#include "cl_sources.h"
#include "coordination/all_pairs.h"
#include "coordination/defines.h"
#include "coordination/weights.h"
#include "core/sub_groups.h"
#include "core/tune.h"

#define MOST_BLOCKS     ((size_t)128)     /* of a list, unless blocks would exceed MOST_ENTRIES */
#define MOST_ENTRIES    ((size_t)2048)    /* of a block */
#define MOST_PARTIALS   ((size_t)1 << 31) /* bytes of partial sums, for longer lists */
#define LOAD_ONCE_ABOVE ((size_t)16384)   /* entries */

/* Groups per compute unit from which on larger groups or more entries per work-item are worthwhile,
 * and those below which all_pairs_rows.c fills the device better. */
#define ENOUGH 8
#define FEWEST 3

/* Work-items of a group and entries of each; the best choice comes first, for calls with enough
 * work. */
static const struct {
    size_t local, own;
} shapes[] = {{128, 4}, {32, 4}, {32, 2}};

#define N_SHAPES (sizeof(shapes) / sizeof(shapes[0]))

/* Returns the entries of a block, as a multiple of the entries that a group owns at once. With few
 * blocks there are few partial sums; with many blocks there is enough work for the device.
 */
static size_t blocks_of(const mote_coordination_job *job, size_t longest, size_t unit)
{
    size_t size = div_ceil(longest, MOST_BLOCKS);
    size = min_size(size, MOST_ENTRIES);
    size_t bytes = mote_coordination_real(job) == MOTE_FLOAT64 ? 32 : 16;
    size_t least = div_ceil(longest * job->entries, MOST_PARTIALS / bytes);
    if (size < least)
        size = least;
    return mote_tune_size(job->call->ctx, "coordination.block_units", div_ceil(size, unit), 1,
                          1 << 16);
}

/* Pairs of blocks of all frames. */
static double groups_of(const mote_coordination_job *job, size_t unit)
{
    const mote_coordination *plan = job->plan;
    double a = (double)div_ceil(plan->n_a, unit), b = (double)div_ceil(plan->n_b, unit);
    double pairs = plan->mode == MOTE_COORDINATION_TWO ? a * b : a * (a + 1) / 2;
    return pairs * (double)job->args->frames;
}

/* Returns whether tiles give enough groups to fill the device as well as rows do. */
static bool applies(const mote_coordination_job *job)
{
    size_t last = N_SHAPES - 1, unit = shapes[last].local * shapes[last].own;
    bool fills = groups_of(job, unit) >= FEWEST * (double)job->call->ctx->device.compute_units;
    return mote_tune_size(job->call->ctx, "coordination.symmetric", fills, 0, 1);
}

/* Chooses the group size, and the entries that its work-items own. */
static void shape_group(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_context *ctx = job->call->ctx;
    double enough = ENOUGH * (double)ctx->device.compute_units;
    size_t most = min_size(ctx->device.max_work_group, 256), k = 0;
    while (k + 1 < N_SHAPES && groups_of(job, shapes[k].local * shapes[k].own) < enough)
        k++;
    size_t local = min_size(shapes[k].local, most);
    all->local = mote_tune_size(ctx, "coordination.group", local, 8, most) / 8 * 8;
    size_t own = mote_all_pairs_own(job, shapes[k].own, 2);
    all->own = mote_tune_size(ctx, "coordination.entries_per_item", own, 1, 8);
    all->tile = all->local;
}

static void choose_shape(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_context *ctx = job->call->ctx;
    mote_coordination_params *p = &all->sums.params;
    bool two = job->plan->mode == MOTE_COORDINATION_TWO, swapped = p->n_b > p->n_a;
    shape_group(job, all);
    size_t unit = all->local * all->own, longest = swapped ? p->n_b : p->n_a;
    size_t shortest = two ? (swapped ? p->n_a : p->n_b) : longest;
    p->each_a = longest ? (uint32_t)blocks_of(job, longest, unit) : 1;
    size_t size = p->each_a * unit, blocks = div_ceil(longest, size),
           others = div_ceil(shortest, size);
    p->blocks_a = (uint32_t)blocks;
    p->flags |= swapped ? MOTE_COORDINATION_IS_SWAPPED : 0;
    p->slices_a = (uint32_t)(swapped || !two ? blocks : others);
    p->slices_b = (uint32_t)(!two ? 0 : swapped ? others : blocks);
    p->groups = (uint32_t)(two ? blocks * others : blocks * (blocks + 1) / 2);
    all->load = mote_tune_size(ctx, "coordination.preload", job->entries > LOAD_ONCE_ABOVE, 0, 1);
    if (!all->load)
        p->bad_each = p->groups;
    all->sums.twice = 1.0;
}

static mote_status launch(const mote_coordination_job *job, const mote_all_pairs *all)
{
    const mote_coordination_params *p = &all->sums.params;
    mote_defines d;
    mote_launch l;
    mote_defines_begin_pairs(&d, job);
    mote_defines_add(&d, " -DWG=", all->local);
    mote_defines_add(&d, " -DOWN=", all->own);
    mote_defines_add(&d, " -DLOADED=", all->load);
    mote_defines_add(&d, " -DSKIP=", all->skip);
    mote_defines_text(&d, mote_registers_option(job->call->ctx));
    mote_launch_begin(&l, job->call, &mote_cl_coordination_pairs_tiles, d.text, "all_pairs_tiles");
    mote_launch_struct(&l, "p", p, sizeof(*p));
    mote_frames_set(&l, &all->frames);
    mote_launch_view(&l, "positions", &job->args->positions);
    mote_launch_mem(&l, "atoms", job->plan->atoms);
    mote_launch_view(&l, "loaded", &all->loaded);
    mote_launch_view(&l, "partial", &all->sums.partial);
    mote_launch_view(&l, "totals", &all->sums.totals);
    mote_launch_view(&l, "bad", &all->sums.bad);
    mote_weights_set(&l, job, &all->weights);
    mote_launch_bytes(&l, p->frames * (uint64_t)job->entries * 12);
    return mote_launch_run(&l, (size_t)p->frames * p->groups, all->local);
}

const mote_all_pairs_variant mote_all_pairs_tiles = {"all pairs by tiles", applies, choose_shape,
                                                     launch};
