/* SPDX-License-Identifier: Apache-2.0 */
/* Compiler options of the kernels that process all digis. */
#ifndef MOTE_PIXELS_SWEEP_H
#define MOTE_PIXELS_SWEEP_H

#include "core/call.h"
#include "core/sweep.h"

/* Compiler options of a kernel: the launch, the types of ids and charges, and `more`. */
void mote_pixels_sweep_defines(const mote_sweep *sweep, mote_type id, mote_type adc,
                               const char *more, char *text, size_t size);

#endif
