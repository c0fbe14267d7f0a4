/* SPDX-License-Identifier: Apache-2.0 */
/* Digis in any order, GPU form: the launches of cl/pixels/group/by_atomics.cl, by_slices.cl and
 * one_event.cl. */
#include "pixels/cluster_plan.h"

#include <stdio.h>

#include "cl_sources.h"

#define ITEM 4 /* digis of a work-item */

/* A launch that is being prepared, the defines of its program, and the size of its groups. */
typedef struct any_launch {
    mote_launch l;
    const mote_pixels_plan *plan;
    char defines[256];
    size_t group;
} any_launch;

static void begin_of(any_launch *launch, mote_call *call, const mote_pixels_plan *plan,
                     const mote_source *source, const char *kernel, size_t group, const char *more)
{
    const mote_pixels_cluster_args *a = &plan->args;

    launch->plan = plan;
    launch->group = group;
    snprintf(launch->defines, sizeof(launch->defines),
             "-DWG=%zu -DORDER_ANY=1 -DID_T=%s -DADC_T=%s -DDUPLICATES=0 -DPOSITION_KEYS=%d%s",
             group, a->module_id.type == MOTE_UINT32 ? "uint" : "ushort",
             a->adc.type == MOTE_UINT32 ? "uint" : "ushort", plan->position_keys, more);
    mote_launch_begin(&launch->l, call, source, launch->defines, kernel);
    mote_launch_struct(&launch->l, "prm", &plan->params, sizeof(plan->params));
}

static void begin(any_launch *launch, mote_call *call, const mote_pixels_plan *plan,
                  const char *kernel)
{
    begin_of(launch, call, plan, &mote_cl_pixels_group_by_atomics, kernel, plan->any_group, "");
}

static mote_status run(any_launch *launch, size_t groups)
{
    return mote_pixels_run_launch(&launch->l, launch->plan, launch->defines, groups, launch->group);
}

uint32_t mote_pixels_record_words(const mote_pixels_plan *plan)
{
    return plan->labels.packed ? 2 : 4;
}

void mote_pixels_moved_defines(const mote_pixels_plan *plan, char *text, size_t size)
{
    text[0] = 0;
    if (plan->labels.packed)
        snprintf(text, size, " -DMOVED_WORDS=2 -DX_BITS=%u -DY_BITS=%u",
                 mote_pixels_bits_for(plan->args.rows), mote_pixels_bits_for(plan->args.columns));
}

static void begin_moved(any_launch *launch, mote_call *call, const mote_pixels_plan *plan,
                        const mote_source *source, const char *kernel)
{
    char more[64];

    mote_pixels_moved_defines(plan, more, sizeof(more));
    begin_of(launch, call, plan, source, kernel, plan->tally_group, more);
}

/* Sets the memory that group_clear and slices_count clear besides counters, and the last of their
 * arguments. */
static void set_cleared(mote_launch *l, const mote_call *call, const mote_pixels_plan *plan)
{
    mote_launch_view(l, "position_key", &plan->position_key);
    mote_launch_view(l, "n_clusters", &plan->n_clusters);
    mote_launch_view(l, "strips", &plan->strip_list);
    mote_launch_view(l, "large", &plan->large);
    mote_launch_view(l, "error", &call->error);
    mote_launch_u32(l, "shares", (uint32_t)plan->shares);
}

/* Sets the inputs of group_count and slices_count, and their results for each digi. */
static void set_counted(mote_launch *l, const mote_pixels_plan *plan, const mote_view *events,
                        const mote_view *length)
{
    const mote_pixels_cluster_args *a = &plan->args;
    const mote_view none = {0};

    mote_launch_view(l, "module_id", &a->module_id);
    mote_launch_view(l, "events", events);
    mote_launch_view(l, "n_device", length);
    mote_launch_view(l, "count", &plan->count);
    mote_launch_view(l, "key_of", &plan->key);
    mote_launch_view(l, "rank", &plan->rank);
    mote_launch_view(l, "cluster_id", &a->cluster_id);
    mote_launch_view(l, "module_id_out", plan->out_apart ? &none : &a->module_id_out);
}

/* Sets the arrays of digis that group_scatter and slices_scatter copy. */
static void set_digis(mote_launch *l, const mote_pixels_plan *plan)
{
    mote_launch_view(l, "x", &plan->args.x);
    mote_launch_view(l, "y", &plan->args.y);
    mote_launch_view(l, "adc", &plan->args.adc);
}

/* Sets the arrays that determine and receive the new positions of these digis. */
static void set_places(mote_launch *l, const mote_pixels_plan *plan)
{
    mote_launch_view(l, "key_of", &plan->key);
    mote_launch_view(l, "rank", &plan->rank);
    mote_launch_view(l, "start", &plan->start);
    mote_launch_view(l, "record", &plan->record);
    mote_launch_view(l, "position_key", &plan->position_key);
}

static mote_status launch_clear(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    size_t work =
        plan->slots * plan->shares + plan->positions / (plan->position_keys ? 1 : BY_SIZE_STRIP);
    size_t groups = work / plan->any_group + 1;
    size_t most = (size_t)call->ctx->device.compute_units * 8;
    any_launch launch;
    mote_launch *l = &launch.l;

    begin(&launch, call, plan, "group_clear");
    mote_launch_view(l, "events", &plan->args.event_offsets);
    mote_launch_view(l, "n_device", &plan->args.n_device);
    mote_launch_view(l, "count", &plan->count);
    set_cleared(l, call, plan);
    if (last)
        mote_launch_last(l);
    mote_launch_bytes(l, 4 * (uint64_t)work);
    return run(&launch, groups < most ? groups : most);
}

/* Returns the number of groups for all digis. */
static size_t digi_groups(const mote_pixels_plan *plan)
{
    return (plan->n + ITEM * plan->any_group - 1) / (ITEM * plan->any_group);
}

static mote_status launch_count(mote_call *call, const mote_pixels_plan *plan)
{
    any_launch launch;
    mote_launch *l = &launch.l;

    begin(&launch, call, plan, "group_count");
    set_counted(l, plan, &plan->events, &plan->length);
    mote_launch_view(l, "error", &call->error);
    mote_launch_u32(l, "shares", (uint32_t)plan->shares);
    mote_launch_bytes(l, 14 * (uint64_t)plan->n);
    return run(&launch, digi_groups(plan));
}

static mote_status launch_segments(mote_call *call, const mote_pixels_plan *plan)
{
    any_launch launch;
    mote_launch *l = &launch.l;

    begin(&launch, call, plan, "group_segments");
    mote_launch_view(l, "count", &plan->count);
    mote_launch_view(l, "start", &plan->start);
    mote_launch_view(l, "strips", &plan->strip_list);
    mote_launch_u32(l, "shares", (uint32_t)plan->shares);
    mote_launch_bytes(l, 16 * (uint64_t)plan->slots);
    return run(&launch, (plan->slots + plan->any_group - 1) / plan->any_group);
}

static mote_status launch_scatter(mote_call *call, const mote_pixels_plan *plan)
{
    any_launch launch;
    mote_launch *l = &launch.l;

    begin(&launch, call, plan, "group_scatter");
    set_digis(l, plan);
    set_places(l, plan);
    mote_launch_u32(l, "shares", (uint32_t)plan->shares);
    mote_launch_bytes(l, 30 * (uint64_t)plan->n);
    return run(&launch, digi_groups(plan));
}

static mote_status launch_tally(mote_call *call, const mote_pixels_plan *plan)
{
    any_launch launch;
    mote_launch *l = &launch.l;

    begin_moved(&launch, call, plan, &mote_cl_pixels_group_by_slices, "slices_count");
    set_counted(l, plan, &plan->args.event_offsets, &plan->args.n_device);
    set_cleared(l, call, plan);
    mote_launch_bytes(l, 8 * (uint64_t)plan->n);
    return run(&launch, plan->params.n_events * plan->shares);
}

static mote_status launch_move(mote_call *call, const mote_pixels_plan *plan)
{
    any_launch launch;
    mote_launch *l = &launch.l;

    begin_moved(&launch, call, plan, &mote_cl_pixels_group_by_slices, "slices_scatter");
    set_digis(l, plan);
    mote_launch_view(l, "events", &plan->events);
    mote_launch_view(l, "n_device", &plan->length);
    set_places(l, plan);
    mote_launch_view(l, "error", &call->error);
    mote_launch_u32(l, "shares", (uint32_t)plan->shares);
    mote_launch_bytes(l, (12 + 4 * mote_pixels_record_words(plan)) * (uint64_t)plan->n);
    size_t slices = plan->params.n_events * plan->shares, each = ITEM * plan->tally_group;
    size_t parts = (plan->n / slices + each - 1) / each;
    return run(&launch, slices * (parts ? parts : 1));
}

static mote_status launch_event_tally(mote_call *call, const mote_pixels_plan *plan,
                                      const mote_view *totals)
{
    const mote_pixels_cluster_args *a = &plan->args;
    const mote_view none = {0};
    any_launch launch;
    mote_launch *l = &launch.l;

    begin_moved(&launch, call, plan, &mote_cl_pixels_group_one_event, "event_count");
    mote_launch_view(l, "module_id", &a->module_id);
    mote_launch_view(l, "events", &a->event_offsets);
    mote_launch_view(l, "n_device", &a->n_device);
    mote_launch_view(l, "totals", totals);
    mote_launch_view(l, "key_of", &plan->key);
    mote_launch_view(l, "rank", &plan->rank);
    mote_launch_view(l, "cluster_id", &a->cluster_id);
    mote_launch_view(l, "module_id_out", plan->out_apart ? &none : &a->module_id_out);
    mote_launch_view(l, "position_key", &plan->position_key);
    mote_launch_view(l, "n_clusters", &plan->n_clusters);
    mote_launch_view(l, "large", &plan->large);
    mote_launch_view(l, "error", &call->error);
    mote_launch_bytes(l, 8 * (uint64_t)plan->n);
    size_t each = ITEM * plan->tally_group;
    return run(&launch, (plan->n + each - 1) / each);
}

static mote_status launch_event_move(mote_call *call, const mote_pixels_plan *plan,
                                     const mote_view *totals)
{
    /* Each group adds up all totals. */
    size_t most = call->ctx->device.compute_units;
    size_t groups = (plan->n + plan->tally_group - 1) / plan->tally_group;
    any_launch launch;
    mote_launch *l = &launch.l;

    begin_moved(&launch, call, plan, &mote_cl_pixels_group_one_event, "event_scatter");
    set_digis(l, plan);
    mote_launch_view(l, "n_device", &plan->length);
    mote_launch_view(l, "totals", totals);
    set_places(l, plan);
    mote_launch_view(l, "strips", &plan->strip_list);
    mote_launch_view(l, "error", &call->error);
    mote_launch_bytes(l, (12 + 4 * mote_pixels_record_words(plan)) * (uint64_t)plan->n);
    return run(&launch, groups < most ? groups : most);
}

mote_view mote_pixels_event_totals(const mote_call *call, const mote_pixels_plan *plan)
{
    mote_view totals = call->zeros;
    if (!plan->labels.event || !totals.count)
        return (mote_view){0};
    totals.offset += MOTE_CALL_TOTALS;
    totals.count -= MOTE_CALL_TOTALS;
    return totals;
}

static mote_status launch_event(mote_call *call, const mote_pixels_plan *plan)
{
    mote_view totals = mote_pixels_event_totals(call, plan);
    mote_status st = launch_event_tally(call, plan, &totals);
    return st ? st : launch_event_move(call, plan, &totals);
}

static mote_status launch_slices(mote_call *call, const mote_pixels_plan *plan)
{
    mote_status st = launch_tally(call, plan);
    if (!st)
        st = launch_segments(call, plan);
    return st ? st : launch_move(call, plan);
}

static mote_status launch_digis(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    mote_status st = launch_clear(call, plan, last && plan->n == 0);
    if (!st && plan->n > 0)
        st = launch_count(call, plan);
    if (!st && plan->n > 0)
        st = launch_segments(call, plan);
    if (!st && plan->n > 0)
        st = launch_scatter(call, plan);
    return st;
}

/* A call that is being prepared does not know yet whether it will have totals. */
mote_status mote_pixels_any_launch(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    bool event = mote_pixels_event_totals(call, plan).count > 0;
    mote_status st = event ? launch_event(call, plan) : MOTE_SUCCESS;
    if (st || (event && !call->preparing))
        return st;
    return plan->tally_group ? launch_slices(call, plan) : launch_digis(call, plan, last);
}
