/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MOTE_PIXELS_MODULE_OUT_H
#define MOTE_PIXELS_MODULE_OUT_H

#include "core/call.h"
#include "shared/pixels_params.h"
#include "mote/pixels.h"

/* Writes a->module_id_out from checked arguments and finished labels; one launch. */
mote_status mote_pixels_launch_module_out(mote_call *call, const mote_pixels_cluster_args *a,
                                          const mote_pixels_params *prm, bool last);

#endif
