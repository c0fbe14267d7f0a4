/* SPDX-License-Identifier: Apache-2.0 */
/* The pixel operations as mote_prepare() calls them. */
#ifndef MOTE_PIXELS_OPERATIONS_H
#define MOTE_PIXELS_OPERATIONS_H

#include "core/operation.h"
#include "mote/pixels.h"

mote_operation_enqueue mote_pixels_cluster_enqueue;
mote_operation_enqueue mote_pixels_module_start_enqueue;
mote_operation_enqueue mote_pixels_charge_cut_enqueue;
mote_operation_enqueue mote_pixels_cluster_start_enqueue;

#endif
