/* SPDX-License-Identifier: Apache-2.0 */
/* All pairs in the GPU form, each evaluated from both sides; see cl/coordination/pairs/rows.cl.
 */
#include "cl_sources.h"
#include "coordination/all_pairs.h"
#include "coordination/defines.h"
#include "coordination/weights.h"
#include "core/sub_groups.h"
#include "core/tune.h"

#define LEAST_SLICE 16   /* partners for which another group is worthwhile */
#define MOST_SLICE  1024 /* most partners that single precision can sum without loss */

/* Slices of each block's partners, so that there are about `groups` groups for `blocks` blocks. */
static uint32_t slices_of(size_t blocks, size_t partners, size_t groups)
{
    size_t wanted = clamp(div_ceil(groups, blocks), 1, div_ceil(partners, LEAST_SLICE) + 1);
    return (uint32_t)clamp(wanted, div_ceil(partners, MOST_SLICE) + (partners == 0), wanted);
}

static bool applies(const mote_coordination_job *job)
{
    (void)job;
    return true;
}

/* Chooses a work-group of teams: the more entries, the fewer teams. */
static void choose_shape_group(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_context *ctx = job->call->ctx;
    bool large = job->entries > 4096;
    size_t most = clamp(ctx->device.max_work_group, 8, 256), usual = large ? 64 : 256;
    if (ctx->device.device_class != MOTE_DEVICE_GPU)
        usual = 64; /* a group that a CPU simulates needs memory */
    all->local = mote_tune_size(ctx, "coordination.group", clamp(usual, 8, most), 8, most) / 8 * 8;
    size_t team = all->local < 256 ? 64 : 32;
    all->split = mote_tune_size(ctx, "coordination.teams", all->local / team, 1, all->local);
    while (all->split == 0 || all->local % all->split)
        all->split = all->split ? all->split - 1 : 1;
    size_t own = mote_all_pairs_own(job, large ? 4 : 1, 1);
    all->own = mote_tune_size(ctx, "coordination.entries_per_item", own, 1, 8);
    all->tile = mote_tune_size(ctx, "coordination.tile", 128, 1, 512);
}

static void choose_shape(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_context *ctx = job->call->ctx;
    mote_coordination_params *p = &all->sums.params;
    bool two = job->plan->mode == MOTE_COORDINATION_TWO;
    size_t partners_a = two ? p->n_b : p->n_a, partners_b = p->n_a;
    choose_shape_group(job, all);
    size_t block = all->local / all->split * all->own;
    p->blocks_a = (uint32_t)div_ceil(p->n_a, block);
    p->blocks_b = (uint32_t)div_ceil(p->n_b, block);
    /* About 16 bands of 32 work-items for each unit. */
    size_t groups = (size_t)ctx->device.compute_units * 512 / all->local;
    groups = mote_tune_size(ctx, "coordination.groups", groups ? groups : 1, 1, (size_t)1 << 24);
    size_t blocks = (size_t)p->blocks_a + p->blocks_b;
    p->slices_a = p->blocks_a ? slices_of(blocks, partners_a, groups) : 0;
    p->slices_b = p->blocks_b ? slices_of(blocks, partners_b, groups) : 0;
    p->each_a = p->slices_a ? (uint32_t)div_ceil(partners_a, p->slices_a) : 0;
    p->each_b = p->slices_b ? (uint32_t)div_ceil(partners_b, p->slices_b) : 0;
    p->groups = p->blocks_a * p->slices_a + p->blocks_b * p->slices_b;
    all->load = mote_tune_size(ctx, "coordination.preload", job->entries > 4096, 0, 1);
    if (!all->load)
        p->bad_each = p->groups;
    all->sums.twice = 2.0;
}

static mote_status launch(const mote_coordination_job *job, const mote_all_pairs *all)
{
    const mote_coordination_params *p = &all->sums.params;
    mote_defines d;
    mote_launch l;
    mote_defines_begin_pairs(&d, job);
    mote_defines_add(&d, " -DWG=", all->local);
    mote_defines_add(&d, " -DSPLIT=", all->split);
    mote_defines_add(&d, " -DOWN=", all->own);
    mote_defines_add(&d, " -DTILE=", all->tile);
    mote_defines_add(&d, " -DLOADED=", all->load);
    mote_defines_add(&d, " -DSKIP=", all->skip);
    mote_defines_text(&d, mote_registers_option(job->call->ctx));
    mote_launch_begin(&l, job->call, &mote_cl_coordination_pairs_rows, d.text, "all_pairs_rows");
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

const mote_all_pairs_variant mote_all_pairs_rows = {"all pairs by rows", applies, choose_shape,
                                                    launch};
