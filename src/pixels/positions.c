/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/positions.h"
#include "pixels/decode.h"
#include "core/fail.h"
#include "core/size.h"
#include "pixels/properties.h"
#include "pixels/sweep.h"
#include "shared/pixels_positions.h"

#include "cl_sources.h"

#include <stdio.h>

#define ITEMS_A_CORE ((size_t)4) /* CPU form */

/* The outputs in the order of the arguments: five means and moments, four numbers. */
static void outputs_of(const mote_pixels_cluster_args *a,
                       const mote_view *out[MOTE_PIXELS_POSITION_OUTPUTS])
{
    const mote_view *all[] = {
        &a->cluster_x,          &a->cluster_y,          &a->cluster_x_var,
        &a->cluster_y_var,      &a->cluster_xy_cov,     &a->cluster_charge,
        &a->cluster_charge_min, &a->cluster_charge_max, &a->cluster_size,
    };
    for (size_t k = 0; k < MOTE_PIXELS_POSITION_OUTPUTS; k++)
        out[k] = all[k];
}

size_t mote_pixels_positions_capacity(const mote_pixels_cluster_args *a)
{
    const mote_view *out[MOTE_PIXELS_POSITION_OUTPUTS];
    size_t most = 0;
    outputs_of(a, out);
    for (size_t k = 0; k < MOTE_PIXELS_POSITION_OUTPUTS; k++)
        most = larger(most, out[k]->count);
    return most;
}

size_t mote_pixels_positions_room(const mote_pixels_cluster_args *a)
{
    return smaller(mote_pixels_positions_capacity(a), a->module_id.count);
}

mote_status mote_pixels_check_positions(const mote_call *call, const mote_pixels_cluster_args *a)
{
    const mote_view *out[MOTE_PIXELS_POSITION_OUTPUTS];
    bool weighted = false;
    outputs_of(a, out);
    for (size_t k = 0; k < 5; k++)
        weighted |= out[k]->count > 0;
    if ((unsigned)a->weight > MOTE_PIXELS_WEIGHT_NONE)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: weight = %u: not a mote_pixels_weight",
                         call->name, (unsigned)a->weight);
    if (weighted && a->weight == MOTE_PIXELS_WEIGHT_CHARGE && a->module_id.count > 0 &&
        a->adc.type == MOTE_TYPE_NONE)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: adc is missing: positions weighted by charge need the charges; "
                         "weight = MOTE_PIXELS_WEIGHT_NONE does without",
                         call->name);
    return MOTE_SUCCESS;
}

static uint32_t options_of(const mote_pixels_cluster_args *a)
{
    static const uint32_t as_float[] = {MOTE_POSITIONS_FLOAT_CHARGE,
                                        MOTE_POSITIONS_FLOAT_CHARGE_MIN,
                                        MOTE_POSITIONS_FLOAT_CHARGE_MAX, MOTE_POSITIONS_FLOAT_SIZE};
    const mote_view *out[MOTE_PIXELS_POSITION_OUTPUTS];
    uint32_t options = a->weight == MOTE_PIXELS_WEIGHT_NONE ? MOTE_POSITIONS_PLAIN : 0;
    outputs_of(a, out);
    for (size_t k = 0; k < 4; k++)
        if (out[5 + k]->type == MOTE_FLOAT32)
            options |= as_float[k];
    if (a->duplicates == MOTE_DUPLICATES_SUM)
        options |= MOTE_POSITIONS_SUM;
    if (a->duplicates == MOTE_DUPLICATES_MAX)
        options |= MOTE_POSITIONS_MAX;
    return options;
}

/* What the launches of a call share. */
typedef struct positions_job {
    mote_call *call;
    const mote_pixels_cluster_args *args;
    const mote_pixels_params *prm;
    const mote_view *cluster_start, *copies, *sums;
    uint32_t capacity, options;
    mote_sweep sweep;
    char defines[160];
} positions_job;

static void set_sums_arguments(mote_launch *l, const positions_job *j)
{
    const mote_pixels_cluster_args *a = j->args;
    mote_launch_struct(l, j->prm, sizeof(*j->prm));
    mote_launch_view(l, &a->module_id);
    mote_launch_view(l, &a->x);
    mote_launch_view(l, &a->y);
    mote_launch_view(l, &a->adc);
    mote_launch_view(l, &a->event_offsets);
    mote_launch_view(l, &a->n_device);
    mote_launch_view(l, &a->cluster_id);
    mote_launch_view(l, j->cluster_start);
    mote_launch_view(l, j->copies);
    mote_launch_view(l, j->sums);
    mote_launch_u32(l, j->capacity);
    mote_launch_u32(l, j->options);
    mote_launch_bytes(l, 12 * (uint64_t)a->module_id.count);
}

static mote_status launch_clear(const positions_job *j)
{
    mote_launch l;
    mote_launch_begin(&l, j->call, &mote_cl_pixels_positions, j->defines, "positions_clear");
    mote_launch_struct(&l, j->prm, sizeof(*j->prm));
    mote_launch_view(&l, j->cluster_start);
    mote_launch_view(&l, j->sums);
    mote_launch_u32(&l, j->capacity);
    mote_launch_view(&l, &j->call->error);
    return mote_launch_run(&l, j->sweep.groups, j->sweep.local);
}

static mote_status launch_add(const positions_job *j)
{
    size_t n = j->args->module_id.count, each = mote_pixels_digis_each(j->call->ctx, n);
    mote_launch l;
    mote_launch_begin(&l, j->call, &mote_cl_pixels_positions, j->defines, "positions_add");
    set_sums_arguments(&l, j);
    mote_launch_u32(&l, (uint32_t)each);
    mote_pixels_decode_arguments(&l, j->args, true);
    return mote_launch_run(&l, parts(parts(n, each), j->sweep.local), j->sweep.local);
}

static mote_status launch_own(const positions_job *j)
{
    size_t items = ITEMS_A_CORE * (size_t)j->call->ctx->device.compute_units;
    mote_launch l;
    mote_launch_begin(&l, j->call, &mote_cl_pixels_positions_cpu, j->defines, "positions_own");
    set_sums_arguments(&l, j);
    mote_launch_view(&l, &j->call->error);
    mote_pixels_decode_arguments(&l, j->args, true);
    return mote_launch_run(&l, items ? items : 1, 1);
}

static mote_status launch_finish(const positions_job *j)
{
    const mote_pixels_cluster_args *a = j->args;
    const mote_view *out[MOTE_PIXELS_POSITION_OUTPUTS];
    mote_sweep sweep = mote_sweep_make(j->call->ctx, "pixels.form", j->capacity);
    char defines[64];
    mote_launch l;
    outputs_of(a, out);
    snprintf(defines, sizeof(defines), "-DWG=%zu%s", sweep.local, sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&l, j->call, &mote_cl_pixels_positions_finish, defines, "positions_finish");
    mote_launch_struct(&l, j->prm, sizeof(*j->prm));
    mote_launch_view(&l, j->cluster_start);
    mote_launch_view(&l, j->sums);
    mote_launch_u32(&l, j->capacity);
    mote_launch_u32(&l, j->options);
    mote_launch_view(&l, &a->origin_x);
    mote_launch_view(&l, &a->origin_y);
    mote_launch_view(&l, &a->pitch_x);
    mote_launch_view(&l, &a->pitch_y);
    for (size_t k = 0; k < MOTE_PIXELS_POSITION_OUTPUTS; k++)
        mote_launch_view(&l, out[k]);
    mote_launch_last(&l);
    return mote_launch_run(&l, sweep.groups, sweep.local);
}

mote_status mote_pixels_launch_positions(mote_call *call, const mote_pixels_cluster_args *a,
                                         const mote_pixels_params *prm,
                                         const mote_view *cluster_start, const mote_view *copies,
                                         const mote_view *sums)
{
    positions_job j = {.call = call,
                       .args = a,
                       .prm = prm,
                       .cluster_start = cluster_start,
                       .copies = copies,
                       .sums = sums,
                       .capacity = (uint32_t)mote_pixels_positions_room(a),
                       .options = options_of(a),
                       .sweep = mote_sweep_make(call->ctx, "pixels.form", a->module_id.count)};
    mote_pixels_sweep_defines(&j.sweep, a->module_id.type, a->adc.type,
                              mote_pixels_decode_defines(a, true), j.defines, sizeof(j.defines));
    mote_status st = j.sweep.cpu ? launch_own(&j) : launch_clear(&j);
    if (!st && !j.sweep.cpu)
        st = launch_add(&j);
    return st ? st : launch_finish(&j);
}
