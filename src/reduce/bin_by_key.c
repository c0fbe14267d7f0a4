/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/bin_by_key.h"
#include "reduce/bin_plan.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/tune.h"

#include "cl_sources.h"

#include <assert.h>
#include <stdio.h>

#define GROUP   256 /* the limit that some drivers report, whatever a kernel requests */
#define COLUMNS 8   /* bins of a group of bin_columns */

/* One pass: its input and output. `from` is NULL in the first pass. */
typedef struct bin_pass {
    mote_call *call;
    const mote_bin_by_key *args;
    const mote_bin_plan *plan;
    const mote_view *key, *from;
    const mote_view *sorted_key, *index;
    uint32_t shift;
} bin_pass;

static void begin(mote_launch *launch, const bin_pass *pass, size_t group, const char *kernel)
{
    char defines[48];
    snprintf(defines, sizeof(defines), "-DWG=%zu", group);
    mote_launch_begin(launch, pass->call,
                      pass->plan->cpu ? &mote_cl_reduce_bin_by_key_cpu : &mote_cl_reduce_bin_by_key,
                      defines, kernel);
}

static void set_digit(mote_launch *launch, const bin_pass *pass)
{
    mote_launch_u32(launch, "n_bins", pass->args->n_bins);
    mote_launch_u32(launch, "shift", pass->shift);
    mote_launch_u32(launch, "mask", mote_bin_plan_mask(pass->plan));
}

static void set_places(mote_launch *launch, const bin_pass *pass)
{
    const mote_view none = {.type = MOTE_UINT32};
    mote_launch_view(launch, "from", pass->from ? pass->from : &none);
    mote_launch_view(launch, "sorted_key", pass->sorted_key);
    mote_launch_view(launch, "index", pass->index);
}

/* Sets the first arguments of both bin_rank and bin_scatter. */
static void set_gpu(mote_launch *launch, const bin_pass *pass)
{
    const mote_bin_plan *plan = pass->plan;
    mote_launch_view(launch, "key", pass->key);
    mote_launch_u32(launch, "n", (uint32_t)pass->args->n);
    set_digit(launch, pass);
    mote_launch_u32(launch, "bins", plan->bins);
    mote_launch_u32(launch, "stride", plan->stride);
    mote_launch_view(launch, "matrix", &plan->counts);
    mote_launch_view(launch, "rank", &plan->rank);
}

static mote_status launch_rank(const bin_pass *pass)
{
    const mote_bin_plan *plan = pass->plan;
    mote_launch launch;
    begin(&launch, pass, plan->group, "bin_rank");
    set_gpu(&launch, pass);
    mote_launch_view(&launch, "guard", &pass->args->guard);
    mote_launch_local(&launch, "counts", plan->words * plan->bins * sizeof(uint32_t));
    mote_launch_bytes(&launch, (uint64_t)pass->args->n * 6);
    return mote_launch_run(&launch, plan->tiles, plan->group);
}

static mote_status launch_columns(const bin_pass *pass)
{
    const mote_bin_plan *plan = pass->plan;
    const mote_context *ctx = pass->call->ctx;
    size_t most = ctx->device.max_work_group;
    size_t group =
        mote_tune_size(ctx, "reduce.bin_columns_group", min_size(GROUP, most), COLUMNS, most) /
        COLUMNS * COLUMNS;
    mote_launch launch;
    begin(&launch, pass, group, "bin_columns");
    mote_launch_u32(&launch, "tiles", (uint32_t)plan->tiles);
    mote_launch_u32(&launch, "bins", plan->bins);
    mote_launch_u32(&launch, "stride", plan->stride);
    mote_launch_view(&launch, "matrix", &plan->counts);
    mote_launch_view(&launch, "totals", &plan->totals);
    mote_launch_view(&launch, "guard", &pass->args->guard);
    mote_launch_bytes(&launch, (uint64_t)plan->tiles * plan->bins * 8);
    return mote_launch_run(&launch, plan->stride / COLUMNS, group);
}

static mote_status launch_scatter(const bin_pass *pass)
{
    const mote_bin_plan *plan = pass->plan;
    mote_launch launch;
    begin(&launch, pass, plan->group, "bin_scatter");
    set_gpu(&launch, pass);
    mote_launch_view(&launch, "totals", &plan->totals);
    set_places(&launch, pass);
    mote_launch_view(&launch, "guard", &pass->args->guard);
    mote_launch_local(&launch, "start", plan->bins * sizeof(uint32_t));
    mote_launch_bytes(&launch, (uint64_t)pass->args->n * (pass->from ? 18 : 14));
    return mote_launch_run(&launch, plan->tiles, plan->group);
}

static mote_status run_gpu(const bin_pass *pass)
{
    mote_status status = launch_rank(pass);
    if (!status)
        status = launch_columns(pass);
    if (!status)
        status = launch_scatter(pass);
    return status;
}

static void set_cpu(mote_launch *launch, const bin_pass *pass)
{
    mote_launch_view(launch, "key", pass->key);
    mote_launch_u32(launch, "n", (uint32_t)pass->args->n);
    mote_launch_u32(launch, "each", (uint32_t)pass->plan->tile);
    set_digit(launch, pass);
    mote_launch_u32(launch, "stride", pass->plan->stride);
    mote_launch_view(launch, "counts", &pass->plan->counts);
}

static mote_status run_cpu(const bin_pass *pass)
{
    const mote_bin_plan *plan = pass->plan;
    mote_launch launch;
    begin(&launch, pass, 1, "bin_count");
    set_cpu(&launch, pass);
    mote_launch_view(&launch, "guard", &pass->args->guard);
    mote_launch_bytes(&launch, (uint64_t)pass->args->n * 4);
    mote_status status = mote_launch_run(&launch, plan->tiles, 1);
    if (status)
        return status;
    begin(&launch, pass, 1, "bin_place");
    set_cpu(&launch, pass);
    mote_launch_view(&launch, "starts", &plan->starts);
    set_places(&launch, pass);
    mote_launch_view(&launch, "guard", &pass->args->guard);
    mote_launch_bytes(&launch, (uint64_t)pass->args->n * (pass->from ? 16 : 12));
    return mote_launch_run(&launch, plan->tiles, 1);
}

size_t mote_bin_by_key_scratch(const mote_context *ctx, size_t n, uint32_t n_bins)
{
    return mote_bin_plan_make(ctx, n, n_bins, NULL).scratch;
}

mote_status mote_bin_by_key_run(mote_call *call, const mote_bin_by_key *args)
{
    if (args->n >> 31)
        return mote_fail(MOTE_ERROR_UNSUPPORTED, "%s: %zu elements to sort, more than 2^31 - 1",
                         call->name, args->n);
    mote_bin_plan plan = mote_bin_plan_make(call->ctx, args->n, args->n_bins, NULL);
    if (args->n == 0)
        return MOTE_SUCCESS;
    if (args->scratch.count < plan.scratch)
        return mote_fail(MOTE_ERROR_INTERNAL, "%s: sorting needs %zu elements of scratch, not %zu",
                         call->name, plan.scratch, args->scratch.count);
    plan = mote_bin_plan_make(call->ctx, args->n, args->n_bins, &args->scratch);
    assert(plan.tile * plan.tiles >= args->n && plan.stride >= plan.bins &&
           plan.counts.count == plan.tiles * plan.stride && (plan.cpu || plan.group % 32 == 0) &&
           (plan.passes == 1 ? plan.bins == args->n_bins + 1
                             : !((uint64_t)args->n_bins >> plan.passes * plan.bits)));
    bin_pass pass = {.call = call, .args = args, .plan = &plan, .key = &args->key};
    mote_status status = MOTE_SUCCESS;
    for (uint32_t p = 0; p < plan.passes && !status; p++) {
        /* Every other pass writes the results, so that the last pass does. */
        bool results = (plan.passes - p) % 2 == 1;
        pass.shift = mote_bin_plan_shift(&plan, p);
        pass.sorted_key = results ? &args->sorted_key : &plan.key;
        pass.index = results ? &args->index : &plan.index;
        status = plan.cpu ? run_cpu(&pass) : run_gpu(&pass);
        pass.key = pass.sorted_key;
        pass.from = pass.index;
    }
    return status;
}
