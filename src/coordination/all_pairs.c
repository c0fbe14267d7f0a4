/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/all_pairs.h"

#include <stdio.h>

#include "cl_sources.h"
#include "coordination/entries.h"
#include "coordination/weights.h"
#include "core/log.h"
#include "core/quirks.h"
#include "core/size.h"
#include "core/tune.h"

/* Entries above which branching around far pairs pays, when each entry has 1200 others within
 * d_max, as at the density of a liquid and with d_max = 7 r_0. On CPUs two of three vectors of 16
 * then see none; vectors of 8 doubles do so earlier. On GPUs what a branch saves is much only when
 * more than the value is wanted, or in double. */
#define SKIP_ABOVE        100000
#define SKIP_DOUBLE_ABOVE 40000
#define SKIP_GPU_ABOVE    30000

static mote_all_pairs_variant choose(const mote_coordination_job *job)
{
    if (job->plan->mode == MOTE_COORDINATION_PAIR)
        return MOTE_ALL_PAIRS_LISTED;
    if (mote_tune_form(job->call->ctx, "coordination.form") == MOTE_DEVICE_CPU)
        return MOTE_ALL_PAIRS_CPU;
    bool fills = mote_all_pairs_tiles_fill(job);
    bool once = mote_tune_size(job->call->ctx, "coordination.symmetric", fills, 0, 1);
    return once ? MOTE_ALL_PAIRS_TILES : MOTE_ALL_PAIRS_ROWS;
}

static void choose_shape_listed(const mote_coordination_job *job, mote_all_pairs *all)
{
    const mote_context *ctx = job->call->ctx;
    mote_coordination_params *p = &all->sums.params;
    size_t most = ctx->device.max_work_group < 256 ? ctx->device.max_work_group : 256;
    all->local = mote_tune_size(ctx, "coordination.group", most < 64 ? most : 64, 8, most) / 8 * 8;
    size_t groups = parts(p->n_a, all->local);
    size_t enough = (size_t)ctx->device.compute_units * 16;
    p->slices_a = p->slices_b = p->n_a ? 1 : 0;
    p->groups = p->bad_each = (uint32_t)(groups < enough ? groups : enough);
    all->sums.twice = 1.0;
}

static mote_status launch_listed(const mote_coordination_job *job, const mote_all_pairs *all)
{
    const mote_coordination_params *p = &all->sums.params;
    char wanted[MOTE_COORDINATION_WANTED];
    char defines[MOTE_COORDINATION_DEFINES + sizeof(wanted) + 32];
    mote_launch l;
    mote_coordination_wanted(job, wanted, sizeof(wanted));
    snprintf(defines, sizeof(defines), "%s%s -DWG=%zu -DOWN=1 -DSKIP=0", all->constants->defines,
             wanted, all->local);
    mote_launch_begin(&l, job->call, &mote_cl_coordination_listed_pairs, defines, "listed_pairs");
    mote_launch_struct(&l, p, sizeof(*p));
    mote_frames_set(&l, &all->frames);
    mote_launch_view(&l, &job->args.positions);
    mote_launch_mem(&l, job->plan->atoms);
    mote_launch_view(&l, &all->sums.partial);
    mote_launch_view(&l, &all->sums.totals);
    mote_launch_view(&l, &all->sums.bad);
    mote_weights_set(&l, job, &all->weights);
    mote_launch_bytes(&l, p->frames * (uint64_t)job->entries * 12);
    return mote_launch_run(&l, (size_t)p->frames * p->groups, all->local);
}

/* True if skipping pairs beyond d_max is worthwhile. */
static bool pays(const mote_coordination_job *job, const mote_all_pairs *all)
{
    bool in_double = mote_coordination_real(job) == MOTE_FLOAT64;
    if (all->variant == MOTE_ALL_PAIRS_CPU)
        return job->entries > (in_double ? SKIP_DOUBLE_ABOVE : SKIP_ABOVE);
    bool much = in_double || job->args.virial.count > 0 || mote_coordination_wants_partials(job);
    return much && job->entries > SKIP_GPU_ABOVE;
}

/* Places of the weights of a frame. */
static size_t row_of_weights(const mote_coordination_job *job, const mote_all_pairs *all)
{
    size_t places = all->sums.planes ? all->sums.params.plane : job->entries;
    return mote_coordination_is_weighted(job) ? places : 0;
}

void mote_all_pairs_carve(const mote_coordination_job *job, mote_all_pairs *all, mote_carve *carve)
{
    *all = (mote_all_pairs){.variant = choose(job)};
    all->constants = mote_coordination_job_constants(job);
    mote_kernel_constants_params(job->plan, mote_coordination_is_double(job), &all->sums.params);
    if (all->variant == MOTE_ALL_PAIRS_LISTED)
        choose_shape_listed(job, all);
    else if (all->variant == MOTE_ALL_PAIRS_CPU)
        mote_all_pairs_cpu_choose_shape(job, all);
    else if (all->variant == MOTE_ALL_PAIRS_TILES)
        mote_all_pairs_tiles_choose_shape(job, all);
    else
        mote_all_pairs_rows_choose_shape(job, all);
    all->skip = all->constants->ends &&
                mote_tune_size(job->call->ctx, "coordination.skip", pays(job, all), 0, 1);
    if (all->load)
        mote_entries_choose_shape(job, &all->sums);
    mote_frames_carve(job, &all->frames, carve);
    size_t row = row_of_weights(job, all);
    mote_coordination_sums_carve(job, &all->sums,
                                 (all->load ? mote_entries_bytes(job, &all->sums) : 0) +
                                     row * mote_type_size(mote_coordination_real(job)),
                                 carve);
    all->weights = mote_weights_carve(job, all->sums.frames_at_once * row, carve);
    if (all->load)
        all->loaded = mote_entries_carve(job, &all->sums, carve);
}

static mote_status launch(const mote_coordination_job *job, const mote_all_pairs *all)
{
    mote_status st = MOTE_SUCCESS;
    if (all->load)
        st = mote_entries_run(job, &all->frames, &all->sums, &all->loaded, NULL);
    if (!st)
        st = mote_weights_run(job, &all->sums, &all->weights, NULL,
                              (uint32_t)row_of_weights(job, all),
                              all->sums.planes ? all->sums.params.skip : all->sums.params.n_a);
    if (st)
        return st;
    if (all->variant == MOTE_ALL_PAIRS_LISTED)
        return launch_listed(job, all);
    if (all->variant == MOTE_ALL_PAIRS_CPU)
        return mote_all_pairs_cpu_launch(job, all);
    if (all->variant == MOTE_ALL_PAIRS_TILES)
        return mote_all_pairs_tiles_launch(job, all);
    return mote_all_pairs_rows_launch(job, all);
}

static void log_choice(const mote_coordination_job *job, const mote_all_pairs *all)
{
    static const char *const variants[] = {"the pairs of the lists", "all pairs by rows",
                                           "all pairs by tiles", "all pairs in the CPU form"};
    const mote_coordination_params *p = &all->sums.params;
    mote_log(MOTE_LOG_DEBUG,
             "%s: %s, %u and %u entries; %zu frames, %zu at once, each in %u groups of %zu; "
             "%zu entries against %zu; %u and %u slices",
             job->call->name, variants[all->variant], (unsigned)p->n_a, (unsigned)p->n_b,
             job->args.frames, all->sums.frames_at_once, (unsigned)p->groups, all->local, all->own,
             all->tile, (unsigned)p->slices_a, (unsigned)p->slices_b);
}

size_t mote_all_pairs_own(const mote_coordination_job *job, size_t usual, size_t doubles)
{
    if (!mote_has_quirk(job->call->ctx, MOTE_QUIRK_FEW_REGISTERS))
        return usual;
    if (mote_coordination_real(job) == MOTE_FLOAT64)
        return smaller(usual, doubles);
    return job->plan->numbers.stretched ? smaller(usual, 2) : usual;
}

mote_status mote_all_pairs_run(const mote_coordination_job *job, mote_all_pairs *all)
{
    mote_status st = mote_frames_run(job, &all->frames);
    log_choice(job, all);
    for (size_t first = 0; !st && first < job->args.frames; first += all->sums.frames_at_once) {
        mote_coordination_sums_select(job, &all->sums, &all->frames, first);
        st = launch(job, all);
        if (!st)
            st = mote_coordination_finish(job, all->constants, &all->frames, &all->sums);
        if (job->call->preparing)
            break;
    }
    return st;
}
