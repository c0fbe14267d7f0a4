/* SPDX-License-Identifier: Apache-2.0 */
#include "core/names.h"
#include "mote/jagged.h"

MOTE_DEFINE_NAMES(mote_jagged_strategy, "auto", "search", "event", "balanced")
MOTE_DEFINE_NAMES(mote_jagged_validate, "default", "touched", "full")
MOTE_DEFINE_NAMES(mote_jagged_overlap, "default", "ignore", "check")
