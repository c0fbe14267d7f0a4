/* SPDX-License-Identifier: Apache-2.0 */
/* An operation as mote_prepare() calls it: with `prepare` set and no queue nothing is enqueued, but
 * kernels are built and scratch is reserved. */
#ifndef MOTE_CORE_OPERATION_H
#define MOTE_CORE_OPERATION_H

#include <stdbool.h>

#include "mote/status.h"

typedef struct mote_context mote_context;

typedef mote_status mote_operation_enqueue(mote_context *ctx, cl_command_queue queue, bool prepare,
                                           const void *args, cl_uint num_wait, const cl_event *wait,
                                           cl_event *event);

#endif
