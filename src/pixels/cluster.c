/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "core/tune.h"
#include "cl_sources.h"
#include "operations.h"
#include "pixels/cluster_plan.h"
#include "pixels/decode.h"
#include "pixels/module_out.h"
#include "pixels/morph.h"
#include "pixels/positions.h"
#include "pixels/properties.h"
#include "reduce/scan.h"

#define HEADS_GROUP 128
#define HEADS_ITEM  8

/* Clears the memory that later launches add to. */
static mote_status launch_init(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    mote_launch l;
    /* The kernel reads no digis, so that all their types share one program. */
    mote_launch_begin(&l, call, &mote_cl_pixels_label_init,
                      "-DORDER_ANY=0 -DID_T=uint -DADC_T=uint", "init");
    mote_launch_struct(&l, "prm", &plan->params, sizeof(plan->params));
    mote_launch_view(&l, "events", &plan->args.event_offsets);
    mote_launch_view(&l, "n_device", &plan->args.n_device);
    mote_launch_view(&l, "n_clusters", &plan->n_clusters);
    mote_launch_view(&l, "owner", &plan->owner);
    mote_launch_view(&l, "large", &plan->large);
    mote_launch_view(&l, "error", &call->error);
    if (last)
        mote_launch_last(&l);
    size_t local = call->ctx->device.device_class == MOTE_DEVICE_GPU ? 256 : 16;
    if (local > call->ctx->device.max_work_group)
        local = call->ctx->device.max_work_group;
    size_t groups = plan->slots / local + 1, most = (size_t)call->ctx->device.compute_units * 8;
    mote_launch_bytes(&l, 8 * (uint64_t)plan->slots);
    return mote_launch_run(&l, groups < most ? groups : most, local);
}

/* Clears the memory that `by_size.cl` adds to, and lists where modules begin. */
static mote_status launch_heads(mote_call *call, const mote_pixels_plan *plan)
{
    const mote_view none = {0};
    const mote_pixels_cluster_args *a = &plan->args;
    size_t most = call->ctx->device.max_work_group, local = HEADS_GROUP;
    char defines[sizeof(plan->defines) + 16];
    while (local > most)
        local /= 2;
    mote_launch l;
    snprintf(defines, sizeof(defines),
             "-DWG=%zu -DORDER_ANY=0 -DID_T=%s -DADC_T=ushort -DDUPLICATES=0", local,
             a->module_id.type == MOTE_UINT32 ? "uint" : "ushort");
    mote_launch_begin(&l, call, &mote_cl_pixels_group_heads, defines, "heads");
    mote_launch_struct(&l, "prm", &plan->params, sizeof(plan->params));
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "events", &a->event_offsets);
    mote_launch_view(&l, "n_device", &a->n_device);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "module_id_out", plan->out_apart ? &none : &a->module_id_out);
    mote_launch_view(&l, "n_clusters", &plan->n_clusters);
    mote_launch_view(&l, "owner", &plan->owner);
    mote_launch_view(&l, "strips", &plan->strip_list);
    mote_launch_view(&l, "large", &plan->large);
    mote_launch_view(&l, "error", &call->error);
    mote_launch_bytes(&l, plan->n * 2 + plan->slots * 8);
    return mote_pixels_run_launch(&l, plan, defines,
                                  (plan->n + HEADS_ITEM * local - 1) / (HEADS_ITEM * local), local);
}

/* A labelling launch: its source, its defines besides the plan's, and its size. */
typedef struct label_launch {
    const mote_source *source;
    const char *kernel, *defines;
    size_t groups, local;
    bool morphs;
} label_launch;

static mote_status launch_cluster(mote_call *call, const mote_pixels_plan *plan,
                                  const label_launch *of, bool last)
{
    const mote_view none = {0}, totals = mote_pixels_event_totals(call, plan);
    const mote_pixels_cluster_args *a = &plan->args;
    char defines[sizeof(plan->defines) + 64];
    snprintf(defines, sizeof(defines), "%s -DWG=%zu%s", plan->defines, of->local, of->defines);
    mote_launch l;
    mote_launch_begin(&l, call, of->source, defines, of->kernel);
    mote_launch_struct(&l, "prm", &plan->params, sizeof(plan->params));
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "x", &a->x);
    mote_launch_view(&l, "y", &a->y);
    mote_launch_view(&l, "adc", &a->adc);
    mote_launch_view(&l, "events", &plan->events);
    mote_launch_view(&l, "n_device", &plan->length);
    mote_launch_view(&l, "charge_cuts", &a->charge_cuts);
    mote_launch_view(&l, "key_of", &plan->position_key);
    mote_launch_view(&l, "record", &plan->record);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "module_id_out", plan->out_apart ? &none : &a->module_id_out);
    mote_launch_view(&l, "n_clusters", &plan->n_clusters);
    mote_launch_view(&l, "strips", &plan->strip_list);
    mote_launch_view(&l, "run_of", &plan->run_of);
    mote_launch_view(&l, "owner", plan->any_order ? &totals : &plan->owner);
    mote_launch_view(&l, "spill", &plan->spill);
    mote_launch_view(&l, "copies", &plan->copies);
    mote_launch_view(&l, "large", &plan->large);
    mote_launch_view(&l, "error", &call->error);
    mote_pixels_decode_arguments(&l, a, false);
    if (of->morphs)
        mote_pixels_morph_arguments(&l, plan);
    if (last)
        mote_launch_last(&l);
    l.exact = plan->labels.registers > 0;
    mote_launch_bytes(&l, 12 * (uint64_t)plan->n);
    return mote_pixels_run_launch(&l, plan, defines, of->groups, of->local);
}

/* Groups for the modules that a CPU which runs the GPU form defers: only if a module can be longer
 * than a tile.
 */
static size_t spill_groups(const mote_call *call, const mote_pixels_plan *plan)
{
    size_t units = (size_t)call->ctx->device.compute_units * 2;
    if (plan->on_gpu || plan->tiles < 2)
        return 0;
    return plan->tiles < units ? plan->tiles : units;
}

static mote_status launch_by_size(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    const mote_source *source = &mote_cl_pixels_label_by_size;
    const label_launch fused = {
        source,           "cluster", " -DSMALL_MODULES=1 -DLARGE_MODULES=1", plan->labels.groups,
        plan->work_group, false};
    const label_launch large = {source,
                                "cluster",
                                " -DSMALL_MODULES=0 -DLARGE_MODULES=1",
                                plan->labels.large_groups,
                                plan->work_group,
                                false};
    const label_launch small = {source,       "cluster",    " -DSMALL_MODULES=1 -DLARGE_MODULES=0",
                                plan->strips, BY_SIZE_BAND, false};
    if (plan->labels.fused)
        return launch_cluster(call, plan, &fused, last);
    mote_status st = launch_cluster(call, plan, &large, false);
    return st ? st : launch_cluster(call, plan, &small, last);
}

/* Enqueues the launches that label. */
static mote_status launch_labels(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    const mote_source *source =
        plan->histogram ? &mote_cl_pixels_label_histogram : &mote_cl_pixels_label_union_find;
    const label_launch all = {source,           "cluster", " -DSPILLED=0", plan->labels.groups,
                              plan->work_group, false};
    const char *spilled = plan->labels.by_size ? " -DSPILLED=1 -DPOSITION_KEYS=0" : " -DSPILLED=1";
    const label_launch rest = {
        source, "cluster_spilled", spilled, spill_groups(call, plan), plan->work_group, false};
    mote_status st = plan->labels.by_size
                         ? launch_by_size(call, plan, last && rest.groups == 0)
                         : launch_cluster(call, plan, &all, last && rest.groups == 0);
    return st || rest.groups == 0 ? st : launch_cluster(call, plan, &rest, last);
}

/* Labels the marked modules again, on the closing of their pixels. */
static mote_status launch_morphed(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    const bool local =
        plan->levels == 2 && mote_tune_size(call->ctx, "pixels.morph_local", plan->on_gpu, 0, 1);
    const label_launch morphed = {&mote_cl_pixels_label_morph,
                                  "cluster_morphed",
                                  local ? " -DMORPH_LOCAL=1" : " -DMORPH_LOCAL=0",
                                  plan->images,
                                  plan->work_group,
                                  true};
    return launch_cluster(call, plan, &morphed, last);
}

/* Enqueues the launches of the GPU form. */
static mote_status launch_clusters(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    mote_status st;
    if (plan->any_order)
        st = mote_pixels_any_launch(call, plan, plan->labels.groups == 0 && last);
    else if (plan->labels.by_size)
        st = launch_heads(call, plan);
    else
        st = launch_init(call, plan, plan->labels.groups == 0 && last);
    if (!st && plan->labels.groups > 0)
        st = launch_labels(call, plan, last && !plan->images);
    if (!st && plan->labels.groups > 0 && plan->images)
        st = launch_morphed(call, plan, last);
    return st;
}

static mote_status launch_positions(mote_call *call, const mote_pixels_plan *plan,
                                    const mote_pixels_cluster_args *args, bool last)
{
    return mote_pixels_launch_positions(
        call, args, &plan->params,
        &(mote_pixels_positions_parts){.cluster_start = &plan->cluster_start,
                                       .copies = &plan->copies,
                                       .sums = &plan->sums,
                                       .n_clusters = &plan->n_clusters,
                                       .finds_starts = plan->finds_starts,
                                       .begins = plan->any_order ? &plan->start : &plan->owner,
                                       .position_key = &plan->position_key,
                                       .record = &plan->record,
                                       .group = plan->positions_group,
                                       .registers = plan->positions_registers,
                                       .plan = plan,
                                       .formed = &plan->formed,
                                       .first_formed = &plan->first_formed},
        last);
}

/* module_id_out comes last: written in place, it would overwrite ids that positions are computed
 * from. */
static mote_status launch_all(mote_call *call, const void *call_plan)
{
    const mote_pixels_plan *plan = call_plan;
    mote_pixels_cluster_args later = plan->args;
    const mote_pixels_cluster_args *a = &later;
    bool cpu = plan->form == MOTE_DEVICE_CPU, properties = a->properties.count > 0;
    bool module_out = a->module_id_out.count > 0 && plan->out_apart;
    bool positions = mote_pixels_positions_room(a) > 0;
    bool starts = a->cluster_start.count > 0 || properties || positions;
    bool after = module_out || starts;
    if (later.n_device.count)
        later.n_device = plan->length;
    if (later.event_offsets.count)
        later.event_offsets = plan->events;
    mote_status st =
        cpu ? mote_pixels_cpu_launch(call, plan, !after) : launch_clusters(call, plan, !after);
    if (!st && starts && !plan->finds_starts)
        st = mote_scan_u32(call, &plan->n_clusters, &plan->cluster_start, &plan->scan_scratch,
                           !properties && !positions && !module_out);
    if (!st && properties)
        st = mote_pixels_launch_properties(call, a, &plan->params, &plan->cluster_start,
                                           &plan->copies, !positions && !module_out);
    if (!st && positions)
        st = launch_positions(call, plan, a, !module_out);
    if (!st && module_out)
        st = mote_pixels_launch_module_out(call, a, &plan->params, true);
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
MOTE_DEFINE_CALL(mote_pixels_cluster, mote_pixels_cluster_args, mote_pixels_cluster_operation)
MOTE_DEFINE_WORKSPACE_SIZE(mote_pixels_cluster_workspace_size, mote_pixels_cluster_args,
                           mote_pixels_cluster_operation)
