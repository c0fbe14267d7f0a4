/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/cluster_plan.h"
#include "pixels/decode.h"
#include "pixels/morph.h"
#include "pixels/positions.h"

#include <stdio.h>

#include "core/log.h"
#include "core/quirks.h"
#include "core/size.h"
#include "core/sub_groups.h"
#include "core/tune.h"

#define LOCAL_MOST  ((size_t)49152)
#define MANY_DIGIS  ((size_t)1 << 19) /* more digis than a large GPU has work-items */
#define FEW_DIGIS   ((size_t)1 << 17) /* fewer digis than such a GPU processes at once */
#define FULL_MODULE ((size_t)64)      /* digis of a module, on average */
#define ANY_GROUP   ((size_t)256)
#define SHARES_MOST 16

/* Any order: counters of up to this number of modules fit local memory, and groups count enough
 * digis for them.
 */
#define TALLY_MODULES ((size_t)MOTE_PIXELS_TALLY_MODULES)
#define TALLY_GROUP   ((size_t)512)
#define TALLY_DIGIS   ((size_t)2048)
#define SLICES_MOST   ((size_t)32)

/* Registers of a work-group on NVIDIA devices, and registers that their compiler needs. */
#define GROUP_REGISTERS ((size_t)65536)
#define LEAST_REGISTERS ((size_t)32)

#define COLUMN_BINS ((size_t)MOTE_PIXELS_COLUMN_BINS)
/* Words of scratch for each digi of marked modules, which are processed one by one. A module of one
 * digi needs 4 words for bits and their sums, 1 for a rank and 2 for a charge. */
#define MORPH_SPILLED ((size_t)7)

/* The highest level of the bit tree has one word for 32^levels pixels of a column-aligned bitmap.
 */
static uint32_t top_words(uint32_t words, uint32_t levels)
{
    uint64_t covered = 1;
    for (uint32_t l = 1; l < levels; l++)
        covered *= 32;
    return (uint32_t)((words + covered - 1) / covered);
}

static void fill_geometry(const mote_pixels_cluster_args *a, mote_pixels_params *p)
{
    p->n = (uint32_t)a->module_id.count;
    p->n_events = a->event_offsets.count ? (uint32_t)a->event_offsets.count - 1 : 1;
    p->n_modules = a->n_modules;
    p->rows = a->rows;
    p->columns = a->columns;
    p->words_per_column = (a->rows + 31) / 32;
    p->words = p->words_per_column * a->columns;
}

static void fill_options(const mote_pixels_cluster_args *a, mote_pixels_params *p)
{
    bool cut = a->charge_cut || a->charge_cut_inner || a->charge_cuts.count;
    p->invalid_module = a->invalid_module_id;
    p->invalid_cluster = (uint32_t)a->invalid_cluster_id;
    p->threshold = a->adc_threshold;
    p->diagonal = a->connectivity == 8 ? UINT32_MAX : 0;
    p->cut_low = (uint32_t)a->charge_cut;
    p->cut_high = (uint32_t)(a->charge_cut >> 32);
    p->inner_cut_low = (uint32_t)a->charge_cut_inner;
    p->inner_cut_high = (uint32_t)(a->charge_cut_inner >> 32);
    p->inner_modules = a->inner_modules;
    p->flags = (a->event_offsets.count ? MOTE_PIXELS_HAS_EVENTS : 0) |
               (a->n_device.count ? MOTE_PIXELS_HAS_N : 0) | (cut ? MOTE_PIXELS_HAS_CUT : 0) |
               (a->charge_cuts.count ? MOTE_PIXELS_HAS_CUTS : 0) |
               (a->error ? MOTE_PIXELS_HAS_ERROR : 0);
}

/* Returns whether charges may be wider than 16 bits. */
static bool wide_charges(const mote_pixels_cluster_args *a)
{
    return a->adc.type == MOTE_UINT32 || mote_pixels_calibrated(a);
}

/* Returns whether there are fewer modules than strips. */
static bool full_modules(const mote_pixels_plan *plan)
{
    return plan->n >= FULL_MODULE * plan->slots;
}

/* Returns the number of words of local memory that the kernel uses besides the arena. */
static size_t fixed_local_words(const mote_pixels_plan *plan)
{
    size_t tile = 3 * plan->tile / 32 + plan->tile + plan->tile / 2 + 3;
    size_t scan = plan->work_group + plan->work_group / 16 + 1;
    return tile + plan->tile + 1 + scan + (plan->histogram ? COLUMN_BINS + 1 : 1) + 64;
}

/* Local memory determines the arena, and the arena the tile: a tile's digis must fit, whatever
 * their pixels are (see group_pack in cl/pixels/label/group.clh). */
/* Returns how digis are grouped by module, for the log. */
static const char *grouping_of(const mote_pixels_plan *plan)
{
    if (!plan->any_order)
        return "contiguous";
    return plan->labels.event  ? "any order, one event moved"
           : plan->tally_group ? "any order, counted by slices"
                               : "any order, counted in global memory";
}

static mote_status choose_gpu_form(const mote_call *call, mote_pixels_plan *plan)
{
    const mote_device_info *device = &call->ctx->device;
    size_t limit = device->local_bytes < LOCAL_MOST ? (size_t)device->local_bytes : LOCAL_MOST;
    /* A simulated group costs a CPU its private memory; a GPU hides latency with more work-items.
     */
    bool narrow = plan->n >= MANY_DIGIS && !plan->histogram && !full_modules(plan);
    size_t usual = device->device_class == MOTE_DEVICE_GPU ? (narrow ? 256 : 512) : 64;
    size_t largest = device->max_work_group < usual ? device->max_work_group : usual;
    plan->work_group =
        mote_tune_size(call->ctx, "pixels.work_group", largest, 1, device->max_work_group);
    plan->tile = mote_tune_size(call->ctx, "pixels.tile", 512, 32, 4096);
    while (plan->tile & (plan->tile - 1))
        plan->tile &= plan->tile - 1;
    size_t wanted = mote_tune_size(call->ctx, "pixels.arena", 10240, 1024, 65536);
    size_t run = 0, leaf = plan->args.duplicates == MOTE_DUPLICATES_DROP ? 3 : 4;
    bool wide = wide_charges(&plan->args);
    for (; plan->tile >= 32; plan->tile /= 2) {
        size_t fixed = fixed_local_words(plan);
        if (fixed >= limit / 4)
            continue;
        plan->arena = limit / 4 - fixed < wanted ? limit / 4 - fixed : wanted;
        for (plan->levels = 2; top_words(plan->params.words, plan->levels) > plan->arena / 4;)
            plan->levels++;
        /* PACK_DIGIS of cl/pixels/label/pack.clh is at least a tile. */
        run = plan->histogram ? (plan->levels == 2 ? 2 : 3) : 0; /* RUN_WORDS */
        size_t words = leaf + run + 2 * (plan->levels - 2) + (wide ? 2 : 1);
        if (2 * words * plan->tile <= plan->arena && plan->tile <= plan->work_group * 32)
            break;
    }
    if (plan->tile < 32)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %llu bytes of local memory are too few for work-groups of %zu; use a "
                         "smaller pixels.work_group in MOTE_TUNE",
                         call->name, (unsigned long long)device->local_bytes, plan->work_group);
    plan->params.top_words = top_words(plan->params.words, plan->levels);
    size_t most = plan->arena / 4 / plan->params.top_words;
    most = most < plan->tile ? most : plan->tile;
    plan->params.segments_max = plan->levels > 2 ? 1 : (uint32_t)most;
    size_t spilled = leaf + run + 2 + 2 * (plan->levels - 2);
    if (plan->args.morph.count)
        spilled = max_size(spilled, MORPH_SPILLED);
    plan->params.spill_words = (uint32_t)spilled;
    plan->tiles = (plan->positions + plan->tile - 1) / plan->tile;
    return MOTE_SUCCESS;
}

/* Chooses slices of events: enough to fill the device, but each with enough digis. */
static void choose_slices(const mote_call *call, mote_pixels_plan *plan)
{
    const mote_device_info *device = &call->ctx->device;
    size_t events = plan->params.n_events, most = plan->n / TALLY_DIGIS / events;
    size_t wanted = 2 * (size_t)device->compute_units / events + 1;

    plan->tally_group = 0;
    if (!plan->any_order || plan->n == 0 || plan->params.n_modules > TALLY_MODULES ||
        device->local_bytes < 5 * TALLY_MODULES ||
        !mote_tune_size(call->ctx, "pixels.group_by_slices", 1, 0, 1))
        return;
    for (plan->tally_group = TALLY_GROUP; plan->tally_group > device->max_work_group;)
        plan->tally_group /= 2;
    most = most < SLICES_MOST ? most : SLICES_MOST;
    plan->shares = wanted < most ? wanted : most;
    plan->shares += plan->shares == 0;
}

/* Digis in any order are moved: the keys of a group of group_segments get whole strips, and one
 * more position for the end. */
static void choose_positions(const mote_call *call, mote_pixels_plan *plan)
{
    size_t groups;

    for (plan->any_group = ANY_GROUP; plan->any_group > call->ctx->device.max_work_group;)
        plan->any_group /= 2;
    plan->positions = plan->n;
    groups = (plan->slots + plan->any_group - 1) / plan->any_group;
    if (plan->any_order)
        plan->positions = plan->n / BY_SIZE_STRIP * BY_SIZE_STRIP +
                          BY_SIZE_STRIP * ((groups < plan->n ? groups : plan->n) + 1);
    plan->strips = (plan->positions + BY_SIZE_STRIP - 1) / BY_SIZE_STRIP;
    plan->params.positions = (uint32_t)plan->positions;
    for (plan->shares = 1; plan->shares < SHARES_MOST && plan->n / 8 / plan->shares > plan->slots;)
        plan->shares *= 2;
    choose_slices(call, plan);
}

uint32_t mote_pixels_bits_for(uint32_t values)
{
    uint32_t bits = 0;
    while (values >> bits)
        bits++;
    return bits;
}

/* by_size.cl uses 16 bits of a charge. For a calibrated charge, 16 bits are enough if every cut is
 * known and smaller: such a charge alone exceeds the cut. */
static bool fits_by_size(const mote_pixels_cluster_args *a)
{
    if (a->adc.type == MOTE_UINT32)
        return false;
    return !mote_pixels_calibrated(a) ||
           (a->charge_cuts.count == 0 && a->charge_cut <= UINT16_MAX &&
            a->charge_cut_inner <= UINT16_MAX);
}

size_t mote_pixels_registers(const mote_context *ctx, size_t work_group)
{
    size_t most = GROUP_REGISTERS / work_group;
    size_t wanted = mote_tune_size(ctx, "pixels.registers", 64, 0, most < 255 ? most : 255);
    return wanted && wanted < LEAST_REGISTERS ? LEAST_REGISTERS : wanted;
}

/* Returns the labelling by tiles, which handles modules of all sizes. */
static mote_pixels_labels by_tiles(const mote_pixels_plan *plan)
{
    /* One group runs even without digis, to check the event offsets. */
    bool checks = plan->params.flags & MOTE_PIXELS_HAS_EVENTS && plan->tiles == 0;
    return (mote_pixels_labels){.groups = checks ? 1 : plan->tiles, .arena = plan->arena};
}

/* Returns whether the two paths of cl/pixels/label/by_size.cl can handle the call; *fused: both run
 * in one launch. On devices of other vendors than NVIDIA, a band is a separate group. This has not
 * been measured on any such GPU, so only MOTE_TUNE enables it. On NVIDIA devices, it needs groups
 * of whole bands and at most 512 work-items: the memory of small modules in a group of 1024 exceeds
 * 48 KiB. */
static bool takes_by_size(const mote_call *call, const mote_pixels_plan *plan, uint32_t bits,
                          bool *fused)
{
    const mote_pixels_cluster_args *a = &plan->args;
    const mote_context *ctx = call->ctx;
    bool warps = mote_has_quirk(ctx, MOTE_QUIRK_PTX);
    bool wanted = mote_tune_size(ctx, "pixels.by_size", warps, 0, 1);
    *fused = warps && plan->work_group % BY_SIZE_BAND == 0 && plan->work_group <= 512;
    return wanted && *fused == warps && !plan->histogram && bits <= 24 && plan->levels == 2 &&
           a->duplicates == MOTE_DUPLICATES_DROP && fits_by_size(a) &&
           ctx->device.max_work_group >= BY_SIZE_BAND && plan->n > 0;
}

/* Returns whether the call has one event whose digis two launches can move. */
static bool fits_event(const mote_call *call, const mote_pixels_plan *plan)
{
    size_t digis = mote_tune_size(call->ctx, "pixels.group_one_event", MOTE_PIXELS_EVENT_DIGIS, 0,
                                  MOTE_PIXELS_EVENT_DIGIS);

    return plan->tally_group && plan->params.n_events == 1 && plan->n <= digis &&
           plan->slots <= MOTE_PIXELS_EVENT_MODULES;
}

/* Returns the number of strips in which a group searches for large modules. */
static size_t large_strips_of(const mote_call *call, const mote_pixels_plan *plan)
{
    size_t strips = 4;
    if (full_modules(plan))
        strips = plan->n < MANY_DIGIS ? 8 : 32;
    else if (plan->n >= MANY_DIGIS)
        strips = plan->n < 2 * MANY_DIGIS ? 8 : 16;
    return mote_tune_size(call->ctx, "pixels.large_strips", strips, 1, 64);
}

/* Chooses the labelling by the size of modules if that can handle the call, else by tiles. */
static mote_pixels_labels choose_labels(const mote_call *call, const mote_pixels_plan *plan)
{
    const mote_context *ctx = call->ctx;
    uint32_t bits =
        mote_pixels_bits_for(plan->args.rows) + mote_pixels_bits_for(plan->args.columns);
    mote_pixels_labels l = {.by_size = true};
    if (!takes_by_size(call, plan, bits, &l.fused))
        return by_tiles(plan);
    l.registers = l.fused ? mote_pixels_registers(ctx, plan->work_group) : 0;
    l.large_strips = large_strips_of(call, plan);
    l.large_groups = (plan->strips + l.large_strips - 1) / l.large_strips;
    size_t bands = l.fused ? plan->work_group / BY_SIZE_BAND : 1;
    /* With few digis, a strip of two packs would take longest. */
    l.strip_bands = l.fused && plan->n < FEW_DIGIS ? 2 : 1;
    l.groups = l.large_groups + (l.strip_bands * plan->strips + bands - 1) / bands;
    l.packed = plan->tally_group && plan->n >> (48 - (bits > 16 ? bits : 16)) == 0;
    l.event = fits_event(call, plan);
    /* Local memory contains no tile besides the arena. */
    size_t limit =
        ctx->device.local_bytes < LOCAL_MOST ? (size_t)ctx->device.local_bytes : LOCAL_MOST;
    size_t largest =
        limit / 4 - (plan->work_group + plan->work_group / 16 + 1) - 64 - 4 * l.large_strips;
    l.arena = plan->arena;
    if (largest > plan->arena)
        l.arena = mote_tune_size(ctx, "pixels.arena", largest, 1024, largest);
    return l;
}

static void write_defines(const mote_context *ctx, mote_pixels_plan *plan)
{
    const mote_pixels_cluster_args *a = &plan->args;
    const mote_pixels_labels *l = &plan->labels;
    bool wide = wide_charges(a);
    int used = snprintf(plan->defines, sizeof(plan->defines),
                        "-DORDER_ANY=%d -DDUPLICATES=%d -DID_T=%s -DADC_T=%s -DADC_WIDE=%d "
                        "-DCHARGE_CUT=%d -DTILE=%zu -DDEVICE_GPU=%d",
                        plan->any_order, (int)a->duplicates,
                        a->module_id.type == MOTE_UINT32 ? "uint" : "ushort",
                        a->adc.type == MOTE_UINT32 ? "uint" : "ushort", wide,
                        plan->params.flags & MOTE_PIXELS_HAS_CUT ? 1 : 0, plan->tile, plan->on_gpu);
    used += snprintf(plan->defines + used, sizeof(plan->defines) - (size_t)used,
                     " -DARENA_WORDS=%zu -DLEVELS=%u%s%s", plan->labels.arena, plan->levels,
                     mote_pixels_decode_defines(a, false), mote_registers_option(ctx));
    if (l->by_size)
        snprintf(plan->defines + used, sizeof(plan->defines) - (size_t)used,
                 " -DX_BITS=%u -DY_BITS=%u -DLARGE_STRIPS=%zu -DSTRIP_BANDS=%zu%s",
                 mote_pixels_bits_for(a->rows), mote_pixels_bits_for(a->columns), l->large_strips,
                 l->strip_bands, l->packed ? " -DMOVED_WORDS=2" : "");
    mote_limit_registers(plan->defines, sizeof(plan->defines), l->registers);
}

mote_status mote_pixels_plan_make(const mote_call *call, mote_pixels_plan *plan)
{
    const mote_pixels_cluster_args *args = &plan->args;
    fill_geometry(args, &plan->params);
    fill_options(args, &plan->params);
    plan->n = args->module_id.count;
    plan->slots = (size_t)plan->params.n_events * args->n_modules;
    plan->any_order = args->order == MOTE_ORDER_ANY;
    plan->histogram = args->strategy == MOTE_PIXELS_HISTOGRAM;
    plan->form = plan->histogram ? MOTE_DEVICE_GPU : mote_tune_form(call->ctx, "pixels.form");
    /* Work-items read ids of other work-items. Without memory objects, it is not known whether the
     * arrays are the same. */
    plan->out_apart = !plan->any_order && args->module_id_out.mem == args->module_id.mem;
    if (plan->form == MOTE_DEVICE_CPU) {
        mote_pixels_cpu_plan_make(call, plan);
        return MOTE_SUCCESS;
    }
    choose_positions(call, plan);
    mote_status st = choose_gpu_form(call, plan);
    if (st)
        return st;
    plan->on_gpu = call->ctx->device.device_class == MOTE_DEVICE_GPU;
    plan->labels = choose_labels(call, plan);
    if (mote_pixels_positions_room(args))
        plan->positions_group = mote_pixels_positions_group(call->ctx, plan->n, plan->slots);
    plan->finds_starts =
        plan->positions_group &&
        mote_pixels_positions_find_starts(call->ctx, args, plan->positions_group, plan->slots);
    /* Twice as many groups fit a compute unit, but the sums of long modules no longer fit the
     * registers. */
    if (plan->positions_group && plan->labels.registers && plan->n >= MANY_DIGIS &&
        !full_modules(plan))
        plan->positions_registers = mote_pixels_registers(call->ctx, plan->positions_group);
    if (args->morph.count) {
        size_t most = 2 * (size_t)call->ctx->device.compute_units;
        plan->images = mote_pixels_images(args, min_size(max_size(plan->tiles, 1), most));
    }
    plan->position_keys = !plan->labels.by_size || plan->positions_group || plan->images;
    /* Labelling by tiles does not write module_id_out, and marked modules get their final labels
     * later. */
    plan->out_apart |= !plan->labels.by_size || plan->images;
    write_defines(call->ctx, plan);
    mote_log(
        MOTE_LOG_DEBUG,
        "%s: %zu digis, %zu module slots (%.3g digis each): GPU form, %s%s, %s, positions %s, %zu "
        "groups of %zu, tile %zu, %u levels for %u x %u pixels",
        call->name, plan->n, plan->slots, (double)plan->n / (double)(plan->slots + 1),
        plan->histogram ? "histogram" : "union-find", plan->labels.by_size ? " by size" : "",
        grouping_of(plan), plan->positions_group ? "by sorting" : "by sums in global memory",
        plan->labels.groups, plan->work_group, plan->tile, plan->levels, args->rows, args->columns);
    return MOTE_SUCCESS;
}
