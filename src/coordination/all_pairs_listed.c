/* SPDX-License-Identifier: Apache-2.0 */
/* The pairs A[k] with B[k]; see cl/coordination/pairs/listed.cl. */
#include "cl_sources.h"
#include "coordination/all_pairs.h"
#include "coordination/defines.h"
#include "coordination/weights.h"
#include "core/tune.h"

static bool applies(const mote_coordination_job *job)
{
    return job->plan->mode == MOTE_COORDINATION_PAIR;
}

static void choose_shape(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_context *ctx = job->call->ctx;
    mote_coordination_params *p = &all->sums.params;
    size_t most = min_size(ctx->device.max_work_group, 256);
    all->local = mote_tune_size(ctx, "coordination.group", min_size(most, 64), 8, most) / 8 * 8;
    size_t groups = div_ceil(p->n_a, all->local);
    size_t enough = (size_t)ctx->device.compute_units * 16;
    p->slices_a = p->slices_b = p->n_a ? 1 : 0;
    p->groups = p->bad_each = (uint32_t)min_size(groups, enough);
    all->sums.twice = 1.0;
}

static mote_status launch(const mote_coordination_job *job, const mote_all_pairs *all)
{
    const mote_coordination_params *p = &all->sums.params;
    mote_defines d;
    mote_launch l;
    mote_defines_begin_pairs(&d, job);
    mote_defines_add(&d, " -DWG=", all->local);
    mote_defines_text(&d, " -DOWN=1 -DSKIP=0");
    mote_launch_begin(&l, job->call, &mote_cl_coordination_pairs_listed, d.text, "listed_pairs");
    mote_launch_struct(&l, "p", p, sizeof(*p));
    mote_frames_set(&l, &all->frames);
    mote_launch_view(&l, "positions", &job->args->positions);
    mote_launch_mem(&l, "atoms", job->plan->atoms);
    mote_launch_view(&l, "partial", &all->sums.partial);
    mote_launch_view(&l, "totals", &all->sums.totals);
    mote_launch_view(&l, "bad", &all->sums.bad);
    mote_weights_set(&l, job, &all->weights);
    mote_launch_bytes(&l, p->frames * (uint64_t)job->entries * 12);
    return mote_launch_run(&l, (size_t)p->frames * p->groups, all->local);
}

const mote_all_pairs_variant mote_all_pairs_listed = {"the pairs of the lists", applies,
                                                      choose_shape, launch};
