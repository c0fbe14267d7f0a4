/* SPDX-License-Identifier: Apache-2.0 */
#include "core/log.h"
#include "core/quirks.h"
#include "core/size.h"
#include "core/tune.h"
#include "core/type.h"
#include "jagged/reduce/reduce.h"
#include "shared/jagged_reduce.h"

#include <stdio.h>

#define GROUP      ((size_t)128)
#define GROUP_STEP ((size_t)64)  /* of groups that local memory limits: whole waves */
#define WIDE_GROUP ((size_t)512) /* no list is spread, so lists may be longer */
/* For many elements, at least half as many as lists. */
#define DENSE_GROUP ((size_t)64)
#define MANY        ((size_t)2000000) /* elements */
#define TILE        ((size_t)4096)
/* With this limit, only the last list of a tile can be longer than a block. */
#define TILE_MOST  ((size_t)MOTE_JAGGED_REDUCE_BLOCK)
#define TILE_LEAST ((size_t)1024)
/* The numbers of short lists and of values from which a launch for lists in local memory is
 * worthwhile. */
#define STAGED_LISTS   ((size_t)200000)
#define STAGED_VALUES  ((size_t)1 << 24)
#define TILES_MOST     ((size_t)MOTE_JAGGED_REDUCE_MOST_TILES)
#define TILES          ((size_t)4)            /* tiles of a group, if there are many */
#define PART_BYTES     ((size_t)16384 + 1088) /* bytes of a block and its gaps */
#define NOTED_GROUPS   ((size_t)8)            /* groups that a compute unit holds at once */
#define DEEP           ((size_t)16)           /* reads of a work-item in flight */
#define FULL_UNIT      ((size_t)32)           /* groups that keep a compute unit busy long enough */
#define ALONE          ((size_t)131072)       /* elements up to which no list is spread */
#define ITEMS_PER_UNIT ((size_t)4)            /* CPU form */
/* A second launch takes as long as a third of these elements. */
#define ALONE_CPU     ((size_t)524288)
#define LEAST_AN_ITEM ((size_t)8192)

/* The type in which kernels compute with a type of values. */
typedef struct value_text {
    const char *name, *least, *most;
    size_t bytes;
} value_text;

static const value_text values[] = {
    [MOTE_BOOL] = {"uchar", "0", "1", 1},
    [MOTE_INT8] = {"char", "CHAR_MIN", "CHAR_MAX", 1},
    [MOTE_UINT8] = {"uchar", "0", "UCHAR_MAX", 1},
    [MOTE_INT16] = {"short", "SHRT_MIN", "SHRT_MAX", 2},
    [MOTE_UINT16] = {"ushort", "0", "USHRT_MAX", 2},
    [MOTE_INT32] = {"int", "INT_MIN", "INT_MAX", 4},
    [MOTE_UINT32] = {"uint", "0", "UINT_MAX", 4},
    [MOTE_INT64] = {"long", "LONG_MIN", "LONG_MAX", 8},
    [MOTE_UINT64] = {"ulong", "0", "ULONG_MAX", 8},
    [MOTE_FLOAT16] = {"float", "-INFINITY", "INFINITY", 4},
    [MOTE_FLOAT32] = {"float", "-INFINITY", "INFINITY", 4},
    [MOTE_FLOAT64] = {"double", "-INFINITY", "INFINITY", 8},
};

static int kind_of(const mote_jagged_reduce_args *args)
{
    return mote_reduction_find(args->reduction)->kernel;
}

uint32_t mote_jagged_reduce_how(const mote_jagged_reduce_args *args)
{
    return mote_reduction_find(args->reduction)->how |
           (args->base_first ? MOTE_JAGGED_REDUCE_BASE_FIRST : 0) |
           args->ddof << MOTE_JAGGED_REDUCE_DDOF;
}

bool mote_jagged_reduce_has_fp64(const mote_context *ctx)
{
    uint32_t has = ctx->device.has_fp64 ? 1 : 0;
    return mote_tune_size(ctx, "jagged_reduce.fp64", has, 0, has) != 0;
}

static bool skips_nan(const mote_jagged_reduce_job *job)
{
    return job->args.nan == MOTE_NAN_SKIP && mote_type_is_float(job->values_type) &&
           kind_of(&job->args) != MOTE_JAGGED_REDUCE_TRUTH;
}

static size_t accumulator(const mote_jagged_reduce_job *job)
{
    bool wide = values[job->values_type].bytes > 4 || mote_type_size(job->offsets_type) > 4;
    return MOTE_JAGGED_REDUCE_ACCUMULATOR(kind_of(&job->args), wide, skips_nan(job));
}

/* Approximate local memory of a group: tile_local of the kernel. */
static size_t local_bytes(const mote_jagged_reduce_job *job, size_t tile, size_t local)
{
    size_t chunks = MOTE_JAGGED_REDUCE_BLOCK / MOTE_JAGGED_REDUCE_CHUNK,
           rows = tile / 33 + 2 * chunks;
    return rows * (accumulator(job) + 12) + (2 * chunks + local) * accumulator(job) + 640 +
           MOTE_JAGGED_REDUCE_MOST_HUGES * sizeof(uint32_t) + PART_BYTES;
}

/* CPUs run the GPU form in tests only: all sizes then use the same kernels. */
static bool is_gpu(const mote_context *ctx)
{
    return ctx->device.device_class != MOTE_DEVICE_CPU;
}

/* Groups of the launch for lists that fit local memory, by the mean number of elements in a
 * list. */
typedef struct staged_shape {
    double mean; /* at most */
    size_t group, lists, room;
    bool quads, windows;
} staged_shape;

static const staged_shape staged_shapes[] = {
    {2.0, 64, 1024, 1280, true, false},
    {16.0, 64, 256, 3072, false, false},
    {400.0, 64, 0, 2688, false, true},
};

#define STAGED_SHAPES (sizeof(staged_shapes) / sizeof(staged_shapes[0]))
#define UNEVEN        1.2 /* capacity of a group, as a multiple of the mean number of values */
/* Group size of the launch that finds the beginnings of windows. */
#define FIND_GROUP   ((size_t)256)
#define WINDOW_STEP  ((size_t)256)
#define WINDOW_LEAST ((size_t)1024)
/* The least value: half a block with gaps; in wide groups a whole one. */
#define WINDOW_ROOM ((size_t)2304)
#define BEHIND      1.25 /* room after a window, as a multiple of the mean length of a list */

static size_t choose_staged(const mote_context *ctx, const mote_jagged_reduce_job *job, double mean)
{
    size_t shape = 0, n = job->args.values.count;
    while (shape < STAGED_SHAPES && mean > staged_shapes[shape].mean)
        shape++;
    bool worth = shape == 0 ? job->lists >= STAGED_LISTS : n >= STAGED_VALUES;
    shape = worth && shape < STAGED_SHAPES ? shape + 1 : 0;
    return mote_tune_size(ctx, "jagged_reduce.staged", shape, 0, STAGED_SHAPES);
}

/* Chooses as many lists as fit by their mean length, with some reserve, because performance depends
 * on the values of a group in flight.
 */
static size_t choose_lists(const staged_shape *shape, double mean)
{
    size_t lists = shape->lists;
    while (lists > 4 && UNEVEN * mean * (double)lists > (double)shape->room)
        lists -= lists / 2;
    return lists;
}

/* Leaves room for the part of a window's last list after the window. */
static size_t choose_window(size_t room, double mean)
{
    size_t behind = (size_t)(BEHIND * mean) + 16;
    size_t window = behind < room ? (room - behind) / WINDOW_STEP * WINDOW_STEP : 0;
    return max_size(window, WINDOW_LEAST);
}

/* Returns the approximate local memory of a group that processes windows: window_local of the
 * kernel. */
static size_t window_bytes(const mote_jagged_reduce_job *job, const mote_jagged_reduce_plan *p)
{
    size_t rows = p->staged_room / 33 + 1,
           chunks = MOTE_JAGGED_REDUCE_BLOCK / MOTE_JAGGED_REDUCE_CHUNK;
    size_t shared = max_size(p->staged_room * mote_type_size(job->values_type),
                             MOTE_JAGGED_REDUCE_JOIN * accumulator(job));
    return shared + rows * (accumulator(job) + 12) +
           (p->staged_local + 2 * chunks) * accumulator(job) + 64;
}

/* A work-item has several lists, or fewer if some compute units would otherwise have none. */
static void plan_find(const mote_context *ctx, size_t lists, mote_jagged_reduce_plan *p)
{
    size_t local = min_size(is_gpu(ctx) ? FIND_GROUP : GROUP_STEP, ctx->device.max_work_group);
    p->find_local = local / 8 * 8;
    p->find_groups =
        max_size(div_ceil(lists, MOTE_JAGGED_REDUCE_FIND * p->find_local),
                 min_size(div_ceil(lists, p->find_local), 2 * ctx->device.compute_units));
}

static void plan_windows(const mote_context *ctx, const mote_jagged_reduce_job *job, double mean,
                         mote_jagged_reduce_plan *p)
{
    size_t coordinates = job->args.values.count + job->lists;
    p->offsets_type = job->offsets_type;
    p->staged_room =
        max_size(p->staged_room, p->staged_local < GROUP ? WINDOW_ROOM : 2 * WINDOW_ROOM);
    size_t fits = min_size(p->staged_room - 16, MOTE_JAGGED_REDUCE_BLOCK);
    p->window = mote_tune_size(ctx, "jagged_reduce.window", choose_window(fits, mean), WINDOW_STEP,
                               fits / WINDOW_STEP * WINDOW_STEP);
    p->window = p->window / WINDOW_STEP * WINDOW_STEP;
    plan_find(ctx, job->lists, p);
    if (window_bytes(job, p) <= ctx->device.local_bytes)
        p->windows = div_ceil(coordinates, p->window);
}

static void plan_staged(const mote_context *ctx, const mote_jagged_reduce_job *job,
                        mote_jagged_reduce_plan *p)
{
    size_t most = ctx->device.max_work_group, n = job->args.values.count;
    double mean = (double)n / (double)(job->lists ? job->lists : 1);
    size_t number = choose_staged(ctx, job, mean);
    if (number == 0)
        return;
    const staged_shape *shape = &staged_shapes[number - 1];
    size_t local =
        mote_tune_size(ctx, "jagged_reduce.staged_group", min_size(shape->group, most), 8, most);
    p->staged_local = local / 8 * 8;
    p->staged_room =
        mote_tune_size(ctx, "jagged_reduce.staged_values", shape->room, 64, 8192) / 16 * 16;
    if (shape->windows) {
        plan_windows(ctx, job, mean, p);
        return;
    }
    p->staged_lists =
        mote_tune_size(ctx, "jagged_reduce.staged_lists", choose_lists(shape, mean), 4, 1 << 16);
    if (shape->quads)
        p->staged_lists = div_ceil(p->staged_lists, 4 * p->staged_local) * 4 * p->staged_local;
    p->staged_quads = shape->quads;
    if (p->staged_room * mote_type_size(job->values_type) + 64 <= ctx->device.local_bytes)
        p->staged_groups = div_ceil(job->lists + 3, p->staged_lists);
}

static void plan_gpu(const mote_context *ctx, const mote_jagged_reduce_job *job,
                     mote_jagged_reduce_plan *p)
{
    const mote_device_info *device = &ctx->device;
    size_t units = device->compute_units, most = device->max_work_group;
    size_t n = job->args.values.count, work = n + job->lists;
    plan_staged(ctx, job, p);
    bool dense = is_gpu(ctx) && n > MANY && n >= job->lists / 2;
    bool wide = is_gpu(ctx) && n > ALONE && n <= WIDE_GROUP / GROUP * ALONE && most >= WIDE_GROUP;
    size_t local = min_size(dense ? DENSE_GROUP : wide ? WIDE_GROUP : GROUP, most);
    size_t alone = wide ? WIDE_GROUP / GROUP * ALONE : ALONE;
    p->local = mote_tune_size(ctx, "jagged_reduce.group", local, 8, most) / 8 * 8;
    p->tile = mote_tune_size(ctx, "jagged_reduce.tile", TILE, TILE_LEAST, TILE_MOST);
    p->tile = p->tile / TILE_LEAST * TILE_LEAST;
    while (p->tile > TILE_LEAST && local_bytes(job, p->tile, p->local) > device->local_bytes)
        p->tile -= TILE_LEAST;
    while (p->local > GROUP_STEP && local_bytes(job, p->tile, p->local) > device->local_bytes)
        p->local = (p->local - 1) / GROUP_STEP * GROUP_STEP;
    p->all_tiles = div_ceil(work, p->tile);
    p->tiles = p->staged_groups ? TILES_MOST : min_size(p->all_tiles / (FULL_UNIT * units), TILES);
    p->tiles = mote_tune_size(ctx, "jagged_reduce.tiles", p->tiles ? p->tiles : 1, 1, TILES_MOST);
    p->tiles = min_size(p->tiles, p->local - 1);
    p->groups = div_ceil(p->all_tiles, p->tiles);
    p->noted_groups = NOTED_GROUPS * units;
    p->deep = is_gpu(ctx) ? DEEP : 1;
    alone = mote_tune_size(ctx, "jagged_reduce.single_group", alone, MOTE_JAGGED_REDUCE_BLOCK,
                           MOTE_JAGGED_REDUCE_BLOCK * MOTE_JAGGED_REDUCE_JOIN);
    /* With windows, a list's last group joins its blocks if it can detect that it is the last. */
    p->spreads = p->windows ? n > MOTE_JAGGED_REDUCE_BLOCK && !mote_has_last_group(ctx) : n > alone;
    /* The kernel combines the blocks of a list in this number of lanes. */
    size_t join = is_gpu(ctx) ? min_size(MOTE_JAGGED_REDUCE_JOIN, most) : p->local;
    p->join_local = mote_tune_size(ctx, "jagged_reduce.join_group", join, 8, most) / 8 * 8;
    p->join_groups = min_size(p->all_tiles, 4 * units);
}

static void plan_cpu(const mote_context *ctx, const mote_jagged_reduce_job *job,
                     mote_jagged_reduce_plan *p)
{
    size_t units = ctx->device.compute_units;
    size_t work = job->args.values.count + job->lists;
    size_t most = mote_tune_size(ctx, "jagged_reduce.items", ITEMS_PER_UNIT * units, 1, 1 << 20);
    p->local = 1;
    p->all_tiles = min_size(work / LEAST_AN_ITEM + 1, most);
    p->groups = p->join_groups = p->all_tiles;
    p->join_local = p->local;
    size_t alone =
        mote_tune_size(ctx, "jagged_reduce.single_group", ALONE_CPU, MOTE_JAGGED_REDUCE_BLOCK,
                       MOTE_JAGGED_REDUCE_BLOCK * MOTE_JAGGED_REDUCE_JOIN);
    p->spreads = p->groups > 1 && job->args.values.count > alone;
}

/* A block has two elements for each window. */
static void plan_blocks(const mote_jagged_reduce_job *job, mote_jagged_reduce_plan *p)
{
    size_t n = job->args.values.count;
    if (n > MOTE_JAGGED_REDUCE_BLOCK)
        p->blocks = 2 * (n / MOTE_JAGGED_REDUCE_BLOCK + 2) * (accumulator(job) / 8);
}

mote_jagged_reduce_between mote_jagged_reduce_carve(const mote_jagged_reduce_plan *plan,
                                                    mote_carve *carve)
{
    mote_jagged_reduce_between kept = {0};
    if (plan->spreads)
        kept.long_lists =
            mote_carve_take(carve, max_size(plan->all_tiles, plan->windows), MOTE_UINT32);
    if (plan->windows) {
        kept.window_list = mote_carve_take(carve, plan->windows, MOTE_UINT32);
        kept.window_offset = mote_carve_take(carve, plan->windows, plan->offsets_type);
        kept.window_ended = mote_carve_take(carve, plan->windows, MOTE_UINT32);
    }
    if (plan->blocks)
        kept.blocks = mote_carve_take(carve, plan->blocks, MOTE_UINT64);
    if (plan->staged_groups)
        kept.left =
            mote_carve_take(carve, MOTE_JAGGED_REDUCE_GROUPS + plan->staged_groups, MOTE_UINT32);
    return kept;
}

void mote_jagged_reduce_defines(const mote_context *ctx, const mote_jagged_reduce_job *job,
                                char *text, size_t size)
{
    const value_text *v = &values[job->values_type];
    int kind = kind_of(&job->args);
    bool is_float = mote_type_is_float(job->values_type);
    const char *result = job->args.result.type == MOTE_FLOAT64   ? "double"
                         : job->args.result.type == MOTE_FLOAT32 ? "float"
                                                                 : "long";
    snprintf(text, size,
             "%s -DREDUCE=%d -DVALUE=%s -DVALUE_BYTES=%zu -DVALUE_BOOL=%d "
             "-DVALUE_FLOAT=%d -DLEAST=%s -DMOST=%s -DRESULT=%s -DWIDE=%d "
             "-DSKIP_NAN=%d%s",
             mote_lists_defines(job->offsets_type), kind, v->name, v->bytes,
             job->values_type == MOTE_BOOL, is_float, v->least, v->most,
             kind <= MOTE_JAGGED_REDUCE_LAST_NUMBER ? result : "int",
             mote_jagged_reduce_has_fp64(ctx), skips_nan(job),
             job->values_type == MOTE_FLOAT16 ? " -DVALUE_HALF=1" : "");
}

mote_jagged_reduce_plan mote_jagged_reduce_plan_make(const mote_context *ctx,
                                                     const mote_jagged_reduce_job *job)
{
    mote_jagged_reduce_plan p = {.cpu = mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU ||
                                        ctx->device.max_work_group < 8};
    if (kind_of(&job->args) == MOTE_JAGGED_REDUCE_COUNT)
        return p;
    if (p.cpu)
        plan_cpu(ctx, job, &p);
    else
        plan_gpu(ctx, job, &p);
    plan_blocks(job, &p);
    mote_jagged_reduce_defines(ctx, job, p.defines, sizeof(p.defines));
    mote_log(MOTE_LOG_DEBUG,
             "reduce: %s form, %zu lists, %zu elements (%.3g a list), %zu groups of %zu%s%s",
             p.cpu ? "CPU" : "GPU", job->lists, job->args.values.count,
             (double)job->args.values.count / (double)(job->lists + 1), p.groups, p.local,
             p.windows         ? ", by windows"
             : p.staged_groups ? ", lists that fit local memory first"
                               : "",
             p.spreads ? ", long lists in another launch" : "");
    return p;
}
