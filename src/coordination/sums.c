/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/sums.h"

#include <assert.h>

#include "cl_sources.h"
#include "coordination/defines.h"
#include "core/quirks.h"
#include "core/size.h"
#include "core/tune.h"

#define SCRATCH_AT_ONCE ((size_t)256 << 20) /* bytes of scratch for the frames of a launch */
#define GROUPS_AT_ONCE  ((size_t)1 << 24)
#define TOTALS          MOTE_COORDINATION_TOTALS

bool mote_coordination_wants_partials(const mote_coordination_job *job)
{
    return job->args->derivatives.count > 0 || job->args->coordination.count > 0;
}

/* The partial sums of a frame: a number of reals, or with planes of 8-byte words. */
static size_t partials(const mote_coordination_job *job, const mote_coordination_sums *sums)
{
    const mote_coordination_params *p = &sums->params;
    if (!mote_coordination_wants_partials(job))
        return 0;
    if (sums->planes)
        return (size_t)p->slices_a * 4 * p->plane;
    return 4 * ((size_t)p->slices_a * p->n_a + (size_t)p->slices_b * p->n_b);
}

static mote_type type_of_partials(const mote_coordination_job *job,
                                  const mote_coordination_sums *sums)
{
    return sums->planes ? MOTE_UINT64 : mote_coordination_real(job);
}

void mote_coordination_sums_choose_frames(const mote_coordination_job *job,
                                          mote_coordination_sums *sums, size_t extra)
{
    size_t each = partials(job, sums) * mote_type_size(type_of_partials(job, sums));
    size_t groups = sums->params.groups, bytes = each + groups * TOTALS * 8 + extra;
    size_t frames = SCRATCH_AT_ONCE / (bytes + 1) + 1;
    if (frames > GROUPS_AT_ONCE / (groups + 1) + 1)
        frames = GROUPS_AT_ONCE / (groups + 1) + 1;
    if (frames > job->args->frames)
        frames = job->args->frames;
    sums->frames_at_once = mote_tune_size(job->call->ctx, "coordination.frames", frames, 1, frames);
}

void mote_coordination_sums_carve(const mote_coordination_job *job, mote_coordination_sums *sums,
                                  mote_carve *carve)
{
    size_t frames = sums->frames_at_once, each = partials(job, sums);
    size_t groups = sums->params.groups;
    if (each)
        sums->partial = mote_carve_take(carve, frames * each, type_of_partials(job, sums));
    sums->totals = mote_carve_take(carve, frames * groups * TOTALS + 1, MOTE_UINT64);
    sums->bad = mote_carve_take(carve, frames * sums->params.bad_each + 1, MOTE_UINT32);
}

void mote_coordination_sums_select(const mote_coordination_job *job, mote_coordination_sums *sums,
                                   const mote_frames *frames, size_t first)
{
    const mote_coordination_args *a = job->args;
    mote_coordination_params *p = &sums->params;
    size_t left = a->frames - first;
    /* Groups are launched only if there are entries, and scratch has room for all groups
     * launched. */
    assert(p->groups == 0 || job->entries > 0);
    assert(sums->totals.count > sums->frames_at_once * p->groups * TOTALS);
    assert(sums->bad.count > sums->frames_at_once * p->bad_each);
    p->first_frame = (uint32_t)first;
    p->frames = (uint32_t)(left < sums->frames_at_once ? left : sums->frames_at_once);
    p->stride = a->position_stride;
    p->flags |= (a->positions.type == MOTE_FLOAT64 ? MOTE_COORDINATION_IS_DOUBLE : 0) |
                (frames->given ? MOTE_COORDINATION_IS_GIVEN : 0);
}

static mote_coordination_ending describe(const mote_coordination_job *job,
                                         const mote_frames *frames,
                                         const mote_coordination_sums *sums, size_t local)
{
    const mote_kernel_constants *constants = mote_coordination_job_constants(job);
    const mote_coordination_args *a = job->args;
    bool wide = job->call->ctx->device.has_fp64, derivatives = a->derivatives.count > 0;
    bool of_atoms = a->derivatives_of == MOTE_DERIVATIVES_ATOM && derivatives;
    size_t numbers = a->coordination.count > 0 ? job->numbers : 0;
    size_t rows = derivatives && job->rows > numbers ? job->rows : numbers;
    mote_coordination_ending e = {.derivative_stride = a->derivative_stride,
                                  .row_groups = (uint32_t)div_ceil(rows, local),
                                  .entries = (uint32_t)job->numbers};
    e.flags = (derivatives ? MOTE_COORDINATION_END_DERIVATIVES : 0) |
              (a->derivatives.type == MOTE_FLOAT64 ? MOTE_COORDINATION_END_DOUBLES : 0) |
              (of_atoms ? MOTE_COORDINATION_END_ATOMS : 0) |
              (a->accumulate || !job->first ? MOTE_COORDINATION_END_ACCUMULATE : 0) |
              (job->first ? 0 : MOTE_COORDINATION_END_ONTO) |
              (numbers ? MOTE_COORDINATION_END_NUMBERS : 0) |
              (a->coordination.type == MOTE_FLOAT64 ? MOTE_COORDINATION_END_WIDE_NUMBERS : 0) |
              (sums->params.first_frame == 0 && job->first ? MOTE_COORDINATION_END_FIRST : 0) |
              (frames->given ? 0 : MOTE_COORDINATION_END_BOXES);
    /* Entries add g d to their partners, which is minus their derivative. */
    mote_coordination_put(e.value_scale, 1.0 / sums->twice, wide);
    mote_coordination_put(e.virial_scale, -constants->virial_scale / sums->twice, wide);
    mote_coordination_put(e.derivative_scale, -constants->derivative_scale * a->factor, wide);
    return e;
}

static size_t local_size(const mote_context *ctx)
{
    size_t usual = ctx->device.device_class == MOTE_DEVICE_GPU ? 128 : 64;
    size_t most = ctx->device.max_work_group < 256 ? ctx->device.max_work_group : 256;
    usual = usual < most ? usual : most;
    return mote_tune_size(ctx, "coordination.finish_group", usual, 8, most) / 8 * 8;
}

/* On Intel's GPUs 16 sums do not fit the registers, and compilers then keep the whole array in
 * memory. */
static size_t batch(const mote_context *ctx)
{
    bool gpu = ctx->device.device_class == MOTE_DEVICE_GPU;
    size_t usual = !gpu ? 2 : mote_has_quirk(ctx, MOTE_QUIRK_FEW_REGISTERS) ? 4 : 16;
    return mote_tune_size(ctx, "coordination.finish_batch", usual, 1, 64);
}

mote_status mote_coordination_finish(const mote_coordination_job *job, const mote_frames *frames,
                                     const mote_coordination_sums *sums)
{
    const mote_coordination_args *a = job->args;
    const mote_coordination_params *p = &sums->params;
    size_t local = local_size(job->call->ctx);
    const mote_coordination_ending e = describe(job, frames, sums, local);
    mote_defines d;
    mote_launch l;
    mote_defines_begin(&d, job);
    mote_defines_add(&d, " -DWG=", local);
    mote_defines_add(&d, " -DPLANES=", sums->planes);
    mote_defines_add(&d, " -DBATCH=", batch(job->call->ctx));
    mote_launch_begin(&l, job->call, &mote_cl_coordination_sums_finish, d.text, "finish");
    mote_launch_struct(&l, "p", p, sizeof(*p));
    mote_launch_struct(&l, "e", &e, sizeof(e));
    mote_frames_set(&l, frames);
    mote_launch_view(&l, "partial", &sums->partial);
    mote_launch_view(&l, "totals", &sums->totals);
    mote_launch_view(&l, "bad", &sums->bad);
    mote_launch_mem(&l, "atom_start", job->plan->atom_start);
    mote_launch_mem(&l, "atom_entries", job->plan->atom_entries);
    mote_launch_mem(&l, "places", job->plan->places);
    mote_launch_view(&l, "value", &a->value);
    mote_launch_view(&l, "virial", &a->virial);
    mote_launch_view(&l, "derivatives", &a->derivatives);
    mote_launch_view(&l, "coordination", &a->coordination);
    mote_launch_view(&l, "error", &job->call->error);
    if (p->first_frame + p->frames == a->frames && job->last)
        mote_launch_last(&l);
    mote_launch_bytes(&l, p->frames * (uint64_t)partials(job, sums) *
                              mote_type_size(type_of_partials(job, sums)));
    return mote_launch_run(&l, p->frames * (1 + (size_t)e.row_groups), local);
}
