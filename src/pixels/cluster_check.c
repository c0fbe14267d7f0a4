/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/cluster_plan.h"
#include "pixels/decode.h"
#include "pixels/morph.h"
#include "pixels/positions.h"
#include "pixels/views.h"

#include "core/fail.h"

static mote_status invalid(const mote_call *call, const char *field, uint64_t value,
                           const char *remedy)
{
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, "%s: %s = %llu: %s", call->name, field,
                     (unsigned long long)value, remedy);
}

static mote_status check_geometry(const mote_call *call, const mote_pixels_cluster_args *a)
{
    if (a->rows < 1 || a->rows > 65536)
        return invalid(call, "rows", a->rows, "must be 1 .. 65536");
    if (a->columns < 1 || a->columns > 65536)
        return invalid(call, "columns", a->columns, "must be 1 .. 65536");
    if (a->n_modules < 1 && a->module_id.count > 0)
        return invalid(call, "n_modules", a->n_modules, "must be at least 1 when there are digis");
    return mote_pixels_check_sizes(call, a->module_id.count, &a->event_offsets, a->n_modules);
}

static mote_status check_options(const mote_call *call, const mote_pixels_cluster_args *a)
{
    if ((unsigned)a->order > MOTE_ORDER_CONTIGUOUS)
        return invalid(call, "order", (unsigned)a->order, "not a mote_pixels_order");
    if ((unsigned)a->strategy > MOTE_PIXELS_HISTOGRAM)
        return invalid(call, "strategy", (unsigned)a->strategy, "not a mote_pixels_strategy");
    if ((unsigned)a->duplicates > MOTE_DUPLICATES_MAX)
        return invalid(call, "duplicates", (unsigned)a->duplicates, "not a mote_pixels_duplicates");
    if (a->connectivity != 4 && a->connectivity != 8)
        return invalid(call, "connectivity", a->connectivity, "must be 4 or 8 (0 = 8)");
    if (a->invalid_cluster_id >= 0)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: invalid_cluster_id = %d: must be negative (0 = -1)", call->name,
                         (int)a->invalid_cluster_id);
    bool cut = a->charge_cut || a->charge_cut_inner || a->charge_cuts.count;
    bool uses_adc = cut || a->adc_threshold || a->duplicates == MOTE_DUPLICATES_MAX ||
                    mote_pixels_calibrated(a);
    if (uses_adc && a->module_id.count > 0 && a->adc.type == MOTE_TYPE_NONE)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: adc is missing: the threshold, a charge cut, the policy MAX, gain "
                         "and pedestal need the charges",
                         call->name);
    if (a->charge_min && !mote_pixels_calibrated(a))
        return invalid(call, "charge_min", a->charge_min,
                       "holds for charges that gain or pedestal make, and neither is given");
    return MOTE_SUCCESS;
}

static mote_status check_views(const mote_call *call, const mote_pixels_cluster_args *a)
{
    const uint32_t u16 = MOTE_TYPE_BIT(MOTE_UINT16), u32 = MOTE_PIXELS_U32;
    const uint32_t f32 = MOTE_TYPE_BIT(MOTE_FLOAT32);
    const unsigned position = VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES;
    size_t most = mote_pixels_positions_capacity(a);
    const uint32_t records = MOTE_TYPE_BIT(MOTE_PIXELS_CLUSTER_TYPE);
    size_t n = a->module_id.count;
    size_t slots = mote_pixels_events(&a->event_offsets) * a->n_modules;
    uint32_t id = n && a->module_id.type < 32 ? MOTE_TYPE_BIT(a->module_id.type) : UINT32_MAX;
    const mote_view_rule views[] = {
        {"module_id", &a->module_id, MOTE_PIXELS_NARROW, n, VIEW_EXACT},
        {"module_id_out", &a->module_id_out, MOTE_PIXELS_NARROW & id, n,
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES | VIEW_IN_PLACE},
        {"x", &a->x, u16, n, VIEW_EXACT},
        {"y", &a->y, u16, n, VIEW_EXACT},
        {"adc", &a->adc, MOTE_PIXELS_NARROW, n, VIEW_EXACT | VIEW_OPTIONAL},
        {"event_offsets", &a->event_offsets, u32, VIEW_ANY_COUNT, VIEW_OPTIONAL},
        {"n_device", &a->n_device, u32, 1, VIEW_OPTIONAL},
        {"charge_cuts", &a->charge_cuts, u32, a->n_modules, VIEW_EXACT | VIEW_OPTIONAL},
        {"cluster_id", &a->cluster_id, MOTE_PIXELS_I32, n, VIEW_EXACT | VIEW_WRITES},
        {"n_clusters", &a->n_clusters, u32, slots, VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
        {"cluster_start", &a->cluster_start, u32, slots + 1,
         VIEW_EXACT | VIEW_OPTIONAL | VIEW_WRITES},
        {"properties", &a->properties, records, VIEW_ANY_COUNT, VIEW_OPTIONAL | VIEW_WRITES},
        {"cluster_x", &a->cluster_x, f32, most, position},
        {"cluster_y", &a->cluster_y, f32, most, position},
        {"cluster_x_var", &a->cluster_x_var, f32, most, position},
        {"cluster_y_var", &a->cluster_y_var, f32, most, position},
        {"cluster_xy_cov", &a->cluster_xy_cov, f32, most, position},
        {"cluster_charge", &a->cluster_charge, f32 | u32, most, position},
        {"cluster_charge_min", &a->cluster_charge_min, f32 | u32, most, position},
        {"cluster_charge_max", &a->cluster_charge_max, f32 | u32, most, position},
        {"cluster_size", &a->cluster_size, f32 | u32, most, position},
        {"origin_x", &a->origin_x, f32, a->n_modules, VIEW_EXACT | VIEW_OPTIONAL},
        {"origin_y", &a->origin_y, f32, a->n_modules, VIEW_EXACT | VIEW_OPTIONAL},
        {"pitch_x", &a->pitch_x, f32, a->n_modules, VIEW_EXACT | VIEW_OPTIONAL},
        {"pitch_y", &a->pitch_y, f32, a->n_modules, VIEW_EXACT | VIEW_OPTIONAL},
        {"mask", &a->mask, u32, mote_pixels_mask_words(a->n_modules, a->rows, a->columns),
         VIEW_EXACT | VIEW_OPTIONAL},
        {"gain", &a->gain, f32, a->n_modules, VIEW_EXACT | VIEW_OPTIONAL},
        {"pedestal", &a->pedestal, f32, a->n_modules, VIEW_EXACT | VIEW_OPTIONAL},
        {"morph", &a->morph, MOTE_TYPE_BIT(MOTE_UINT8), a->n_modules, VIEW_EXACT | VIEW_OPTIONAL},
    };
    return mote_check_views(call, views, sizeof(views) / sizeof(views[0]));
}

static void fill_defaults(mote_pixels_cluster_args *a)
{
    if (a->invalid_module_id == 0)
        a->invalid_module_id = a->module_id.type == MOTE_UINT32 ? MOTE_PIXELS_INVALID_MODULE_U32
                                                                : MOTE_PIXELS_INVALID_MODULE_U16;
    if (a->invalid_cluster_id == 0)
        a->invalid_cluster_id = -1;
    if (a->connectivity == 0)
        a->connectivity = 8;
}

mote_status mote_pixels_cluster_check(const mote_call *call, mote_pixels_cluster_args *args)
{
    fill_defaults(args);
    mote_status st = check_geometry(call, args);
    if (!st)
        st = check_options(call, args);
    if (!st)
        st = mote_pixels_check_morph(call, args);
    if (!st)
        st = mote_pixels_check_positions(call, args);
    if (!st)
        st = mote_pixels_check_inner(call, args->charge_cut_inner, args->inner_modules);
    return st ? st : check_views(call, args);
}
