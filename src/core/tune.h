/* SPDX-License-Identifier: Apache-2.0 */
/* Tuning values: queried limits first, then a device table, MOTE_TUNE last.
 *
 * MOTE_TUNE is "key=value,key=value"; keys are "area.name". A malformed or unknown value is reported
 * once at warn level and ignored; it never fails a call. */
#ifndef MOTE_CORE_TUNE_H
#define MOTE_CORE_TUNE_H

#include "core/context.h"

/* The value of `key` in MOTE_TUNE clamped to [least, most], or `fallback` when it is not there. */
size_t mote_tune_size(const mote_context *ctx, const char *key, size_t fallback, size_t least,
                      size_t most);

/* The class of kernels to use: `key` in MOTE_TUNE as "gpu" or "cpu", else the device's own class. Lets
 * a CPU run GPU forms, and the other way round. */
mote_device_class mote_tune_form(const mote_context *ctx, const char *key);

#endif
