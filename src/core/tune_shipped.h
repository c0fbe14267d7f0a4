/* SPDX-License-Identifier: Apache-2.0 */
/* Tuning values that were measured on a device, and hold for its kind. Elsewhere each call derives
 * its own; where it would choose the same, a row here still says that it is no guess. */
#ifndef MOTE_CORE_TUNE_SHIPPED_H
#define MOTE_CORE_TUNE_SHIPPED_H

#include "mote/context.h"

/* The text for a device, as MOTE_TUNE has it; NULL for none. */
const char *mote_tune_shipped(const mote_device_info *device);

#endif
