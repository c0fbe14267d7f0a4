/* SPDX-License-Identifier: Apache-2.0 */
#include "core/names.h"
#include "mote/pixels.h"

MOTE_DEFINE_NAMES(mote_pixels_duplicates, "drop", "first", "sum", "max")
MOTE_DEFINE_NAMES(mote_pixels_order, "any", "contiguous")
MOTE_DEFINE_NAMES(mote_pixels_strategy, "auto", "union_find", "histogram")
MOTE_DEFINE_NAMES(mote_pixels_weight, "charge", "none")
