/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/all_pairs.h"

#include "coordination/entries.h"
#include "coordination/weights.h"
#include "core/log.h"
#include "core/tune.h"

/* Entries above which skipping far pairs is worthwhile, if each entry has 1200 others within d_max,
 * as at the density of a liquid and with d_max = 7 r_0. On CPUs two of three vectors of 16 then
 * contain no near pair; for vectors of 8 doubles this is the case with fewer entries. On GPUs
 * skipping saves much time only if more outputs than the value are wanted, or in double
 * precision. */
#define SKIP_ABOVE        100000
#define SKIP_DOUBLE_ABOVE 40000
#define SKIP_GPU_ABOVE    30000

/* The first variant that applies is used. */
static const mote_all_pairs_variant *const variants[] = {
    &mote_all_pairs_listed,
    &mote_all_pairs_cpu,
    &mote_all_pairs_tiles,
    &mote_all_pairs_rows,
};

static const mote_all_pairs_variant *choose(const mote_coordination_job *job)
{
    size_t k = 0;
    while (!variants[k]->applies(job))
        k++;
    return variants[k];
}

/* True if skipping pairs beyond d_max is worthwhile. */
static bool pays(const mote_coordination_job *job, const mote_all_pairs *all)
{
    bool in_double = mote_coordination_is_double(job);
    if (all->variant == &mote_all_pairs_cpu)
        return job->entries > (in_double ? SKIP_DOUBLE_ABOVE : SKIP_ABOVE);
    bool much = in_double || job->args->virial.count > 0 || mote_coordination_wants_partials(job);
    return much && job->entries > SKIP_GPU_ABOVE;
}

void mote_all_pairs_choose_shape(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_kernel_constants *constants = mote_coordination_job_constants(job);
    *all = (mote_all_pairs){.variant = choose(job), .sums.params = constants->params};
    all->variant->choose_shape(job, all);
    all->skip = constants->ends &&
                mote_tune_size(job->call->ctx, "coordination.skip", pays(job, all), 0, 1);
    if (all->load)
        mote_entries_choose_shape(job, &all->sums);
    if (mote_coordination_is_weighted(job))
        all->row = all->sums.planes ? all->sums.params.plane : job->entries;
    size_t loaded = all->load ? mote_entries_bytes(job, &all->sums) : 0;
    mote_coordination_sums_choose_frames(
        job, &all->sums, loaded + all->row * mote_type_size(mote_coordination_real(job)));
}

void mote_all_pairs_carve(const mote_coordination_job *job, mote_all_pairs *all, mote_carve *carve)
{
    mote_frames_carve(job, &all->frames, carve);
    mote_coordination_sums_carve(job, &all->sums, carve);
    all->weights = mote_weights_carve(job, all->sums.frames_at_once * all->row, carve);
    if (all->load)
        all->loaded = mote_entries_carve(job, &all->sums, carve);
}

static mote_status launch(const mote_coordination_job *job, const mote_all_pairs *all)
{
    const mote_coordination_params *p = &all->sums.params;
    mote_status st = MOTE_SUCCESS;
    if (all->load)
        st = mote_entries_run(job, &all->frames, &all->sums, &all->loaded, NULL);
    if (!st)
        st = mote_weights_run(job, &all->sums, &all->weights, NULL, (uint32_t)all->row,
                              all->sums.planes ? p->skip : p->n_a);
    return st ? st : all->variant->launch(job, all);
}

static void log_choice(const mote_coordination_job *job, const mote_all_pairs *all)
{
    const mote_coordination_params *p = &all->sums.params;
    mote_log(MOTE_LOG_DEBUG,
             "%s: %s, %u and %u entries; %zu frames, %zu at once, each in %u groups of %zu; "
             "%zu entries against %zu; %u and %u slices",
             job->call->name, all->variant->name, (unsigned)p->n_a, (unsigned)p->n_b,
             job->args->frames, all->sums.frames_at_once, (unsigned)p->groups, all->local, all->own,
             all->tile, (unsigned)p->slices_a, (unsigned)p->slices_b);
}

mote_status mote_all_pairs_run(const mote_coordination_job *job, const mote_all_pairs *carved)
{
    mote_all_pairs all = *carved; /* its frames differ from launch to launch */
    mote_status st = mote_frames_run(job, &all.frames);
    log_choice(job, &all);
    for (size_t first = 0; !st && first < job->args->frames; first += all.sums.frames_at_once) {
        mote_coordination_sums_select(job, &all.sums, &all.frames, first);
        st = launch(job, &all);
        if (!st)
            st = mote_coordination_finish(job, &all.frames, &all.sums);
        if (job->call->preparing)
            break;
    }
    return st;
}
