/* SPDX-License-Identifier: Apache-2.0 */
#include "core/fail.h"
#include "mote/pixels.h"
#include "operations.h"
#include "shared/pixels_params.h"
#include "pixels/sweep.h"
#include "pixels/views.h"
#include "reduce/scan.h"

#include "cl_sources.h"

typedef struct plan {
    mote_pixels_charge_cut_args args;
    mote_pixels_params params;
    mote_sweep digis, modules;
    char defines[128];
    mote_view charge, start, scan;
} plan;

static mote_status check_views(const mote_call *call, const mote_pixels_charge_cut_args *a)
{
    size_t n = a->module_id.count;
    size_t slots = mote_pixels_events(&a->event_offsets) * a->n_modules;
    uint32_t id = n && a->module_id.type < 32 ? MOTE_TYPE_BIT(a->module_id.type) : UINT32_MAX;
    const mote_view_rule views[] = {
        {"module_id", &a->module_id, MOTE_PIXELS_NARROW, n, VIEW_EXACT},
        {"adc", &a->adc, MOTE_PIXELS_NARROW, n, VIEW_EXACT | VIEW_OPTIONAL},
        {"event_offsets", &a->event_offsets, MOTE_PIXELS_U32, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"charge_cuts", &a->charge_cuts, MOTE_PIXELS_U32, a->n_modules, VIEW_EXACT | VIEW_OPTIONAL},
        {"cluster_id", &a->cluster_id, MOTE_PIXELS_I32, n, VIEW_EXACT | VIEW_WRITES},
        {"module_id_out", &a->module_id_out, MOTE_PIXELS_NARROW & id, n,
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES | VIEW_IN_PLACE},
        {"n_clusters", &a->n_clusters, MOTE_PIXELS_U32, slots, VIEW_EXACT | VIEW_WRITES},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static void make_plan(const mote_context *ctx, plan *p)
{
    const mote_pixels_charge_cut_args *a = &p->args;
    p->params = (mote_pixels_params){
        .n = (uint32_t)a->module_id.count,
        .n_events = (uint32_t)mote_pixels_events(&a->event_offsets),
        .n_modules = a->n_modules,
        .invalid_module = mote_pixels_invalid_module(a->invalid_module_id, a->module_id.type),
        .invalid_cluster = (uint32_t)(a->invalid_cluster_id ? a->invalid_cluster_id : -1),
        .cut_low = (uint32_t)a->charge_cut,
        .cut_high = (uint32_t)(a->charge_cut >> 32),
        .inner_cut_low = (uint32_t)a->charge_cut_inner,
        .inner_cut_high = (uint32_t)(a->charge_cut_inner >> 32),
        .inner_modules = a->inner_modules,
        .flags = (a->event_offsets.count ? MOTE_PIXELS_HAS_EVENTS : 0) |
                 (a->charge_cuts.count ? MOTE_PIXELS_HAS_CUTS : 0) |
                 (a->error ? MOTE_PIXELS_HAS_ERROR : 0),
    };
    p->digis = mote_sweep_make(ctx, "pixels.form", a->module_id.count);
    p->modules = mote_sweep_make(ctx, "pixels.form", a->n_clusters.count);
    mote_pixels_sweep_defines(&p->digis, a->module_id.type, a->adc.type, "", p->defines,
                              sizeof(p->defines));
}

static mote_status check(mote_call *call, void *call_plan)
{
    plan *p = call_plan;
    const mote_pixels_charge_cut_args *a = &p->args;
    size_t n = a->module_id.count;
    mote_status st = mote_pixels_check_sizes(call, n, &a->event_offsets, a->n_modules);
    if (!st && n > 0 && a->n_modules < 1)
        st =
            mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                      "%s: n_modules is 0: it must be at least 1 when there are digis", call->name);
    if (!st && a->invalid_cluster_id > 0)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: invalid_cluster_id is %d: it must be below 0, or 0 for -1", call->name,
                       (int)a->invalid_cluster_id);
    if (!st)
        st = mote_pixels_check_inner(call, a->charge_cut_inner, a->inner_modules);
    bool cut = a->charge_cut || a->charge_cut_inner || a->charge_cuts.type;
    if (!st && n > 0 && cut && a->adc.type == MOTE_TYPE_NONE)
        st = mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                       "%s: adc is missing: a charge cut needs the charges", call->name);
    if (!st)
        st = check_views(call, a);
    if (!st)
        make_plan(call->ctx, p);
    return st;
}

static void carve_plan(const mote_call *call, void *call_plan, mote_carve *carve)
{
    plan *p = call_plan;
    size_t slots = p->args.n_clusters.count;
    p->charge = mote_carve_take(carve, 2 * (size_t)p->params.n, MOTE_UINT32);
    p->start = mote_carve_take(carve, slots + 1, MOTE_UINT32);
    p->scan = mote_carve_take(carve, mote_scan_u32_scratch(call->ctx, slots), MOTE_UINT32);
}

static void begin(const plan *p, mote_launch *l, mote_call *call, const char *kernel)
{
    mote_launch_begin(l, call, &mote_cl_pixels_clusters_charge_cut, p->defines, kernel);
    mote_launch_struct(l, "prm", &p->params, sizeof(p->params));
}

static mote_status launch_clear(mote_call *call, const plan *p)
{
    mote_launch l;
    begin(p, &l, call, "charge_cut_clear");
    mote_launch_view(&l, "charge", &p->charge);
    mote_launch_view(&l, "error", &call->error);
    return mote_launch_run(&l, p->digis.groups, p->digis.local);
}

static mote_status launch_add(mote_call *call, const plan *p)
{
    const mote_pixels_charge_cut_args *a = &p->args;
    mote_launch l;
    begin(p, &l, call, "charge_cut_add");
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "adc", &a->adc);
    mote_launch_view(&l, "events", &a->event_offsets);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "start", &p->start);
    mote_launch_view(&l, "charge", &p->charge);
    mote_launch_view(&l, "error", &call->error);
    mote_launch_bytes(&l, 8 * (uint64_t)p->params.n);
    return mote_launch_run(&l, p->digis.groups, p->digis.local);
}

static mote_status launch_number(mote_call *call, const plan *p)
{
    const mote_pixels_charge_cut_args *a = &p->args;
    mote_launch l;
    begin(p, &l, call, "charge_cut_number");
    mote_launch_view(&l, "charge_cuts", &a->charge_cuts);
    mote_launch_view(&l, "start", &p->start);
    mote_launch_view(&l, "charge", &p->charge);
    mote_launch_view(&l, "n_clusters", &a->n_clusters);
    mote_launch_bytes(&l, 8 * (uint64_t)a->n_clusters.count);
    return mote_launch_run(&l, p->modules.groups, p->modules.local);
}

static mote_status launch_relabel(mote_call *call, const plan *p)
{
    const mote_pixels_charge_cut_args *a = &p->args;
    mote_launch l;
    begin(p, &l, call, "charge_cut_relabel");
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "events", &a->event_offsets);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "start", &p->start);
    mote_launch_view(&l, "number", &p->charge);
    mote_launch_view(&l, "module_id_out", &a->module_id_out);
    mote_launch_bytes(&l, 10 * (uint64_t)p->params.n);
    mote_launch_last(&l);
    return mote_launch_run(&l, p->digis.groups, p->digis.local);
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const plan *p = call_plan;
    mote_status st = launch_clear(call, p);
    if (!st)
        st = mote_scan_u32(call, &p->args.n_clusters, &p->start, &p->scan, false);
    if (!st)
        st = launch_add(call, p);
    if (!st)
        st = launch_number(call, p);
    return st ? st : launch_relabel(call, p);
}

const mote_descriptor mote_pixels_charge_cut_operation = {
    MOTE_DESCRIBE(mote_pixels_charge_cut, mote_pixels_charge_cut_args, plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pixels_charge_cut_args),
    MOTE_DESCRIBE_ERROR(mote_pixels_charge_cut_args),
    .check = check,
    .carve = carve_plan,
    .launch = launch_all,
};
MOTE_DEFINE_CALL(mote_pixels_charge_cut, mote_pixels_charge_cut_args,
                 mote_pixels_charge_cut_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_charge_cut_workspace_size, mote_pixels_charge_cut_args,
                           mote_pixels_charge_cut_operation)
