/* SPDX-License-Identifier: Apache-2.0 */
/* Tuning values: limits that are queried first, MOTE_TUNE last.
 *
 * MOTE_TUNE is "key=value,key=value"; keys are "area.name", values numbers, "gpu" or "cpu"; the
 * last of equal keys counts. A key that is not in core/tune_keys.c, or a malformed value, which is
 * ignored, is reported once a context at warn level; a key that nothing asked for is reported at
 * info level when the context is released. It never fails a call. */
#ifndef MOTE_CORE_TUNE_H
#define MOTE_CORE_TUNE_H

#include "core/context.h"

/* Parses MOTE_TUNE's text (NULL for none) into *tune, NULL when nothing in it can be used; fails
 * only for want of memory. */
mote_status mote_tune_create(const char *text, mote_tune **tune);
void mote_tune_release(mote_tune *tune);

/* The value of `key` in MOTE_TUNE clamped to [least, most], or `fallback` when it is not there. */
size_t mote_tune_size(const mote_context *ctx, const char *key, size_t fallback, size_t least,
                      size_t most);

/* The class of kernels to use: `key` in MOTE_TUNE as "gpu" or "cpu", else the device's own class.
 * Lets a CPU run GPU forms, and the other way round. */
mote_device_class mote_tune_form(const mote_context *ctx, const char *key);

#endif
