/* SPDX-License-Identifier: Apache-2.0 */
/* Prefix sums over a whole device buffer. */
#ifndef MOTE_REDUCE_SCAN_H
#define MOTE_REDUCE_SCAN_H

#include "core/call.h"

/* The division of a scan: each group scans `each` neighbouring elements. With one group there is no
 * first launch, which computes the sum of each group, and no scratch for these sums. */
typedef struct mote_scan_plan {
    bool cpu; /* one work-item per group */
    size_t local, groups, each;
    size_t most_groups; /* for this number of elements or fewer */
} mote_scan_plan;

/* `form` is the key of MOTE_TUNE that sets the form, as "reduce.form". */
mote_scan_plan mote_scan_plan_make(const mote_context *ctx, const char *form, size_t count);

/* Returns the number of elements of MOTE_UINT32 that mote_scan_u32() needs as scratch for `count`
 * elements; may be 0. */
size_t mote_scan_u32_scratch(const mote_context *ctx, size_t count);

/* Enqueues out[i] = in[0] + .. + in[i - 1] for i = 0 .. in->count: one or two launches, the next of
 * `call`, its final ones if `last`. Sums wrap at 2^32.
 *
 * in: any number of MOTE_UINT32, or 0 (mem may then be NULL). out: in->count + 1 elements, of which
 * the last is the total. in and out must not overlap, not even in place. scratch: at least
 * mote_scan_u32_scratch() elements; may be NULL if that is 0. Deterministic: yes. */
mote_status mote_scan_u32(mote_call *call, const mote_view *in, const mote_view *out,
                          const mote_view *scratch, bool last);

#endif
