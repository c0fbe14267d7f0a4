/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "core/log.h"
#include "core/size.h"
#include "core/tune.h"
#include "operations.h"
#include "pixels/cluster_time.h"
#include "pixels/views.h"
#include "reduce/bin_by_key.h"
#include "reduce/scan.h"
#include "shared/pixels_time.h"

#include <stdio.h>

#define MOST_RADIUS 15u
#define TABLE_ROOM  ((uint64_t)1 << 22) /* entries of all tables, beside 4 for each hit */

/* Slices need groups of this many work-items, and local memory. */
#define SLICE_GROUP 256
#define SLICE_BYTES 32768
#define SLICES_FROM (1u << 18) /* hits; fewer are faster in the order by pixel */
#define HITS_A_BIN  64         /* in bins of time */

typedef mote_time_plan plan;

static mote_status invalid(const mote_call *call, const char *field, int64_t value,
                           const char *remedy)
{
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s = %lld: %s", call->name, field,
                     (long long)value, remedy);
}

static mote_status check_numbers(const mote_call *call, const mote_pixels_cluster_time_args *a)
{
    const mote_view no_events = {0};
    if (a->rows < 1 || a->rows > 65536)
        return invalid(call, "rows", a->rows, "must be 1 .. 65536");
    if (a->columns < 1 || a->columns > 65536)
        return invalid(call, "columns", a->columns, "must be 1 .. 65536");
    if (a->n_modules < 1 && a->module_id.count > 0)
        return invalid(call, "n_modules", a->n_modules, "must be at least 1 when there are hits");
    if (a->radius > MOST_RADIUS && a->radius != MOTE_PIXELS_SAME_PIXEL)
        return invalid(call, "radius", a->radius,
                       "must be at most 15, or MOTE_PIXELS_SAME_PIXEL (0 = 1)");
    if (a->window < 0)
        return invalid(call, "window", a->window, "must be 0 or more");
    const uint64_t most = (uint64_t)UINT32_MAX - 1, module = (uint64_t)a->rows * a->columns;
    if (a->n_modules > most / module)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %u modules of %u x %u pixels: a call takes at most 2^32 - 2 pixels, "
                         "split the modules",
                         call->name, (unsigned)a->n_modules, (unsigned)a->rows,
                         (unsigned)a->columns);
    return mote_pixels_check_sizes(call, a->module_id.count, &no_events, 0);
}

static mote_status check_views(const mote_call *call, plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    const uint32_t times = MOTE_TYPE_BIT(MOTE_INT64);
    const size_t n = a->module_id.count;
    const size_t capacity = max_size(max_size(a->properties.count, a->cluster_module.count),
                                     max_size(a->cluster_first.count, a->cluster_last.count));
    const unsigned result = VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES;
    const mote_view_rule views[] = {
        {"module_id", &a->module_id, MOTE_PIXELS_NARROW, n, VIEW_EXACT},
        {"x", &a->x, MOTE_TYPE_BIT(MOTE_UINT16), n, VIEW_EXACT},
        {"y", &a->y, MOTE_TYPE_BIT(MOTE_UINT16), n, VIEW_EXACT},
        {"t", &a->t, times, n, VIEW_EXACT},
        {"charge", &a->charge, MOTE_PIXELS_NARROW, n, VIEW_EXACT | VIEW_OPTIONAL},
        {"cluster_id", &a->cluster_id, MOTE_PIXELS_I32, n, VIEW_EXACT | VIEW_WRITES},
        {"n_clusters", &a->n_clusters, MOTE_PIXELS_U32, 1, VIEW_EXACT | VIEW_WRITES},
        {"properties", &a->properties, MOTE_TYPE_BIT(MOTE_PIXELS_CLUSTER_TYPE), capacity, result},
        {"cluster_module", &a->cluster_module, MOTE_PIXELS_U32, capacity, result},
        {"cluster_first", &a->cluster_first, times, capacity, result},
        {"cluster_last", &a->cluster_last, times, capacity, result},
    };
    p->capacity = capacity;
    p->has_results =
        a->properties.mem || a->cluster_module.mem || a->cluster_first.mem || a->cluster_last.mem;
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

/* Chooses tables of all pixels for the work-items of a CPU if they need little memory compared with
 * the hits. There are fewer work-items if tables are large. */
static void choose_table(const mote_context *ctx, plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    const uint64_t row = a->rows + 2 * p->radius, module = row * (a->columns + 2 * p->radius),
                   entries = module > UINT32_MAX / max_size(a->n_modules, 1)
                                 ? UINT64_MAX
                                 : module * a->n_modules,
                   room = TABLE_ROOM + 4 * p->n;
    const bool fits = p->sweep.cpu && p->n && entries <= min_size(room, UINT32_MAX);
    if (!fits || !mote_tune_size(ctx, "pixels.time_table", 1, 0, 1))
        return;
    p->entries = entries;
    p->sweep.groups = min_size(p->sweep.groups, room / entries);
}

/* Chooses slices on GPUs. The kernels of slices give each module its own range of columns. */
static void choose_slices(const mote_context *ctx, plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    const bool fits = !p->sweep.cpu && p->n && p->sweep.local == SLICE_GROUP &&
                      ctx->device.local_bytes >= SLICE_BYTES &&
                      (uint64_t)a->n_modules * (a->columns + p->radius) <= INT32_MAX;
    if (!fits || !mote_tune_size(ctx, "pixels.time_slices", p->n >= SLICES_FROM, 0, 1))
        return;
    p->granules = div_ceil(p->n, MOTE_TIME_GRANULE);
    while (p->n >> p->bits > HITS_A_BIN)
        p->bits++;
}

static void make_plan(const mote_context *ctx, plan *p)
{
    const mote_pixels_cluster_time_args *a = &p->args;
    p->n = a->module_id.count;
    p->pixels = a->n_modules * a->rows * a->columns;
    p->radius = a->radius == 0 ? 1 : a->radius == MOTE_PIXELS_SAME_PIXEL ? 0 : a->radius;
    while (p->pixels >> p->shift > max_size(p->n, 1))
        p->shift++;
    p->starts_count = (size_t)(p->pixels >> p->shift) + 2;
    p->sweep = mote_sweep_make(ctx, "pixels.form", p->n);
    choose_table(ctx, p);
    choose_slices(ctx, p);
    snprintf(p->defines, sizeof(p->defines), "-DWG=%zu -DID_T=%s -DADC_T=%s%s", p->sweep.local,
             a->module_id.type == MOTE_UINT32 ? "uint" : "ushort",
             a->charge.type == MOTE_UINT32 ? "uint" : "ushort", p->sweep.cpu ? " -DCPU_FORM" : "");
    const mote_view offsets = {.type = MOTE_UINT32}, times = {.count = p->n, .type = MOTE_INT64};
    p->by_time.args = p->by_first.args =
        (mote_jagged_sort_args){.offsets = offsets, .values = times, .indices = offsets};
    p->by_time.lists = (mote_lists){.count = p->n, .type = MOTE_UINT32};
    p->by_first.lists = (mote_lists){.count = 1, .type = MOTE_UINT32};
    mote_sort_make(ctx, &p->by_time);
    mote_sort_make(ctx, &p->by_first);
    mote_log(MOTE_LOG_DEBUG, "cluster_time: %s form, %zu hits, %u pixels, %zu starts%s",
             p->sweep.cpu ? "CPU" : "GPU", p->n, (unsigned)p->pixels, p->starts_count,
             p->entries    ? ", tables of pixels"
             : p->granules ? ", slices of time"
                           : "");
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    mote_status st = check_numbers(call, &p->args);
    if (!st)
        st = check_views(call, p);
    if (!st)
        make_plan(call->ctx, p);
    return st;
}

/* Takes the scratch of the sorts and of the scan, which run one after another and share it. */
static void carve_steps(const mote_call *call, plan *p, mote_carve *carve)
{
    const mote_carve begin = *carve;
    const size_t bins = mote_bin_by_key_scratch(call->ctx, p->n, p->pixels),
                 bins_of_time =
                     p->granules ? mote_bin_by_key_scratch(call->ctx, p->n, UINT32_C(1) << p->bits)
                                 : 0;
    p->bin = mote_carve_take(carve, max_size(bins, bins_of_time), MOTE_UINT32);
    size_t most = carve->used;
    if (p->granules) {
        *carve = begin;
        p->binned_t = mote_carve_take(carve, p->n, MOTE_INT64);
        most = max_size(most, carve->used);
    }
    *carve = begin;
    mote_sort_carve(&p->by_time, carve);
    most = max_size(most, carve->used);
    *carve = begin;
    p->scan = mote_carve_take(carve, mote_scan_u32_scratch(call->ctx, p->n), MOTE_UINT32);
    most = max_size(most, carve->used);
    *carve = begin;
    p->cluster_t = p->by_first.args.result = mote_carve_take(carve, p->n, MOTE_INT64);
    mote_sort_carve(&p->by_first, carve);
    carve->used = max_size(most, carve->used);
}

/* After the hits are sorted, arrays of n elements replace the spare ones. */
static void carve_table(const mote_call *call, plan *p, mote_carve *carve)
{
    mote_view *const all[] = {&p->parent, &p->last, &p->head, &p->first};
    p->hits = mote_carve_take(carve, MOTE_TIME_HIT_WORDS * p->n, MOTE_UINT32);
    p->spare = mote_carve_take(carve, MOTE_TIME_HIT_WORDS * p->n, MOTE_UINT32);
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        *all[k] = (mote_view){p->spare.mem, p->spare.offset + k * p->n, p->n, MOTE_UINT32};
    p->index = mote_carve_take(carve, p->n + 1, MOTE_UINT32);
    p->table = mote_carve_take(carve, p->sweep.groups * p->entries, MOTE_UINT32);
    p->scan = mote_carve_take(carve, mote_scan_u32_scratch(call->ctx, p->n), MOTE_UINT32);
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    if (p->entries) {
        carve_table(call, p, carve);
        return;
    }
    mote_view *const all[] = {&p->key,    &p->pixel, &p->index, &p->head,
                              &p->parent, &p->first, &p->last};
    for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
        *all[k] = mote_carve_take(carve, p->n + 1, MOTE_UINT32);
    /* Either the hits in the order by (t, pixel), or two arrays of times. */
    p->hits = mote_carve_take(carve, MOTE_TIME_HIT_WORDS * p->n, MOTE_UINT32);
    p->times = (mote_view){p->hits.mem, p->hits.offset / 2, p->n, MOTE_INT64};
    p->sorted_t = (mote_view){p->hits.mem, p->times.offset + p->n, p->n, MOTE_INT64};
    if (p->granules) {
        p->extents = mote_carve_take(carve, 2 * p->granules + 2, MOTE_INT64);
        p->state = mote_carve_take(carve, MOTE_TIME_STATE, MOTE_UINT32);
        p->guard = (mote_view){p->state.mem, p->state.offset + MOTE_TIME_PIXELS, 1, MOTE_UINT32};
        p->by_time.guard = p->by_first.guard = p->guard;
    }
    p->starts = mote_carve_take(carve, p->starts_count, MOTE_UINT32);
    p->list = mote_carve_take(carve, 2, MOTE_UINT32);
    p->by_time.args.offsets = p->head;
    p->by_first.args.offsets = p->list;
    p->by_time.args.values = p->by_first.args.values = p->times;
    p->by_time.args.result = p->sorted_t;
    p->by_time.args.indices = p->by_first.args.indices = p->first;
    carve_steps(call, p, carve);
}

const mote_descriptor mote_pixels_cluster_time_operation = {
    MOTE_DESCRIBE(mote_pixels_cluster_time, mote_pixels_cluster_time_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pixels_cluster_time_args),
    MOTE_DESCRIBE_ERROR(mote_pixels_cluster_time_args),
    .check = check,
    .carve = carve_plan,
    .launch = mote_pixels_time_run,
};
MOTE_DEFINE_CALL(mote_pixels_cluster_time, mote_pixels_cluster_time_args,
                 mote_pixels_cluster_time_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_cluster_time_workspace_size, mote_pixels_cluster_time_args,
                           mote_pixels_cluster_time_operation)
