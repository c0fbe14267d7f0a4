/* SPDX-License-Identifier: Apache-2.0 */
#include "jagged/balanced.h"
#include "core/size.h"
#include "core/tune.h"
#include "shared/jagged.h"

#include <stdio.h>

#define GROUP            ((size_t)128)
#define GROUP_SMALL      ((size_t)256) /* few elements: searching is what takes long */
#define SMALL            ((size_t)1 << 20)
#define GROUPS_A_UNIT    ((size_t)8) /* that a compute unit can hold at once */
#define TILE_MOST        ((size_t)(MOTE_BALANCED_ROOM - MOTE_BALANCED_LEAD))
#define TILES_MOST       ((size_t)MOTE_BALANCED_TILES)
#define DEEP             4 /* loads of offsets that a work-item has under way */
#define LEAD             ((size_t)MOTE_BALANCED_LEAD)
#define LISTS_AN_ELEMENT ((size_t)24) /* more lists than that are read only to be checked */
#define ITEMS_A_UNIT     ((size_t)4)  /* CPU form */
#define LEAST_AN_ITEM    ((size_t)4096)

/* How little a list counts beside an element: where nearly all lists are empty and need not be
 * checked, elements search. */
static uint32_t find_shift(const mote_balanced_plan *plan)
{
    uint32_t shift = 0;
    if (!plan->full)
        while (shift < 31 && (plan->lists >> shift) / LISTS_AN_ELEMENT > plan->n)
            shift++;
    if (plan->type != MOTE_INT64)
        while (shift < 31 && plan->lists >> shift > UINT32_MAX - plan->n)
            shift++;
    return shift;
}

/* Steps of a search among all offsets that leaves one part in lanes + 1. */
static uint32_t find_steps(size_t lists, size_t lanes)
{
    uint32_t steps = 0;
    for (size_t width = lists + 1; width > 0; steps++)
        width = width <= lanes ? 0 : parts(width, lanes + 1);
    return steps;
}

static void plan_cpu(const mote_context *ctx, mote_balanced_plan *plan)
{
    size_t units = ctx->device.compute_units ? ctx->device.compute_units : 1;
    size_t items = parts(plan->n + plan->lists, LEAST_AN_ITEM);
    size_t most = mote_tune_size(ctx, "jagged.items", ITEMS_A_UNIT * units, 1, 1 << 20);
    plan->local = 1;
    plan->groups = smaller(items ? items : 1, most);
}

/* Tiles as large as leaves the device full, in whole rows of what a group stores at once. */
static void plan_gpu(const mote_context *ctx, mote_balanced_plan *plan)
{
    size_t units = ctx->device.compute_units ? ctx->device.compute_units : 1;
    size_t most = ctx->device.max_work_group, room = GROUPS_A_UNIT * units;
    size_t usual = plan->n <= SMALL ? GROUP_SMALL : GROUP;
    plan->local = mote_tune_size(ctx, "jagged.group", smaller(usual, most), 4, most);
    plan->shift = find_shift(plan);
    size_t work = plan->n + (plan->lists >> plan->shift), row = 4 * plan->local;
    size_t rows = parts(parts(work, room) + LEAD, row);
    size_t tile = smaller((rows ? rows : 1) * row, TILE_MOST + LEAD) - LEAD;
    tile = mote_tune_size(ctx, "jagged.tile", tile ? tile : LEAD, 1, TILE_MOST);
    size_t all = parts(work, tile), tiles = all / (4 * room);
    tiles = tiles < 1 ? 1 : smaller(tiles, 4);
    tiles = mote_tune_size(ctx, "jagged.tiles", tiles, 1, TILES_MOST);
    tiles = smaller(tiles, plan->local / 2 - 1);
    plan->tile = (uint32_t)tile;
    plan->tiles = (uint32_t)tiles;
    plan->steps = find_steps(plan->lists, plan->local / (tiles + 1));
    plan->groups = all ? parts(all, tiles) : 1;
}

mote_balanced_plan mote_balanced_make(const mote_context *ctx, const mote_lists *lists, size_t n,
                                      bool full)
{
    mote_balanced_plan plan = {.type = lists->type, .lists = lists->count, .n = n, .full = full};
    if (plan.type != MOTE_INT64)
        plan.n = smaller(n, UINT32_MAX);
    plan.cpu =
        mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU || ctx->device.max_work_group < 4;
    if (plan.cpu)
        plan_cpu(ctx, &plan);
    else
        plan_gpu(ctx, &plan);
    return plan;
}

void mote_places_set(mote_launch *launch, mote_type type, size_t lists, size_t n, bool full,
                     const mote_places_input *input)
{
    size_t length = type == MOTE_INT64 ? input->length : smaller(input->length, UINT32_MAX);
    mote_launch_view(launch, &input->offsets);
    mote_launch_view(launch, &input->error);
    mote_launch_u32(launch, (uint32_t)lists);
    mote_launch_u64(launch, n);
    mote_launch_u64(launch, length);
    mote_launch_u32(launch, input->relative);
    mote_launch_u32(launch, full);
}

void mote_balanced_begin(mote_launch *launch, mote_call *call, const mote_balanced_plan *plan,
                         const mote_balanced_kernel *kernel, const mote_places_input *input)
{
    /* A CPU that runs the GPU's form has nothing to gain, and takes minutes to build it unrolled.
     */
    bool gpu = call->ctx->device.device_class == MOTE_DEVICE_GPU;
    char defines[256];
    snprintf(defines, sizeof(defines), "%s -DWG=%zu -DBALANCED_DEEP=%d%s%s",
             mote_lists_defines(plan->type), plan->local, gpu ? DEEP : 1,
             kernel->defines[0] ? " " : "", kernel->defines);
    mote_launch_begin(launch, call, plan->cpu ? kernel->cpu : kernel->gpu, defines, kernel->name);
    mote_places_set(launch, plan->type, plan->lists, plan->n, plan->full, input);
    mote_launch_u32(launch, plan->shift);
    mote_launch_u32(launch, plan->tile);
    mote_launch_u32(launch, plan->tiles);
    mote_launch_u32(launch, plan->steps);
}

mote_status mote_balanced_run(mote_launch *launch, const mote_balanced_plan *plan)
{
    return mote_launch_run(launch, plan->groups, plan->local);
}
