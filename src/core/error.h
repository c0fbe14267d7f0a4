/* SPDX-License-Identifier: Apache-2.0 */
/* A call's error word, as kernels see it. */
#ifndef MOTE_CORE_ERROR_H
#define MOTE_CORE_ERROR_H

#include "core/call.h"

/* Makes ready a launch that clears the call's error word, none without one: for calls whose first
 * launch already reports. */
mote_status mote_error_clear(mote_call *call);

/* Prepares a launch that merges the call's own error word into the caller's word `kept`. */
mote_status mote_error_merge(mote_call *call, const mote_view *kept);

/* What the word reports: the slot of the lowest bad list; without one, the first that is set;
 * MOTE_ERROR_SLOTS when it is clear. */
size_t mote_error_slot(const mote_error_word *word);

#endif
