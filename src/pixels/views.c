/* SPDX-License-Identifier: Apache-2.0 */
#include "pixels/views.h"
#include "core/fail.h"
#include "mote/pixels.h"

#define LIMIT ((size_t)1 << 31)

static bool same_range(const mote_view *a, const mote_view *b)
{
    return a->mem == b->mem && a->offset == b->offset && a->count == b->count && a->type == b->type;
}

mote_status mote_pixels_check_views(const mote_call *call, const mote_pixels_view *views,
                                    size_t count)
{
    mote_status st = MOTE_SUCCESS;
    for (size_t i = 0; !st && i < count; i++)
        st = mote_check_view(call, &views[i].rule, views[i].view);
    for (size_t j = 1; !st && j < count; j++)
        for (size_t i = 0; !st && i < j; i++) {
            const mote_pixels_view *a = &views[i], *b = &views[j];
            if (!(a->rule.writes || b->rule.writes) ||
                (i == 0 && b->may_be_first && same_range(a->view, b->view)))
                continue;
            st = mote_check_apart(call, a->rule.name, a->view, b->rule.name, b->view);
        }
    return st;
}

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

uint32_t mote_pixels_invalid_module(uint32_t given, mote_type type)
{
    if (given)
        return given;
    return type == MOTE_UINT32 ? MOTE_PIXELS_INVALID_MODULE_U32 : MOTE_PIXELS_INVALID_MODULE_U16;
}
