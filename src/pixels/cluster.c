/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "core/tune.h"
#include "cl_sources.h"
#include "operations.h"
#include "pixels/cluster_plan.h"
#include "pixels/module_out.h"
#include "pixels/properties.h"
#include "reduce/bin_by_key.h"
#include "reduce/scan.h"

/* Clears what later launches add to and, for input in any order, makes the sorting keys. */
static mote_status launch_init(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    const mote_pixels_cluster_args *a = &plan->args;
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_init, plan->defines, "init");
    mote_launch_struct(&l, &plan->params, sizeof(plan->params));
    mote_launch_view(&l, &a->module_id);
    mote_launch_view(&l, &a->event_offsets);
    mote_launch_view(&l, &a->n_device);
    mote_launch_view(&l, &plan->key);
    mote_launch_view(&l, &plan->n_clusters);
    mote_launch_view(&l, &plan->owner);
    mote_launch_view(&l, &plan->large);
    mote_launch_view(&l, &call->error);
    if (last)
        mote_launch_last(&l);
    size_t work = plan->any_order && plan->n > plan->slots ? plan->n : plan->slots;
    size_t local = call->ctx->device.device_class == MOTE_DEVICE_GPU ? 256 : 16;
    if (local > call->ctx->device.max_work_group)
        local = call->ctx->device.max_work_group;
    size_t groups = work / local + 1, most = (size_t)call->ctx->device.compute_units * 8;
    mote_launch_bytes(&l, 4 * (uint64_t)work);
    return mote_launch_run(&l, groups < most ? groups : most, local);
}

static mote_status sort_digis(mote_call *call, const mote_pixels_plan *plan)
{
    mote_bin_by_key bin = {.n = plan->n,
                           .n_bins = (uint32_t)plan->slots,
                           .key = plan->key,
                           .sorted_key = plan->sorted_key,
                           .index = plan->index,
                           .scratch = plan->bin_scratch};
    return mote_bin_by_key_run(call, &bin);
}

static mote_status launch_cluster(mote_call *call, const mote_pixels_plan *plan,
                                  const mote_source *source, bool spilled, size_t groups, bool last)
{
    char defines[sizeof(plan->defines) + 16];
    snprintf(defines, sizeof(defines), "%s -DSPILLED=%d", plan->defines, spilled);
    const mote_pixels_cluster_args *a = &plan->args;
    mote_launch l;
    mote_launch_begin(&l, call, source, defines, spilled ? "cluster_spilled" : "cluster");
    mote_launch_struct(&l, &plan->params, sizeof(plan->params));
    mote_launch_view(&l, &a->module_id);
    mote_launch_view(&l, &a->x);
    mote_launch_view(&l, &a->y);
    mote_launch_view(&l, &a->adc);
    mote_launch_view(&l, &a->event_offsets);
    mote_launch_view(&l, &a->n_device);
    mote_launch_view(&l, &a->charge_cuts);
    mote_launch_view(&l, &plan->sorted_key);
    mote_launch_view(&l, &plan->index);
    mote_launch_view(&l, &a->cluster_id);
    mote_launch_view(&l, &plan->n_clusters);
    mote_launch_view(&l, &plan->run_of);
    mote_launch_view(&l, &plan->owner);
    mote_launch_view(&l, &plan->spill);
    mote_launch_view(&l, &plan->copies);
    mote_launch_view(&l, &plan->large);
    mote_launch_view(&l, &call->error);
    if (last)
        mote_launch_last(&l);
    mote_launch_bytes(&l, 12 * (uint64_t)plan->n);
    return mote_launch_run(&l, groups, plan->work_group);
}

/* The labelling launches; the spill kernel only where a module can be longer than a tile. */
static mote_status launch_labels(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    const mote_source *source =
        plan->histogram ? &mote_cl_pixels_cluster_histogram : &mote_cl_pixels_cluster_union_find;
    size_t units = (size_t)call->ctx->device.compute_units * 2;
    size_t spilled = plan->on_gpu || plan->tiles < 2 ? 0
                     : plan->tiles < units           ? plan->tiles
                                                     : units;
    mote_status st = launch_cluster(call, plan, source, false, plan->groups, last && spilled == 0);
    if (!st && spilled)
        st = launch_cluster(call, plan, source, true, spilled, last);
    return st;
}

/* The GPU form. */
static mote_status launch_clusters(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    mote_status st = launch_init(call, plan, plan->groups == 0 && last);
    if (!st && plan->any_order && plan->n > 0)
        st = sort_digis(call, plan);
    if (!st && plan->groups > 0)
        st = launch_labels(call, plan, last);
    return st;
}

static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const mote_pixels_plan *plan = call_plan;
    const mote_pixels_cluster_args *a = &plan->args;
    bool cpu = plan->form == MOTE_DEVICE_CPU, properties = a->properties.count > 0;
    bool module_out = a->module_id_out.count > 0 && (!cpu || plan->cpu.out_apart);
    bool starts = a->cluster_start.count > 0 || properties;
    bool after = module_out || starts;
    mote_status st =
        cpu ? mote_pixels_cpu_launch(call, plan, !after) : launch_clusters(call, plan, !after);
    if (!st && module_out)
        st = mote_pixels_launch_module_out(call, a, &plan->params, !starts);
    if (!st && starts)
        st = mote_scan_u32(call, &plan->n_clusters, &plan->cluster_start, &plan->scan_scratch,
                           !properties);
    if (!st && properties)
        st = mote_pixels_launch_properties(call, a, &plan->params, &plan->cluster_start,
                                           &plan->copies, true);
    return st;
}

static mote_status check(mote_call *call, void *call_plan)
{
    mote_pixels_plan *plan = call_plan;
    mote_status st = mote_pixels_cluster_check(call, &plan->args);
    return st ? st : mote_pixels_plan_make(call, plan);
}

const mote_descriptor mote_pixels_cluster_operation = {
    MOTE_DESCRIBE(mote_pixels_cluster, mote_pixels_cluster_args, mote_pixels_plan),
    MOTE_DESCRIBE_WORKSPACE(mote_pixels_cluster_args),
    MOTE_DESCRIBE_ERROR(mote_pixels_cluster_args),
    .check = check,
    .carve = mote_pixels_plan_carve,
    .launch = launch_all,
};
MOTE_DEFINE_ARGS_INIT(mote_pixels_cluster_args_init, mote_pixels_cluster_args)
MOTE_DEFINE_CALL(mote_pixels_cluster, mote_pixels_cluster_args, mote_pixels_cluster_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_cluster_workspace_size, mote_pixels_cluster_args,
                           mote_pixels_cluster_operation)
