/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MOTE_PIXELS_PROPERTIES_H
#define MOTE_PIXELS_PROPERTIES_H

#include "core/call.h"
#include "shared/pixels_params.h"
#include "mote/pixels.h"

/* Returns the number of digis that a work-item adds up: more than one only if there are many
 * digis. */
size_t mote_pixels_digis_each(const mote_context *ctx, size_t n);

/* Fills a->properties from checked arguments and finished labels; two launches, one in the CPU
 * form. cluster_start: events x modules + 1 values. copies: the clustering kernels' records of
 * repeated pixels, 4 parts of prm->n values; read for SUM and MAX only. */
mote_status mote_pixels_launch_properties(mote_call *call, const mote_pixels_cluster_args *a,
                                          const mote_pixels_params *prm,
                                          const mote_view *cluster_start, const mote_view *copies,
                                          bool last);

#endif
