/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/properties.h"
#include "pixels/decode.h"
#include "pixels/sweep.h"
#include "core/size.h"

#include "cl_sources.h"

#include <stdio.h>

/* Work-items that keep a compute unit of a GPU busy: above that number, a work-item processes more
 * digis. */
#define ITEMS_PER_UNIT     ((size_t)2048)
#define MOST_EACH          ((size_t)16)
#define CPU_ITEMS_PER_UNIT ((size_t)4)

static uint32_t capacity_of(const mote_pixels_cluster_args *a)
{
    return a->properties.count < UINT32_MAX ? (uint32_t)a->properties.count : UINT32_MAX;
}

static mote_status launch_clear(mote_call *call, const mote_pixels_cluster_args *a,
                                const mote_pixels_params *prm, const mote_view *cluster_start,
                                const mote_sweep *sweep, const char *defines)
{
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_clusters_properties, defines, "properties_clear");
    mote_launch_struct(&l, "prm", prm, sizeof(*prm));
    mote_launch_view(&l, "cluster_start", cluster_start);
    mote_launch_view(&l, "records", &a->properties);
    mote_launch_u32(&l, "capacity", capacity_of(a));
    mote_launch_view(&l, "error", &call->error);
    return mote_launch_run(&l, sweep->groups, sweep->local);
}

size_t mote_pixels_digis_each(const mote_context *ctx, size_t n)
{
    size_t each = n / (ITEMS_PER_UNIT * ctx->device.compute_units + 1) + 1;
    return each < MOST_EACH ? each : MOST_EACH;
}

/* Sets the arguments that both forms have. */
static void set_arguments(mote_launch *l, const mote_pixels_cluster_args *a,
                          const mote_pixels_params *prm, const mote_view *cluster_start,
                          const mote_view *copies)
{
    mote_launch_struct(l, "prm", prm, sizeof(*prm));
    mote_launch_view(l, "module_id", &a->module_id);
    mote_launch_view(l, "x", &a->x);
    mote_launch_view(l, "y", &a->y);
    mote_launch_view(l, "adc", &a->adc);
    mote_launch_view(l, "events", &a->event_offsets);
    mote_launch_view(l, "n_device", &a->n_device);
    mote_launch_view(l, "cluster_id", &a->cluster_id);
    mote_launch_view(l, "cluster_start", cluster_start);
    mote_launch_view(l, "copies", copies);
    mote_launch_view(l, "records", &a->properties);
    mote_launch_u32(l, "capacity", capacity_of(a));
    mote_launch_bytes(l, 12 * (uint64_t)a->module_id.count);
}

static mote_status launch_add(mote_call *call, const mote_pixels_cluster_args *a,
                              const mote_pixels_params *prm, const mote_view *cluster_start,
                              const mote_view *copies, const mote_sweep *sweep, const char *defines,
                              bool last)
{
    size_t n = a->module_id.count, each = mote_pixels_digis_each(call->ctx, n);
    size_t items = div_ceil(n, each);
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_clusters_properties, defines, "properties_add");
    set_arguments(&l, a, prm, cluster_start, copies);
    mote_launch_u32(&l, "each", (uint32_t)each);
    mote_pixels_decode_arguments(&l, a, true);
    if (last)
        mote_launch_last(&l);
    return mote_launch_run(&l, div_ceil(items, sweep->local), sweep->local);
}

static mote_status launch_own(mote_call *call, const mote_pixels_cluster_args *a,
                              const mote_pixels_params *prm, const mote_view *cluster_start,
                              const mote_view *copies, const char *defines, bool last)
{
    size_t items = CPU_ITEMS_PER_UNIT * (size_t)call->ctx->device.compute_units;
    mote_launch l;
    mote_launch_begin(&l, call, &mote_cl_pixels_clusters_properties_cpu, defines, "properties_own");
    set_arguments(&l, a, prm, cluster_start, copies);
    mote_launch_view(&l, "error", &call->error);
    mote_pixels_decode_arguments(&l, a, true);
    if (last)
        mote_launch_last(&l);
    return mote_launch_run(&l, items ? items : 1, 1);
}

mote_status mote_pixels_launch_properties(mote_call *call, const mote_pixels_cluster_args *a,
                                          const mote_pixels_params *prm,
                                          const mote_view *cluster_start, const mote_view *copies,
                                          bool last)
{
    mote_sweep sweep = mote_sweep_make(call->ctx, "pixels.form", a->module_id.count);
    char defines[160], policy[64];
    snprintf(policy, sizeof(policy), " -DDUPLICATES=%d%s", (int)a->duplicates,
             mote_pixels_decode_defines(a, true));
    mote_pixels_sweep_defines(&sweep, a->module_id.type, a->adc.type, policy, defines,
                              sizeof(defines));
    if (sweep.cpu)
        return launch_own(call, a, prm, cluster_start, copies, defines, last);
    mote_status st = launch_clear(call, a, prm, cluster_start, &sweep, defines);
    if (!st)
        st = launch_add(call, a, prm, cluster_start, copies, &sweep, defines, last);
    return st;
}
