/* SPDX-License-Identifier: Apache-2.0 */
/* Compiler options of the kernels that go over all digis. */
#ifndef MOTE_PIXELS_STREAM_H
#define MOTE_PIXELS_STREAM_H

#include "core/error.h"
#include "core/stream.h"

/* Compiler options of a kernel: the launch, the types of ids and charges, and `more`. */
void mote_pixels_stream_defines(const mote_stream *stream, mote_type id, mote_type adc,
                                const char *more, char *text, size_t size);

#endif
