/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/sum_plan.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/quirks.h"
#include "core/size.h"
#include "core/tune.h"
#include "core/type.h"
#include "shared/sums.h"

#include "cl_sources.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define LANES       MOTE_SUM_LANES
#define TILE        MOTE_SUM_TILE
#define MOST_BLOCKS MOTE_SUM_MOST_BLOCKS

#define LEAST_GROUP     16
#define GROUPS_PER_UNIT 64
#define ITEMS_PER_UNIT  4
#define ONCE_BLOCKS     2048 /* with more blocks, a single launch gains nothing */
/* CPU form: values for which another work-item is worthwhile */
#define ITEM_LEAST ((size_t)16384)

/* The exponent of the smallest power of two that is at least `least`. */
static uint32_t log2_up(uint64_t least)
{
    uint32_t levels = 0;
    while (levels < 63 && (uint64_t)1 << levels < least)
        levels++;
    return levels;
}

/* Groups of four lanes in use. */
static uint32_t fours(uint64_t count)
{
    return log2_up(div_ceil(min_size(count, LANES), 4));
}

bool mote_reduce_has_fp64(const mote_context *ctx)
{
    uint32_t has = ctx->device.has_fp64 ? 1 : 0;
    return mote_tune_size(ctx, "reduce.fp64", has, 0, has) != 0;
}

static void choose_arithmetic(const mote_context *ctx, const mote_reduce_args *args,
                              mote_reduce_plan *plan)
{
    bool sum = args->reduction == MOTE_REDUCE_SUM, fp64 = mote_reduce_has_fp64(ctx);
    bool single = plan->values == MOTE_FLOAT32 || plan->values == MOTE_FLOAT16;
    bool is_float = mote_type_is_float(plan->values);
    bool wide = false, pair = false;
    plan->acc = mote_type_size(plan->values) < 8 ? MOTE_INT32 : MOTE_INT64;
    if (sum && is_float) {
        wide = single && fp64 && args->accumulation != MOTE_ACCUMULATE_NATIVE;
        pair = args->accumulation == MOTE_ACCUMULATE_COMPENSATED ||
               (single && !fp64 && args->accumulation != MOTE_ACCUMULATE_NATIVE);
        plan->acc = wide || !single ? MOTE_FLOAT64 : MOTE_FLOAT32;
    } else if (sum) {
        plan->acc = MOTE_INT64;
    }
    plan->acc_parts = pair ? 2 : 1;
    snprintf(plan->defines, sizeof(plan->defines),
             "-DVALUES=%d -DRESULT=%d -DOP=%d -DWIDE=%d -DPAIR=%d -DSKIP_NAN=%d -DWG=%zu",
             (int)plan->values, (int)plan->result, (int)args->reduction, wide, pair,
             is_float && args->nan == MOTE_NAN_SKIP, plan->local);
}

static size_t choose_group(const mote_context *ctx, size_t value_size)
{
    /* With 16 bytes, each work-item contributes to one row of a tile. */
    size_t usual = LANES * max_size(value_size, 4) / 16;
    size_t most = (size_t)min_size(ctx->device.max_work_group, LANES);
    size_t group =
        mote_tune_size(ctx, "reduce.sum_group", (size_t)min_size(usual, most), LEAST_GROUP, most);
    while (group & (group - 1))
        group &= group - 1;
    return group;
}

/* A caller's workspace has no words that are known to be zero. */
static bool choose_once(const mote_call *call, const mote_reduce_plan *plan)
{
    const mote_context *ctx = call->ctx;
    bool can = mote_has_last_group(ctx);
    size_t most =
        mote_tune_size(ctx, "reduce.sum_once", can ? ONCE_BLOCKS : 0, 0, can ? MOST_BLOCKS : 0);
    return plan->rows == 1 && plan->blocks > 1 && plan->blocks <= most &&
           !mote_call_has_workspace(call);
}

static void choose_gpu_form(const mote_call *call, mote_reduce_plan *plan)
{
    const mote_context *ctx = call->ctx;
    size_t units = ctx->device.compute_units;
    size_t most = units * mote_tune_size(ctx, "reduce.sum_groups", GROUPS_PER_UNIT, 1, 1 << 16);
    uint64_t pieces = (uint64_t)plan->rows * plan->blocks;
    plan->is_short = plan->n <= LANES;
    plan->levels = fours(plan->n);
    plan->finish_levels = fours(plan->blocks);
    if (plan->is_short)
        pieces = div_ceil(plan->rows, div_ceil(plan->local, (uint64_t)1 << plan->levels));
    plan->groups = (size_t)min_size(pieces, most);
    if (plan->blocks > 1) {
        pieces = div_ceil(plan->rows, div_ceil(plan->local, (uint64_t)1 << plan->finish_levels));
        plan->finish_groups = (size_t)min_size(pieces, most);
    }
    plan->once = choose_once(call, plan);
}

static void choose_cpu_form(const mote_context *ctx, mote_reduce_plan *plan)
{
    size_t units = ctx->device.compute_units;
    size_t most = units * mote_tune_size(ctx, "reduce.sum_items", ITEMS_PER_UNIT, 1, 1 << 16);
    uint64_t pieces = (uint64_t)plan->rows * plan->blocks;
    uint64_t worth = div_ceil(plan->n + 1, ITEM_LEAST) * plan->rows;
    plan->groups = (size_t)min_size(min_size(pieces, most), worth);
    if (plan->blocks > 1)
        plan->finish_groups = (size_t)min_size(plan->rows, most);
}

mote_status mote_reduce_plan_make(const mote_call *call, const mote_reduce_args *args,
                                  mote_type values, mote_reduce_plan *plan)
{
    const mote_context *ctx = call->ctx;
    uint32_t rows = (uint32_t)args->rows;
    *plan = (mote_reduce_plan){.values = values,
                               .result = args->result.type,
                               .rows = rows,
                               .n = args->values.count / rows,
                               .block = TILE,
                               .local = 1};
    while (div_ceil(plan->n, plan->block) > MOST_BLOCKS)
        plan->block *= 2;
    plan->blocks = plan->n ? (uint32_t)div_ceil(plan->n, plan->block) : 1;
    if ((uint64_t)rows * plan->blocks > UINT32_MAX)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %u rows of %llu values: split them between calls", call->name,
                         (unsigned)rows, (unsigned long long)plan->n);
    plan->cpu = mote_tune_form(ctx, "reduce.form") == MOTE_DEVICE_CPU ||
                ctx->device.max_work_group < LEAST_GROUP;
    if (plan->cpu) {
        choose_cpu_form(ctx, plan);
    } else {
        plan->local = choose_group(ctx, mote_type_size(values));
        choose_gpu_form(call, plan);
    }
    choose_arithmetic(ctx, args, plan);
    mote_log(
        MOTE_LOG_DEBUG,
        "%s: %u rows of %llu %s values: %s form, %u blocks a row, %zu groups of %zu, %zu x %s%s",
        call->name, (unsigned)rows, (unsigned long long)plan->n, mote_type_name(values),
        plan->cpu        ? "CPU"
        : plan->is_short ? "short GPU"
                         : "GPU",
        (unsigned)plan->blocks, plan->groups, plan->local, plan->acc_parts,
        mote_type_name(plan->acc), plan->once ? ", one launch if scratch is zero" : "");
    return MOTE_SUCCESS;
}

mote_view mote_reduce_plan_carve(const mote_reduce_plan *plan, mote_carve *carve)
{
    if (plan->blocks <= 1)
        return (mote_view){0};
    return mote_carve_take(carve, (size_t)plan->rows * plan->blocks * plan->acc_parts, plan->acc);
}

static void add_results(mote_launch *launch, const mote_reduce_args *args)
{
    mote_launch_view(launch, "result", &args->result);
    mote_launch_view(launch, "result_low", &args->result_low);
}

/* Launches rows of up to LANES values, GPU form. */
static mote_status run_short(mote_call *call, const mote_reduce_plan *plan,
                             const mote_reduce_args *args, uint64_t bytes)
{
    mote_launch launch;
    mote_launch_begin(&launch, call, &mote_cl_reduce_sum, plan->defines, "sum_short");
    mote_launch_view(&launch, "values", &args->values);
    mote_launch_u32(&launch, "rows", plan->rows);
    mote_launch_u32(&launch, "n", (uint32_t)plan->n);
    mote_launch_u32(&launch, "levels", plan->levels);
    add_results(&launch, args);
    mote_launch_bytes(&launch, bytes);
    mote_launch_last(&launch);
    return mote_launch_run(&launch, plan->groups, plan->local);
}

/* Launches a row of several blocks in one launch. */
static mote_status run_once(mote_call *call, const mote_reduce_plan *plan,
                            const mote_reduce_args *args, const mote_view *sums, uint64_t bytes)
{
    mote_launch launch;
    mote_launch_begin(&launch, call, &mote_cl_reduce_sum, plan->defines, "sum_once");
    mote_launch_view(&launch, "values", &args->values);
    mote_launch_u64(&launch, "n", plan->n);
    mote_launch_u32(&launch, "blocks", plan->blocks);
    mote_launch_u64(&launch, "block_size", plan->block);
    mote_launch_u32(&launch, "levels", plan->finish_levels);
    mote_launch_view(&launch, "partial", sums);
    mote_launch_view(&launch, "ended", &call->zeros);
    add_results(&launch, args);
    mote_launch_bytes(&launch, bytes);
    mote_launch_last(&launch);
    return mote_launch_run(&launch, plan->groups, plan->local);
}

static mote_status run_blocks(mote_call *call, const mote_reduce_plan *plan,
                              const mote_reduce_args *args, const mote_view *sums, uint64_t bytes)
{
    mote_launch launch;
    mote_launch_begin(&launch, call, plan->cpu ? &mote_cl_reduce_sum_cpu : &mote_cl_reduce_sum,
                      plan->defines, "sum_blocks");
    mote_launch_view(&launch, "values", &args->values);
    mote_launch_u32(&launch, "rows", plan->rows);
    mote_launch_u64(&launch, "n", plan->n);
    mote_launch_u32(&launch, "blocks", plan->blocks);
    mote_launch_u64(&launch, "block_size", plan->block);
    mote_launch_view(&launch, "partial", sums);
    add_results(&launch, args);
    mote_launch_bytes(&launch, bytes);
    if (plan->blocks == 1)
        mote_launch_last(&launch);
    return mote_launch_run(&launch, plan->groups, plan->local);
}

static mote_status run_finish(mote_call *call, const mote_reduce_plan *plan,
                              const mote_reduce_args *args, const mote_view *sums)
{
    mote_launch launch;
    mote_launch_begin(&launch, call, plan->cpu ? &mote_cl_reduce_sum_cpu : &mote_cl_reduce_sum,
                      plan->defines, "sum_finish");
    mote_launch_view(&launch, "partial", sums);
    mote_launch_u32(&launch, "rows", plan->rows);
    mote_launch_u32(&launch, "blocks", plan->blocks);
    if (!plan->cpu)
        mote_launch_u32(&launch, "levels", plan->finish_levels);
    add_results(&launch, args);
    mote_launch_bytes(&launch, sums->count * mote_type_size(sums->type));
    mote_launch_last(&launch);
    return mote_launch_run(&launch, plan->finish_groups, plan->local);
}

/* Asserts that defines, launches and scratch agree, whichever variant was chosen. */
static void check_plan(const mote_reduce_plan *p, const mote_view *sums)
{
    (void)p;
    (void)sums;
    assert(p->cpu ? p->local == 1 && !p->is_short && !p->once
                  : p->local >= LEAST_GROUP && p->local <= LANES && !(p->local & (p->local - 1)));
    assert(p->block % TILE == 0 && p->block * p->blocks >= p->n && p->blocks <= MOST_BLOCKS);
    assert(!p->is_short || (p->blocks == 1 && (uint64_t)4 << p->levels >= p->n));
    assert(!p->once || (p->rows == 1 && p->blocks > 1));
    assert((p->blocks > 1) == (p->finish_groups > 0));
    assert(p->blocks == 1 || sums->count == (size_t)p->rows * p->blocks * p->acc_parts);
}

mote_status mote_reduce_plan_run(mote_call *call, const mote_reduce_plan *plan,
                                 const mote_reduce_args *args, const mote_view *sums)
{
    uint64_t bytes = (uint64_t)plan->rows * plan->n * mote_type_size(plan->values);
    check_plan(plan, sums);
    if (plan->is_short)
        return run_short(call, plan, args, bytes);
    if (plan->once && call->zeros.count)
        return run_once(call, plan, args, sums, bytes);
    mote_status st = run_blocks(call, plan, args, sums, bytes);
    return st || plan->blocks == 1 ? st : run_finish(call, plan, args, sums);
}
