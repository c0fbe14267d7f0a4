/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/host_error.h"
#include "core/fail.h"

#include <math.h>
#include <stdbool.h>

#define NAME MOTE_PIXELS_HOST_NAME

static mote_status fail_missing(const char *what)
{
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT, NAME ": %s", what);
}

static mote_status check_arrays(const mote_pixels_host_args *a)
{
    int ids = !!a->module_id16 + !!a->module_id32 + !!a->module_id64;
    if (ids > 1)
        return fail_missing("module_id16, module_id32, module_id64: give one of them, not more");
    if (a->adc16 && a->adc32)
        return fail_missing("adc16 and adc32: give one of them or neither");
    if (a->module_id64 && a->n_clusters)
        return fail_missing(
            "n_clusters cannot go with module_id64, where the call finds the number "
            "of modules: use the result's cluster_start");
    if (a->module_id64 && a->charge_cuts)
        return fail_missing("charge_cuts cannot go with module_id64, where the call finds the "
                            "modules: use charge_cut");
    if (a->inner_module_id && (!a->module_id64 || a->inner_modules))
        return fail_missing("inner_module_id goes with module_id64, and without inner_modules");
    if (a->module_id64 && (a->origin_x || a->origin_y || a->pitch_x || a->pitch_y))
        return fail_missing(
            "origin_x, origin_y, pitch_x, pitch_y cannot go with module_id64, where "
            "the call finds the modules");
    if (a->module_id64 && (a->mask || a->gain || a->pedestal || a->morph))
        return fail_missing(
            "mask, gain, pedestal, morph cannot go with module_id64, where the call "
            "finds the modules");
    if (a->mask && (a->rows < 1 || a->rows > 65536 || a->columns < 1 || a->columns > 65536))
        return fail_missing("rows and columns must be 1 .. 65536: mask has so many pixels");
    if (a->n == 0)
        return MOTE_SUCCESS;
    if (ids == 0)
        return fail_missing("module_id16, module_id32 or module_id64 is missing");
    if (!a->x || !a->y)
        return fail_missing(a->x ? "y is NULL" : "x is NULL");
    return a->cluster_id ? MOTE_SUCCESS : fail_missing("cluster_id is NULL");
}

static mote_status check_sizes(const mote_pixels_host_args *a)
{
    size_t limit = (size_t)1 << 31;
    uint64_t modules = a->module_id64 ? 1 : a->n_modules;
    if (a->n >= limit)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         NAME ": %zu digis: a call takes fewer than 2^31, split the batch", a->n);
    if (a->n_events >= limit || a->n_events * modules >= limit)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         NAME ": %zu events of %llu modules: a call takes fewer than 2^31 modules "
                              "in all, split the batch",
                         a->n_events, (unsigned long long)modules);
    if (a->n_events > 1 && !a->event_offsets)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": event_offsets is NULL, but n_events is %zu", a->n_events);
    if (!a->module_id64 && a->invalid_module_id > (a->module_id16 ? UINT16_MAX : UINT32_MAX))
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         NAME ": invalid_module_id is %llu, more than the ids' type can hold",
                         (unsigned long long)a->invalid_module_id);
    return MOTE_SUCCESS;
}

static mote_status check_offsets(const mote_pixels_host_args *a)
{
    const uint32_t *offset = a->event_offsets;
    if (!offset)
        return MOTE_SUCCESS;
    if (offset[0] != 0)
        return mote_fail(MOTE_ERROR_EVENT_OFFSETS,
                         NAME ": event_offsets[0] is %u, but must be 0: wrong at event 0",
                         (unsigned)offset[0]);
    for (size_t e = 0; e < a->n_events; e++)
        if (offset[e + 1] < offset[e])
            return mote_fail(MOTE_ERROR_EVENT_OFFSETS,
                             NAME ": event_offsets[%zu] is %u, less than the %u before it: wrong "
                                  "at event %zu",
                             e + 1, (unsigned)offset[e + 1], (unsigned)offset[e], e);
    if (offset[a->n_events] != a->n)
        return mote_fail(MOTE_ERROR_EVENT_OFFSETS,
                         NAME ": event_offsets[%zu], the last, is %u, but n is %zu", a->n_events,
                         (unsigned)offset[a->n_events], a->n);
    return MOTE_SUCCESS;
}

static mote_status check_finite(const char *name, const float *numbers, uint32_t count)
{
    for (uint32_t m = 0; numbers && m < count; m++)
        if (!isfinite(numbers[m]))
            return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                             NAME ": %s[%u] is %g, but must be a finite number", name, (unsigned)m,
                             (double)numbers[m]);
    return MOTE_SUCCESS;
}

mote_status mote_pixels_host_check(const mote_pixels_host_args *a)
{
    mote_status st = check_arrays(a);
    if (!st)
        st = check_sizes(a);
    if (!st)
        st = check_finite("gain", a->gain, a->n_modules);
    if (!st)
        st = check_finite("pedestal", a->pedestal, a->n_modules);
    return st ? st : check_offsets(a);
}

static uint64_t id_of(const mote_pixels_host_args *a, uint32_t digi)
{
    if (a->module_id16)
        return a->module_id16[digi];
    return a->module_id32 ? a->module_id32[digi] : a->module_id64[digi];
}

static mote_status fail_module(const mote_pixels_host_args *a, uint32_t digi)
{
    uint64_t invalid = a->invalid_module_id;
    if (invalid == 0)
        invalid = a->module_id16 ? MOTE_PIXELS_INVALID_MODULE_U16 : MOTE_PIXELS_INVALID_MODULE_U32;
    return mote_fail(MOTE_ERROR_MODULE,
                     NAME ": digi %u: module id %llu is neither below n_modules = %u nor the "
                          "invalid id %llu (x = %u, y = %u)",
                     (unsigned)digi, (unsigned long long)id_of(a, digi), (unsigned)a->n_modules,
                     (unsigned long long)invalid, (unsigned)a->x[digi], (unsigned)a->y[digi]);
}

static mote_status fail_coordinate(const mote_pixels_host_args *a, uint32_t digi)
{
    bool row = a->x[digi] >= a->rows;
    return mote_fail(MOTE_ERROR_COORDINATE,
                     NAME ": digi %u: %s = %u is not below %s = %u (module %llu, %s = %u)",
                     (unsigned)digi, row ? "x" : "y", (unsigned)(row ? a->x[digi] : a->y[digi]),
                     row ? "rows" : "columns", (unsigned)(row ? a->rows : a->columns),
                     (unsigned long long)id_of(a, digi), row ? "y" : "x",
                     (unsigned)(row ? a->y[digi] : a->x[digi]));
}

static mote_status fail_order(const mote_pixels_host_args *a, uint32_t digi)
{
    return mote_fail(MOTE_ERROR_NOT_CONTIGUOUS,
                     NAME ": digi %u: module %llu begins again after digis of another module (x = "
                          "%u, y = %u): MOTE_ORDER_ANY takes such input",
                     (unsigned)digi, (unsigned long long)id_of(a, digi), (unsigned)a->x[digi],
                     (unsigned)a->y[digi]);
}

mote_status mote_pixels_host_decode(const mote_pixels_host_args *a, const mote_error_word *word,
                                    uint32_t *needed)
{
    mote_error_word rest = *word;
    uint32_t module = word->slot[MOTE_SLOT_MODULE], place = word->slot[MOTE_SLOT_COORDINATE];
    uint32_t again = word->slot[MOTE_SLOT_NOT_CONTIGUOUS];
    uint32_t capacity = word->slot[MOTE_SLOT_CAPACITY];
    *needed = 0;
    if (module < a->n)
        return fail_module(a, module);
    if (place < a->n)
        return fail_coordinate(a, place);
    if (again < a->n)
        return fail_order(a, again);
    rest.slot[MOTE_SLOT_CAPACITY] = MOTE_ERROR_SLOT_CLEAR;
    mote_status st = mote_error_decode(&rest, NULL);
    if (!st && capacity != MOTE_ERROR_SLOT_CLEAR)
        *needed = capacity;
    return st;
}
