/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/all_pairs.h"

#include <stdio.h>

#include "cl_sources.h"
#include "core/log.h"
#include "core/tune.h"

#define LEAST_SLICE 16 /* partners that are worth a group of their own */

static size_t parts(size_t count, size_t each)
{
    return count / each + (count % each != 0);
}

static size_t clamp(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

/* Slices of each block's partners, so that about `groups` groups are had. */
static uint32_t slices_of(size_t blocks, size_t partners, size_t groups)
{
    if (blocks == 0)
        return 0;
    return (uint32_t)clamp(parts(groups, blocks), 1, parts(partners, LEAST_SLICE));
}

static void share_rows(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_context *ctx = job->call->ctx;
    mote_coordination_params *p = &all->sums.params;
    bool two = job->plan->mode == MOTE_COORDINATION_TWO;
    size_t partners_a = two ? p->n_b : p->n_a, partners_b = p->n_a;
    size_t most = clamp(ctx->device.max_work_group, 1, 256);
    all->local = mote_tune_size(ctx, "coordination.group", 64, 8, most) / 8 * 8;
    all->own = mote_tune_size(ctx, "coordination.own", job->entries > 8192 ? 4 : 1, 1, 8);
    all->tile = mote_tune_size(ctx, "coordination.tile", 128, 1, 512);
    p->blocks_a = (uint32_t)parts(p->n_a, all->local * all->own);
    p->blocks_b = (uint32_t)parts(p->n_b, all->local * all->own);
    size_t groups = mote_tune_size(ctx, "coordination.groups",
                                   (size_t)ctx->device.compute_units * 8, 1, (size_t)1 << 24);
    size_t blocks = (size_t)p->blocks_a + p->blocks_b;
    p->slices_a = p->blocks_a ? slices_of(blocks, partners_a, groups) : 0;
    p->slices_b = p->blocks_b ? slices_of(blocks, partners_b, groups) : 0;
    p->each_a = p->slices_a ? (uint32_t)parts(partners_a, p->slices_a) : 0;
    p->each_b = p->slices_b ? (uint32_t)parts(partners_b, p->slices_b) : 0;
    p->groups = p->blocks_a * p->slices_a + p->blocks_b * p->slices_b;
    all->sums.twice = 2.0;
}

static void share_listed(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_context *ctx = job->call->ctx;
    mote_coordination_params *p = &all->sums.params;
    size_t most = clamp(ctx->device.max_work_group, 1, 256);
    all->local = mote_tune_size(ctx, "coordination.group", 64, 8, most) / 8 * 8;
    p->slices_a = p->slices_b = p->n_a ? 1 : 0;
    p->groups =
        (uint32_t)clamp(parts(p->n_a, all->local), 0, (size_t)ctx->device.compute_units * 16);
    all->sums.twice = 1.0;
}

void mote_all_pairs_carve(const mote_coordination_job *job, mote_all_pairs *all, mote_carve *carve)
{
    *all = (mote_all_pairs){.own = 1};
    mote_coordination_form_make(job->plan, &all->form);
    mote_coordination_form_params(job->plan, &all->sums.params);
    if (job->plan->mode == MOTE_COORDINATION_PAIR)
        share_listed(job, all);
    else
        share_rows(job, all);
    all->sums.bad_each = all->sums.params.groups;
    mote_frames_carve(job, &all->frames, carve);
    mote_coordination_sums_carve(job, &all->sums, 0, carve);
}

static mote_status launch(const mote_coordination_job *job, const mote_all_pairs *all)
{
    const mote_coordination_params *p = &all->sums.params;
    const mote_view none = {0};
    bool listed = job->plan->mode == MOTE_COORDINATION_PAIR;
    char defines[sizeof(all->form.defines) + 160];
    mote_launch l;
    snprintf(defines, sizeof(defines),
             "%s -DWG=%zu -DOWN=%zu -DTILE=%zu -DUNROLL=%d -DLOADED=0 -DFORCES=%d -DVIRIAL=%d "
             "-DPARTIALS=%d",
             all->form.defines, all->local, all->own, all->tile, all->own < 4 ? 4 : 2,
             job->args.derivatives.count > 0, job->args.virial.count > 0,
             mote_coordination_wants_partials(job));
    if (listed)
        mote_launch_begin(&l, job->call, &mote_cl_coordination_listed_pairs, defines,
                          "listed_pairs");
    else
        mote_launch_begin(&l, job->call, &mote_cl_coordination_all_pairs_rows, defines,
                          "all_pairs_rows");
    mote_launch_struct(&l, p, sizeof(*p));
    mote_frames_set(&l, &all->frames);
    mote_launch_view(&l, &job->args.positions);
    mote_launch_mem(&l, job->plan->atoms);
    if (!listed)
        mote_launch_view(&l, &none);
    mote_launch_view(&l, &all->sums.partial);
    mote_launch_view(&l, &all->sums.totals);
    mote_launch_view(&l, &all->sums.bad);
    mote_launch_bytes(&l, (uint64_t)p->frames * job->entries * 12);
    return mote_launch_run(&l, (size_t)p->frames * p->groups, all->local);
}

mote_status mote_all_pairs_run(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_coordination_params *p = &all->sums.params;
    mote_status st = mote_frames_run(job, &all->form, &all->frames);
    mote_log(MOTE_LOG_DEBUG,
             "%s: all pairs of %u and %u entries, %zu frames, %zu at once: groups of %zu, %zu "
             "entries a work-item, %u and %u blocks by %u and %u slices",
             job->call->name, (unsigned)p->n_a, (unsigned)p->n_b, job->args.frames,
             all->sums.frames_at_once, all->local, all->own, (unsigned)p->blocks_a,
             (unsigned)p->blocks_b, (unsigned)p->slices_a, (unsigned)p->slices_b);
    for (size_t first = 0; !st && first < job->args.frames; first += all->sums.frames_at_once) {
        mote_coordination_sums_select(job, &all->sums, &all->frames, first);
        st = launch(job, all);
        if (!st)
            st = mote_coordination_finish(job, &all->form, &all->frames, &all->sums);
        if (job->call->preparing)
            break;
    }
    return st;
}
