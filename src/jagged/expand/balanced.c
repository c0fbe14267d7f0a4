/* SPDX-License-Identifier: Apache-2.0 */
#include "jagged/expand/balanced.h"
#include "core/log.h"
#include "core/quirks.h"
#include "core/size.h"
#include "core/tune.h"
#include "shared/jagged.h"

#include <assert.h>
#include <stdio.h>

#define GROUP           ((size_t)128)
#define GROUP_SMALL     ((size_t)256) /* few elements: the search takes most of the time */
#define SMALL           ((size_t)1 << 20)
#define GROUPS_PER_UNIT ((size_t)8) /* groups that a compute unit can hold at once */
#define TILE_MOST       ((size_t)(MOTE_BALANCED_ROOM - MOTE_BALANCED_LEAD))
#define TILES_MOST      ((size_t)MOTE_BALANCED_TILES)
#define DEEP            4 /* loads of offsets of a work-item in flight */
#define LEAD            ((size_t)MOTE_BALANCED_LEAD)
/* Above this number of lists, most lists are read only for the checks. */
#define LISTS_AN_ELEMENT ((size_t)24)
#define ITEMS_PER_UNIT   ((size_t)4) /* CPU form */
#define LEAST_AN_ITEM    ((size_t)4096)
#define SEARCH_GROUP     ((size_t)256) /* group size of elements that search for themselves */
#define SEARCH_GROUPS    ((size_t)8)   /* a unit, of these */

/* Limits for the mean number of elements in a list: between them, groups process whole lists;
 * above, elements. */
#define SEARCH_MEAN      0.025
#define MEAN_SHORT       0.05
#define MEAN_LONG        16.0
#define MEAN_LONG_INSIDE 6.0 /* elements need both their lists and their positions in the lists */
/* Numbers of lists and elements from which on no search is needed. */
#define LISTS_MANY ((size_t)1 << 22)

/* Long lists: elements of a group and its size, depending on the number of all elements. */
#define WHOLE_SMALL ((size_t)1024)
#define WHOLE       ((size_t)4096)
#define WHOLE_LARGE ((size_t)8064)
#define GROUP_WHOLE ((size_t)64)
#define GROUP_LARGE ((size_t)96)
#define LARGE       ((size_t)1 << 23)
/* Number of lists from which on searches take long, on measured devices. */
#define LISTS_NEAR ((size_t)1 << 16)

/* Short lists: */
#define GROUP_LISTS  ((size_t)64)
#define LISTS_MOST   ((size_t)8192)
#define ELEMENTS     2560.0 /* elements of a group, for lists of MEAN_FEW and more elements */
#define ELEMENTS_FEW 4096.0
#define MEAN_FEW     4.0
#define UNEVEN       1.2 /* capacity of a group, as a multiple of the mean number of elements */
/* Groups of a unit that search for the elements that did not fit their group. */
#define HELP_A_UNIT  ((size_t)8)
#define HELP_FULL    ((size_t)16) /* if all lists are checked, which takes longer in any case */
#define HELP_ENTRIES ((size_t)4)  /* if groups without elements help */
#define LEAST_ROOM   ((size_t)1024)

/* Returns the weight of a list relative to an element: if nearly all lists are empty and need not
 * be checked, elements search. */
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

/* Returns the number of steps of a search among all offsets, each of which leaves one part in lanes
 * + 1. */
static uint32_t find_steps(size_t lists, size_t lanes)
{
    uint32_t steps = 0;
    for (size_t width = lists + 1; width > 0; steps++)
        width = width <= lanes ? 0 : div_ceil(width, lanes + 1);
    return steps;
}

static void plan_cpu(const mote_context *ctx, mote_balanced_plan *plan)
{
    size_t units = ctx->device.compute_units;
    size_t items = div_ceil(plan->n + plan->lists, LEAST_AN_ITEM);
    size_t most = mote_tune_size(ctx, "jagged.items", ITEMS_PER_UNIT * units, 1, 1 << 20);
    plan->local = 1;
    plan->groups = min_size(items ? items : 1, most);
}

/* Chooses tiles as large as possible with a full device, in whole rows of the elements that a group
 * stores at once. */
static void plan_shares(const mote_context *ctx, mote_balanced_plan *plan)
{
    size_t units = ctx->device.compute_units;
    size_t most = ctx->device.max_work_group, room = GROUPS_PER_UNIT * units;
    size_t usual = plan->n <= SMALL ? GROUP_SMALL : GROUP;
    plan->local = mote_tune_size(ctx, "jagged.group", min_size(usual, most), 4, most);
    plan->shift = find_shift(plan);
    size_t work = plan->n + (plan->lists >> plan->shift), row = 4 * plan->local;
    size_t rows = div_ceil(div_ceil(work, room) + LEAD, row);
    size_t tile = min_size((rows ? rows : 1) * row, TILE_MOST + LEAD) - LEAD;
    tile = mote_tune_size(ctx, "jagged.tile", tile ? tile : LEAD, 1, TILE_MOST);
    size_t all = div_ceil(work, tile), tiles = all / (4 * room);
    tiles = tiles < 1 ? 1 : min_size(tiles, 4);
    tiles = mote_tune_size(ctx, "jagged.tiles", tiles, 1, TILES_MOST);
    tiles = min_size(tiles, plan->local / 2 - 1);
    plan->tile = (uint32_t)tile;
    plan->tiles = (uint32_t)tiles;
    plan->room = MOTE_BALANCED_ROOM;
    plan->deep = DEEP;
    plan->steps = find_steps(plan->lists, plan->local / (tiles + 1));
    plan->groups = all ? div_ceil(all, tiles) : 1;
}

/* Each group has one tile. If elements read, larger groups hide the latency. */
static void plan_whole(const mote_context *ctx, mote_balanced_plan *plan, bool reads)
{
    size_t most = ctx->device.max_work_group;
    bool large = plan->n > LARGE && !reads;
    size_t local = reads || plan->n <= SMALL ? GROUP : large ? GROUP_LARGE : GROUP_WHOLE;
    size_t tile = plan->n <= SMALL ? WHOLE_SMALL : large ? WHOLE_LARGE : WHOLE;
    plan->local = mote_tune_size(ctx, "jagged.group", min_size(local, most), 4, most);
    tile = mote_tune_size(ctx, "jagged.tile", tile, 1, TILE_MOST);
    plan->tile = (uint32_t)tile;
    plan->tiles = 1;
    plan->shift = 31;
    plan->room =
        (uint32_t)clamp(div_ceil(tile, LEAD) * LEAD + LEAD, LEAST_ROOM, MOTE_BALANCED_ROOM);
    bool near = large && plan->lists > LISTS_NEAR && ctx->capability >= 90;
    plan->near = mote_tune_size(ctx, "jagged.interpolate", near, 0, 1) != 0;
    plan->whole = tile % (4 * plan->local) == 0 ? (uint32_t)tile : 0;
    plan->deep = DEEP;
    plan->steps = find_steps(plan->lists, plan->local / 2);
    plan->groups = plan->n ? div_ceil(plan->n, tile) : 1;
}

/* Returns one of a few sizes, so that few kernels are built. */
static uint32_t room_for(double elements)
{
    static const uint32_t rooms[] = {2560, 4096, 5120};
    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++)
        if (UNEVEN * elements + 2 * MOTE_BALANCED_LEAD <= rooms[i])
            return rooms[i];
    return MOTE_BALANCED_ROOM;
}

static void plan_lists(const mote_context *ctx, mote_balanced_plan *plan, double mean, bool entries)
{
    size_t most = ctx->device.max_work_group;
    size_t units = ctx->device.compute_units;
    double lists = (mean < MEAN_FEW ? ELEMENTS_FEW : ELEMENTS) / mean;
    plan->local = mote_tune_size(ctx, "jagged.group", min_size(GROUP_LISTS, most), 4, most);
    size_t tile = lists < (double)LISTS_MOST ? clamp((size_t)lists, 1, LISTS_MOST) : LISTS_MOST;
    tile = mote_tune_size(ctx, "jagged.tile", tile, 1, TILE_MOST);
    tile = div_ceil(tile, 4) * 4;
    plan->tile = (uint32_t)tile;
    plan->room = room_for(mean * (double)tile);
    plan->deep = tile >= 4 * DEEP * plan->local ? DEEP : 1;
    /* A helper searches for one part per work-item. */
    size_t all = div_ceil(plan->n, plan->room - LEAD);
    size_t help = entries ? HELP_ENTRIES : plan->full ? HELP_FULL : HELP_A_UNIT;
    plan->tiles = (uint32_t)max_size(div_ceil(all, plan->local), min_size(all, help * units));
    plan->groups = div_ceil(plan->lists + 1, tile) + plan->tiles;
}

/* One element per work-item, for as many as a device holds at once: each group keeps its own
 * samples of offsets. */
static void plan_search(const mote_context *ctx, mote_balanced_plan *plan)
{
    size_t most = ctx->device.max_work_group;
    size_t units = ctx->device.compute_units;
    plan->local = mote_tune_size(ctx, "jagged.group", min_size(SEARCH_GROUP, most), 4, most);
    plan->groups = clamp(div_ceil(plan->n, plan->local), 1, SEARCH_GROUPS * units);
    plan->tile = (uint32_t)div_ceil(plan->n, plan->groups);
    plan->tiles = 1;
    plan->room = MOTE_BALANCED_ROOM;
    plan->deep = 1;
}

static mote_balanced_variant choose_variant(const mote_context *ctx, const mote_balanced_plan *plan,
                                            bool both, double mean)
{
    mote_balanced_variant variant = MOTE_BALANCED_MERGE;
    if (mean >= (both ? MEAN_LONG_INSIDE : MEAN_LONG))
        variant = MOTE_BALANCED_ELEMENTS;
    else if (mean >= MEAN_SHORT && plan->n + plan->lists > LISTS_MANY)
        variant = MOTE_BALANCED_LISTS;
    else if (mean < SEARCH_MEAN && plan->lists > LISTS_MANY && !plan->full)
        variant = MOTE_BALANCED_SEARCH;
    return (mote_balanced_variant)mote_tune_size(ctx, "jagged.variant", variant,
                                                 MOTE_BALANCED_MERGE, MOTE_BALANCED_SEARCH);
}

static void plan_gpu(const mote_context *ctx, mote_balanced_plan *plan,
                     const mote_balanced_job *job)
{
    static const char *const names[] = {[MOTE_BALANCED_MERGE] = "elements and lists",
                                        [MOTE_BALANCED_ELEMENTS] = "elements",
                                        [MOTE_BALANCED_LISTS] = "lists",
                                        [MOTE_BALANCED_SEARCH] =
                                            "elements that search for their lists"};
    double mean = (double)plan->n / (double)(plan->lists + 1);
    plan->variant = choose_variant(ctx, plan, job->inside && job->reads, mean);
    mote_log(MOTE_LOG_DEBUG, "%zu lists of %.3g elements on average are divided by %s", plan->lists,
             mean, names[plan->variant]);
    if (plan->variant == MOTE_BALANCED_LISTS)
        plan_lists(ctx, plan, mean > MEAN_SHORT ? mean : MEAN_SHORT, job->entries);
    else if (plan->variant == MOTE_BALANCED_SEARCH)
        plan_search(ctx, plan);
    else if (plan->variant == MOTE_BALANCED_ELEMENTS)
        plan_whole(ctx, plan, job->reads);
    else
        plan_shares(ctx, plan);
}

mote_balanced_plan mote_balanced_make(const mote_context *ctx, const mote_balanced_job *job)
{
    mote_balanced_plan plan = {
        .type = job->lists->type, .lists = job->lists->count, .n = job->n, .full = job->full};
    if (plan.type != MOTE_INT64)
        plan.n = min_size(plan.n, UINT32_MAX);
    plan.cpu =
        mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU || ctx->device.max_work_group < 4;
    if (plan.cpu)
        plan_cpu(ctx, &plan);
    else
        plan_gpu(ctx, &plan, job);
    return plan;
}

void mote_list_bounds_set(mote_launch *launch, mote_type type, size_t lists, size_t n, bool full,
                          const mote_list_bounds_input *input)
{
    size_t length = type == MOTE_INT64 ? input->length : min_size(input->length, UINT32_MAX);
    mote_launch_view(launch, "offsets", &input->offsets);
    mote_launch_view(launch, "error", &input->error);
    mote_launch_u32(launch, "m", (uint32_t)lists);
    mote_launch_u64(launch, "n", n);
    mote_launch_u64(launch, "length", length);
    mote_launch_u32(launch, "relative", input->relative);
    mote_launch_u32(launch, "full", full);
}

static void write_defines(char *text, size_t size, const mote_context *ctx,
                          const mote_balanced_plan *plan, const char *more)
{
    /* A CPU that runs the GPU form does not profit from unrolling, and would need minutes for the
     * build.
     */
    bool gpu = ctx->device.device_class == MOTE_DEVICE_GPU;
    const char *index = mote_lists_defines(plan->type), *space = more[0] ? " " : "";
    if (plan->cpu)
        snprintf(text, size, "%s%s%s", index, space, more);
    else
        snprintf(text, size,
                 "%s -DWG=%zu -DBALANCED_DEEP=%u -DBALANCED_ROOM=%u -DBALANCED_WHOLE=%u "
                 "-DBALANCED_BITS=%d -DBALANCED_GROUPS=%d -DBALANCED_SEARCH=%d "
                 "-DBALANCED_INTERPOLATES=%d%s%s",
                 index, plan->local, gpu ? (unsigned)plan->deep : 1, (unsigned)plan->room,
                 gpu ? (unsigned)plan->whole : 0, plan->variant == MOTE_BALANCED_ELEMENTS,
                 plan->variant == MOTE_BALANCED_LISTS, plan->variant == MOTE_BALANCED_SEARCH,
                 plan->near, space, more);
}

/* Asserts that defines and arguments agree, whichever variant was chosen. */
static void check_plan(const mote_balanced_plan *p, const mote_balanced_kernel *kernel)
{
    bool whole = p->variant == MOTE_BALANCED_ELEMENTS, lists = p->variant == MOTE_BALANCED_LISTS;
    bool searches = whole || p->variant == MOTE_BALANCED_MERGE;
    (void)kernel;
    (void)lists;
    (void)searches;
    assert(p->cpu ? kernel->cpu && p->local == 1 && !p->variant : kernel->gpu && p->variant);
    assert(p->cpu || (p->room > LEAD && p->room <= MOTE_BALANCED_ROOM && p->deep > 0));
    assert(!searches ||
           (p->tile + LEAD <= p->room && p->tiles < p->local && p->tiles <= TILES_MOST &&
            p->steps == find_steps(p->lists, p->local / (p->tiles + 1))));
    assert(!whole || (p->tiles == 1 && p->shift == 31 && (!p->whole || p->whole == p->tile)));
    assert(whole || (!p->whole && !p->near));
    assert(!lists || (p->tile % 4 == 0 && p->groups == div_ceil(p->lists + 1, p->tile) + p->tiles));
}

void mote_balanced_begin(mote_launch *launch, mote_call *call, const mote_balanced_plan *plan,
                         const mote_balanced_kernel *kernel, const mote_list_bounds_input *input)
{
    char defines[384];
    check_plan(plan, kernel);
    write_defines(defines, sizeof(defines), call->ctx, plan, kernel->defines);
    mote_launch_begin(launch, call, plan->cpu ? kernel->cpu : kernel->gpu, defines, kernel->name);
    mote_list_bounds_set(launch, plan->type, plan->lists, plan->n, plan->full, input);
    mote_launch_u32(launch, "shift", plan->shift);
    mote_launch_u32(launch, "tile", plan->tile);
    mote_launch_u32(launch, "tiles", plan->tiles);
    mote_launch_u32(launch, "steps", plan->steps);
    mote_launch_bytes(launch, kernel->bytes);
    mote_launch_last(launch);
}

mote_status mote_balanced_run(mote_launch *launch, const mote_balanced_plan *plan)
{
    return mote_launch_run(launch, plan->groups, plan->local);
}
