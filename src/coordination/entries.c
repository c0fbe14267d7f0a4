/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/entries.h"

#include "cl_sources.h"
#include "coordination/defines.h"
#include "core/size.h"
#include "core/tune.h"

#define LEAST_EACH  ((size_t)256) /* entries of a group */
#define MOST_GROUPS ((size_t)1024)

/* Returns the number of entries, including padding entries of planes. */
static size_t count_of(const mote_coordination_job *job, const mote_coordination_sums *sums)
{
    return sums->planes ? sums->params.plane : job->entries;
}

static size_t each_of(size_t count)
{
    return count / MOST_GROUPS / LEAST_EACH * LEAST_EACH + LEAST_EACH;
}

size_t mote_entries_bytes(const mote_coordination_job *job, const mote_coordination_sums *sums)
{
    return 4 * count_of(job, sums) * mote_type_size(mote_coordination_real(job));
}

void mote_entries_choose_shape(const mote_coordination_job *job, mote_coordination_sums *sums)
{
    size_t count = count_of(job, sums), each = each_of(count);
    sums->params.bad_each = (uint32_t)div_ceil(count, each);
}

mote_view mote_entries_carve(const mote_coordination_job *job, const mote_coordination_sums *sums,
                             mote_carve *carve)
{
    return mote_carve_take(carve, sums->frames_at_once * 4 * count_of(job, sums),
                           mote_coordination_real(job));
}

size_t mote_entries_local(const mote_context *ctx)
{
    size_t usual = ctx->device.device_class == MOTE_DEVICE_GPU ? 128 : 32;
    size_t most = ctx->device.max_work_group;
    return mote_tune_size(ctx, "coordination.preload_group", usual < most ? usual : most, 1, most);
}

uint32_t mote_entries_each(const mote_coordination_job *job, const mote_coordination_sums *sums)
{
    return (uint32_t)each_of(count_of(job, sums));
}

mote_status mote_entries_run(const mote_coordination_job *job, const mote_frames *frames,
                             const mote_coordination_sums *sums, const mote_view *loaded,
                             const mote_entries_more *more)
{
    const mote_coordination_params *p = &sums->params;
    const mote_entries_more none = {.extents = {0}, .clear = {0}};
    size_t local = mote_entries_local(job->call->ctx);
    mote_defines d;
    mote_launch l;
    if (!more)
        more = &none;
    mote_defines_begin(&d, job);
    mote_defines_add(&d, " -DWG=", local);
    mote_defines_add(&d, " -DPLANES=", sums->planes);
    mote_defines_add(&d, " -DEXTENT=", more->extents.count > 0);
    if (more->kept)
        mote_defines_text(&d, " -DKEPT=1");
    mote_launch_begin(&l, job->call, &mote_cl_coordination_entries_entries, d.text, "entries");
    mote_launch_struct(&l, "p", p, sizeof(*p));
    mote_frames_set(&l, frames);
    mote_launch_view(&l, "positions", &job->args->positions);
    mote_launch_mem(&l, "atoms", job->plan->atoms);
    mote_launch_view(&l, "out", loaded);
    mote_launch_u32(&l, "each", mote_entries_each(job, sums));
    mote_launch_view(&l, "bad", &sums->bad);
    mote_launch_view(&l, "extents", &more->extents);
    mote_launch_view(&l, "clear", &more->clear);
    mote_launch_u64(&l, "clear_count", more->clear.count);
    if (more->kept)
        mote_kept_set_check(&l, more->kept);
    mote_launch_bytes(&l, p->frames * (uint64_t)mote_entries_bytes(job, sums));
    return mote_launch_run(&l, (size_t)p->frames * p->bad_each, local);
}
