/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the views of all pixel calls share. */
#ifndef MOTE_PIXELS_VIEWS_H
#define MOTE_PIXELS_VIEWS_H

#include "core/check.h"

#define MOTE_PIXELS_U32    MOTE_TYPE_BIT(MOTE_UINT32)
#define MOTE_PIXELS_I32    MOTE_TYPE_BIT(MOTE_INT32)
#define MOTE_PIXELS_NARROW (MOTE_TYPE_BIT(MOTE_UINT16) | MOTE_TYPE_BIT(MOTE_UINT32))

/* Fails for 2^31 digis or more, for event offsets that are too short, and for too many modules of
 * events. n_modules: 0 = not used. */
mote_status mote_pixels_check_sizes(const mote_call *call, size_t n, const mote_view *event_offsets,
                                    uint32_t n_modules);

/* Fails for a cut of inner modules if there are no inner modules. */
mote_status mote_pixels_check_inner(const mote_call *call, uint64_t charge_cut_inner,
                                    uint32_t inner_modules);

/* Events of a call. */
size_t mote_pixels_events(const mote_view *event_offsets);

/* Returns the invalid module id; for 0, the default of the type. */
uint32_t mote_pixels_invalid_module(uint32_t given, mote_type type);

#endif
