/* SPDX-License-Identifier: Apache-2.0 */
/* How fast a device can calculate at all: a kernel that does nothing but multiply and add. */
#ifndef MOTE_BENCH_COORDINATION_LIMIT_H
#define MOTE_BENCH_COORDINATION_LIMIT_H

#include <stdbool.h>

#include "mote/context.h"

/* Fused multiply-adds of scalars in a nanosecond: by vectors of 16 floats or 8 doubles on CPUs, as
 * their kernels use them; scalars in many work-items elsewhere. 0 when it cannot be measured.
 * `queue` must profile. */
double mote_fma_rate(mote_context *ctx, cl_command_queue queue, bool in_double);

#endif
