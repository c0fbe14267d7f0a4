/* SPDX-License-Identifier: Apache-2.0 */
#include "core/names.h"
#include "mote/context.h"
#include "mote/log.h"

MOTE_DEFINE_NAMES(mote_device_class, NULL, "gpu", "cpu")
MOTE_DEFINE_NAMES(mote_log_level, "none", "error", "warn", "info", "debug")
MOTE_DEFINE_NAMES(mote_tuning_origin, "derived", "file", "environment", "caller")
