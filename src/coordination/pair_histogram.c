/* SPDX-License-Identifier: Apache-2.0 */
#include "mote/pair_histogram.h"
#include "coordination/kernel_constants.h"
#include "coordination/neighbours_cells.h"
#include "core/error.h"
#include "core/fail.h"
#include "core/log.h"
#include "core/size.h"
#include "operations.h"

#include "cl_sources.h"

#include <math.h>

#define MOST_BINS     ((size_t)1 << 20)
#define RUN_BYTES     ((size_t)68) /* local memory of a work-item: runs of entries */
#define COUNT_BYTES   (MOTE_DISTANCES_LOCAL * sizeof(uint32_t) + 128) /* of a group: counts */
#define GROUPS_A_UNIT ((size_t)16)
#define COUNT_EACH    ((size_t)32)      /* entries that make a work-item worthwhile on CPUs */
#define MOST_CPU_SUMS ((size_t)1 << 22) /* of all work-items in the CPU form */
#define BINS_EACH     ((size_t)256)

#define REALS (MOTE_TYPE_BIT(MOTE_FLOAT32) | MOTE_TYPE_BIT(MOTE_FLOAT64))

typedef struct plan {
    mote_pair_histogram_args args;
    mote_neighbour_cells cells;
    mote_distances_params distances;
    size_t bins;
    size_t groups; /* in the CPU form, work-items, each of which has its own sums */
    mote_view sums;
} plan;

/* ---- arguments ------------------------------------------------------------------------------- */

static mote_status check_views(const mote_call *call, const plan *p)
{
    const mote_pair_histogram_args *a = &p->args;
    const mote_view_rule views[] = {
        {"positions", &a->positions, REALS, VIEW_ANY_COUNT, 0},
        {"other", &a->other, REALS, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"counts", &a->counts, MOTE_TYPE_BIT(MOTE_INT64), VIEW_ANY_COUNT, VIEW_WRITES},
    };
    mote_status st = mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
    return st ? st
              : mote_neighbour_cells_check_types(call, &p->cells, views,
                                                 sizeof(views) / sizeof(views[0]));
}

static mote_status check_bins(const mote_call *call, const plan *p)
{
    const mote_pair_histogram_args *a = &p->args;
    double least = ldexp(a->r_max, p->cells.as_double ? -50 : -21);
    if (p->bins < 1 || p->bins > MOST_BINS)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: counts has %zu elements, but must have from 1 to 2^20, one for each "
                         "bin",
                         call->name, p->bins);
    if (!(a->r_min >= 0.0 && a->r_min < a->r_max))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: r_min is %g, but must be 0 or more and less than r_max, which is %g",
                         call->name, a->r_min, a->r_max);
    if (!((a->r_max - a->r_min) / (double)p->bins >= least))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: %zu bins from %.17g to %.17g are too narrow for the precision of "
                         "distances: use fewer bins or a wider range",
                         call->name, p->bins, a->r_min, a->r_max);
    return MOTE_SUCCESS;
}

static mote_status check_blocks(const mote_call *call, const mote_pair_histogram_args *a)
{
    if (!a->other.type && a->block_other && a->block_other != a->block)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: block is %u and block_other %u: with one list, block_other must be "
                         "0 or equal to block",
                         call->name, (unsigned)a->block, (unsigned)a->block_other);
    if (a->other.type && !a->block != !a->block_other)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: block is %u and block_other %u: both must be 0, or neither",
                         call->name, (unsigned)a->block, (unsigned)a->block_other);
    return MOTE_SUCCESS;
}

static void make_plan(const mote_context *ctx, plan *p)
{
    const mote_pair_histogram_args *a = &p->args;
    mote_neighbour_cells *cells = &p->cells;
    mote_distances_params *d = &p->distances;
    size_t units = ctx->device.compute_units;
    mote_neighbour_cells_plan(ctx, cells, RUN_BYTES, COUNT_BYTES);
    cells->params.flags |= MOTE_NEIGHBOURS_FINE | (a->other.type ? 0 : MOTE_NEIGHBOURS_ORDERED);
    mote_coordination_put(d->r_min, a->r_min, cells->as_double);
    mote_coordination_put(d->width, (a->r_max - a->r_min) / (double)p->bins, cells->as_double);
    d->bins = (uint32_t)p->bins;
    d->block = a->block;
    d->block_other = a->other.type ? a->block_other : a->block;
    if (cells->cpu)
        p->groups = clamp(div_ceil(cells->n, COUNT_EACH), 1,
                          clamp(MOST_CPU_SUMS / p->bins, 1, MOTE_NEIGHBOURS_PER_UNIT * units));
    else
        p->groups =
            clamp(div_ceil(cells->n, cells->searching / cells->team), 1, GROUPS_A_UNIT * units);
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_pair_histogram_args *a = &p->args;
    const mote_neighbours_range range = {"r_max", a->r_max, a->box, a->pbc};
    mote_neighbour_cells_set(call->ctx, &p->cells, &a->positions, &a->other, 1);
    p->bins = a->counts.count;
    mote_status st = check_views(call, p);
    if (!st)
        st = mote_neighbour_cells_check(call, &p->cells);
    if (!st)
        st = mote_neighbours_box(call, &range, p->cells.as_double, &p->cells.params);
    if (!st)
        st = check_bins(call, p);
    if (!st)
        st = check_blocks(call, a);
    if (st)
        return st;
    make_plan(call->ctx, p);
    mote_log(MOTE_LOG_DEBUG, "%s: %s form, %zu entries, %zu bins, at most %u cells", call->name,
             p->cells.cpu ? "CPU" : "GPU", p->cells.count, p->bins, (unsigned)p->cells.params.most);
    return MOTE_SUCCESS;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    mote_neighbour_cells_carve(call, &p->cells, carve);
    p->sums = mote_carve_take(carve, 2 * (p->cells.cpu ? p->groups * (p->bins + 1) : p->bins),
                              MOTE_UINT32);
}

/* ---- launches -------------------------------------------------------------------------------- */

static void begin_sums(mote_launch *launch, mote_call *call, const plan *p, const char *kernel)
{
    mote_launch_begin(launch, call, &mote_cl_coordination_neighbours_distances_sums,
                      p->cells.cpu ? "-DCPU_FORM" : "", kernel);
    mote_launch_view(launch, "sums", &p->sums);
}

static mote_status launch_clear(mote_call *call, const plan *p)
{
    mote_launch launch;
    begin_sums(&launch, call, p, "distances_clear");
    mote_launch_u64(&launch, "words", 2 * p->bins);
    mote_launch_bytes(&launch, 8 * (uint64_t)p->bins);
    return mote_neighbour_cells_sweep(&launch, &p->cells, 2 * p->bins, BINS_EACH);
}

static mote_status launch_count(mote_call *call, const plan *p)
{
    const mote_neighbour_cells *cells = &p->cells;
    mote_launch launch;
    mote_neighbour_cells_begin(&launch, call, cells,
                               cells->cpu ? &mote_cl_coordination_neighbours_distances_cpu
                                          : &mote_cl_coordination_neighbours_distances,
                               "distances_count");
    mote_launch_struct(&launch, "d", &p->distances, sizeof(p->distances));
    mote_launch_view(&launch, "sums", &p->sums);
    mote_launch_bytes(&launch, 36 * (uint64_t)cells->n + 8 * (uint64_t)p->bins);
    return mote_launch_run(&launch, p->groups, cells->searching);
}

static mote_status launch_finish(mote_call *call, const plan *p, size_t rows)
{
    mote_launch launch;
    begin_sums(&launch, call, p, "distances_finish");
    mote_launch_u32(&launch, "bins", (uint32_t)p->bins);
    mote_launch_u32(&launch, "rows", (uint32_t)rows);
    mote_launch_u32(&launch, "each", (uint32_t)p->bins + 1);
    mote_launch_u32(&launch, "factor", p->args.other.type ? 1 : 2);
    mote_launch_u32(&launch, "adds", p->args.accumulate != 0);
    mote_launch_view(&launch, "counts", &p->args.counts);
    mote_launch_bytes(&launch, 16 * (uint64_t)p->bins);
    mote_launch_last(&launch);
    return mote_neighbour_cells_sweep(&launch, &p->cells, p->bins, BINS_EACH);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    bool any = p->cells.n > 0;
    mote_status st = mote_error_clear(call);
    if (!st && any)
        st = mote_neighbour_cells_sort(call, &p->cells);
    if (!st && any && !p->cells.cpu)
        st = launch_clear(call, p);
    if (!st && any)
        st = launch_count(call, p);
    return st ? st : launch_finish(call, p, !any ? 0 : p->cells.cpu ? p->groups : 1);
}

const mote_descriptor mote_pair_histogram_operation = {
    MOTE_DESCRIBE(mote_pair_histogram, mote_pair_histogram_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pair_histogram_args),
    MOTE_DESCRIBE_ERROR(mote_pair_histogram_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_pair_histogram, mote_pair_histogram_args, mote_pair_histogram_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pair_histogram_workspace_size, mote_pair_histogram_args,
                           mote_pair_histogram_operation)
