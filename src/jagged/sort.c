/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "core/log.h"
#include "core/quirks.h"
#include "core/size.h"
#include "core/sub_groups.h"
#include "core/tune.h"
#include "core/type.h"
#include "jagged/expand/balanced.h"
#include "jagged/sort.h"
#include "operations.h"
#include "reduce/reductions.h"
#include "shared/jagged.h"

#include "cl_sources.h"

#include <stdio.h>

#define GROUP         ((size_t)256)
#define MOST_GROUPS   ((size_t)1 << 22)
#define GROUPS_A_UNIT ((size_t)6) /* for mergings */

/* Of values of up to 4 bytes: on NVIDIA's devices, a compute unit then holds as many groups as it
 * can schedule. */
#define REGISTERS ((size_t)32)

/* The same of sort_keys: fewer registers do not pay. */
#define KEYS_GROUP     ((size_t)128)
#define KEYS_REGISTERS ((size_t)48)
#define KEYS_MEAN      ((size_t)4) /* elements of a list from which on it is faster */

/* The same of sort_short; the values and the rounds of a group, and the elements that four lists
 * may have in registers. */
#define SHORT_GROUP  ((size_t)64)
#define SHORT_ROOM   ((size_t)1280)
#define SHORT_ROUNDS ((size_t)4)
#define SHORT_SLOTS  ((size_t)10)
#define SHORT_MEAN   ((size_t)150) /* elements of 100 lists up to which it is faster */
#define UNEVEN       1.2           /* capacity of a group, as a multiple of the mean number */

#define MERGE_SHARE ((size_t)8) /* most pairs of chunks that a group takes at a time */

/* Chooses whether sort_keys is used: for values of up to 4 bytes without indices. */
static void choose_keys(const mote_context *ctx, mote_sort *p)
{
    const size_t mean = mote_tune_size(ctx, "jagged.sort_mean", KEYS_MEAN, 0, SIZE_MAX);
    p->keys = !p->cpu && !p->args.indices.type && mote_type_size(p->args.values.type) <= 4 &&
              p->n / max_size(p->lists.count, 1) >= mean;
    p->keys_local = min_size(p->local, KEYS_GROUP);
    p->keys_registers = mote_has_quirk(ctx, MOTE_QUIRK_PTX) ? KEYS_REGISTERS : 0;
}

/* Chooses whether sort_short is used: for many lists of a few elements. */
static void choose_short(const mote_context *ctx, mote_sort *p)
{
    const double mean = (double)p->n / (double)max_size(p->lists.count, 1);
    const size_t most = mote_tune_size(ctx, "jagged.sort_short", SHORT_MEAN, 0, SIZE_MAX);
    p->short_local = min_size(p->local, SHORT_GROUP) / 4 * 4;
    p->shorts = !p->cpu && !p->keys && p->short_local > 0 && 100 * mean <= (double)most &&
                p->lists.count > 0;
    p->short_lists = SHORT_ROUNDS * 4 * p->short_local;
    while (p->short_lists > 4 * p->short_local &&
           UNEVEN * mean * (double)p->short_lists > (double)SHORT_ROOM)
        p->short_lists /= 2;
}

void mote_sort_make(const mote_context *ctx, mote_sort *p)
{
    p->n = p->args.values.count;
    p->cpu = mote_tune_form(ctx, "jagged.form") == MOTE_DEVICE_CPU;
    p->local = p->cpu ? 1
                      : mote_tune_size(ctx, "jagged.group",
                                       min_size(ctx->device.max_work_group, GROUP), 1, GROUP);
    p->chunks = max_size(div_ceil(p->n, p->cpu ? MOTE_SORT_CHUNK_CPU : MOTE_SORT_CHUNK), 1);
    p->mergings = 0;
    while ((p->chunks - 1) >> p->mergings)
        p->mergings++;
    p->registers = 0;
    if (!p->cpu && mote_has_quirk(ctx, MOTE_QUIRK_PTX) && !p->args.indices.type &&
        mote_type_size(p->args.values.type) <= 4)
        p->registers = REGISTERS;
    choose_keys(ctx, p);
    choose_short(ctx, p);
    p->once = !p->cpu && mote_has_last_group(ctx);
    mote_log(MOTE_LOG_DEBUG,
             "sort: %s form, %zu lists, %zu elements, %zu chunks, up to %u mergings",
             p->cpu ? "CPU" : "GPU", p->lists.count, p->n, p->chunks, (unsigned)p->mergings);
}

/* Refuses more values than offsets, indices and kernels can count. */
static mote_status check_number(const mote_call *call, const mote_jagged_sort_args *a)
{
    bool narrow = a->offsets.type == MOTE_INT32 || a->indices.type == MOTE_INT32;
    size_t most = narrow ? INT32_MAX : UINT32_MAX;
    if (a->values.count <= most)
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_UNSUPPORTED,
                     "%s: %zu values: a call takes at most %zu%s, split the array", call->name,
                     a->values.count, most, narrow ? " with int32 offsets or indices" : "");
}

static mote_status check(mote_call *call, void *call_plan)
{
    mote_sort *p = call_plan;
    const mote_jagged_sort_args *a = &p->args;
    mote_status st = MOTE_CHECK_CHOICE(call->name, "validate", a->validate, mote_jagged_validate);
    if (!st)
        st = mote_lists_of_offsets(call, &a->offsets, &p->lists);
    if (!st)
        st = check_number(call, a);
    if (st)
        return st;
    uint32_t same = mote_type_in(MOTE_REDUCTION_VALUES, a->values.type);
    const mote_view_rule views[] = {
        {"offsets", &a->offsets, MOTE_JAGGED_INDEX, VIEW_ANY_COUNT, 0},
        {"values", &a->values, MOTE_REDUCTION_VALUES, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"result", &a->result, same ? same : MOTE_REDUCTION_VALUES, a->values.count,
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
        {"indices", &a->indices, MOTE_JAGGED_INDEX, a->values.count,
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
    };
    st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    if (st)
        return st;
    if (!a->result.type && !a->indices.type && a->values.count > 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: neither result nor indices is given: give one of the views",
                         call->name);
    mote_sort_make(call->ctx, p);
    return MOTE_SUCCESS;
}

void mote_sort_carve(mote_sort *p, mote_carve *carve)
{
    const mote_jagged_sort_args *a = &p->args;
    const mote_type type = a->values.type ? a->values.type : MOTE_UINT8;
    p->first = mote_carve_take(carve, p->chunks + 1, MOTE_UINT32);
    p->spans = mote_carve_take(carve, p->chunks + 1, MOTE_UINT64);
    if (!p->cpu)
        p->turns = mote_carve_take(carve, MOTE_SORT_TURNS, MOTE_UINT32);
    if (p->keys || p->shorts)
        p->left = mote_carve_take(carve, p->chunks, MOTE_UINT8);
    p->other = mote_carve_take(carve, p->n, type);
    p->result = a->result.type ? a->result : mote_carve_take(carve, p->n, type);
    p->indices = a->indices;
    if (a->indices.type)
        p->other_indices = mote_carve_take(carve, p->n, a->indices.type);
}

/* Defines of an order: float16 and float64 are compared as integers. */
static const char *order_defines(mote_type type)
{
    switch (type) {
    case MOTE_BOOL:
        return "-DVALUE=uchar -DORDER=3";
    case MOTE_INT8:
        return "-DVALUE=char -DORDER=0";
    case MOTE_INT16:
        return "-DVALUE=short -DORDER=0";
    case MOTE_INT32:
        return "-DVALUE=int -DORDER=0";
    case MOTE_INT64:
        return "-DVALUE=long -DORDER=0";
    case MOTE_UINT16:
        return "-DVALUE=ushort -DORDER=0";
    case MOTE_UINT32:
        return "-DVALUE=uint -DORDER=0";
    case MOTE_UINT64:
        return "-DVALUE=ulong -DORDER=0";
    case MOTE_FLOAT32:
        return "-DVALUE=float -DORDER=1";
    case MOTE_FLOAT16:
        return "-DVALUE=short -DORDER=2 -DMOST_BITS=0x7c00";
    case MOTE_FLOAT64:
        return "-DVALUE=long -DORDER=2 -DMOST_BITS=0x7ff0000000000000L";
    default:
        return "-DVALUE=uchar -DORDER=0";
    }
}

/* Kernels that sort whole lists, or merge. */
typedef enum sort_source { CHUNKS, KEYS, SHORTS } sort_source;

static void begin(mote_launch *launch, mote_call *call, const mote_sort *p, const char *kernel,
                  sort_source source)
{
    const mote_type index = p->args.indices.type;
    const size_t local = source == KEYS     ? p->keys_local
                         : source == SHORTS ? p->short_local
                                            : p->local;
    char defines[320];
    int used =
        snprintf(defines, sizeof(defines), "%s %s -DDESCENDING=%d -DINDICES=%d -DINDEX_OUT=%s",
                 mote_lists_defines(p->lists.type), order_defines(p->args.values.type),
                 p->args.descending != 0, index != MOTE_TYPE_NONE,
                 index == MOTE_INT64    ? "long"
                 : index == MOTE_UINT32 ? "uint"
                                        : "int");
    if (!p->cpu)
        used += snprintf(defines + used, sizeof(defines) - (size_t)used, " -DWG=%zu", local);
    if (source == SHORTS)
        snprintf(defines + used, sizeof(defines) - (size_t)used,
                 " -DLISTS=%zu -DROOM=%zu -DSLOTS=%zu", p->short_lists, SHORT_ROOM, SHORT_SLOTS);
    mote_limit_registers(defines, sizeof(defines),
                         source == KEYS     ? p->keys_registers
                         : source == CHUNKS ? p->registers
                                            : 0);
    mote_launch_begin(launch, call,
                      source == KEYS     ? &mote_cl_jagged_sort_sort_keys
                      : source == SHORTS ? &mote_cl_jagged_sort_sort_short
                      : p->cpu           ? &mote_cl_jagged_sort_sort_cpu
                                         : &mote_cl_jagged_sort_sort,
                      defines, kernel);
}

static void set_places(mote_launch *launch, const mote_sort *p, const mote_view *error)
{
    const mote_list_bounds_input input = {
        .offsets = p->args.offsets, .length = p->args.values.count, .error = *error};
    mote_list_bounds_set(launch, p->lists.type, p->lists.count, p->n,
                         p->args.validate == MOTE_JAGGED_VALIDATE_FULL, &input);
}

/* Sets the two arrays between which long lists move. A kernel that stores no indices needs a valid
 * buffer in place of them. */
static void set_arrays(mote_launch *launch, const mote_sort *p)
{
    const mote_view none = {.mem = p->spans.mem};
    mote_launch_view(launch, "result", &p->result);
    mote_launch_view(launch, "other", &p->other);
    mote_launch_view(launch, "indices", p->indices.type ? &p->indices : &none);
    mote_launch_view(launch, "other_indices", p->indices.type ? &p->other_indices : &none);
}

/* Sets what kernels leave to sort_chunks. */
static void set_left(mote_launch *launch, const mote_sort *p)
{
    const bool some = p->keys || p->shorts;
    mote_launch_view(launch, "left", some ? &p->left : &(mote_view){.mem = p->spans.mem});
    mote_launch_u32(launch, "some", some);
}

static mote_status launch_find(mote_call *call, const mote_sort *p, const mote_view *error)
{
    mote_launch launch;
    begin(&launch, call, p, "sort_find_lists", CHUNKS);
    set_places(&launch, p, error);
    mote_launch_u64(&launch, "chunks", p->chunks);
    mote_launch_view(&launch, "first", &p->first);
    mote_launch_view(&launch, "spans", &p->spans);
    if (!p->cpu) {
        mote_launch_view(&launch, "turns", &p->turns);
        set_left(&launch, p);
    }
    mote_launch_view(&launch, "guard", &p->guard);
    return mote_launch_run(&launch, min_size(div_ceil(p->chunks + 1, p->local), MOST_GROUPS),
                           p->local);
}

/* States the bytes of a launch that sorts all chunks. */
static void set_bytes(mote_launch *launch, const mote_sort *p)
{
    const mote_jagged_sort_args *a = &p->args;
    mote_launch_bytes(launch, p->n * (uint64_t)(mote_type_size(a->values.type) +
                                                mote_type_size(a->result.type) +
                                                mote_type_size(a->indices.type)) +
                                  (uint64_t)(p->lists.count + 1) * mote_type_size(p->lists.type));
}

static mote_status launch_keys(mote_call *call, const mote_sort *p, const mote_view *error)
{
    mote_launch launch;
    begin(&launch, call, p, "sort_keys", KEYS);
    launch.exact = p->keys_registers > 0;
    set_places(&launch, p, error);
    mote_launch_u64(&launch, "chunks", p->chunks);
    mote_launch_view(&launch, "first", &p->first);
    mote_launch_view(&launch, "spans", &p->spans);
    mote_launch_view(&launch, "values", &p->args.values);
    mote_launch_view(&launch, "result", &p->result);
    mote_launch_view(&launch, "other", &p->other);
    mote_launch_view(&launch, "left", &p->left);
    mote_launch_view(&launch, "turns", &p->turns);
    set_bytes(&launch, p);
    return mote_launch_run(&launch, p->chunks, p->keys_local);
}

static mote_status launch_shorts(mote_call *call, const mote_sort *p, const mote_view *error)
{
    const mote_view none = {.mem = p->spans.mem};
    mote_launch launch;
    begin(&launch, call, p, "sort_short", SHORTS);
    set_places(&launch, p, error);
    mote_launch_view(&launch, "values", &p->args.values);
    mote_launch_view(&launch, "result", &p->result);
    mote_launch_view(&launch, "indices", p->indices.type ? &p->indices : &none);
    mote_launch_view(&launch, "left", &p->left);
    mote_launch_view(&launch, "turns", &p->turns);
    mote_launch_u32(&launch, "stores", p->args.result.type != MOTE_TYPE_NONE);
    mote_launch_view(&launch, "guard", &p->guard);
    set_bytes(&launch, p);
    return mote_launch_run(&launch, div_ceil(p->lists.count, p->short_lists), p->short_local);
}

/* After sort_keys or sort_short, sorts the chunks that are left. */
static mote_status launch_chunks(mote_call *call, const mote_sort *p, const mote_view *error,
                                 bool last)
{
    mote_launch launch;
    begin(&launch, call, p, "sort_chunks", CHUNKS);
    launch.exact = p->registers > 0;
    set_places(&launch, p, error);
    mote_launch_u64(&launch, "chunks", p->chunks);
    mote_launch_view(&launch, "first", &p->first);
    mote_launch_view(&launch, "spans", &p->spans);
    mote_launch_view(&launch, "values", &p->args.values);
    set_arrays(&launch, p);
    if (!p->cpu) {
        set_left(&launch, p);
        mote_launch_view(&launch, "turns", &p->turns);
    }
    mote_launch_view(&launch, "guard", &p->guard);
    if (!p->keys && !p->shorts)
        set_bytes(&launch, p);
    if (last && p->mergings == 0)
        mote_launch_last(&launch);
    size_t most =
        p->keys || p->shorts ? GROUPS_A_UNIT * call->ctx->device.compute_units : MOST_GROUPS;
    return mote_launch_run(&launch, p->cpu ? p->chunks : min_size(p->chunks, most), p->local);
}

/* Does a merging, or all of them. */
static mote_status launch_merge(mote_call *call, const mote_sort *p, uint32_t merging, bool last)
{
    mote_launch launch;
    size_t most = GROUPS_A_UNIT * call->ctx->device.compute_units;
    size_t pairs = div_ceil(p->chunks, p->once ? 2 : 1);
    size_t groups = p->cpu ? p->chunks : min_size(pairs, most);
    begin(&launch, call, p, p->once ? "sort_merge_all" : "sort_merge", CHUNKS);
    mote_launch_u64(&launch, "n", p->n);
    mote_launch_u64(&launch, "chunks", p->chunks);
    mote_launch_view(&launch, "spans", &p->spans);
    set_arrays(&launch, p);
    if (p->once) {
        mote_launch_u32(&launch, "mergings", p->mergings);
        mote_launch_u32(&launch, "share",
                        (uint32_t)clamp(pairs / (4 * groups), 1, min_size(MERGE_SHARE, p->local)));
        mote_launch_view(&launch, "turns", &p->turns);
    } else {
        mote_launch_u32(&launch, "merging", merging);
    }
    mote_launch_view(&launch, "guard", &p->guard);
    if (last && (p->once || merging == p->mergings))
        mote_launch_last(&launch);
    return mote_launch_run(&launch, groups, p->local);
}

mote_status mote_sort_run(mote_call *call, const mote_sort *p, const mote_view *error, bool last)
{
    mote_status st = launch_find(call, p, error);
    if (!st && p->keys)
        st = launch_keys(call, p, error);
    if (!st && p->shorts)
        st = launch_shorts(call, p, error);
    if (!st)
        st = launch_chunks(call, p, error, last);
    for (uint32_t merging = 1; !st && merging <= (p->once ? p->mergings > 0 : p->mergings);
         merging++)
        st = launch_merge(call, p, merging, last);
    return st;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    (void)call;
    mote_sort_carve(call_plan, carve);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    return mote_sort_run(call, call_plan, &call->error, true);
}

const mote_descriptor mote_jagged_sort_operation = {
    MOTE_DESCRIBE(mote_jagged_sort, mote_jagged_sort_args, mote_sort),
    MOTE_DESCRIBE_WORKSPACE(mote_jagged_sort_args),
    MOTE_DESCRIBE_ERROR(mote_jagged_sort_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_jagged_sort, mote_jagged_sort_args, mote_jagged_sort_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_jagged_sort_workspace_size, mote_jagged_sort_args,
                           mote_jagged_sort_operation)
