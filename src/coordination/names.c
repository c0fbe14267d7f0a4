/* SPDX-License-Identifier: Apache-2.0 */
#include "core/names.h"
#include "mote/steinhardt.h"

MOTE_DEFINE_NAMES(mote_coordination_mode, "self", "two", "pair")
MOTE_DEFINE_NAMES(mote_pbc, "none", "orthorhombic", "triclinic")
MOTE_DEFINE_NAMES(mote_precision, "mixed", "single", "double")
MOTE_DEFINE_NAMES(mote_coordination_method, "auto", "all_pairs", "cells")
MOTE_DEFINE_NAMES(mote_derivatives_of, "entry", "atom")
MOTE_DEFINE_NAMES(mote_steinhardt_reduction, "mean", "sum", "less_than", "more_than", "moments")
