/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/cluster_plan.h"

#include "core/check.h"
#include "core/fail.h"

#define ID_TYPES  (MOTE_TYPE_BIT(MOTE_UINT16) | MOTE_TYPE_BIT(MOTE_UINT32))
#define ADC_TYPES (MOTE_TYPE_BIT(MOTE_UINT16) | MOTE_TYPE_BIT(MOTE_UINT32))
#define U32       MOTE_TYPE_BIT(MOTE_UINT32)

/* A view of the arguments with its rule. */
typedef struct checked_view {
    mote_view_rule rule;
    const mote_view *view;
} checked_view;

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
    if (a->event_offsets.mem && a->event_offsets.count < 2)
        return invalid(call, "event_offsets.count", a->event_offsets.count,
                       "must be the number of events + 1, at least 2");
    if (a->module_id.count >= (size_t)1 << 31)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %zu digis; one call takes fewer than 2^31: split the batch",
                         call->name, a->module_id.count);
    size_t events = a->event_offsets.count ? a->event_offsets.count - 1 : 1;
    if (a->n_modules > 0 && events > (((size_t)1 << 31) - 1) / a->n_modules)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %zu events x %u modules; one call takes fewer than 2^31: split the "
                         "batch",
                         call->name, events, a->n_modules);
    return MOTE_SUCCESS;
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
    bool uses_adc = cut || a->adc_threshold || a->duplicates == MOTE_DUPLICATES_MAX;
    if (uses_adc && a->module_id.count > 0 && a->adc.type == MOTE_TYPE_NONE)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: adc is missing: the threshold, a charge cut and the policy MAX need "
                         "the charges",
                         call->name);
    return MOTE_SUCCESS;
}

static mote_status check_overlaps(const mote_call *call, const checked_view *views, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++) {
            const mote_view *a = views[i].view, *b = views[j].view;
            if (!a->mem || a->mem != b->mem || !(views[i].rule.writes || views[j].rule.writes))
                continue;
            bool same = a->offset == b->offset && a->count == b->count && a->type == b->type;
            if (same && i == 0 && j == 1) /* module_id and module_id_out */
                continue;
            mote_status st = mote_check_apart(call, views[i].rule.name, a, views[j].rule.name, b);
            if (st)
                return st;
        }
    return MOTE_SUCCESS;
}

static mote_status check_views(const mote_call *call, const mote_pixels_cluster_args *a)
{
    size_t n = a->module_id.count;
    size_t events = a->event_offsets.count ? a->event_offsets.count - 1 : 1;
    size_t slots = events * a->n_modules;
    uint32_t id =
        n && a->module_id.type < 32 ? MOTE_TYPE_BIT(a->module_id.type) & ID_TYPES : ID_TYPES;
    const checked_view views[] = {
        {{"module_id", ID_TYPES, n, true, n == 0, false}, &a->module_id},
        {{"module_id_out", id, n, true, true, true}, &a->module_id_out},
        {{"x", MOTE_TYPE_BIT(MOTE_UINT16), n, true, n == 0, false}, &a->x},
        {{"y", MOTE_TYPE_BIT(MOTE_UINT16), n, true, n == 0, false}, &a->y},
        {{"adc", ADC_TYPES, n, true, true, false}, &a->adc},
        {{"event_offsets", U32, SIZE_MAX, false, true, false}, &a->event_offsets},
        {{"n_device", U32, 1, false, true, false}, &a->n_device},
        {{"charge_cuts", U32, a->n_modules, true, true, false}, &a->charge_cuts},
        {{"cluster_id", MOTE_TYPE_BIT(MOTE_INT32), n, true, n == 0, true}, &a->cluster_id},
        {{"n_clusters", U32, slots, true, true, true}, &a->n_clusters},
        {{"cluster_start", U32, slots + 1, true, true, true}, &a->cluster_start},
        {{"properties", MOTE_TYPE_BIT(MOTE_PIXELS_CLUSTER_TYPE), SIZE_MAX, false, true, true},
         &a->properties},
    };
    const size_t count = sizeof(views) / sizeof(views[0]);
    for (size_t i = 0; i < count; i++) {
        mote_status st = mote_check_view(call, &views[i].rule, views[i].view);
        if (st)
            return st;
    }
    return check_overlaps(call, views, count);
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
    if (a->inner_modules == 0)
        a->charge_cut_inner = 0;
}

mote_status mote_pixels_cluster_check(const mote_call *call, mote_pixels_cluster_args *args)
{
    fill_defaults(args);
    mote_status st = check_geometry(call, args);
    if (!st)
        st = check_options(call, args);
    if (!st)
        st = check_views(call, args);
    if (!st)
        st = mote_check_error_word(call, args->error, args->error_offset);
    return st;
}
