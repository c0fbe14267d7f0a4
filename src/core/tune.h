/* SPDX-License-Identifier: Apache-2.0 */
/* Tuning values: limits that are queried first, then those of texts: the tune file
 * (core/tune_file.h), MOTE_TUNE, mote_context_tune().
 *
 * A text is "key=value,key=value"; keys are "area.name", values numbers, "gpu" or "cpu"; the
 * last of equal keys counts. A key that is not in an area's tune_keys.inc, or a malformed value,
 * which is ignored, is reported once a context at warn level; a key that nothing asked for is
 * reported at info level when the context is released. It never fails a call. */
#ifndef MOTE_CORE_TUNE_H
#define MOTE_CORE_TUNE_H

#include <stdbool.h>

#include "core/context.h"

/* Parses the texts (NULL for none), one for each mote_tuning_origin, into *tune, NULL when nothing
 * in them can be used; fails only for want of memory. */
#define MOTE_TUNE_ORIGINS (MOTE_TUNING_CALLER + 1)
mote_status mote_tune_create(const char *const texts[MOTE_TUNE_ORIGINS], mote_tune **tune);
void mote_tune_release(mote_tune *tune);

/* The tune file and MOTE_TUNE, for a device. */
mote_status mote_tune_find(const mote_device_info *device, mote_tune **tune);

/* The value that counts for `key`, NULL when calls choose; *origin is where it comes from. */
const char *mote_tune_value(const mote_tune *tune, const char *key, mote_tuning_origin *origin);

/* Whether `value` is one that `key` can have: "gpu" or "cpu" for forms, else a decimal number. */
bool mote_tune_takes(const char *key, const char *value);

/* The value of `key` in the texts clamped to [least, most], or `fallback` when it is not there. */
size_t mote_tune_size(const mote_context *ctx, const char *key, size_t fallback, size_t least,
                      size_t most);

/* The class of kernels to use: `key` in the texts as "gpu" or "cpu", else the device's own class.
 * With it, a CPU can run GPU forms, and vice versa. */
mote_device_class mote_tune_form(const mote_context *ctx, const char *key);

/* Whether any area of a CPU's context may run a form for GPUs. Counts as no question for a key. */
bool mote_tune_any_gpu_form(const mote_context *ctx);

#endif
