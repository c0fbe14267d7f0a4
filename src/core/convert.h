/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of element types: on the host, and as part of a call on the device. Both give the same
 * bits, which buffer.h specifies, on devices that support denormal floats. */
#ifndef MOTE_CORE_CONVERT_H
#define MOTE_CORE_CONVERT_H

#include "core/call.h"

/* Returns whether elements of one type can be converted to the other. */
bool mote_can_convert(mote_type from, mote_type to);

/* Converts `count` elements; the types can be converted, the arrays do not overlap. */
void mote_convert(const void *from, mote_type from_type, void *to, mote_type to_type, size_t count);

/* Enqueues the conversion of one view to the other, of the same count, as the next step of a call.
 */
mote_status mote_convert_device(mote_call *call, const mote_view *from, const mote_view *to,
                                bool last);

#endif
