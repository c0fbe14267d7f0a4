/* SPDX-License-Identifier: Apache-2.0 */
#include "core/error.h"
#include "core/fail.h"
#include "core/size.h"
#include "mote/pixels_measure.h"
#include "operations.h"
#include "pixels/decode.h"
#include "pixels/sweep.h"
#include "pixels/views.h"
#include "reduce/sum_plan.h"
#include "shared/pixels_params.h"

#include "cl_sources.h"

#include <stdio.h>
#include <string.h>

#define GROUP       ((size_t)128)   /* GPU form */
#define LOCAL_BYTES ((size_t)24576) /* local memory of a group, at most */
#define SUMS_BYTES                                                                                 \
    ((size_t)152) /* bytes of a work-item: sums, a block, and the numbers of clusters              \
                   */
#define FIXED_BYTES ((size_t)1600) /* of a group */

typedef struct plan {
    mote_pixels_measure_args args;
    mote_pixels_params params;
    mote_pixels_cluster_args charges; /* gains and pedestals, for decode.h */
    mote_sweep sweep;
    uint32_t clusters, designs;
    uint32_t most_rows, most_columns; /* sizes in the tables of variances */
    bool weighted;
    char defines[160];
} plan;

static mote_status invalid(const mote_call *call, const char *sentence)
{
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s", call->name, sentence);
}

static mote_status check_charges(const mote_call *call, const plan *p)
{
    const mote_pixels_measure_args *a = &p->args;
    mote_status st = MOTE_CHECK_CHOICE(call->name, "weight", a->weight, mote_pixels_weight);
    if (!st)
        st = MOTE_CHECK_CHOICE(call->name, "duplicates", a->duplicates, mote_pixels_duplicates);
    if (st)
        return st;
    const bool charges = a->adc.type != MOTE_TYPE_NONE;
    if (a->weight == MOTE_PIXELS_WEIGHT_CHARGE && a->module_id.count > 0 && !charges)
        return invalid(call, "adc is missing: weights are charges; weight = "
                             "MOTE_PIXELS_WEIGHT_NONE does without");
    if (!charges && mote_pixels_calibrated(&p->charges))
        return invalid(call, "adc is missing: gain and pedestal convert adc counts to charges");
    if (a->charge_min && !mote_pixels_calibrated(&p->charges))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: charge_min = %u: holds for charges that gain or pedestal make, and "
                         "neither is given",
                         call->name, (unsigned)a->charge_min);
    return MOTE_SUCCESS;
}

static mote_status check_numbers(const mote_call *call, const plan *p)
{
    const mote_pixels_measure_args *a = &p->args;
    const mote_view no_events = {0};
    const size_t rows = a->row_offsets.count, columns = a->column_offsets.count;
    mote_status st = mote_pixels_check_sizes(call, a->module_id.count, &no_events, 0);
    if (st)
        return st;
    if (a->module_id.count > 0 && a->n_modules < 1)
        return invalid(call, "n_modules is 0: it must be at least 1 when there are digis");
    if (rows && columns && rows != columns)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: row_offsets has %zu elements and column_offsets has %zu: both must "
                         "have the number of designs + 1",
                         call->name, rows, columns);
    if (a->design.type && !rows && !columns)
        return invalid(call, "design is given, but neither row_offsets nor column_offsets");
    const size_t most = (size_t)1 << 31;
    if (a->cluster_offsets.count > most || a->row_edges.count > most ||
        a->column_edges.count > most || rows > most || columns > most)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: cluster_offsets, offsets and edges of designs: one has more than "
                         "2^31 elements, which is the most that a call takes",
                         call->name);
    return MOTE_SUCCESS;
}

/* Checks that a table of variances has the same number of sizes for each design, and returns it. */
static mote_status check_table(const mote_call *call, const char *name, const mote_view *table,
                               size_t designs, uint32_t *sizes)
{
    designs += designs == 0;
    const size_t each = table->count / designs;
    *sizes = (uint32_t)each;
    if (!table->type || (each && each <= UINT32_MAX && table->count % designs == 0))
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                     "%s: %s has %zu elements for %zu design%s: it needs the same number for each, "
                     "at least 1 and below 2^32",
                     call->name, name, table->count, designs, designs == 1 ? "" : "s");
}

static mote_status check_tables(const mote_call *call, plan *p)
{
    const mote_pixels_measure_args *a = &p->args;
    const size_t offsets = max_size(a->row_offsets.count, a->column_offsets.count);
    p->designs = (uint32_t)(offsets ? offsets - 1 : 0);
    mote_status st =
        check_table(call, "x_var_by_rows", &a->x_var_by_rows, p->designs, &p->most_rows);
    if (!st)
        st = check_table(call, "y_var_by_columns", &a->y_var_by_columns, p->designs,
                         &p->most_columns);
    return st;
}

static mote_status check_views(const mote_call *call, const plan *p)
{
    const mote_pixels_measure_args *a = &p->args;
    const uint32_t u16 = MOTE_TYPE_BIT(MOTE_UINT16), u32 = MOTE_PIXELS_U32;
    const uint32_t f32 = MOTE_TYPE_BIT(MOTE_FLOAT32);
    const unsigned result = VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES;
    const unsigned module = VIEW_EXACT | VIEW_OPTIONAL;
    const size_t n = a->module_id.count, m = a->n_modules;
    const size_t clusters = a->cluster_offsets.count ? a->cluster_offsets.count - 1 : 0;
    const mote_view_rule views[] = {
        {"module_id", &a->module_id, MOTE_PIXELS_NARROW, n, VIEW_EXACT},
        {"x", &a->x, u16, n, VIEW_EXACT},
        {"y", &a->y, u16, n, VIEW_EXACT},
        {"adc", &a->adc, MOTE_PIXELS_NARROW, n, module},
        {"cluster_offsets", &a->cluster_offsets, u32, 1, 0},
        {"digis", &a->digis, u32, VIEW_ANY_COUNT, 0},
        {"design", &a->design, u32, m, module},
        {"row_offsets", &a->row_offsets, u32, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"row_edges", &a->row_edges, f32, VIEW_ANY_COUNT, VIEW_OPTIONAL_IF(!a->row_offsets.count)},
        {"column_offsets", &a->column_offsets, u32, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"column_edges", &a->column_edges, f32, VIEW_ANY_COUNT,
         VIEW_OPTIONAL_IF(!a->column_offsets.count)},
        {"shift_x", &a->shift_x, f32, m, module},
        {"shift_y", &a->shift_y, f32, m, module},
        {"gain", &a->gain, f32, m, module},
        {"pedestal", &a->pedestal, f32, m, module},
        {"x_var_by_rows", &a->x_var_by_rows, f32, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"y_var_by_columns", &a->y_var_by_columns, f32, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"cluster_module", &a->cluster_module, u32, clusters, result},
        {"cluster_x", &a->cluster_x, f32, clusters, result},
        {"cluster_y", &a->cluster_y, f32, clusters, result},
        {"cluster_x_var", &a->cluster_x_var, f32, clusters, result},
        {"cluster_y_var", &a->cluster_y_var, f32, clusters, result},
        {"cluster_rows", &a->cluster_rows, u32, clusters, result},
        {"cluster_columns", &a->cluster_columns, u32, clusters, result},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static void make_plan(const mote_context *ctx, plan *p)
{
    const mote_pixels_measure_args *a = &p->args;
    const size_t local = min_size((size_t)ctx->device.local_bytes, LOCAL_BYTES);
    char more[64];
    p->clusters = (uint32_t)(a->cluster_offsets.count - 1);
    p->weighted = a->weight == MOTE_PIXELS_WEIGHT_CHARGE;
    p->params = (mote_pixels_params){.n = (uint32_t)a->module_id.count,
                                     .n_modules = a->n_modules,
                                     .flags = a->error ? MOTE_PIXELS_HAS_ERROR : 0};
    p->sweep = mote_sweep_make(ctx, "pixels.form", p->clusters);
    if (!p->sweep.cpu) {
        size_t group = min_size(GROUP, ctx->device.max_work_group);
        group = min_size(group, (local - min_size(local, FIXED_BYTES)) / SUMS_BYTES);
        for (p->sweep.local = 1; 2 * p->sweep.local <= group;)
            p->sweep.local *= 2;
        p->sweep.groups = min_size(a->digis.count / MOTE_PIXELS_LONG_CLUSTER + 1 +
                                       p->clusters / p->sweep.local + 1,
                                   32 * (size_t)ctx->device.compute_units);
    }
    snprintf(more, sizeof(more), " -DFP64=%d%s", mote_reduce_has_fp64(ctx),
             mote_pixels_decode_defines(&p->charges, true));
    mote_pixels_sweep_defines(&p->sweep, a->module_id.type, a->adc.type, more, p->defines,
                              sizeof(p->defines));
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_pixels_measure_args *a = &p->args;
    p->charges = (mote_pixels_cluster_args){
        .gain = a->gain, .pedestal = a->pedestal, .charge_min = a->charge_min};
    mote_status st = check_charges(call, p);
    if (!st)
        st = check_numbers(call, p);
    if (!st)
        st = check_tables(call, p);
    if (!st)
        st = check_views(call, p);
    if (!st)
        make_plan(call->ctx, p);
    return st;
}

/* Sets an optional array; one without elements is none. */
static void set_optional(mote_launch *l, const char *name, const mote_view *v)
{
    const mote_view none = {0};
    mote_launch_view(l, name, v->count ? v : &none);
}

static void set_inputs(mote_launch *l, const plan *p)
{
    const mote_pixels_measure_args *a = &p->args;
    mote_launch_struct(l, "prm", &p->params, sizeof(p->params));
    mote_launch_u32(l, "count", p->clusters);
    mote_launch_view(l, "module_id", &a->module_id);
    mote_launch_view(l, "x", &a->x);
    mote_launch_view(l, "y", &a->y);
    mote_launch_view(l, "adc", &a->adc);
    mote_launch_view(l, "offsets", &a->cluster_offsets);
    mote_launch_view(l, "digis", &a->digis);
    mote_launch_u64(l, "n_listed", a->digis.count);
    mote_launch_view(l, "design", &a->design);
    mote_launch_u32(l, "n_designs", p->designs);
    set_optional(l, "row_offsets", &a->row_offsets);
    mote_launch_view(l, "row_edges", &a->row_edges);
    mote_launch_u32(l, "n_row_edges", (uint32_t)a->row_edges.count);
    set_optional(l, "column_offsets", &a->column_offsets);
    mote_launch_view(l, "column_edges", &a->column_edges);
    mote_launch_u32(l, "n_column_edges", (uint32_t)a->column_edges.count);
    mote_launch_view(l, "shift_x", &a->shift_x);
    mote_launch_view(l, "shift_y", &a->shift_y);
    mote_launch_u32(l, "plain", !p->weighted);
    mote_launch_u32(l, "largest", a->duplicates == MOTE_DUPLICATES_MAX);
    mote_launch_u32(l, "widths", a->widths != 0);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    const mote_pixels_measure_args *a = &p->args;
    mote_status st = mote_error_clear(call);
    mote_launch l;
    if (st)
        return st;
    mote_launch_begin(&l, call, &mote_cl_pixels_clusters_measure, p->defines, "measure_clusters");
    set_inputs(&l, p);
    mote_launch_view(&l, "cluster_module", &a->cluster_module);
    mote_launch_view(&l, "cluster_x", &a->cluster_x);
    mote_launch_view(&l, "cluster_y", &a->cluster_y);
    mote_launch_view(&l, "cluster_x_var", &a->cluster_x_var);
    mote_launch_view(&l, "cluster_y_var", &a->cluster_y_var);
    mote_launch_view(&l, "cluster_rows", &a->cluster_rows);
    mote_launch_view(&l, "cluster_columns", &a->cluster_columns);
    set_optional(&l, "x_var_by_rows", &a->x_var_by_rows);
    mote_launch_u32(&l, "most_rows", p->most_rows);
    set_optional(&l, "y_var_by_columns", &a->y_var_by_columns);
    mote_launch_u32(&l, "most_columns", p->most_columns);
    mote_launch_view(&l, "error", &call->error);
    mote_pixels_decode_arguments(&l, &p->charges, true);
    mote_launch_bytes(&l, 10 * (uint64_t)a->digis.count + 4 * (uint64_t)p->clusters);
    mote_launch_last(&l);
    return mote_launch_run(&l, p->sweep.groups, p->sweep.local);
}

const mote_descriptor mote_pixels_measure_operation = {
    MOTE_DESCRIBE(mote_pixels_measure, mote_pixels_measure_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pixels_measure_args),
    MOTE_DESCRIBE_ERROR(mote_pixels_measure_args),
    .check = check,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_pixels_measure, mote_pixels_measure_args, mote_pixels_measure_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_measure_workspace_size, mote_pixels_measure_args,
                           mote_pixels_measure_operation)
