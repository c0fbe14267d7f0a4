/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic limit of a device, measured with a kernel that only multiplies and adds. */
#ifndef MOTE_BENCH_COORDINATION_LIMIT_H
#define MOTE_BENCH_COORDINATION_LIMIT_H

#include <stdbool.h>

#include "mote/context.h"

/* Fused multiply-adds of scalars per nanosecond: with vectors of 16 floats or 8 doubles on CPUs, as
 * their kernels use them; with scalars in many work-items on other devices. 0 if it cannot be
 * measured. `queue` must profile. */
double mote_fma_rate(mote_context *ctx, cl_command_queue queue, bool in_double);

#endif
