/* SPDX-License-Identifier: Apache-2.0 */
/* Tuning values: limits of the device, and values that override them from these texts: the tune
 * file (core/tune_file.h), MOTE_TUNE, mote_context_tune().
 *
 * A text is "key=value,key=value"; keys are "area.name", values numbers, "gpu" or "cpu"; the last
 * one of equal keys is used. A key that is not in an area's tune_keys.inc, or a malformed value, is
 * ignored and reported once per context at warn level; a key that no call used is reported at info
 * level when the context is released. It never fails a call. */
#ifndef MOTE_CORE_TUNE_H
#define MOTE_CORE_TUNE_H

#include <stdbool.h>

#include "core/context.h"

/* Parses the texts (NULL for none), one for each mote_tuning_origin, into *tune, which is NULL if
 * they contain no usable value; fails only if memory runs out. */
#define MOTE_TUNE_ORIGINS (MOTE_TUNING_CALLER + 1)
mote_status mote_tune_create(const char *const texts[MOTE_TUNE_ORIGINS], mote_tune **tune);
void mote_tune_release(mote_tune *tune);

/* Reads the tune file and MOTE_TUNE, for a device. */
mote_status mote_tune_find(const mote_device_info *device, mote_tune **tune);

/* Returns the value that is used for `key`, NULL if calls choose; *origin is its origin. */
const char *mote_tune_value(const mote_tune *tune, const char *key, mote_tuning_origin *origin);

/* Returns whether `key` accepts `value`: "gpu" or "cpu" for forms, else a decimal number. */
bool mote_tune_takes(const char *key, const char *value);

/* The value of `key` in the texts, clamped to [least, most], or `fallback` if the texts do not
 * contain the key. */
size_t mote_tune_size(const mote_context *ctx, const char *key, size_t fallback, size_t least,
                      size_t most);

/* The class of the kernels to use: the value of `key` in the texts, "gpu" or "cpu", else the
 * device's own class. In this way, a CPU can run GPU forms, and vice versa. */
mote_device_class mote_tune_form(const mote_context *ctx, const char *key);

/* Returns whether any area of a CPU's context may run a form for GPUs. Does not count as a use of a
 * key. */
bool mote_tune_any_gpu_form(const mote_context *ctx);

#endif
