/* SPDX-License-Identifier: Apache-2.0 */
/* The launches of the CPU form. */
#include "cl_sources.h"
#include "pixels/cluster_plan.h"
#include "pixels/decode.h"
#include "pixels/morph.h"
#include "pixels/positions.h"

/* Clears the memory that later launches add to. */
static mote_status launch_init(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    const mote_pixels_cluster_args *a = &plan->args;
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_label_cpu_init, "", "init");
    mote_launch_struct(&l, "prm", &plan->params, sizeof(plan->params));
    mote_launch_view(&l, "event_offsets", &a->event_offsets);
    mote_launch_view(&l, "n_device", &a->n_device);
    mote_launch_view(&l, "events", &plan->cpu.events);
    mote_launch_view(&l, "counters", &plan->cpu.counters);
    mote_launch_view(&l, "n_clusters", &plan->n_clusters);
    mote_launch_view(&l, "owner", &plan->cpu.owner);
    mote_launch_view(&l, "error", &call->error);
    mote_launch_bytes(&l, 4 * (uint64_t)plan->slots);
    if (last)
        mote_launch_last(&l);
    return mote_launch_run(&l, plan->cpu.items, 1);
}

/* Sets the arguments for the sums of positions. */
static void set_sums_arguments(mote_launch *l, const mote_pixels_plan *plan)
{
    const mote_pixels_cluster_args *a = &plan->args;
    if (mote_pixels_positions_room(a) == 0)
        return;
    mote_launch_view(l, "sums", &plan->sums);
    mote_launch_view(l, "formed", &plan->formed);
    mote_launch_view(l, "first_formed", &plan->first_formed);
    mote_launch_u32(l, "most_formed", (uint32_t)mote_pixels_formed_places(a, plan->slots));
    mote_launch_u32(l, "options", mote_pixels_positions_options(a));
    mote_pixels_geometry_arguments(l, a);
}

static mote_status launch_contiguous(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    const mote_pixels_cluster_args *a = &plan->args;
    const mote_pixels_cpu_plan *cpu = &plan->cpu;
    const mote_view none = {0};
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_label_cpu_cluster, cpu->defines, "cluster");
    mote_launch_struct(&l, "prm", &plan->params, sizeof(plan->params));
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "x", &a->x);
    mote_launch_view(&l, "y", &a->y);
    mote_launch_view(&l, "adc", &a->adc);
    mote_launch_view(&l, "charge_cuts", &a->charge_cuts);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "module_id_out", plan->out_apart ? &none : &a->module_id_out);
    mote_launch_view(&l, "n_clusters", &plan->n_clusters);
    mote_launch_view(&l, "copies", &plan->copies);
    mote_launch_view(&l, "owner", &cpu->owner);
    mote_launch_view(&l, "events", &cpu->events);
    mote_launch_view(&l, "counters", &cpu->counters);
    mote_launch_view(&l, "memory", &cpu->memory);
    mote_launch_u32(&l, "item_words", cpu->item_words);
    mote_launch_u32(&l, "tile_size", cpu->tile);
    mote_launch_view(&l, "error", &call->error);
    set_sums_arguments(&l, plan);
    mote_pixels_morph_arguments(&l, plan);
    mote_pixels_decode_arguments(&l, a, false);
    if (last)
        mote_launch_last(&l);
    mote_launch_bytes(&l, 12 * (uint64_t)plan->n);
    return mote_launch_run(&l, cpu->items, 1);
}

static mote_status launch_any(mote_call *call, const mote_pixels_plan *plan, const char *kernel,
                              bool last)
{
    const mote_pixels_cluster_args *a = &plan->args;
    const mote_pixels_cpu_plan *cpu = &plan->cpu;
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_label_cpu_any, cpu->defines, kernel);
    mote_launch_struct(&l, "prm", &plan->params, sizeof(plan->params));
    mote_launch_u32(&l, "item_words", cpu->item_words);
    mote_launch_u32(&l, "slices", cpu->slices);
    mote_launch_view(&l, "module_id", &a->module_id);
    mote_launch_view(&l, "x", &a->x);
    mote_launch_view(&l, "y", &a->y);
    mote_launch_view(&l, "adc", &a->adc);
    mote_launch_view(&l, "charge_cuts", &a->charge_cuts);
    mote_launch_view(&l, "cluster_id", &a->cluster_id);
    mote_launch_view(&l, "module_id_out", &a->module_id_out);
    mote_launch_view(&l, "n_clusters", &plan->n_clusters);
    mote_launch_view(&l, "copies", &plan->copies);
    mote_launch_view(&l, "events", &cpu->events);
    mote_launch_view(&l, "counters", &cpu->counters);
    mote_launch_view(&l, "memory", &cpu->memory);
    mote_launch_view(&l, "rows", &cpu->rows);
    mote_launch_view(&l, "record", &cpu->record);
    mote_launch_view(&l, "sorted", &cpu->sorted);
    mote_launch_view(&l, "error", &call->error);
    set_sums_arguments(&l, plan);
    mote_pixels_morph_arguments(&l, plan);
    mote_pixels_decode_arguments(&l, a, false);
    if (last)
        mote_launch_last(&l);
    mote_launch_bytes(&l, 12 * (uint64_t)plan->n);
    return mote_launch_run(&l, cpu->items, 1);
}

mote_status mote_pixels_cpu_launch(mote_call *call, const mote_pixels_plan *plan, bool last)
{
    static const char *const kernels[] = {"any_sort", "any_cluster", "any_finish", NULL};
    bool empty = plan->n == 0;
    mote_status st = launch_init(call, plan, last && empty);
    if (st || empty)
        return st;
    if (!plan->any_order)
        return launch_contiguous(call, plan, last);
    for (const char *const *k = kernels; !st && *k; k++)
        st = launch_any(call, plan, *k, last && !k[1]);
    return st;
}
