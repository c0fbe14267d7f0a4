/* SPDX-License-Identifier: Apache-2.0 */
/* How kernels without barriers are launched over n elements; the device side is
 * cl/pixels/stream.clh. */
#ifndef MOTE_PIXELS_STREAM_H
#define MOTE_PIXELS_STREAM_H

#include "core/call.h"

typedef struct mote_pixels_stream {
    bool cpu; /* CPU form: a work-item takes one long range */
    size_t groups, local;
} mote_pixels_stream;

/* At least one group, so that somebody does what is to be done once. */
mote_pixels_stream mote_pixels_stream_make(const mote_context *ctx, size_t n);

/* Compiler options of a kernel: the launch, the types of ids and charges, and `more`. */
void mote_pixels_stream_defines(const mote_pixels_stream *stream, mote_type id, mote_type adc,
                                const char *more, char *text, size_t size);

/* A call's error word as a view; NULL view when there is none. */
mote_view mote_pixels_error_view(cl_mem error, size_t offset);

#endif
