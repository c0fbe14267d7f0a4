/* SPDX-License-Identifier: Apache-2.0 */
#include "core/names.h"
#include "mote/reduce.h"

MOTE_DEFINE_NAMES(mote_nan_policy, "propagate", "skip")
MOTE_DEFINE_NAMES(mote_accumulation, "default", "native", "compensated")
