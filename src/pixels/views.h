/* SPDX-License-Identifier: Apache-2.0 */
/* Checking all views of a call at once. */
#ifndef MOTE_PIXELS_VIEWS_H
#define MOTE_PIXELS_VIEWS_H

#include "core/check.h"

#define MOTE_PIXELS_U32    MOTE_TYPE_BIT(MOTE_UINT32)
#define MOTE_PIXELS_I32    MOTE_TYPE_BIT(MOTE_INT32)
#define MOTE_PIXELS_NARROW (MOTE_TYPE_BIT(MOTE_UINT16) | MOTE_TYPE_BIT(MOTE_UINT32))

typedef struct mote_pixels_view {
    mote_view_rule rule;
    const mote_view *view;
    bool may_be_first; /* a written one that may be the very range of views[0] */
} mote_pixels_view;

/* Each view against its rule, then that no written one overlaps another. */
mote_status mote_pixels_check_views(const mote_call *call, const mote_pixels_view *views,
                                    size_t count);

/* Fails for 2^31 digis or more, for event offsets that are too short, and for too many modules of
 * events. n_modules: 0 = not used. */
mote_status mote_pixels_check_sizes(const mote_call *call, size_t n, const mote_view *event_offsets,
                                    uint32_t n_modules);

/* A workspace may begin anywhere: what its alignment can cost, in bytes. */
#define MOTE_PIXELS_WORKSPACE_SLACK 64

/* Events of a call. */
size_t mote_pixels_events(const mote_view *event_offsets);

/* The invalid module id, the type's own for 0. */
uint32_t mote_pixels_invalid_module(uint32_t given, mote_type type);

#endif
