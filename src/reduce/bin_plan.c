/* SPDX-License-Identifier: Apache-2.0 */
#include "reduce/bin_plan.h"
#include "core/size.h"
#include "core/tune.h"

#define GPU_GROUP          256
#define GPU_GROUP_MOST     512 /* more bands would exceed a bin's counters of one byte */
#define GPU_LANES          32
#define GPU_ROUNDS         4
#define GPU_COLUMNS        8
#define GPU_ONE_PASS_BINS  4097
#define GPU_PASS_BITS      12
#define CPU_ITEM_LEAST     4096
#define CPU_ITEMS_PER_UNIT 2
#define CPU_ONE_PASS_BINS  4097
#define CPU_MOST_BINS      65537 /* for a single pass over many elements */
#define CPU_PASS_BITS      11

/* Divides bins 0 .. n_bins, the last one for keys without a bin, into one pass or into digits. */
static void split_key(mote_bin_plan *plan, uint32_t n_bins, size_t one_pass_bins,
                      uint32_t pass_bits)
{
    uint32_t bits = 0;
    while (bits < 32 && n_bins >> bits)
        bits++;
    if (n_bins < one_pass_bins) {
        plan->passes = 1;
        plan->bits = bits;
        plan->bins = n_bins + 1;
    } else {
        plan->passes = (bits + pass_bits - 1) / pass_bits;
        plan->bits = (bits + plan->passes - 1) / plan->passes;
        plan->bins = 1u << plan->bits;
    }
}

static void plan_cpu(mote_bin_plan *plan, const mote_context *ctx, size_t n, uint32_t n_bins)
{
    size_t units = ctx->device.compute_units;
    size_t one_pass = n / 4 > n_bins ? CPU_MOST_BINS : CPU_ONE_PASS_BINS;
    split_key(plan, n_bins, one_pass, CPU_PASS_BITS);
    size_t items = n / max_size(CPU_ITEM_LEAST, plan->bins);
    items = max_size(min_size(items, CPU_ITEMS_PER_UNIT * units), 1);
    plan->group = 1;
    plan->tile = div_ceil(n, items);
    plan->tiles = n ? div_ceil(n, plan->tile) : 0;
    plan->stride = (plan->bins + 15) / 16 * 16;
}

static void plan_gpu(mote_bin_plan *plan, const mote_context *ctx, size_t n, uint32_t n_bins)
{
    size_t most = min_size(ctx->device.max_work_group, GPU_GROUP_MOST);
    size_t group =
        mote_tune_size(ctx, "reduce.bin_group", min_size(GPU_GROUP, most), GPU_LANES, most);
    /* Local memory: one byte per band for each bin, and a tile of digits and of ranks. */
    group = group / GPU_LANES * GPU_LANES;
    plan->words = (group / GPU_LANES + 3) / 4;
    size_t bin_bytes = plan->words * sizeof(uint32_t);
    size_t tile_bytes = 2 * sizeof(uint32_t) * group * GPU_ROUNDS;
    size_t fit = (size_t)ctx->device.local_bytes / bin_bytes;
    fit -= min_size(fit, (tile_bytes + 1024) / bin_bytes);
    uint32_t pass_bits = GPU_PASS_BITS;
    while (pass_bits > 1 && (size_t)1 << pass_bits > fit)
        pass_bits--;
    split_key(plan, n_bins, min_size(GPU_ONE_PASS_BINS, fit), pass_bits);
    plan->group = group;
    plan->tile = group * GPU_ROUNDS;
    plan->tiles = div_ceil(n, plan->tile);
    plan->stride = (plan->bins + GPU_COLUMNS - 1) / GPU_COLUMNS * GPU_COLUMNS;
}

mote_bin_plan mote_bin_plan_make(const mote_context *ctx, size_t n, uint32_t n_bins,
                                 const mote_view *scratch)
{
    mote_bin_plan plan = {.cpu = mote_tune_form(ctx, "reduce.form") == MOTE_DEVICE_CPU};
    mote_carve carve = {.scratch = {.type = MOTE_UINT32}};
    if (scratch)
        carve.scratch = *scratch;
    /* Devices with tiny groups use the form without groups. */
    plan.cpu |= ctx->device.max_work_group < GPU_LANES;
    (plan.cpu ? plan_cpu : plan_gpu)(&plan, ctx, n, n_bins);
    size_t cells =
        plan.stride > SIZE_MAX / max_size(plan.tiles, 1) ? SIZE_MAX : plan.tiles * plan.stride;
    plan.counts = mote_carve_take(&carve, cells, MOTE_UINT32);
    if (plan.cpu) {
        plan.starts = mote_carve_take(&carve, cells, MOTE_UINT32);
    } else {
        plan.totals = mote_carve_take(&carve, plan.bins, MOTE_UINT32);
        plan.rank = mote_carve_take(&carve, n, MOTE_UINT16);
    }
    if (plan.passes > 1) {
        plan.key = mote_carve_take(&carve, n, MOTE_UINT32);
        plan.index = mote_carve_take(&carve, n, MOTE_UINT32);
    }
    plan.scratch = div_ceil(carve.used, sizeof(uint32_t));
    return plan;
}

uint32_t mote_bin_plan_shift(const mote_bin_plan *plan, uint32_t pass)
{
    return pass * plan->bits;
}

/* A single pass has every bin, so it does not mask keys. */
uint32_t mote_bin_plan_mask(const mote_bin_plan *plan)
{
    return plan->passes == 1 ? UINT32_MAX : (1u << plan->bits) - 1;
}
