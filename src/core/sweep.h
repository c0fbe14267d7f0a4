/* SPDX-License-Identifier: Apache-2.0 */
/* How kernels without barriers are launched over n elements; the device side is
 * cl/common/sweep.clh. */
#ifndef MOTE_CORE_SWEEP_H
#define MOTE_CORE_SWEEP_H

#include "core/context.h"

typedef struct mote_sweep {
    bool cpu; /* CPU form: a work-item processes one long range; the kernel needs -DCPU_FORM */
    size_t groups, local;
} mote_sweep;

/* At least one group, even for n = 0, because it does the work that is needed once per call. `form`
 * is the key of MOTE_TUNE that sets the form, as "pixels.form". */
mote_sweep mote_sweep_make(const mote_context *ctx, const char *form, size_t n);

#endif
