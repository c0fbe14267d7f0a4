/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/views.h"
#include "core/fail.h"
#include "mote/pixels.h"

#define LIMIT ((size_t)1 << 31)

size_t mote_pixels_events(const mote_view *event_offsets)
{
    return event_offsets->count ? event_offsets->count - 1 : 1;
}

mote_status mote_pixels_check_sizes(const mote_call *call, size_t n, const mote_view *event_offsets,
                                    uint32_t n_modules)
{
    if (event_offsets->type && event_offsets->count < 2)
        return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                         "%s: event_offsets has %zu elements: it must have the number of events + "
                         "1, at least 2",
                         call->name, event_offsets->count);
    if (n >= LIMIT)
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %zu digis: a call takes fewer than 2^31, split the batch", call->name,
                         n);
    size_t events = mote_pixels_events(event_offsets);
    if (events >= LIMIT || (n_modules > 0 && events > (LIMIT - 1) / n_modules))
        return mote_fail(MOTE_ERROR_UNSUPPORTED,
                         "%s: %zu events of %u modules: a call takes fewer than 2^31 modules in "
                         "all, split the batch",
                         call->name, events, (unsigned)n_modules);
    return MOTE_SUCCESS;
}

mote_status mote_pixels_check_inner(const mote_call *call, uint64_t charge_cut_inner,
                                    uint32_t inner_modules)
{
    if (charge_cut_inner == 0 || inner_modules > 0)
        return MOTE_SUCCESS;
    return mote_fail(MOTE_ERROR_INVALID_ARGUMENT,
                     "%s: charge_cut_inner is %llu, but inner_modules is 0, so that no module has "
                     "it: set inner_modules too",
                     call->name, (unsigned long long)charge_cut_inner);
}

uint32_t mote_pixels_invalid_module(uint32_t given, mote_type type)
{
    if (given)
        return given;
    return type == MOTE_UINT32 ? MOTE_PIXELS_INVALID_MODULE_U32 : MOTE_PIXELS_INVALID_MODULE_U16;
}
