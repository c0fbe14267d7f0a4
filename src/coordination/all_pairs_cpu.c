/* SPDX-License-Identifier: Apache-2.0 */
/* All pairs in the CPU form; see cl/coordination/pairs/cpu.cl. */
#include "cl_sources.h"
#include "coordination/all_pairs.h"
#include "coordination/defines.h"
#include "coordination/weights.h"
#include "core/tune.h"

#define ALIGN          16 /* entries: whole vectors of either precision */
#define STRIP          1024
#define ITEMS_PER_UNIT 4
#define LEAST_PAIRS    ((size_t)1 << 14) /* pairs for which another work-item is worthwhile */
/* Upper limit of the bytes of partial sums that more work-items may need. */
#define MOST_PARTIALS ((size_t)1 << 30)

static uint32_t filled(uint32_t count)
{
    return (count + ALIGN - 1) / ALIGN * ALIGN;
}

/* The longer list is processed in strips. */
static bool is_swapped(const mote_coordination_params *p)
{
    return p->n_b > 0 && p->n_b < p->n_a;
}

static size_t items_of(const mote_coordination_job *job, const mote_coordination_params *p)
{
    const mote_context *ctx = job->call->ctx;
    size_t least = ctx->device.compute_units;
    size_t items = ITEMS_PER_UNIT * least;
    size_t pairs = (size_t)p->n_a * (p->n_b ? p->n_b : p->n_a);
    while (items > least && items * 32 * p->plane > MOST_PARTIALS)
        items /= 2;
    if (items > pairs / LEAST_PAIRS + 1)
        items = pairs / LEAST_PAIRS + 1;
    return mote_tune_size(ctx, "coordination.items", items, 1, 4096);
}

static bool applies(const mote_coordination_job *job)
{
    return mote_tune_form(job->call->ctx, "coordination.form") == MOTE_DEVICE_CPU;
}

static void choose_shape(const mote_coordination_job *job, mote_all_pairs *all)
{
    mote_coordination_params *p = &all->sums.params;
    p->skip = filled(p->n_a);
    p->plane = p->skip + filled(p->n_b);
    p->groups = job->entries ? (uint32_t)items_of(job, p) : 0;
    p->slices_a = p->groups;
    all->sums.planes = all->load = true;
    all->sums.twice = 1.0;
    all->local = 1;
    all->own = mote_tune_size(job->call->ctx, "coordination.cpu_entries", 2, 1, 4);
    all->own = all->own == 3 ? 2 : all->own;
    all->tile = mote_tune_size(job->call->ctx, "coordination.cpu_block", STRIP, ALIGN, 4096) /
                ALIGN * ALIGN;
}

static mote_status launch(const mote_coordination_job *job, const mote_all_pairs *all)
{
    const mote_coordination_params *p = &all->sums.params;
    mote_defines d;
    mote_launch l;
    mote_defines_begin_pairs(&d, job);
    mote_defines_add(&d, " -DLANES=", mote_coordination_is_double(job) ? 8 : 16);
    mote_defines_add(&d, " -DOWN=", all->own);
    mote_defines_add(&d, " -DSTRIP=", all->tile);
    mote_defines_add(&d, " -DSWAPPED=", is_swapped(p));
    mote_defines_add(&d, " -DSKIP=", all->skip);
    mote_launch_begin(&l, job->call, &mote_cl_coordination_pairs_cpu, d.text, "all_pairs_cpu");
    mote_launch_struct(&l, "p", p, sizeof(*p));
    mote_frames_set(&l, &all->frames);
    mote_launch_view(&l, "loaded", &all->loaded);
    mote_launch_view(&l, "partial", &all->sums.partial);
    mote_launch_view(&l, "totals", &all->sums.totals);
    mote_weights_set(&l, job, &all->weights);
    mote_launch_bytes(&l, p->frames * (uint64_t)mote_type_size(all->loaded.type) * 4 * p->plane);
    return mote_launch_run(&l, (size_t)p->frames * p->groups, all->local);
}

const mote_all_pairs_variant mote_all_pairs_cpu = {"all pairs in the CPU form", applies,
                                                   choose_shape, launch};
