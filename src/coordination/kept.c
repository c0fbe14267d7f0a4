/* SPDX-License-Identifier: Apache-2.0 */
#include "coordination/kept.h"

#include <math.h>
#include <stdlib.h>

#include "cl_sources.h"
#include "coordination/defines.h"
#include "coordination/entries.h"
#include "coordination/weights.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/size.h"
#include "core/tune.h"

#define CALLER "mote_coordination_create"

/* The most entries for which lists are kept. With more entries, the test of all pairs that builds
 * the lists takes more time than the lists save in 15 calls. */
#define MOST_ENTRIES ((size_t)10240)

#define ITEMS_TO_FILL  1024 /* work-items of a compute unit */
#define MOST_SLICES    8
#define ALL_LISTS      512 /* elements of all lists of an entry */
#define LEAST_CAPACITY 64
#define MOST_CAPACITY  256 /* PIECE of cl/coordination/cells/kept.cl */

/* Lists include partners that are further than d_max and the skin by this part of d_max, and
 * entries may move by half of the skin less this part of it. This is far above rounding errors. */
#define SLACK 1e-4

static mote_status make_buffer(mote_context *ctx, size_t bytes, void *from, cl_mem *mem)
{
    cl_int code = CL_SUCCESS;
    *mem = clCreateBuffer(ctx->cl, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, from, &code);
    if (!code)
        return MOTE_SUCCESS;
    *mem = NULL;
    if (mote_is_memory_code(code))
        return mote_fail(MOTE_ERROR_OUT_OF_DEVICE_MEMORY,
                         CALLER ": no device memory for %zu bytes of lists, which skin needs, on "
                                "%s: use skin 0",
                         bytes, ctx->device.name);
    return mote_fail_cl(code, CALLER, "clCreateBuffer");
}

static void choose_lists(const mote_context *ctx, size_t entries, mote_kept *kept)
{
    size_t items = (size_t)ctx->device.compute_units * ITEMS_TO_FILL;
    size_t slices = clamp(div_ceil(items, entries), 1, MOST_SLICES);
    slices = mote_tune_size(ctx, "coordination.slices", slices, 1, MOST_SLICES);
    size_t capacity = clamp(ALL_LISTS / slices, LEAST_CAPACITY, MOST_CAPACITY);
    kept->slices = (uint32_t)slices;
    kept->capacity =
        (uint32_t)mote_tune_size(ctx, "coordination.skin_list", capacity, 1, MOST_CAPACITY);
}

/* Makes the buffers, with zeros: some are read before they are written. */
static mote_status make_buffers(mote_context *ctx, size_t entries, mote_kept *kept)
{
    size_t real = ctx->device.has_fp64 ? sizeof(double) : sizeof(float);
    size_t lists = entries * kept->slices, word = sizeof(uint32_t), most = 0;
    const struct {
        cl_mem *mem;
        size_t bytes;
    } all[] = {
        {&kept->state, (2 + MOTE_COORDINATION_FRAME_WORDS) * word},
        {&kept->reference, 4 * entries * real},
        {&kept->counts, lists * word},
        {&kept->lists, lists * kept->capacity * word},
    };
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        most = max_size(most, all[k].bytes);
    void *zeros = calloc(most, 1);
    mote_status st = MOTE_SUCCESS;
    if (!zeros)
        st = mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, CALLER ": out of host memory");
    for (size_t k = 0; !st && k < sizeof(all) / sizeof(all[0]); k++)
        st = make_buffer(ctx, all[k].bytes, zeros, all[k].mem);
    free(zeros);
    return st;
}

mote_status mote_kept_make(mote_coordination *plan)
{
    mote_context *ctx = plan->ctx;
    size_t entries = (size_t)plan->n_a + plan->n_b;
    size_t most = mote_tune_size(ctx, "coordination.skin_most", MOST_ENTRIES, 0, (size_t)1 << 20);
    if (plan->skin == 0.0 || entries == 0 || entries > most ||
        plan->mode == MOTE_COORDINATION_PAIR || plan->method == MOTE_COORDINATION_ALL_PAIRS ||
        isinf(plan->function.d_max) || mote_tune_form(ctx, "coordination.form") == MOTE_DEVICE_CPU)
        return MOTE_SUCCESS;
    plan->kept = calloc(1, sizeof(*plan->kept));
    if (!plan->kept)
        return mote_fail(MOTE_ERROR_OUT_OF_HOST_MEMORY, CALLER ": out of host memory");
    choose_lists(ctx, entries, plan->kept);
    return make_buffers(ctx, entries, plan->kept);
}

void mote_kept_release(mote_kept *kept)
{
    if (!kept)
        return;
    const cl_mem mems[] = {kept->state, kept->reference, kept->counts, kept->lists};
    for (size_t k = 0; k < sizeof(mems) / sizeof(mems[0]); k++)
        if (mems[k])
            clReleaseMemObject(mems[k]);
    free(kept);
}

double mote_kept_reach(const mote_coordination *plan)
{
    return plan->function.d_max + (plan->kept ? plan->skin + SLACK * plan->function.d_max : 0.0);
}

bool mote_kept_applies(const mote_coordination_job *job)
{
    return job->plan->kept && job->args->frames == 1 &&
           mote_tune_form(job->call->ctx, "coordination.form") != MOTE_DEVICE_CPU;
}

void mote_kept_choose_shape(const mote_coordination_job *job, mote_kept_call *call)
{
    const mote_context *ctx = job->call->ctx;
    *call = (mote_kept_call){.of = job->plan->kept,
                             .sums.params = mote_coordination_job_constants(job)->params,
                             .sums.twice = 2.0};
    mote_coordination_params *p = &call->sums.params;
    size_t most = min_size(ctx->device.max_work_group, 256);
    call->local = mote_tune_size(ctx, "coordination.group", min_size(128, most), 8, most) / 8 * 8;
    p->slices_a = p->slices_b = call->of->slices;
    p->groups = (uint32_t)(div_ceil(job->entries, call->local) * p->slices_a);
    mote_entries_choose_shape(job, &call->sums);
    mote_coordination_sums_choose_frames(job, &call->sums, 0);
}

void mote_kept_carve(const mote_coordination_job *job, mote_kept_call *call, mote_carve *carve)
{
    mote_frames_carve(job, &call->frames, carve);
    mote_coordination_sums_carve(job, &call->sums, carve);
    call->loaded = mote_entries_carve(job, &call->sums, carve);
    call->weights = mote_weights_carve(job, job->entries, carve);
}

kept_limits mote_kept_limits(const mote_coordination_job *job)
{
    bool as_double = mote_coordination_is_double(job);
    bool in_r_0 = job->plan->pbc != MOTE_PBC_NONE && !as_double;
    double unit = in_r_0 ? job->plan->numbers.inverse_r_0 : 1.0;
    double moved = job->plan->skin / 2 * (1.0 - SLACK) * unit;
    double near = mote_kept_reach(job->plan) * unit;
    kept_limits limits;
    mote_coordination_put(limits.near_2, near * near, as_double);
    mote_coordination_put(limits.moved_2, moved * moved, as_double);
    return limits;
}

void mote_kept_set_check(mote_launch *launch, const mote_kept_call *call)
{
    mote_launch_mem(launch, "state", call->of->state);
    mote_launch_mem(launch, "reference", call->of->reference);
    mote_launch_struct(launch, "limits", &call->limits, sizeof(call->limits));
    mote_launch_u32(launch, "call", call->number);
}

/* Numbers a call, from 2 on. If the previous call had another precision, one number is skipped. */
static uint32_t number_of(const mote_coordination_job *job)
{
    mote_kept *kept = job->plan->kept;
    int in_double = mote_coordination_is_double(job);
    bool other = atomic_exchange(&kept->last_is_double, in_double) != in_double;
    return (uint32_t)atomic_fetch_add(&kept->calls, other ? 2 : 1) + (other ? 3 : 2);
}

static mote_status launch_sums(const mote_coordination_job *job, const mote_kept_call *call)
{
    const mote_coordination_params *p = &call->sums.params;
    const mote_kept *kept = call->of;
    mote_defines d;
    mote_launch l;
    mote_defines_begin_pairs(&d, job);
    mote_defines_add(&d, " -DWG=", call->local);
    mote_defines_add(&d, " -DOWN=1 -DSKIP=0 -DCAPACITY=", kept->capacity);
    mote_launch_begin(&l, job->call, &mote_cl_coordination_cells_kept, d.text, "cells_kept");
    mote_launch_struct(&l, "p", p, sizeof(*p));
    mote_frames_set(&l, &call->frames);
    mote_launch_view(&l, "loaded", &call->loaded);
    mote_launch_mem(&l, "state", kept->state);
    mote_launch_mem(&l, "reference", kept->reference);
    mote_launch_mem(&l, "counts", kept->counts);
    mote_launch_mem(&l, "lists", kept->lists);
    mote_launch_struct(&l, "limits", &call->limits, sizeof(call->limits));
    mote_launch_u32(&l, "call", call->number);
    mote_launch_view(&l, "partial", &call->sums.partial);
    mote_launch_view(&l, "totals", &call->sums.totals);
    mote_weights_set(&l, job, &call->weights);
    mote_launch_bytes(&l, (uint64_t)job->entries * 36);
    return mote_launch_run(&l, p->groups, call->local);
}

mote_status mote_kept_run(const mote_coordination_job *job, const mote_kept_call *carved)
{
    mote_kept_call call = *carved;
    const mote_coordination_params *p = &call.sums.params;
    mote_status st = mote_frames_run(job, &call.frames);
    call.limits = mote_kept_limits(job);
    if (!job->call->preparing)
        call.number = number_of(job);
    mote_log(MOTE_LOG_DEBUG,
             "%s: lists of partners, kept until an atom has moved by %g, %u and %u entries; %u "
             "lists of %u elements for each",
             job->call->name, job->plan->skin / 2, (unsigned)p->n_a, (unsigned)p->n_b,
             (unsigned)call.of->slices, (unsigned)call.of->capacity);
    mote_coordination_sums_select(job, &call.sums, &call.frames, 0);
    const mote_entries_more more = {.kept = &call};
    if (!st)
        st = mote_entries_run(job, &call.frames, &call.sums, &call.loaded, &more);
    if (!st)
        st = mote_weights_run(job, &call.sums, &call.weights, NULL, (uint32_t)job->entries, p->n_a);
    if (!st)
        st = launch_sums(job, &call);
    return st ? st : mote_coordination_finish(job, &call.frames, &call.sums);
}
