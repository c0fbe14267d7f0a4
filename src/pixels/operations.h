/* SPDX-License-Identifier: Apache-2.0 */
/* The pixel operations as mote_prepare() calls them: with `prepare` set nothing is enqueued, but
 * kernels are built and scratch is reserved. */
#ifndef MOTE_PIXELS_OPERATIONS_H
#define MOTE_PIXELS_OPERATIONS_H

#include <stdbool.h>

#include "mote/pixels.h"

mote_status mote_pixels_cluster_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                        const void *args, cl_uint num_wait, const cl_event *wait,
                                        cl_event *event);
mote_status mote_pixels_module_start_enqueue(mote_context *ctx, cl_command_queue queue,
                                             bool prepare, const void *args, cl_uint num_wait,
                                             const cl_event *wait, cl_event *event);
mote_status mote_pixels_charge_cut_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                           const void *args, cl_uint num_wait, const cl_event *wait,
                                           cl_event *event);
mote_status mote_pixels_cluster_start_enqueue(mote_context *ctx, cl_command_queue queue,
                                              bool prepare, const void *args, cl_uint num_wait,
                                              const cl_event *wait, cl_event *event);

#endif
