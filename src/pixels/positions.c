/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/positions.h"
#include "pixels/cluster_plan.h"
#include "pixels/decode.h"
#include "core/fail.h"
#include "core/size.h"
#include "core/sub_groups.h"
#include "core/tune.h"
#include "pixels/properties.h"
#include "pixels/sweep.h"
#include "shared/pixels_positions.h"

#include "cl_sources.h"

#include <stdio.h>

#define ITEMS_PER_UNIT ((size_t)4) /* CPU form */

/* For positions_tiles.cl: positions of a work-item, its local memory, and additional local
 * memory. */
#define SPAN_ITEMS  ((size_t)2)
#define LOCAL_BYTES ((size_t)88)
#define LOCAL_FIXED ((size_t)512)
#define LOCAL_MOST  ((size_t)49152)

/* Mean number of digis of a module from which on modules with one group each would delay the
 * others. */
#define LARGE_MEAN ((size_t)2048)

/* Lists the outputs in the order of the arguments: five means and moments, four numbers. */
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
        most = max_size(most, out[k]->count);
    return most;
}

size_t mote_pixels_positions_room(const mote_pixels_cluster_args *a)
{
    return min_size(mote_pixels_positions_capacity(a), a->module_id.count);
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

uint32_t mote_pixels_positions_options(const mote_pixels_cluster_args *a)
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

static bool wide_charges(const mote_pixels_cluster_args *a)
{
    return a->adc.type == MOTE_UINT32 || mote_pixels_calibrated(a);
}

size_t mote_pixels_positions_group(const mote_context *ctx, size_t n, size_t slots)
{
    const mote_device_info *device = &ctx->device;
    bool gpu = device->device_class == MOTE_DEVICE_GPU;
    size_t local = device->local_bytes < LOCAL_MOST ? (size_t)device->local_bytes : LOCAL_MOST;
    size_t usual = n / LARGE_MEAN > slots ? 0 : gpu ? 512 : 64, power = 1;
    size_t most = min_size(device->max_work_group, (local - LOCAL_FIXED) / LOCAL_BYTES);
    size_t group = mote_tune_size(ctx, "pixels.positions_group", min_size(usual, most), 0, most);
    while (2 * power <= group)
        power *= 2;
    return group ? power : 0;
}

bool mote_pixels_positions_find_starts(const mote_context *ctx, const mote_pixels_cluster_args *a,
                                       size_t group, size_t slots)
{
    size_t digis = SPAN_ITEMS * group * ctx->device.compute_units;
    bool local = a->origin_x.count || a->origin_y.count || a->pitch_x.count || a->pitch_y.count;
    return a->module_id.count > 0 && a->module_id.count <= digis &&
           slots <= MOTE_PIXELS_SLOTS_EACH * group && !local && a->properties.count == 0;
}

/* Data that the launches of a call share. */
typedef struct positions_job {
    mote_call *call;
    const mote_pixels_cluster_args *args;
    const mote_pixels_params *prm;
    const mote_pixels_positions_parts *parts;
    uint32_t capacity, options;
    bool last;
    mote_sweep sweep;
    char defines[160];
} positions_job;

static void set_sums_arguments(mote_launch *l, const positions_job *j)
{
    const mote_pixels_cluster_args *a = j->args;
    mote_launch_struct(l, "prm", j->prm, sizeof(*j->prm));
    mote_launch_view(l, "module_id", &a->module_id);
    mote_launch_view(l, "x", &a->x);
    mote_launch_view(l, "y", &a->y);
    mote_launch_view(l, "adc", &a->adc);
    mote_launch_view(l, "events", &a->event_offsets);
    mote_launch_view(l, "n_device", &a->n_device);
    mote_launch_view(l, "cluster_id", &a->cluster_id);
    mote_launch_view(l, "cluster_start", j->parts->cluster_start);
    mote_launch_view(l, "copies", j->parts->copies);
    mote_launch_u32(l, "capacity", j->capacity);
    mote_launch_u32(l, "options", j->options);
    mote_launch_bytes(l, 12 * (uint64_t)a->module_id.count);
}

static mote_status launch_clear(const positions_job *j)
{
    mote_launch l;
    mote_launch_begin(&l, j->call, &mote_cl_pixels_clusters_positions, j->defines,
                      "positions_clear");
    mote_launch_struct(&l, "prm", j->prm, sizeof(*j->prm));
    mote_launch_view(&l, "cluster_start", j->parts->cluster_start);
    mote_launch_view(&l, "sums", j->parts->sums);
    mote_launch_u32(&l, "capacity", j->capacity);
    mote_launch_view(&l, "error", &j->call->error);
    return mote_launch_run(&l, j->sweep.groups, j->sweep.local);
}

static mote_status launch_add(const positions_job *j)
{
    size_t n = j->args->module_id.count, each = mote_pixels_digis_each(j->call->ctx, n);
    mote_launch l;
    mote_launch_begin(&l, j->call, &mote_cl_pixels_clusters_positions, j->defines, "positions_add");
    set_sums_arguments(&l, j);
    mote_launch_view(&l, "sums", j->parts->sums);
    mote_launch_u32(&l, "each", (uint32_t)each);
    mote_pixels_decode_arguments(&l, j->args, true);
    return mote_launch_run(&l, div_ceil(div_ceil(n, each), j->sweep.local), j->sweep.local);
}

void mote_pixels_geometry_arguments(mote_launch *l, const mote_pixels_cluster_args *a)
{
    mote_launch_view(l, "origin_x", &a->origin_x);
    mote_launch_view(l, "origin_y", &a->origin_y);
    mote_launch_view(l, "pitch_x", &a->pitch_x);
    mote_launch_view(l, "pitch_y", &a->pitch_y);
}

static void set_outputs(mote_launch *l, const mote_pixels_cluster_args *a)
{
    static const char *const names[MOTE_PIXELS_POSITION_OUTPUTS] = {
        "x_mean",  "y_mean",     "x_var",      "y_var", "xy_cov",
        "charges", "charge_min", "charge_max", "size"};
    const mote_view *out[MOTE_PIXELS_POSITION_OUTPUTS];
    outputs_of(a, out);
    for (size_t k = 0; k < MOTE_PIXELS_POSITION_OUTPUTS; k++)
        mote_launch_view(l, names[k], out[k]);
}

static mote_status launch_finish(const positions_job *j)
{
    mote_sweep sweep = mote_sweep_make(j->call->ctx, "pixels.form", j->capacity);
    char defines[96];
    mote_launch l;
    snprintf(defines, sizeof(defines), "-DWG=%zu -DORDER_ANY=0 -DID_T=uint -DADC_T=uint%s",
             sweep.local, sweep.cpu ? " -DCPU_FORM" : "");
    mote_launch_begin(&l, j->call, &mote_cl_pixels_clusters_positions_finish, defines,
                      "positions_finish");
    mote_launch_struct(&l, "prm", j->prm, sizeof(*j->prm));
    mote_launch_view(&l, "cluster_start", j->parts->cluster_start);
    mote_launch_view(&l, "sums", j->parts->sums);
    mote_launch_u32(&l, "capacity", j->capacity);
    mote_launch_u32(&l, "options", j->options);
    mote_pixels_geometry_arguments(&l, j->args);
    set_outputs(&l, j->args);
    if (j->last)
        mote_launch_last(&l);
    return mote_launch_run(&l, sweep.groups, sweep.local);
}

static mote_status launch_tiles(const positions_job *j)
{
    const mote_pixels_cluster_args *a = j->args;
    const mote_view none = {0};
    size_t group = j->parts->group, registers = j->parts->registers;
    char defines[320], moved[96];
    mote_launch l;
    mote_pixels_moved_defines(j->parts->plan, moved, sizeof(moved));
    snprintf(defines, sizeof(defines),
             "-DWG=%zu -DID_T=%s -DADC_T=%s -DCOPIES=%d -DWIDE_CHARGES=%d -DFEW_SLOTS=%d "
             "-DORDER_ANY=%d%s%s",
             group, a->module_id.type == MOTE_UINT32 ? "uint" : "ushort",
             a->adc.type == MOTE_UINT32 ? "uint" : "ushort", a->duplicates >= MOTE_DUPLICATES_SUM,
             wide_charges(a), j->parts->finds_starts, j->parts->plan->any_order, moved,
             mote_pixels_decode_defines(a, true));
    mote_limit_registers(defines, sizeof(defines), registers);
    mote_launch_begin(&l, j->call, &mote_cl_pixels_clusters_positions_tiles, defines,
                      "positions_tiles");
    set_sums_arguments(&l, j);
    mote_launch_view(&l, "n_clusters", j->parts->n_clusters);
    mote_launch_view(&l, "starts", j->parts->finds_starts ? j->parts->cluster_start : &none);
    mote_launch_view(&l, "begins", j->parts->begins);
    mote_launch_view(&l, "key_of", j->parts->position_key);
    mote_launch_view(&l, "record", j->parts->record);
    mote_pixels_geometry_arguments(&l, a);
    set_outputs(&l, a);
    mote_launch_view(&l, "error", &j->call->error);
    mote_pixels_decode_arguments(&l, a, true);
    if (j->last)
        mote_launch_last(&l);
    l.exact = registers > 0;
    return mote_pixels_run_launch(&l, j->parts->plan, defines,
                                  div_ceil(j->prm->positions, SPAN_ITEMS * group), group);
}

static mote_status launch_place(const positions_job *j)
{
    size_t items = ITEMS_PER_UNIT * (size_t)j->call->ctx->device.compute_units;
    size_t slots = (size_t)j->prm->n_events * j->prm->n_modules;
    mote_launch l;
    mote_launch_begin(&l, j->call, &mote_cl_pixels_clusters_positions_cpu,
                      "-DORDER_ANY=0 -DID_T=uint -DADC_T=uint", "positions_place");
    mote_launch_struct(&l, "prm", j->prm, sizeof(*j->prm));
    mote_launch_view(&l, "cluster_start", j->parts->cluster_start);
    mote_launch_view(&l, "formed", j->parts->formed);
    mote_launch_view(&l, "first_formed", j->parts->first_formed);
    mote_launch_u32(&l, "most_formed", (uint32_t)mote_pixels_formed_places(j->args, slots));
    mote_launch_u32(&l, "capacity", j->capacity);
    set_outputs(&l, j->args);
    mote_launch_view(&l, "error", &j->call->error);
    mote_launch_bytes(&l, 8 * MOTE_PIXELS_POSITION_OUTPUTS * (uint64_t)j->capacity);
    if (j->last)
        mote_launch_last(&l);
    return mote_launch_run(&l, items ? items : 1, 1);
}

static unsigned bits_of(uint64_t number)
{
    unsigned bits = 0;
    for (; number; number >>= 1)
        bits++;
    return bits;
}

bool mote_pixels_sums_fit(const mote_pixels_cluster_args *a)
{
    uint64_t pixels = (uint64_t)a->rows * a->columns, n = a->module_id.count;
    uint32_t longest = a->rows > a->columns ? a->rows : a->columns;
    if (a->duplicates == MOTE_DUPLICATES_SUM || n < pixels)
        pixels = n;
    return bits_of(pixels) + 2 * bits_of(longest - 1) + (wide_charges(a) ? 32 : 16) <= 63;
}

size_t mote_pixels_formed_places(const mote_pixels_cluster_args *a, size_t slots)
{
    return a->module_id.count + slots; /* a module reserves one entry more than it has clusters */
}

size_t mote_pixels_own_sums_words(const mote_pixels_cluster_args *a)
{
    size_t words = mote_pixels_sums_fit(a) ? MOTE_PIXELS_SUM_WORDS : MOTE_PIXELS_WIDE_WORDS;
    return words * MOTE_PIXELS_OWN_SUMS;
}

mote_status mote_pixels_launch_positions(mote_call *call, const mote_pixels_cluster_args *a,
                                         const mote_pixels_params *prm,
                                         const mote_pixels_positions_parts *of, bool last)
{
    positions_job j = {.call = call,
                       .args = a,
                       .prm = prm,
                       .parts = of,
                       .capacity = (uint32_t)mote_pixels_positions_room(a),
                       .options = mote_pixels_positions_options(a),
                       .last = last,
                       .sweep = mote_sweep_make(call->ctx, "pixels.form", a->module_id.count)};
    mote_pixels_sweep_defines(&j.sweep, a->module_id.type, a->adc.type,
                              mote_pixels_decode_defines(a, true), j.defines, sizeof(j.defines));
    if (of->formed->count)
        return launch_place(&j);
    if (of->group)
        return launch_tiles(&j);
    mote_status st = launch_clear(&j);
    if (!st)
        st = launch_add(&j);
    return st ? st : launch_finish(&j);
}
