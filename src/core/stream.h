/* SPDX-License-Identifier: Apache-2.0 */
/* How kernels without barriers are launched over n elements; the device side is
 * cl/common/stream.clh. */
#ifndef MOTE_CORE_STREAM_H
#define MOTE_CORE_STREAM_H

#include "core/context.h"

typedef struct mote_stream {
    bool cpu; /* CPU form: a work-item takes one long range; the kernel needs -DCPU_FORM */
    size_t groups, local;
} mote_stream;

/* At least one group, so that somebody does what is to be done once. `form` is the key of MOTE_TUNE
 * that sets the form, as "pixels.form". */
mote_stream mote_stream_make(const mote_context *ctx, const char *form, size_t n);

#endif
