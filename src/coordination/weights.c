/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/weights.h"

#include "cl_sources.h"
#include "coordination/defines.h"
#include "coordination/entries.h"
#include "core/size.h"

#define GROUPS_PER_UNIT 16

bool mote_coordination_is_weighted(const mote_coordination_job *job)
{
    return job->args->weights.count > 0;
}

mote_view mote_weights_carve(const mote_coordination_job *job, size_t places, mote_carve *carve)
{
    if (!mote_coordination_is_weighted(job))
        return (mote_view){0};
    return mote_carve_take(carve, places, mote_coordination_real(job));
}

mote_status mote_weights_run(const mote_coordination_job *job, const mote_coordination_sums *sums,
                             const mote_view *weights, const mote_view *order, uint32_t row,
                             uint32_t skip)
{
    const mote_context *ctx = job->call->ctx;
    const mote_view none = {0};
    size_t local = mote_entries_local(ctx), most = ctx->device.compute_units * GROUPS_PER_UNIT;
    mote_defines d;
    mote_launch l;
    if (!mote_coordination_is_weighted(job) || !weights->count)
        return MOTE_SUCCESS;
    d.length = 0;
    mote_defines_add(&d, "-DDOUBLE=", mote_coordination_is_double(job));
    mote_defines_add(&d, " -DSORTED=", order != NULL);
    mote_launch_begin(&l, job->call, &mote_cl_coordination_entries_weights, d.text, "weights");
    mote_launch_struct(&l, "p", &sums->params, sizeof(sums->params));
    mote_launch_view(&l, "given", &job->args->weights);
    mote_launch_u32(&l, "is_double", job->args->weights.type == MOTE_FLOAT64);
    mote_launch_u32(&l, "each", (uint32_t)job->numbers);
    mote_launch_mem(&l, "origins", job->plan->origins);
    mote_launch_view(&l, "order", order ? order : &none);
    mote_launch_u32(&l, "row", row);
    mote_launch_u32(&l, "skip", skip);
    mote_launch_u32(&l, "count", (uint32_t)weights->count);
    mote_launch_view(&l, "out", weights);
    mote_launch_bytes(&l, (uint64_t)weights->count * mote_type_size(weights->type));
    return mote_launch_run(&l, clamp(div_ceil(weights->count, local), 1, most + 1), local);
}

void mote_weights_set(mote_launch *launch, const mote_coordination_job *job,
                      const mote_view *weights)
{
    if (mote_coordination_is_weighted(job))
        mote_launch_view(launch, "weights", weights);
}
