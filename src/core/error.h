/* SPDX-License-Identifier: Apache-2.0 */
/* A call's error word, as kernels use it. */
#ifndef MOTE_CORE_ERROR_H
#define MOTE_CORE_ERROR_H

#include "core/call.h"

/* Prepares a command that clears the call's error word, or none without an error word: for calls
 * whose first launch reports errors. */
mote_status mote_error_clear(mote_call *call);

/* Prepares a launch that merges the call's own error word into the caller's word `kept`. */
mote_status mote_error_merge(mote_call *call, const mote_view *kept);

/* Returns the slot that mote_error_read() reports (mote/layout/error.h), or MOTE_ERROR_SLOTS if the
 * word is clear. */
size_t mote_error_slot(const mote_error_word *word);

#endif
